"""Questions on one gene, by its symbol, another name, or an Ensembl id."""

from __future__ import annotations

import re

from core.genes.kinds import (
    coordinates,
    gene_summary,
)
from core.genes.question.disease_name import names_disease
from core.genes.question.gene_name import AMINO_ACIDS, ARM, BAND, CHANGE, PROTEIN_CALLED, symbols_in
from core.genes.question.kind_words import (
    ENSEMBL_SPECIES,
    PLACE,
    gene_number_in,
    without_gene_number,
)
from core.genes.question.out_of_scope import (
    beyond_gene,
    names_unknown_species,
    out_of_scope_reason,
    yes_or_no,
)
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.region_question import why_not_whole_chromosome
from core.text.phrases import phrases

_NAMING = (
    r"\bsymbol|\bofficial|\bapproved|\balias|\bsynonym|\bnames?\b|\bcall(?:ed)?\b|\bconvert|\btranslate"
    r"|\bwhich gene is\b|known as|\b(?:re)?named\b"
    r"|^(?:the )?gene (?:for|called) \S+$"
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
_BARE_NUMBER = re.compile(
    r"^(?=.*\b(?:gene|ids?|convert|symbol|number)\b|\d+$).*?(?<![\w.:*-])(?P<number>\d{2,9})\b",
    re.I,
)
_COARSE_PLACE = r"chromosom|\bchr\w*\b|\bbands?\b"
_DISEASE_ID = (
    r"\b(?:OMIM|MIM|MONDO|DOID|Orphanet|ORPHA|MeSH|UMLS|MedGen)\b.*\b(?:ids?|numbers?|codes?"
    r"|identifiers?|entry)\b"
)
_ANY_WHAT = "(?:(?:which|what)(?:['’]s| is)? )?"
_PRODUCT = phrases(
    {
        "(?:which|what)(?: is the)?(?: human)? genes? (?:that |which )?"
        "(?:encod(?:es?|ing)|codes? for|coding for|makes?|produces?)": "Which gene makes insulin",
        "name the gene (?:that encodes|encoding|for)": "Name the gene for insulin",
        rf"{_ANY_WHAT}(?:the )?(?:human )?genes? (?:that encodes|encoding|coding for"
        "|(?:of|for) the (?:protein|enzyme|hormone|receptor))": "the gene encoding insulin",
        rf"{_ANY_WHAT}(?:the )?(?:human )?gene (?:for|of)"
        rf"(?= [\w -]*(?:protein|enzyme|hormone|antigen|{PROTEIN_CALLED})$)": "gene for a hormone",
        "(?:what(?:['’]s| is| are) )?(?:the )?(?:official |approved |other )?(?:gene )?"
        "(?:symbols?|alias(?:es)?|synonyms?) (?:of|for)(?= [a-z]{4})": "symbol of insulin",
    },
    before="^",
    after="(?: the| an?)?(?: human)?(?: protein| enzyme| hormone)?"
    r" (?P<name>[\w][\w' ,/()α-ω-]{2,80})$",
)


def question_on_product(words: str, bare: str, species: str) -> GeneQuestion | None:
    """The question which gene makes a protein that is called by its name (`dystrophin`)."""
    match = _PRODUCT.match(bare)
    if match is None or re.search(r"\b(?:in|and|or|that|which|when|genes?)\b", match["name"], re.I):
        return None
    if names_disease(match["name"].split()[-1]):
        return None
    return GeneQuestion(words, QuestionKind.ALIAS, match["name"], species)


def question_on_ensembl_id(words: str, bare: str, id: str) -> GeneQuestion:
    """The question on a gene by its Ensembl id, without the version."""
    letters = id.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
    if letters not in ENSEMBL_SPECIES:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            id,
            why=f"{id} is of a species that the planner does not know.",
        )
    return question_on_gene(
        words, bare, id, ENSEMBL_SPECIES[letters], default=QuestionKind.CONVERSION
    )


