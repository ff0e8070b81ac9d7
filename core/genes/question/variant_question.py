"""Questions on one variant by its rs number."""

from __future__ import annotations

import re

from core.genes.kinds import variant_fields
from core.genes.kinds.kind import Topic
from core.genes.question.gene_name import ASSEMBLY
from core.genes.question.kind_words import PLACE, RS_NUMBER, chosen_by_words
from core.genes.question.out_of_scope import beyond_variant, limit_in, yes_or_no
from core.genes.question.question import GeneQuestion, QuestionKind

_ON_PROTEIN = (
    r"\b(?:do|does|change|mean|happen)s?\b.{0,20}\b(?:to|for|in) (?:the |its )?protein\b"
    r"|\b(?:change|alter|affect)s? (?:the |its )?protein\b"
)
_DOES = (
    r"\bfunctions?\b|\broles?\b|\bjobs?\b|\bsummary of (?:what )?the gene\b|\bgood for\b|\bdoes"
    r" .*\bdo\b"
    r"|\bgene\b.* (?:does|is for)\W*$|\bproduct\b"
    r"|responsible for what|involved in|\b(?:summari[sz]e|describe|explain|tell (?:me )?about)"
    r" (?:what )?the genes?\b"
)

# what the variant does is not what its gene does
_ITSELF = re.compile(
    # "What is the role of the SNP …"
    r"(?:what(?:['’]s| is| are)? )?(?:does |do )?(?:the )?"
    r"(?:(?:functions?|roles?|effects?|jobs?) (?:of )?)?(?:the )?(?:snp |variant )?"
    # "… rs334 in humans"; "What does rs334 do"
    r"rs ?\d+(?: do| cause| mean)?(?: in (?:humans?|the body))?",
    re.I,
)
_IN_GENE = re.compile(
    # "Is the SNP rs334 located …"
    r"(?:is|does) (?:the )?(?:snp |variant )?rs ?\d+ (?:located |lie |found |map )?"
    # "… in the gene HBB?"
    r"(?:in|within|of|to) (?:the )?(?:gene )?(?P<gene>(?-i:[A-Z][A-Z\d][\w-]*))(?: gene)?\W*$",
    re.I,
)
_GENE_TOO = r"\band (?:in )?(?:its |the |which |what )?genes?\b|\bgenes?,? and\b"


def question_on_variant(words: str, rs: str) -> GeneQuestion:
    """The question on the variant `rs` (`rs334`): a registered kind's own words come first."""
    several = len({number.casefold() for number in RS_NUMBER.findall(words)}) > 1
    kind = chosen_by_words(words, Topic.VARIANT)
    if kind is not None and re.search(_GENE_TOO, words, re.I):
        why = f"It asks for the gene and more of {rs}; ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=why)
    if kind is not None and not several:
        limit = limit_in(words, rs) if kind.name == variant_fields.FREQUENCY.name else ""
        return GeneQuestion(words, kind.name, rs, limit=limit)
    if several:
        return GeneQuestion(
            words, QuestionKind.UNKNOWN, rs, why="It names several SNPs; ask for one at a time."
        )
    if refusal := beyond_variant(words):
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=refusal)
    in_gene = r"(?:(?:in|of) )?(?:(?:which|what|its|the) )?genes?\b"
    on_place = rf"(?:(?:on|at) )?(?:(?:which|what|its|the) )?(?:{PLACE})"
    together = rf"\bgenes?\b.* and {on_place}|(?:{PLACE}).* and {in_gene}"
    if re.search(together, words, re.I):
        why = f"It asks for the gene and the position of {rs}; ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=why)
    if re.search(_ON_PROTEIN, words, re.I):
        return GeneQuestion(words, variant_fields.HGVS.name, rs)
    if _ITSELF.fullmatch(words.rstrip("?.! ")):
        why = (
            f"It asks what {rs} does, which no record of NCBI states; ask for its clinical"
            " significance, its change of the protein (HGVS), its gene, or what that gene does."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=why)
    if re.search(_DOES, words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_FUNCTION, rs)
    if claim := _IN_GENE.match(words):
        return GeneQuestion(words, QuestionKind.SNP_GENE, rs, claim=claim["gene"])
    asks_gene = re.search(
        r"\b(?:which|what|whose|name the|find the|list the)\s+(?:\w+\s+){0,2}genes?\b"
        r"|\bgene (?:is|of|for|contains|name|symbol)",
        words,
        re.I,
    )
    if re.search(PLACE, words, re.I) and not asks_gene:
        return GeneQuestion(words, QuestionKind.SNP_LOCATION, rs)
    if re.search(r"\bgenes?\b", words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_GENE, rs)
    if re.search(rf"\bgenome\b|{ASSEMBLY}", words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_LOCATION, rs)
    if yes_or_no(words):
        why = f"It is a yes-or-no question about {rs}; ask for its gene or its position."
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=why)
    return GeneQuestion(
        words,
        QuestionKind.UNKNOWN,
        rs,
        why=f"It names {rs}, but not what to find: its gene, its position, or what the gene does.",
    )
