"""What an answer of NCBI says: the records in it, or that it is none.

`BadAnswer` is raised for what is no answer to the call. Bodies that are none at all were sorted out
before (`answer_check`).

ELink's answer: link sets in JSON or XML, and the ids that they lead to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from core.errors import BadAnswer
from core.model import Json
from core.ncbi import blast_report, citation, gene, omim, variation
from core.ncbi.call import (
    SEQUENCE_DATABASES,
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
from core.ncbi.citation import medgen_summary, plain_summary
from core.ncbi.datasets import ortholog_records, product_records
from core.ncbi.record import NcbiReading, NcbiRecord, UnusedRecord, record_curie


@dataclass(frozen=True, slots=True)
class LinkBase:
    """Links of one name to one database; each link is the target's id and its pointer."""

    db: str
    name: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LinkSet:
    sources: tuple[str, ...]
    bases: tuple[LinkBase, ...]
    error: str = ""


def read_links(call: Link, sets: Sequence[LinkSet]) -> NcbiReading:
    """Target ids by source id, with the pointer of each. Where NCBI names its links, only the plain
    ones (`omim_gene`) count. A link set that says ERROR has failed.
    """
    link_name, links = f"{call.source}_{call.db}", dict[str, tuple[str, ...]]()
    places, failed = dict[str, str](), list[str]()
    for linked in sets:
        sources = linked.sources or call.ids[:1]
        if linked.error:
            failed += sources
            continue
        own_links = [base for base in linked.bases if base.db == call.db and base.name == link_name]
        bases = own_links or [base for base in linked.bases if base.db == call.db]
        targets = {uid: place for base in bases for uid, place in base.links if uid.isdigit()}
        for source in sources:
            links[source] = tuple(dict.fromkeys((*links.get(source, ()), *targets)))
            for uid, place in targets.items():
                places.setdefault(f"{source}>{uid}", place)
    ids = tuple(dict.fromkeys(target for targets_of in links.values() for target in targets_of))
    return NcbiReading(
        ids=ids, count=len(ids), links=links, places=places, failed=tuple(dict.fromkeys(failed))
    )


def json_link_sets(answer: Mapping[str, Json]) -> list[LinkSet]:
    """Raises BadAnswer where there is none."""
    sets = answer.get("linksets")
    if not isinstance(sets, list) or not sets:
        raise BadAnswer("NCBI returned no links.", "Try again in a minute.")
    link_sets = []
    for number, link_set in enumerate(sets):
        if not isinstance(link_set, Mapping):
            continue
        bases = []
        for place, base in enumerate(link_set.get("linksetdbs") or []):
            if isinstance(base, Mapping):
                at = f"/linksets/{number}/linksetdbs/{place}/links/"
                links = tuple((_id(to), f"{at}{n}") for n, to in enumerate(base.get("links") or []))
                bases.append(LinkBase(str(base.get("dbto")), str(base.get("linkname")), links))
        sources = tuple(_id(uid) for uid in link_set.get("ids") or [])
        error = str(link_set.get("ERROR") or link_set.get("error") or "")
        link_sets.append(LinkSet(sources, tuple(bases), error))
    return link_sets


def _id(link: Json) -> str:
    return (
        str(link.get("id") or link.get("value") or "") if isinstance(link, Mapping) else str(link)
    )


def xml_link_sets(root: ET.Element) -> list[LinkSet]:
    """Raises BadAnswer where there is none."""
    if root.find(".//LinkSet") is None:
        raise BadAnswer("NCBI returned no links.", "Links are not served at this address.")
    return [
        LinkSet(
            tuple(id_element.text or "" for id_element in group.iterfind("IdList/Id")),
            tuple(
                LinkBase(
                    base.findtext("DbTo") or "",
                    base.findtext("LinkName") or "",
                    tuple((to.text or "", "LinkSetDb/Link/Id") for to in base.iterfind("Link/Id")),
                )
                for base in group.iter("LinkSetDb")
            ),
            (group.findtext("ERROR") or "").strip(),
        )
        for group in root.iter("LinkSet")
    ]


_SUMMARIES: dict[NcbiDatabase, Callable[[str, Mapping[str, Json]], NcbiRecord]] = {
    NcbiDatabase.GENE: gene.gene_summary,
    NcbiDatabase.SNP: variation.snp_summary,
    NcbiDatabase.OMIM: omim.omim_summary,
    NcbiDatabase.CLINVAR: variation.clinvar_summary,
    NcbiDatabase.PUBMED: lambda uid, summary: plain_summary("pubmed", uid, summary),
    NcbiDatabase.NUCCORE: lambda uid, summary: plain_summary("nuccore", uid, summary),
    NcbiDatabase.PROTEIN: lambda uid, summary: plain_summary("protein", uid, summary),
    NcbiDatabase.TAXONOMY: lambda uid, summary: plain_summary("taxonomy", uid, summary),
    NcbiDatabase.MEDGEN: medgen_summary,
}


