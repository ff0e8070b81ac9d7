"""Yes-or-no questions that a record can settle: whether a gene is linked to a disease, and whether
two names are of one gene. What a record cannot settle (a cause, an absence) is no such question.
"""

from __future__ import annotations

import re

from core.genes.kinds import linked_records
from core.genes.question.out_of_scope import asks_negative, names_unknown_species
from core.genes.question.question import GeneQuestion, QuestionKind

_SYMBOL = r"(?:gene )?(?P<gene>(?!rs ?\d)(?-i:(?=\S*(?:\d|[A-Z]\S*[A-Z])))[A-Za-z][\w-]+)(?: gene)?"
_LINKED = (
    r"(?:associated|linked|related|tied|connected) (?:with|to)|(?:implicated|involved|mutated) in"
)
_ASSOCIATION = (
    # `Is CFTR associated with cystic fibrosis?`
    re.compile(rf"^(?:is|are|was|were) (?:the )?(?:mutations in )?{_SYMBOL} (?:{_LINKED})"
               r" (?:the )?(?P<disease>.{3,80})$", re.I),
    # `Is there evidence linking LRRK2 to Parkinson disease?`
    re.compile(rf"^is there (?:an? |any )?(?:evidence (?:linking|associating|connecting)"
               rf"|link between|association (?:of|between)) (?:the )?{_SYMBOL} (?:to|with|and)"
               r" (?:the )?(?P<disease>.{3,80})$", re.I),
    # `Is BRCA1 a gene of cystic fibrosis?`
    re.compile(rf"^is (?:the )?{_SYMBOL} (?:a|the|one of the)(?: known)?"
               r" (?:(?:risk|disease|causal|causative|susceptibility) )?genes? (?:of|for|behind)"
               r" (?P<disease>.{3,80})$", re.I),
    # `Is cystic fibrosis linked to CFTR?`
    re.compile(rf"^(?:is|are|was|were) (?P<disease>.{{3,80}}?) (?:{_LINKED})"
               rf" (?:the |mutations in )*{_SYMBOL}$", re.I),
)  # fmt: skip
_NAME = r"(?:the )?(?:gene )?(?P<{}>(?!(?:there|it|this|that)\b)[A-Za-z][\w.-]*)(?: gene)?"
_TWO_NAMES = (
    # `Is MLL an alias of KMT2A?`
    re.compile(
        rf"^(?:is|was) {_NAME.format('other')} (?:just |only )?(?:an? |the |another )?(?:\w+ )?"
        rf"(?:alias|synonym|name|symbol) (?:of|for) {_NAME.format('own')}$", re.I),
    # `Was KMT2A formerly called MLL?`
    re.compile(
        rf"^(?:is|was) {_NAME.format('own')} (?:(?:also|formerly|previously|once|sometimes) )?"
        rf"(?:called|named|known as|the same (?:gene )?as) {_NAME.format('other')}$", re.I),
    # `Are p53 and TP53 the same gene?`
    re.compile(
        rf"^are {_NAME.format('other')} and {_NAME.format('own')} (?:the same(?: gene)?|synonyms|"
        r"one gene|names of (?:the same|one) gene)$", re.I),
)  # fmt: skip


def of_claim(words: str, bare: str, species: str) -> GeneQuestion | None:
    """The question with what it claims; None where it claims neither of the two."""
    if asks_negative(bare) or names_unknown_species(bare):
        return None
    for pattern in _TWO_NAMES:
        if match := pattern.match(bare):
            own, other = match["own"], match["other"]
            return GeneQuestion(words, QuestionKind.ALIAS, other, species, claim=own)
    for pattern in _ASSOCIATION:
        if match := pattern.match(bare):
            kind = linked_records.DISEASES.name
            return GeneQuestion(words, kind, match["gene"], species, claim=match["disease"])
    return None
