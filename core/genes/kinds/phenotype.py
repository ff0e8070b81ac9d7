"""Which OMIM entries are a disease, and what in a gene's record ties the gene to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.ncbi.omim import OmimEntryType
from core.ncbi.record import NcbiRecord

RANKED = "OMIM ranks its entry first for the disease's words; no record links them"
_STOP_WORDS = """
    a an and or of the with without due to in by from on for type form disease disorder syndrome
    autosomal dominant
    recessive linked
"""
_STOP = frozenset(_STOP_WORDS.split())
_SAME = {
    "tumour": "tumor",
    "anaemia": "anemia",
    "haemolytic": "hemolytic",
    "leukaemia": "leukemia",
    "oedema": "edema",
    "deficient": "deficiency",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A gene and what ties it to the disease: `phenotype` is the OMIM record, `call` the answer
    that says so.
    """

    gene: NcbiRecord
    call: str
    how: str
    phenotype: NcbiRecord | None = None


def words(text: str) -> frozenset[str]:
    """Content words of a disease name or title, folded; roman numerals and letters of types stay."""
    parts = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return frozenset(_SAME.get(one, one) for one in parts if one not in _STOP)


def fit(entry: NcbiRecord, name: str) -> float:
    """The share of the name's words in the entry's title, or in one of the titles it includes
    (0–1).
    """
    wanted = words(name) or frozenset(re.findall(r"[a-z0-9]+", name.casefold()))
    titles = [str(entry.get("title")), *map(str, entry.get("included", []))]
    return max((len(wanted & words(one)) / len(wanted) for one in titles), default=0.0)


def phenotypes(entries: list[NcbiRecord], name: str) -> list[NcbiRecord]:
    """The entries that are the disease or a form of it; failing that, the best one that shares half
    its words.
    """
    able = [
        one
        for one in entries
        if one.get("kind") in (OmimEntryType.PHENOTYPE, OmimEntryType.GENE_AND_PHENOTYPE)
    ]
    whole = [one for one in able if fit(one, name) == 1.0]
    if whole:
        exact = [one for one in whole if words(str(one.get("title"))) == words(name)]
        return exact if exact and not _numbered(exact, whole) else whole
    near = sorted((one for one in able if fit(one, name) >= 0.5), key=lambda one: -fit(one, name))
    return near[:1]


def _numbered(exact: list[NcbiRecord], whole: list[NcbiRecord]) -> bool:
    """Whether the others are numbered forms of the same disease (`DRTA1`, `DRTA2`), which belong to
    it.
    """
    title = words(str(exact[0].get("title")))
    return any(
        title < words(str(one.get("title")))
        and all(
            re.fullmatch(r"\d+[a-z]?|[ivx]+", extra)
            for extra in words(str(one.get("title"))) - title
        )
        for one in whole
    )


def tie(gene: NcbiRecord, call: str, name: str, chosen: list[NcbiRecord]) -> Case | None:
    """The gene as one of the disease, where its own record, or the disease's name, says so."""
    names = {one.casefold() for one in gene.get("aliases", [])}
    for one in chosen:
        if (
            one.get("symbol")
            and str(one.get("symbol")).casefold() in names
            and gene.get("location")
        ):
            return Case(
                gene,
                call,
                f"its aliases hold {one.get('symbol')}, OMIM's symbol of the disease",
                one,
            )
    wanted = words(name)
    if (
        any(
            wanted <= words(sentence)
            for sentence in re.split(r"(?<=[.;])\s", str(gene.get("summary")))
        )
        and wanted
    ):
        return Case(gene, call, "its summary names the disease", chosen[0] if chosen else None)
    if str(gene.get("symbol")) != name and str(gene.get("symbol")) in re.findall(
        r"[A-Za-z0-9-]+", name
    ):
        return Case(gene, call, "the disease's name names it", chosen[0] if chosen else None)
    return None


def named_by(entry: NcbiRecord, name: str) -> bool:
    """Whether the disease is named after the gene: its symbol, or the words of its product, stand
    in the name.
    """
    product = words(re.split(r",| \d+$", str(entry.get("title")))[0])
    return str(entry.get("symbol")) in re.findall(r"[A-Za-z0-9-]+", name) or (
        bool(product) and product <= words(name)
    )
