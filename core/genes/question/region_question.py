"""Questions on a region of the human genome: which genes lie in a band, or at a place."""

from __future__ import annotations

import re

from core.genes.kinds.kind import Topic
from core.genes.question.disease_name import disease_of
from core.genes.question.gene_name import symbols_in
from core.genes.question.kind_words import RS_NUMBER, chosen_by_words, species_named_in
from core.genes.question.out_of_scope import (
    asks_negative,
    names_unknown_species,
    out_of_scope_reason,
)
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.region_name import MOST_BASES, Region, regions_in
from core.text.phrases import phrases

# Asked for something else than genes: "Which SNPs are in 17q21?"
_OTHER_CONTENT = phrases(
    {
        "snps?|variants?|mutations?|polymorphisms?": "Which SNPs are in 17q21?",
        "diseases?|disorders?|phenotypes?|traits?|syndromes?": "disorders in 22q11",
        "enhancers?|promoters?|exons?|introns?|transcripts?|markers?": "enhancers in 8q24",
        "proteins(?! coding)|functions?|names?|sequence": "Which proteins are in 6p21?",
        "(?:mi|lnc|sno|t|r)?rnas?|pseudogenes?|density": "miRNAs in 13q31",
        r"(?:which|what) (?:\w+ )?(?:bands?|bases?|nucleotides?|alleles?)": "In which band is it?",
        "[acgt]+ ?> ?[acgt]+": "chr7:140753336 A>T",
    },
    after=r"(?!\w)",
)
# words that only say that it is a region
_REGION_WORDS = re.compile(  # "in the critical region", not "in which region"
    r"(?<!which )(?<!what )\b(?:(?:chromosom\w+|cytogenetic|genomic|candidate|critical) )?"
    r"(?:cyto-?)?(?:regions?|bands?|loc(?:us|i)|intervals?|segments?|areas?)\b",
    re.I,
)
_NAMES_DISEASE = re.compile(  # `22q11.2 deletion syndrome`: the region is part of a name
    r"^\W*(?:(?:micro)?(?:deletion|duplication)|distal|proximal|recurrent|monosomy|trisomy)\b",
    re.I,
)
# A whole chromosome or arm, too large for a list: "genes on the short arm of chromosome 5"
_ARM_OF = r"(?:the\s+)?(?:(?:short|long|[pq])[- ]arm of\s+)?(?:human\s+)?"
_CHROMOSOME = r"chr(?:omosome)?\s?(?:\d{1,2}|X|Y)(?P<arm>[pq])?"
_WHOLE = phrases(
    {
        rf"genes\b.*\b(?:on|of|in)\s+{_ARM_OF}(?:{_CHROMOSOME}|(?:X|Y) chromosome)": (
            "genes on the short arm of chromosome 5"
        ),
        r"(?:gene density|[a-z]+(?:ases|tors)) (?:on|of|in) (?:human )?chr(?:omosome)?"
        r" ?(?:\d{1,2}|X|Y)": "kinases on chromosome 5",
        r"genes\b.*\b\d{1,2}[pq]": "genes on 5p",
        r"(?:(?:X|Y) chromosome|chromosome (?:\d{1,2}|X|Y)) genes": "chromosome 5 genes",
    }
)
_ON_CHROMOSOME = re.compile(
    r"\b(?:(?:on|of|in) )?(?:the )?(?:(?:short|long|[pq])[- ]arm of )?(?:human )?"
    r"(?:chr(?:omosome)? ?(?:\d{1,2}|X|Y)[pq]?|(?:X|Y) chromosome)\b",
    re.I,
)
_BANDS = re.compile(  # 15q11-q13
    r"\b(?:\d{1,2}|X|Y)[pq]\d{1,2}(?:\.\d{1,2})?\s?[-–]\s?(?:\d{1,2}|X|Y)?[pq]\d{1,2}(?:\.\d{1,2})?\b"
)