def question_on_gene(
    words: str, bare: str, symbol: str, species: str, *, default: QuestionKind
) -> GeneQuestion:
    """The question on the gene `symbol`; `default` is the kind where only its name is asked for."""
    if symbol.isalpha() and (numbered := re.search(rf"\b{symbol} \d{{1,2}}\b(?! exons?)", bare)):
        symbol = numbered[0]  # `Septin 9`
    if not symbol:
        return _without_name(words, bare)
    if declined := _of_a_disease(words, bare, symbol):
        return declined
    own_id = "ensembl" if default is QuestionKind.CONVERSION else ""
    if why := _not_of_the_gene(bare, symbol) or beyond_gene(without_gene_number(bare), own_id):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    if re.fullmatch(r"ENS[A-Z]{0,4}[TPE]\d{11}(?:\.\d+)?", symbol):
        why = (
            f"{symbol} is a transcript, protein or exon of Ensembl, which NCBI's index of genes"
            " does not hold; give the gene's id (ENSG…), or ask Ensembl (Other APIs)."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    if re.search(_CODING, bare, re.I):
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
    claimed = yes_or_no(words) and re.search(rf"{BAND}|{ARM}", bare)
    if claimed or re.search(rf"\b(?:{PLACE})", place, re.I):
        exact = re.search(coordinates.GRCH37, bare, re.I) and not re.search(
            _COARSE_PLACE, bare, re.I
        )
        kind = coordinates.KIND.name if exact else QuestionKind.GENE_LOCATION
        return GeneQuestion(words, kind, symbol, species)
    if default is QuestionKind.CONVERSION or naming or gene_number_in(symbol):
        return GeneQuestion(words, default, symbol, species)
    what_is = rf"what(?:['’]s| is)(?: the)?(?: human)?(?: gene)? {re.escape(symbol)}"
    if re.fullmatch(what_is, bare, re.I):
        return GeneQuestion(words, gene_summary.KIND.name, symbol, species)
    if yes_or_no(words):
        why = (
            f"It is a yes-or-no question about {symbol}; ask for its diseases, position or"
            " function."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=why)
    return GeneQuestion(
        words,
        QuestionKind.UNKNOWN,
        symbol,
        species,
        why=_nothing_asked(symbol),
    )


def _nothing_asked(symbol: str) -> str:
    """Why a bare name is declined; `e6v` may be a change in small letters, or a gene like C1R."""
    if re.fullmatch(rf"[{AMINO_ACIDS}]\d{{1,4}}[{AMINO_ACIDS}]", symbol, re.I):
        return (
            f"{symbol} may be a gene or a change of amino acids. Ask for the gene's position or"
            " type, or about the change and its gene: What is the"
            " clinical significance of BRAF V600E?"
        )
    return f"It names {symbol}, but not what to find: its symbol, position or type."


def _of_a_disease(words: str, bare: str, symbol: str) -> GeneQuestion | None:
    """Why a question about a disease is declined: for its id, or one that is called by the gene."""
    if names_disease(bare) and re.search(_DISEASE_ID, bare, re.I):
        why = "It asks for the id of a disease; of a disease you can ask its genes and inheritance."
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    own_disease = rf"\b{re.escape(symbol)}(?:['’]s)? (?:\w+ )?(?:syndrome|disease|disorder)\b"
    if named := re.search(own_disease, bare, re.I):
        why = f"It asks about a disease ({named[0]}); of a disease you can ask its genes."
        return GeneQuestion(words, QuestionKind.UNKNOWN, named[0], why=why)
    return None


def _without_name(words: str, bare: str) -> GeneQuestion:
    """Why a question in which no gene was recognised is declined."""
    subject = ""
    if why := why_not_whole_chromosome(bare) or out_of_scope_reason(bare):
        pass
    elif names_unknown_species(bare):
        why = "It names a species that the planner does not know."
    elif re.search(r"\bHGNC:\d+", bare):
        why = (
            "It names a gene by its HGNC number, which the planner cannot look up; give the symbol,"
            " or the number in NCBI Gene (NCBIGene:7157) or OMIM (MIM:191170)."
        )
    elif number := _BARE_NUMBER.search(bare):
        why = (
            f"{number['number']} may be a number of several databases; write"
            f" NCBIGene:{number['number']} or MIM:{number['number']}."
        )
    elif names_disease(bare):
        why = (
            "It names a disease, but nothing that can be found of it: its genes, their positions or"
            " its inheritance."
        )
        subject = re.sub(r"^.*\b(?:of|for|in|with|to|by|is|are)\s+(?:the |an? )?", "", bare)
    else:
        several = [name for name in symbols_in(bare) if re.search(r"\d|[A-Z]{2}", name)]
        why = (
            f"It may name several genes ({', '.join(several[:5])}); ask for one at a time."
            if len(several) > 1
            else "No gene symbol, rs number, Ensembl id, disease or sequence was recognised in it."
        )
    return GeneQuestion(words, QuestionKind.UNKNOWN, subject, why=why)


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
            " or a position (chr6:29,600,000-33,100,000)."
        )
    return ""
