"""Questions on one gene, by its symbol, another name, or an Ensembl id."""

from __future__ import annotations

import re

from core.genes.kinds import exon_places, gene_summary, linked_records, orthologs
from core.genes.kinds.kind import Topic
from core.genes.question.disease_name import disease_of, names_disease
from core.genes.question.gene_name import BAND, CHANGE, symbol_in, symbols_in
from core.genes.question.kind_words import (
    ENSEMBL_ID,
    ENSEMBL_SPECIES,
    PLACE,
    SPECIES,
    chosen_by_words,
    gene_number_in,
    without_gene_number,
)
from core.genes.question.out_of_scope import (
    asks_negative,
    beyond_gene,
    beyond_orthologs,
    names_gene_part,
    names_species,
    out_of_scope_reason,
    restricted,
    yes_or_no,
)
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.region_question import whole_chromosome

_NAMING = (
    r"\bsymbol|\bofficial|\bapproved|\balias|\bsynonym|\bnames?\b|\bcall(?:ed)?\b|\bconvert|\btranslate"
    r"|\bwhich gene is\b|known as|\b(?:re)?named\b"
)
_CODING = (
    r"protein[- ]?coding|\bcoding (?:for )?(?:a )?proteins?|\bcoding gene|\bnon-?\s?(?:protein[-"
    r" ])?coding"
    r"|\bpseudo-?\s?gene|\bcod(?:es?|ing) for (?:an? |any )?proteins?|\bencod(?:es?|ing) (?:an?"
    r" |any )?proteins?"
    r"|\b(?:makes?|produces?|yields?|gives?) (?:an? |any )?proteins?\b|\bproteins?"
    r" product\b|\btranslated into\b"
    r"|\bcoding,? or (?:not|non)\b|^is (?:the )?(?:gene )?\S+ (?:gene )?(?:non-?)?coding$"
    r"|\b(?:type|kind|biotype) of (?:a )?gene\b|\bgene (?:bio)?type\b|\bbiotype\b"
)
_ENSEMBL_GIVEN = re.compile(r"\bensembl(?: gene)?[ -](?:ids?|identifiers?|accessions?)\b", re.I)
_ASSEMBLY_UNKNOWN = re.compile(r"\b(?:T2T|CHM13|hg1[678]|NCBI ?3[56])\b", re.I)
_DISEASE_ID = (
    r"\b(?:OMIM|MIM|MONDO|DOID|Orphanet|ORPHA|MeSH|UMLS|MedGen)\b.*\b(?:ids?|numbers?|codes?"
    r"|identifiers?|entry)\b"
)
# `ACE2 and covid`: papers are searched by gene alone
_BESIDE = r"\s+(?:and|with|plus|&)\s+(?!(?:its|their|the)\b)(?P<topic>[\w][\w' -]*)"
_PRODUCT = re.compile(
    r"^(?:(?:which|what)(?: is the)?(?: human)? genes? (?:that |which )?"
    r"(?:encod(?:es?|ing)|codes? for|coding for|makes?|produces?)"
    r"|name the gene (?:that encodes|encoding|for)"
    r"|(?:what(?:['’]s| is| are) )?(?:the )?(?:official |approved |other )?(?:gene )?"
    r"(?:symbols?|alias(?:es)?|synonyms?) (?:of|for)(?= [a-z]{4}))"
    r"(?: the| an?)?(?: human)?(?: protein| enzyme| hormone)? (?P<name>[\w][\w' ,/()α-ω-]{2,80})$",
    re.I,
)


def of_product(words: str, bare: str, species: str) -> GeneQuestion | None:
    """The question which gene makes a protein that is called by its name (`dystrophin`)."""
    match = _PRODUCT.match(bare)
    if match is None or re.search(r"\b(?:in|and|or|that|which|when|genes?)\b", match["name"], re.I):
        return None
    if names_disease(match["name"].split()[-1]):
        return None
    return GeneQuestion(words, QuestionKind.ALIAS, match["name"], species)