def question_on_region(words: str, bare: str) -> GeneQuestion | None:
    """The question on the genes of a region; None where it names a gene beside it, or no region."""
    regions = regions_in(bare)
    if why := why_not_whole_chromosome(bare):
        beside = _ON_CHROMOSOME.sub(" ", bare)
        genes = [name for name in symbols_in(beside) if re.search(r"\d|[A-Z].*[A-Z]", name)]
        if not disease_of(beside) and not genes and not regions:
            return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    if match := _BANDS.search(bare):
        why = f"It names several bands ({match[0]}); name one band (15q11), or a position."
        return GeneQuestion(words, QuestionKind.UNKNOWN, match[0], why=why)
    if not regions or RS_NUMBER.search(words):
        return None
    if any(_NAMES_DISEASE.search(bare.partition(named)[2]) for named, _ in regions):
        return None
    left = bare
    for named, _ in regions:
        left = left.replace(named, " ")
    symbols = symbols_in(_OTHER_CONTENT.sub(" ", left))
    if any(re.search(r"[A-Za-z].*\d|[A-Z].*[A-Z]", symbol) for symbol in symbols):
        return None  # a question on that gene: `Is BRCA1 in 17q21?`
    kind = chosen_by_words(left, Topic.REGION)
    _, region = regions[0]
    why = _beyond(words, left, [region for _, region in regions])
    if kind is None and not why:
        why = f"It names {region}, but not what to find: you can ask for all genes there."
    if why or kind is None:
        return GeneQuestion(words, QuestionKind.UNKNOWN, str(region), why=why)
    return GeneQuestion(words, kind.name, (region.accession and _spelled(region)) or str(region))


def _spelled(region: Region) -> str:
    return f"{region.accession}:{region.low}-{region.high}"


def _beyond(words: str, left: str, regions: list[Region]) -> str:
    """Why the genes of the region are not what is asked for, or cannot be found."""
    region = regions[0]
    if len(regions) > 1:
        return f"It names {len(regions)} regions; ask for one at a time."
    if species_named_in(words) != "human" or names_unknown_species(words):
        return "Bands and positions are those of the human genome; it names another species."
    if asks_negative(left):
        return "It asks for something that is not the case."
    if other := _OTHER_CONTENT.search(left):
        return (
            f"It asks for more than the genes of {region} ({other[0]}); you can ask for all genes "
            "there."
        )
    if disease_of(_REGION_WORDS.sub(" ", left)):
        return f"It asks for some of the genes of {region}; you can ask for all of them."
    if beyond := out_of_scope_reason(left):
        return beyond
    if some := _some_genes(left):
        return f"It asks for some of the genes of {region} ({some}); you can ask for all of them."
    assembly = region.assembly_of(words)
    if assembly and not re.match(r"GRCh38|hg38|b38", assembly, re.I):
        return f"NCBI's index of positions is that of GRCh38, not of {assembly}."
    if region.accession and not region.chromosome:
        return f"{region.accession} is not a chromosome of GRCh38."
    if region.length > MOST_BASES:
        return f"{region} is longer than {MOST_BASES // 1_000_000} million bases; name a part."
    return ""


_ALL_WORDS = """
    which what the all list any human known candidate show me find give name get see of coding
    protein-coding for are is there a please and located annotated critical region every
"""
_ALL_GENES = frozenset(_ALL_WORDS.split())


def _some_genes(left: str) -> str:
    """The word that makes *genes* some of them (`receptor` of `olfactory receptor genes`)."""
    words_before = re.findall(r"([A-Za-z][\w-]*)\s+genes?\b", left)
    return next((word for word in words_before if word.lower() not in _ALL_GENES), "")


def why_not_whole_chromosome(bare: str) -> str:
    """Why the genes of a chromosome or an arm are not listed; nothing where that is not asked."""
    if not _WHOLE.search(bare):
        return ""
    return (
        "It asks for the genes of a whole chromosome or arm, which are hundreds to thousands; name"
        " a band (17q21) or a position (chr7:55,019,017-55,211,628)."
    )
