"""What a kind of gene question is: the one place that says all there is to know about it.

A new kind is one file that makes a `GeneKind`, and one line in `registry.py`. Pages, command line,
statements, evaluation and the evidence rules read the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.genes.answer import AnswerValue, GeneAnswer
from core.genes.session import NcbiSession

Plan = Callable[[NcbiSession], GeneAnswer]
EvidenceRule = Callable[[NcbiSession], Iterator[AnswerValue]]


class Topic(StrEnum):
    """What a question is about: it decides how the subject is found in the words."""

    GENE = "gene"
    VARIANT = "variant"  # by its rs number
    CHANGE = "change"  # of a gene: V600E, c.68_69del
    DISEASE = "disease"
    SEQUENCE = "sequence"
    ORGANISM = "organism"
    ACCESSION = "accession"  # of a sequence record
    REGION = "region"  # a band, or bases of a chromosome


def no_rule(session: NcbiSession) -> Iterator[AnswerValue]:
    """The evidence rule of a kind that has none yet: no record proves anything."""
    return iter(())


@dataclass(frozen=True, slots=True)
class GeneKind:
    """One kind of question.

    `plan` answers it without a model; `rule` gives every value that the records at hand prove as
    its answer. `claim` is the class of the schema `gene_questions` that a value becomes. `words`
    is the pattern that selects the kind from a question about `topic`; the kinds of GeneTuring and
    GeneHop have none, they are told apart in `core/genes/question/understand.py`. `needs` are the
    databases of which at least one must be asked (GeneGPT's error class E1). `one_value`: a second
    value that fits as well makes the answer ambiguous. `values` are listed with commas in an answer
    in words; without, all of it is one value. `hops`: it is answered by sub-questions.
    """

    name: str
    topic: Topic
    example: str
    plan: Plan
    claim: str
    needs: tuple[str, ...]
    rule: EvidenceRule = no_rule
    words: str = ""
    one_value: bool = False
    listed: bool = False
    whole_text: bool = False
    hops: bool = False