def by_gene_words(words: str, bare: str, species: str) -> GeneQuestion | None:
    """A question of a registered kind about one gene: its words stand there, with one name that
    looks like a gene's (`TP53`, `p53`; never `Noonan`) and no name of a disease.
    """
    match = ENSEMBL_ID.search(bare)
    around = _ENSEMBL_GIVEN.sub(" ", bare) if match else without_gene_number(bare)
    kind = chosen_by_words(around, Topic.GENE)
    if kind is None or names_gene_part(bare):
        return None
    if _ASSEMBLY_UNKNOWN.search(bare):
        why = "Places are given on GRCh38 and GRCh37 only."
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol_in(bare), species, why=why)
    if kind.name == exon_places.KIND.name and re.search(r"\bsequence\b", bare):
        return None
    if match:
        symbol = match[0].upper().partition(".")[0]
        letters = symbol.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
        if letters not in ENSEMBL_SPECIES:
            return None
        return GeneQuestion(words, kind.name, symbol, ENSEMBL_SPECIES[letters])
    symbol = (
        gene_number_in(bare)
        or symbol_in(bare)
        or symbol_in(re.sub(kind.words, " ", bare, flags=re.I))
    )
    telling = re.search(r"\d|[A-Z].*[A-Z]", symbol)
    if species != "human" and re.fullmatch("[A-Z][a-z]+", symbol):  # genes of animals: Apoe
        telling = re.match("[A-Z]", symbol)
    disease = disease_of(bare)
    named_in_disease = symbol in re.sub(r"[()]", " ", disease).split()
    of_gene = not disease or (named_in_disease and not names_disease(disease))
    relative = kind.name == orthologs.KIND.name
    if relative and re.match("[A-Z]", symbol):  # genes of animals are written Cftr
        telling = re.match("[A-Z]", symbol)
    if not telling or not of_gene or asks_negative(bare) or (names_species(bare) and not relative):
        return None
    rest = re.sub(kind.words, " ", bare, flags=re.I)
    if kind.listed and (why := restricted(rest, symbol)):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    if kind.name == linked_records.PAPERS.name and (
        match := re.search(rf"{re.escape(symbol)}{_BESIDE}", bare)
    ):
        why = (
            f"It asks for papers on {symbol} together with {match['topic']}; ask for {symbol}"
            " alone, or search the literature."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    if relative:
        if why := beyond_orthologs(bare):
            return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, why=why)
        species_patterns = SPECIES | {"human": "humans?|homo sapiens"} | orthologs.MORE_SPECIES
        own, other_species = orthologs.species_of(bare, species_patterns)
        return GeneQuestion(words, kind.name, symbol, own, other_species=other_species)
    return GeneQuestion(words, kind.name, symbol, species)


def of_ensembl(words: str, bare: str, id: str) -> GeneQuestion:
    """The question on a gene by its Ensembl id, without the version."""
    letters = id.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
    if letters not in ENSEMBL_SPECIES:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            id,
            why=f"{id} is of a species that the planner does not know.",
        )
    return of_gene(words, bare, id, ENSEMBL_SPECIES[letters], QuestionKind.CONVERSION)


def of_gene(
    words: str, bare: str, symbol: str, species: str, default: QuestionKind
) -> GeneQuestion:
    """The question on the gene `symbol`; `default` is the kind where only its name is asked for."""
    if not symbol:
        several = [symbol for symbol in symbols_in(bare) if re.search(r"\d|[A-Z]{2}", symbol)]
        nothing = "No gene symbol, rs number, Ensembl id, disease or sequence was recognised in it."
        unknown_species = "It names a species that the planner does not know."
        why = (
            whole_chromosome(bare)
            or out_of_scope_reason(bare)
            or (unknown_species if names_species(bare) else nothing)
        )
        if len(several) > 1 and why == nothing:
            why = f"It may name several genes ({', '.join(several[:5])}); ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    if names_disease(bare) and re.search(_DISEASE_ID, bare, re.I):
        why = "It asks for the id of a disease; of a disease you can ask its genes and inheritance."
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    if why := _not_of_the_gene(bare, symbol):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    coding = bool(re.search(_CODING, bare, re.I))
    own_id = "ensembl" if default is QuestionKind.CONVERSION else ""
    if refusal := beyond_gene(without_gene_number(bare), own_id):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=refusal)
    if coding:
        return GeneQuestion(words, QuestionKind.CODING, symbol, species)
    naming = bool(re.search(_NAMING, bare, re.I))
    if naming and yes_or_no(words) and len(symbols_in(bare)) > 1:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            symbol,
            species,
            why="It is a yes-or-no question about two names; ask about one.",
        )
    place = re.sub(r"^\W*(?:please )?map\b", "", bare, flags=re.I) if naming else bare
    claimed = yes_or_no(words) and re.search(BAND, bare)
    if claimed or re.search(rf"\b(?:{PLACE})", place, re.I):
        return GeneQuestion(words, QuestionKind.GENE_LOCATION, symbol, species)
    if default is QuestionKind.CONVERSION or naming or gene_number_in(symbol):
        return GeneQuestion(words, default, symbol, species)
    what_is = rf"what(?:['’]s| is)(?: the)?(?: human)?(?: gene)? {re.escape(symbol)}"
    if re.fullmatch(what_is, bare, re.I):
        return GeneQuestion(words, gene_summary.KIND.name, symbol, species)
    if yes_or_no(words):
        why = f"It is a yes-or-no question about {symbol}; ask for its diseases, place or function."
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    return GeneQuestion(
        words,
        QuestionKind.UNKNOWN,
        symbol,
        species,
        why=f"It names {symbol}, but not what to find: its symbol, place or type.",
    )


def _not_of_the_gene(bare: str, symbol: str) -> str:
    """Why the words ask about a change of the gene that cannot be read, or a region called like
    one; nothing where they ask about the gene itself.
    """
    if (change := re.search(CHANGE, bare)) and change[0] != symbol:
        return (
            f"It asks about a change of {symbol} that cannot be read ({change[0]}); write it like"
            " V600E, p.Val600Glu or c.1799T>A, or give its rs number."
        )
    region = rf"\bgenes\b.*\b{re.escape(symbol)} (?:region|locus|cluster|complex)\b"
    if re.search(region, bare, re.I):
        return (
            f"It asks for the genes of a region by the region's name ({symbol}); name a band (6p21)"
            " or a place (chr6:29,600,000-33,100,000)."
        )
    return ""
