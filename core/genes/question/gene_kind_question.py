"""Questions on one gene that a registered kind's own words select (`Which strand is TP53 on?`)."""

from __future__ import annotations

import re

from core.genes.kinds import exon_count, exon_places, gene_summary, linked_records, orthologs
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.paper_years import years_of
from core.genes.question.disease_name import disease_of, names_disease
from core.genes.question.gene_name import protein_in, symbol_in
from core.genes.question.kind_words import (
    ENSEMBL_ID,
    ENSEMBL_SPECIES,
    SPECIES,
    UNIPROT_ACCESSION,
    chosen_by_words,
    gene_number_in,
    without_gene_number,
)
from core.genes.question.out_of_scope import (
    asks_negative,
    beyond_orthologs,
    limit_in,
    names_gene_part,
    names_unknown_species,
    why_restricted,
)
from core.genes.question.question import GeneQuestion, QuestionKind

_ENSEMBL_GIVEN = re.compile(r"\bensembl(?: gene)?[ -](?:ids?|identifiers?|accessions?)\b", re.I)
_ASSEMBLY_UNKNOWN = re.compile(r"\b(?:T2T|CHM13|hg1[678]|NCBI ?3[56])\b", re.I)
# `ACE2 and covid`: papers are searched by gene alone
_BESIDE = r"\s+(?:and|with|plus|&)\s+(?!(?:its|their|the)\b)(?P<topic>[\w][\w' -]*)"
# `papers on antibodies against PDCD1`
_ABOUT = re.compile(
    r"\b(?:on|about) (?:the )?"
    r"(?P<topic>(?!(?:human|mouse|gene|genes|protein)\b)[a-z]{4,}(?: [a-z]+)?)"  # `antibodies`
    r" (?:against|of|in|for|targeting) (?:the )?(?:gene )?[A-Z]"
)
_TELLING = re.compile(r"\d|[A-Z].*[A-Z]")  # what makes a word a symbol
_SMALL = re.compile(r"[a-z]{3,6}")  # `braf`, where it is the only word that can be a name
_OF_PRODUCT = re.compile(r"\bgenes? (?:for|of|that|which|encoding|coding)\b", re.I)
_MAY_BE_LIMITED = (gene_summary.KIND.name, exon_count.KIND.name)


def by_gene_words(words: str, bare: str, species: str) -> GeneQuestion | None:
    """A question of a registered kind about one gene: its words stand there, with one name that
    looks like a gene's or protein's (`TP53`, `p53`, `dystrophin`; never `Noonan`) and no name of a
    disease.
    """
    ensembl = ENSEMBL_ID.search(bare)
    around = _ENSEMBL_GIVEN.sub(" ", bare) if ensembl else without_gene_number(bare)
    kind = chosen_by_words(around, Topic.GENE)
    if kind is None or names_gene_part(bare):
        return None
    if _ASSEMBLY_UNKNOWN.search(bare):
        why = "Positions are given on GRCh38 and GRCh37 only."
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol_in(bare), species, why=why)
    if kind.name == exon_places.KIND.name and re.search(r"\bsequence\b", bare):
        return None
    if ensembl:
        symbol = ensembl[0].upper().partition(".")[0]
        letters = symbol.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
        known = letters in ENSEMBL_SPECIES
        return GeneQuestion(words, kind.name, symbol, ENSEMBL_SPECIES[letters]) if known else None
    if kind.name == linked_records.PAPERS.name and (years := years_of(bare)):
        bare = " ".join(bare.replace(years.said, " ").split())  # a date of each paper tells
    if kind.name == linked_records.PAPERS.name and (
        some := linked_records.SOME_PAPERS.search(bare)
    ):
        symbol = symbol_in(linked_records.SOME_PAPERS.sub(" ", bare))
        why = (
            f"It asks for some of the papers on a gene ({some[0]}), which no link tells; you can"
            " ask for all, or search the literature."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    symbol = (
        gene_number_in(bare)
        or symbol_in(bare)
        or symbol_in(re.sub(kind.words, " ", bare, flags=re.I))
    )
    if not _TELLING.search(symbol):
        symbol = protein_in(bare) or symbol
    relative = kind.name == orthologs.KIND.name
    if not _names_gene(symbol, bare, species != "human" or relative) or asks_negative(bare):
        return None
    if names_unknown_species(bare) and not relative:
        return None
    rest = re.sub(kind.words, " ", bare, flags=re.I)
    if why := _declined(kind, symbol, bare, rest):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    if relative:
        species_patterns = SPECIES | {"human": "humans?|homo sapiens"} | orthologs.MORE_SPECIES
        own, other_species = orthologs.species_of(bare, species_patterns)
        return GeneQuestion(words, kind.name, symbol, own, other_species=other_species)
    limit = limit_in(rest, symbol) if kind.name in _MAY_BE_LIMITED else ""
    return GeneQuestion(words, kind.name, symbol, species, limit=limit)


def _names_gene(symbol: str, bare: str, of_animals: bool) -> bool:
    """Whether the one name is a gene's, and the question not one on a disease. Genes of animals are
    written `Apoe`.
    """
    telling = (
        _TELLING.search(symbol)
        or (_SMALL.fullmatch(symbol) and not names_disease(bare) and not _OF_PRODUCT.search(bare))
        or (symbol and symbol == protein_in(bare))
        or (of_animals and re.fullmatch("[A-Z][a-z]+", symbol))
    )
    disease = disease_of(bare)
    in_disease = symbol in re.sub(r"[()]", " ", disease).split() and not names_disease(disease)
    return bool(telling) and (not disease or in_disease)


def _declined(kind: GeneKind, symbol: str, bare: str, rest: str) -> str:
    """Why this question on the gene cannot be answered as it stands; nothing where it can."""
    if re.fullmatch(UNIPROT_ACCESSION, symbol):
        return (
            f"{symbol} is an accession of UniProt; ask which gene it belongs to, and then about"
            " that gene."
        )
    if kind.name == orthologs.KIND.name:
        species_patterns = "|".join((SPECIES | orthologs.MORE_SPECIES).values())
        rest = re.sub(
            rf"\b(?:in|from) (?:the |an? )?(?:{species_patterns})\b", " ", rest, flags=re.I
        )
    if kind.listed and (why := why_restricted(rest, symbol)):
        return why
    if kind.name == linked_records.PAPERS.name and (topic := _ABOUT.search(bare)):
        return (
            f"It asks for papers on {topic['topic']} of {symbol}; ask for all papers on {symbol},"
            " or search the literature."
        )
    beside = re.search(rf"{re.escape(symbol)}{_BESIDE}", bare)
    if kind.name == linked_records.PAPERS.name and beside:
        return (
            f"It asks for papers on {symbol} together with {beside['topic']}; ask for {symbol}"
            " alone, or search the literature."
        )
    return beyond_orthologs(bare) if kind.name == orthologs.KIND.name else ""
