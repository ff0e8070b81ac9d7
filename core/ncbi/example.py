"""Small records of three questions whose content GeneGPT's paper prints, typed by us: LMP10,
rs1217074595, Meesmann.

`ExampleFetcher` answers from them what NCBI would, so that example runs and demonstrations need no
network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from core.errors import NotServed
from core.model import Json
from core.web import Fetch, Fetched

QUESTIONS = (
    "What is the official gene symbol of LMP10?",
    "Which gene is SNP rs1217074595 associated with?",
    "What are genes related to Meesmann corneal dystrophy?",
    "List chromosome locations of the genes related to Meesmann corneal dystrophy.",
)
SEQUENCE = (
    "ATTCTGCCTTTAGTAATTTGATGACAGAGACTTCTTGGGAACCACAGCCAGGGAGCCACCCTTTACTCCA"
    "CCAACAGGTGGCTTATATCCAATCTGAGAAAGAAAGAAAAAAAAAAAAGTATTTCTCT"
)
HUMAN: Json = {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606}
GENES: Mapping[str, Json] = {
    "5699": {
        "uid": "5699",
        "name": "PSMB10",
        "description": "proteasome 20S subunit beta 10",
        "currentid": "",
        "chromosome": "16",
        "maplocation": "16q22.1",
        "otheraliases": "LMP10, MECL1, PRAAS5, beta2i",
        "otherdesignations": "proteasome subunit beta type-10",
        "nomenclaturesymbol": "PSMB10",
        "nomenclaturename": "proteasome 20S subunit beta 10",
        "nomenclaturestatus": "Official",
        "mim": ["176847"],
        "organism": HUMAN,
        "genomicinfo": [
            {
                "chrloc": "16",
                "chraccver": "NC_000016.10",
                "chrstart": 67936849,
                "chrstop": 67934505,
                "exoncount": 8,
            }
        ],
    },
    "8138": {
        "uid": "8138",
        "name": "MECL1",
        "description": "Proteosome subunit MECL1",
        "currentid": "5699",
        "otheraliases": "LMP10, PSMB10",
        "nomenclaturesymbol": "",
        "organism": HUMAN,
        "genomicinfo": [],
    },
    "3859": {
        "uid": "3859",
        "name": "KRT12",
        "description": "keratin 12",
        "currentid": "",
        "chromosome": "17",
        "maplocation": "17q21.2",
        "otheraliases": "K12, MECD1",
        "nomenclaturesymbol": "KRT12",
        "nomenclaturestatus": "Official",
        "mim": ["601687"],
        "organism": HUMAN,
        "genomicinfo": [],
    },
    "3850": {
        "uid": "3850",
        "name": "KRT3",
        "description": "keratin 3",
        "currentid": "",
        "chromosome": "12",
        "maplocation": "12q13.13",
        "otheraliases": "CK3, K3, MECD2",
        "nomenclaturesymbol": "KRT3",
        "nomenclaturestatus": "Official",
        "mim": ["148043"],
        "organism": HUMAN,
        "genomicinfo": [],
    },
}
OMIM: Mapping[str, Json] = {
    "122100": {
        "uid": "122100",
        "oid": "#122100",
        "title": "CORNEAL DYSTROPHY, MEESMANN, 1; MECD1",
        "alttitles": "",
    },
    "618767": {
        "uid": "618767",
        "oid": "#618767",
        "title": "CORNEAL DYSTROPHY, MEESMANN, 2; MECD2",
        "alttitles": "",
    },
    "300778": {
        "uid": "300778",
        "oid": "%300778",
        "title": "CORNEAL DYSTROPHY, LISCH EPITHELIAL; LECD",
        "alttitles": "",
    },
    "601687": {
        "uid": "601687",
        "oid": "*601687",
        "title": "KERATIN 12, TYPE I; KRT12",
        "alttitles": "",
    },
    "148043": {
        "uid": "148043",
        "oid": "*148043",
        "title": "KERATIN 3, TYPE II; KRT3",
        "alttitles": "",
    },
}
SNPS: Mapping[str, Json] = {
    "1217074595": {
        "uid": "1217074595",
        "snp_id": 1217074595,
        "genes": [{"name": "LINC01270", "gene_id": "284751"}],
        "acc": "NC_000020.11",
        "chr": "20",
        "spdi": "NC_000020.11:50298394:G:A",
        "fxn_class": "non_coding_transcript_variant",
        "snp_class": "snv",
        "chrpos": "20:50298395",
    },
}
SUMMARIES = {"gene": GENES, "omim": OMIM, "snp": SNPS}
LINKS = {"122100": ["3859"], "618767": ["3850"]}
SEARCHES: Mapping[tuple[str, str], list[str]] = {
    ("gene", "lmp10[sym] and human[orgn]"): ["5699", "8138"],
    ("gene", "lmp10"): ["5699", "8138"],
    ("omim", "meesmann corneal dystrophy"): ["122100", "618767", "300778", "601687", "148043"],
}


class ExampleFetcher:
    """A Fetcher that knows the records above and nothing else."""

    def fetch(self, request: Fetch) -> Fetched:
        params = dict(request.params)
        tool = request.url.rpartition("/")[2].removesuffix(".fcgi")
        body = None
        if tool == "elink":
            body = _link(request.params)
        elif answer := {"esearch": _search, "esummary": _summary}.get(tool):
            body = answer(params)
        if body is None:
            raise NotServed(
                "The recorded examples contain no answer to this call.",
                "Ask with a network, or choose an example.",
            )
        return Fetched(200, json.dumps(body), {"content-type": "application/json"})


def _search(params: Mapping[str, str]) -> Json:
    ids = SEARCHES.get((params["db"], params["term"].lower()))
    return None if ids is None else {"esearchresult": {"count": str(len(ids)), "idlist": ids}}


def _summary(params: Mapping[str, str]) -> Json:
    summaries, ids = SUMMARIES.get(params["db"], {}), params["id"].split(",")
    if not all(id in summaries for id in ids):
        return None
    return {"result": {"uids": ids, **{id: summaries[id] for id in ids}}}


def _link(params: Sequence[tuple[str, str]]) -> Json:
    by_name = dict(params)
    if (by_name["dbfrom"], by_name["db"]) != ("omim", "gene"):
        return None
    sets = [
        {"dbfrom": "omim", "ids": [uid], "linksetdbs": _targets(uid)}
        for name, uid in params
        if name == "id"
    ]
    return {"linksets": sets}


def _targets(number: str) -> Json:
    return (
        [{"dbto": "gene", "linkname": "omim_gene", "links": LINKS[number]}]
        if number in LINKS
        else []
    )
