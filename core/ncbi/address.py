"""Where calls go: base URLs are constants unless the operator set them; the rest is built from
checked values.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.model import Json
from core.ncbi.call import (
    GRCH38_DATABASE,
    PROTEIN_DATABASES,
    RANKED,
    Align,
    Alignment,
    FullRecord,
    GeneProducts,
    GeneType,
    Link,
    NcbiCall,
    NcbiDatabase,
    Orthologs,
    Search,
    Summary,
)
from core.web import Fetch

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
BLAST = "https://blast.ncbi.nlm.nih.gov/Blast.cgi"
DATASETS = "https://api.ncbi.nlm.nih.gov/datasets/v2"
KIND = "ncbi"
LARGE = 8_000_000  # bytes: BLAST reports and whole gene records
ORTHOLOGS_A_PAGE = 100  # of NCBI Datasets, whose most is 1,000


@dataclass(frozen=True, slots=True)
class NcbiAddresses:
    """`datasets` is empty where there is no such service beside the operator's own E-utilities;
    `links` is false where they are known to serve none.
    """

    eutils: str = EUTILS
    blast: str = BLAST
    datasets: str = DATASETS
    links: bool = True

    @classmethod
    def of(cls, eutils: str, blast: str, datasets: str) -> NcbiAddresses:
        """From settings. NCBI's own Datasets is asked only beside NCBI's own E-utilities."""
        return cls(eutils, blast, datasets or (DATASETS if eutils == EUTILS else ""))

    @property
    def own(self) -> bool:
        return self.eutils != EUTILS and self.blast != BLAST


def fetch_of(call: NcbiCall, addresses: NcbiAddresses, path: str = "") -> Fetch:
    """The request that asks `call`, without key, tool or e-mail (see `answer_check`)."""
    match call:
        case Search(db, term, retmax, start):
            ranked = (("sort", "relevance"),) if db in RANKED else ()
            params = (
                ("db", str(db)),
                ("term", term),
                ("retmode", "json"),
                ("retmax", str(retmax)),
                *((("retstart", str(start)),) if start else ()),
                *ranked,
            )
            return Fetch(f"{addresses.eutils}/esearch.fcgi", params=params, kind=KIND, path=path)
        case Summary(db, ids):
            params = (("db", str(db)), ("id", ",".join(ids)), ("retmode", "json"))
            return Fetch(f"{addresses.eutils}/esummary.fcgi", params=params, kind=KIND, path=path)
        case FullRecord(db, ids):
            form = {NcbiDatabase.NUCCORE: "gb", NcbiDatabase.PUBMED: "abstract"}.get(db, "")
            extra = (("rettype", form), ("retmode", "text")) if form else (("retmode", "xml"),)
            params = (("db", str(db)), ("id", ",".join(ids)), *extra)
            return Fetch(
                f"{addresses.eutils}/efetch.fcgi",
                params=params,
                kind=KIND,
                path=path,
                max_bytes=LARGE,
            )
        case Link(source, db, ids):
            id_params = tuple(
                ("id", uid) for uid in ids
            )  # ids that are parted are answered one by one
            params = (("dbfrom", str(source)), ("db", str(db)), *id_params, ("retmode", "json"))
            return Fetch(f"{addresses.eutils}/elink.fcgi", params=params, kind=KIND, path=path)
        case GeneType(ids):
            return Fetch(f"{addresses.datasets}/gene/id/{','.join(ids)}", kind=KIND, path=path)
        case GeneProducts(ids):
            url = f"{addresses.datasets}/gene/id/{','.join(ids)}/product_report"
            return Fetch(url, kind=KIND, path=path, max_bytes=LARGE)
        case Orthologs(id, taxon, page):
            params = (
                ("returned_content", "COMPLETE"),
                ("page_size", str(ORTHOLOGS_A_PAGE)),
                *((("taxon_filter", taxon),) if taxon else ()),
                *((("page_token", page),) if page else ()),
            )
            url = f"{addresses.datasets}/gene/id/{id}/orthologs"
            return Fetch(url, params=params, kind=KIND, path=path, max_bytes=LARGE)
        case Align() | Alignment():
            return _blast(call, addresses, path)
    raise TypeError(f"not a call: {call!r}")


def _blast(call: Align | Alignment, addresses: NcbiAddresses, path: str) -> Fetch:
    if isinstance(call, Alignment):
        params: tuple[tuple[str, str], ...] = (
            ("CMD", "Get"),
            ("RID", call.rid),
            ("FORMAT_TYPE", "Text"),
        )
        return Fetch(
            addresses.blast, params=params, kind=KIND, path=path, max_bytes=LARGE, fresh=True
        )
    where = (
        (("DATABASE", GRCH38_DATABASE), ("ENTREZ_QUERY", "txid9606[Organism]"))
        if call.assembly
        else (
            ("DATABASE", call.database),
            *((("ENTREZ_QUERY", "txid9606[Organism]"),) if call.organism else ()),
        )
    )
    program = (
        (("PROGRAM", "blastp"),)
        if call.database in PROTEIN_DATABASES
        else (("PROGRAM", "blastn"), ("MEGABLAST", "on"))
    )
    params = (
        ("CMD", "Put"),
        *program,
        *where,
        ("HITLIST_SIZE", "20"),
        ("QUERY", call.sequence),
    )
    return Fetch(addresses.blast, method="POST", data=params, kind=KIND, path=path, fresh=True)


def shown_request(call: NcbiCall, addresses: NcbiAddresses) -> Json:
    """The request as people see it; nothing in it is secret, because keys are added later."""
    fetch, params = fetch_of(call, addresses), dict[str, str]()
    for name, value in fetch.params or fetch.data or ():
        params[name] = f"{params[name]}&{name}={value}" if name in params else value
    return {"method": fetch.method, "url": fetch.url, "params": params}