def read_response(call: NcbiCall, body: str) -> NcbiReading:
    """The records of an answer. Raises BadAnswer when it does not parse, or has another form than
    NCBI documents: a list where an object is due, a word for a number.
    """
    try:
        return _read_form(call, body)
    except (TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
        raise BadAnswer(
            f"NCBI's answer has an unexpected form ({type(error).__name__}); it is not read.",
            "Try again later. If this persists, NCBI has changed its format: update Groundwork.",
        ) from error


def _read_form(call: NcbiCall, body: str) -> NcbiReading:
    match call:
        case Search():
            return _search(_json(body))
        case Summary(db, ids):
            return _summaries(db, ids, _json(body))
        case Link():
            return _links(call, body)
        case FullRecord(db, ids):
            return _full(db, ids, body)
        case GeneType():
            return NcbiReading(records=tuple(gene.gene_types_from_datasets(_json(body))))
        case GeneProducts():
            return product_records(_json(body))
        case Orthologs(id):
            return ortholog_records(id, _json(body))
        case Align():
            return _submitted(body)
        case Alignment(rid):
            state = blast_report.report_status(body)
            if state == "WAITING":
                return NcbiReading(rid=rid, pending=True)
            if state in ("UNKNOWN", "FAILED"):
                raise BadAnswer(
                    f"BLAST says that request {rid} is {state.lower()}.", "Ask the question again."
                )
            return blast_report.parse_report(body)
    raise TypeError(f"not a call: {call!r}")


def _json(body: str) -> Mapping[str, Json]:
    try:
        answer = json.loads(body, strict=False)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(
            "NCBI sent JSON that cannot be read; it may have been cut.", "Try again in a minute."
        ) from error
    if not isinstance(answer, Mapping):
        raise BadAnswer("NCBI sent JSON that is not an answer.", "Try again in a minute.")
    return answer


def _xml(body: str) -> ET.Element:
    """The root; a fragment such as efetch gives for dbSNP is wrapped. Documents with own entities
    are refused.
    """
    if "<!ENTITY" in body:
        raise BadAnswer("NCBI's XML declares entities; it is not read.")
    text = re.sub(r"^\s*<\?xml[^>]*\?>\s*(<!DOCTYPE[^>]*>)?", "", body)
    try:
        return ET.fromstring(f"<answer>{text}</answer>")
    except ET.ParseError as error:
        raise BadAnswer(
            "NCBI sent XML that cannot be read; it may have been cut.", "Try again in a minute."
        ) from error


def _submitted(body: str) -> NcbiReading:
    ncbi_reading = blast_report.read_submission(body)
    if not ncbi_reading.rid:
        error_text = re.search(r"class=\"error\">([^<]{1,200})", body)
        raise BadAnswer(
            f"BLAST returned no request id{': ' + error_text[1].strip() if error_text else ''}.",
            "Try again later.",
        )
    return ncbi_reading


def _search(answer: Mapping[str, Json]) -> NcbiReading:
    result = answer.get("esearchresult")
    if not isinstance(result, Mapping):
        error_text = answer.get("error") or answer.get("ERROR")
        raise BadAnswer(
            "NCBI's search returned no result"
            + (f": {str(error_text)[:200]}." if error_text else "."),
            "Try again in a minute.",
        )
    if result.get("ERROR"):
        raise BadAnswer(
            f"NCBI's search says: {str(result['ERROR'])[:200]}.",
            "Change the search, or try again in a minute.",
        )
    ids = tuple(text for uid in result.get("idlist") or [] if (text := str(uid).strip()).isdigit())
    count_text = str(result.get("count") or "").strip()
    count = int(count_text) if count_text.isdigit() else len(ids)
    warnings = (f"NCBI found {count} records and sent {len(ids)}.",) if count > len(ids) else ()
    is_first_page = str(result.get("retstart") or "0").strip() in ("", "0")
    if count and not ids and is_first_page:
        raise BadAnswer(f"NCBI found {count} records but listed none.", "Try again in a minute.")
    unfound = (
        *_phrases(result, "errorlist", "phrasesnotfound"),
        *_phrases(result, "warninglist", "phrasesignored"),
    )
    unquoted = _phrases(result, "warninglist", "quotedphrasesnotfound")
    not_found = (
        tuple(f"The phrase {phrase} was not found." for phrase in (*unfound, *unquoted))
        if count or unquoted
        else ()
    )
    places = {
        f">{str(uid).strip()}": f"/esearchresult/idlist/{number}"
        for number, uid in enumerate(result.get("idlist") or [])
    }
    return NcbiReading(
        ids=ids,
        count=count,
        warnings=(*warnings, *not_found),
        unfound=(*unfound, *unquoted),
        places=places,
    )


def _phrases(result: Mapping[str, Json], group: str, name: str) -> tuple[str, ...]:
    phrase_groups = result.get(group)
    phrases = phrase_groups.get(name) if isinstance(phrase_groups, Mapping) else None
    return tuple(map(str, phrases)) if isinstance(phrases, list) else ()


def _summaries(db: NcbiDatabase, ids: tuple[str, ...], answer: Mapping[str, Json]) -> NcbiReading:
    result = answer.get("result")
    if not isinstance(result, Mapping):
        error_text = str(answer.get("error") or answer.get("esummaryresult") or "")[:200]
        raise BadAnswer(
            f"NCBI returned no summaries{': ' + error_text if error_text else ''}.",
            "Check the ids, or try again in a minute.",
        )
    # a merged record may come under the number that took its place, one that was asked for by its
    # accession under its number
    read_ids = [*(uid for uid in ids if _is_complete(result.get(uid))), *_others(result, ids)]
    records = [_SUMMARIES[db](uid, result[uid]) for uid in read_ids]
    read_accessions = {str(result[uid].get(name)) for uid in read_ids for name in _ACCESSIONS}
    dropped = [
        UnusedRecord(
            record_curie(db, uid),
            str((result.get(uid) or {}).get("error", "not in the answer"))[:200],
        )
        for uid in ids
        if uid not in read_ids and not (db in SEQUENCE_DATABASES and uid in read_accessions)
    ]
    warnings = missing_fields(db, [result[uid] for uid in read_ids])
    return NcbiReading(
        records=tuple(records),
        ids=ids,
        count=len(records),
        dropped=tuple(dropped),
        warnings=warnings,
    )


_ACCESSIONS = ("accessionversion", "caption")


def _is_complete(summary: Json) -> bool:
    return isinstance(summary, Mapping) and not summary.get("error")


def _others(result: Mapping[str, Json], ids: tuple[str, ...]) -> list[str]:
    """Whole records under numbers that were not asked for."""
    return [
        uid
        for uid, summary in result.items()
        if uid not in ids and _is_complete(summary) and summary.get("uid") == uid
    ]


EXPECTED: dict[NcbiDatabase, tuple[str, ...]] = {
    NcbiDatabase.GENE: (
        "name",
        "nomenclaturesymbol",
        "otheraliases",
        "chromosome",
        "organism",
        "genomicinfo",
    ),
    NcbiDatabase.SNP: ("snp_id", "chr", "chrpos", "genes", "fxn_class"),
    NcbiDatabase.OMIM: ("oid", "title"),
    NcbiDatabase.MEDGEN: ("conceptid", "title", "conceptmeta"),
    NcbiDatabase.TAXONOMY: ("scientificname", "rank"),
    NcbiDatabase.PROTEIN: ("accessionversion", "title", "slen"),
    NcbiDatabase.CLINVAR: ("variation_set",),
}


def missing_fields(db: NcbiDatabase, summaries: Sequence[Json]) -> tuple[str, ...]:
    """Fields that NCBI's summaries have always had and that no record of this answer has: its
    format has changed.
    """
    missing = [
        name
        for name in EXPECTED.get(db, ())
        if summaries and not any(name in summary for summary in summaries)
    ]
    return (
        (
            (
                f"NCBI's {db} summaries no longer contain {', '.join(missing)}: what is read from "
                "them is not found."
            ),
        )
        if missing
        else ()
    )


def _links(call: Link, body: str) -> NcbiReading:
    is_json = body.lstrip().startswith("{")
    return read_links(call, json_link_sets(_json(body)) if is_json else xml_link_sets(_xml(body)))


def _full(db: NcbiDatabase, ids: tuple[str, ...], body: str) -> NcbiReading:
    if db in (NcbiDatabase.GENE, NcbiDatabase.SNP) and not body.lstrip().startswith("<"):
        raise BadAnswer(
            f"NCBI sent text instead of whole {db} records in XML.",
            "This address does not serve them.",
        )
    if db is NcbiDatabase.GENE:
        return NcbiReading(records=tuple(gene.gene_types_from_xml(_xml(body))))
    if db is NcbiDatabase.SNP:
        records = variation.snps_from_xml(_xml(body).iter("DocumentSummary"))
        return NcbiReading(records=tuple(records), count=len(records))
    if db is NcbiDatabase.TAXONOMY:
        return citation.taxon_records(_xml(body))
    ncbi_records = [
        NcbiRecord(record_curie(db, uid), str(db), {"text": body[:4000]}, {"text": "whole answer"})
        for uid in ids[:1]
    ]
    return NcbiReading(
        records=tuple(ncbi_records),
        cut=len(body) > 4000,
        warnings=("Only the first 4,000 characters are shown.",) if len(body) > 4000 else (),
    )
