"""Which OMIM entries are a disease, and what in a gene's record ties the gene to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.genes.answer import RecordProof
from core.genes.question.disease_name import names_disease
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
    "alzheimers": "alzheimer",
    "parkinsons": "parkinson",
    "huntingtons": "huntington",
    "crohns": "crohn",
    "gauchers": "gaucher",
}


@dataclass(frozen=True, slots=True)
class CandidateGene:
    """A gene that may be one of the disease. `tie` is the field that says so (the entry of a link
    set, the alias, the phrase of a summary, the title); without one it is unconfirmed. `call` is
    the answer that holds the gene's record, `phenotype` the OMIM record.
    """

    gene: NcbiRecord
    call: str
    how: str
    phenotype: NcbiRecord | None = None
    tie: RecordProof | None = None
    ties: tuple[RecordProof, ...] = ()  # the rest of the tie: the link's other end


def disease_words(text: str) -> frozenset[str]:
    """Content words of a disease name or title, folded; roman numerals and letters of types
    stay.
    """
    parts = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return frozenset(_SAME.get(part, part) for part in parts if part not in _STOP)


def title_fit(entry: NcbiRecord, name: str) -> float:
    """The share of the name's words in the entry's title, or in one of the titles it includes
    (0–1).
    """
    name_words = disease_words(name) or frozenset(re.findall(r"[a-z0-9]+", name.casefold()))
    titles = [str(entry.get("title")), *map(str, entry.get("included", []))]
    return max(
        (len(name_words & disease_words(title)) / len(name_words) for title in titles), default=0.0
    )


def phenotypes(entries: list[NcbiRecord], name: str) -> list[NcbiRecord]:
    """The entries that are the disease or a form of it; failing that, where the name is a
    disease's, the best one that shares half its words.
    """
    able = [
        ncbi_record
        for ncbi_record in entries
        if ncbi_record.get("kind") in (OmimEntryType.PHENOTYPE, OmimEntryType.GENE_AND_PHENOTYPE)
        and not _inherited_otherwise(str(ncbi_record.get("title")), name)
    ]
    ncbi_records = [ncbi_record for ncbi_record in able if title_fit(ncbi_record, name) == 1.0]
    if ncbi_records:
        exact = [
            ncbi_record
            for ncbi_record in ncbi_records
            if disease_words(str(ncbi_record.get("title"))) == disease_words(name)
        ]
        return exact if exact and not _numbered(exact, ncbi_records) else ncbi_records
    if name.islower() and len(name.split()) < 3 and not names_disease(name):
        return []  # half of `red hair`, which no word calls a disease, would be a guess
    best_fitting = sorted(
        (ncbi_record for ncbi_record in able if title_fit(ncbi_record, name) >= 0.5),
        key=lambda entry: -title_fit(entry, name),
    )
    return best_fitting[:1]


def _inherited_otherwise(title: str, name: str) -> bool:
    """Whether title and name state different modes: *recessive deafness* is none of the dominant
    forms.
    """
    modes = [
        set(re.findall(r"dominant|recessive|[xy][- ]linked", text.casefold()))
        for text in (title, name)
    ]
    return bool(modes[0] and modes[1] and not modes[0] & modes[1])


def _numbered(exact: list[NcbiRecord], all_forms: list[NcbiRecord]) -> bool:
    """Whether the others are numbered forms of the same disease (`DRTA1`, `DRTA2`), which belong to
    it.
    """
    title = disease_words(str(exact[0].get("title")))
    return any(
        title < disease_words(str(ncbi_record.get("title")))
        and all(
            re.fullmatch(r"\d+[a-z]?|[ivx]+", extra)
            for extra in disease_words(str(ncbi_record.get("title"))) - title
        )
        for ncbi_record in all_forms
    )


# A sentence that denies or doubts the tie proves nothing: "was not linked to Leigh syndrome".
DOUBT = re.compile(
    r"\b(?:not|no|unlikely|unclear|unrelated|without|exclud\w+|rul(?:es?|ed|ing) out)\b", re.I
)


def gene_disease_tie(
    gene: NcbiRecord,
    call: str,
    name: str,
    chosen: list[NcbiRecord],
    *,
    title_call: str = "",
) -> CandidateGene | None:
    """The gene as one of the disease, where its own record, or the title of the disease, says so.
    `title_call` is the answer that holds the titles.
    """
    aliases = {str(alias).casefold(): str(alias) for alias in gene.get("aliases", [])}
    for ncbi_record in chosen:
        symbol = str(ncbi_record.get("symbol"))
        if symbol and symbol.casefold() in aliases and gene.get("location"):
            how = f"its aliases include {symbol}, OMIM's symbol of the disease"
            field = RecordProof(
                call, gene.id, gene.pointers.get("aliases", ""), aliases[symbol.casefold()]
            )
            return CandidateGene(gene, call, how, phenotype=ncbi_record, tie=field)
    first_entry = chosen[0] if chosen else None
    if sentence := naming_sentence(str(gene.get("summary")), name):
        field = RecordProof(call, gene.id, gene.pointers.get("summary", ""), sentence)
        return CandidateGene(
            gene, call, "its summary names the disease", phenotype=first_entry, tie=field
        )
    symbol = str(gene.get("symbol"))
    if symbol and symbol != name and symbol in re.findall(r"[A-Za-z0-9-]+", name):
        return CandidateGene(
            gene,
            call,
            "it is named in the disease's name",
            phenotype=first_entry,
            tie=title_tie(symbol, first_entry, title_call),
        )
    return None


def title_tie(symbol: str, phenotype: NcbiRecord | None, call: str) -> RecordProof | None:
    """The title of the disease, where the gene's symbol stands in it."""
    if phenotype is None or not call:
        return None
    title = phenotype.raw.get("title") or str(phenotype.get("title"))
    if symbol not in re.findall(r"[A-Za-z0-9-]+", title.partition(";")[0]):
        return None
    return RecordProof(call, phenotype.id, phenotype.pointers.get("title", ""), title)


def naming_sentence(summary: str, name: str) -> str:
    """The sentence of a summary that names the disease and does not deny it."""
    name_words = disease_words(name)
    for sentence in re.split(r"(?<=[.;])\s", summary):
        if name_words and name_words <= disease_words(sentence) and not DOUBT.search(sentence):
            return sentence.strip()
    return ""


def named_by(entry: NcbiRecord, name: str) -> bool:
    """Whether the disease is named after the gene: its symbol, or the words of its product, stand
    in the name.
    """
    product = disease_words(re.split(r",| \d+$", str(entry.get("title")))[0])
    return str(entry.get("symbol")) in re.findall(r"[A-Za-z0-9-]+", name) or (
        bool(product) and product <= disease_words(name)
    )
