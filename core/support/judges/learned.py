"""The judge that weighs: how likely a passage states a claim, by weights learned from annotated
texts, a table for each family of predicates (`weights/FAMILY.tsv`, benchmarks/learn_support.py
writes them). A family without a table is weighed by `any.tsv`, which knows no single words, and
says that it is not calibrated.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.model import NOT_CALIBRATED, SupportVerdict
from core.support.case import DIRECTED, Case
from core.support.claim import Claim
from core.support.features import case_features
from core.support.judge import Opinion

FOLDER = Path(__file__).with_name("weights")
INTERCEPT, LEAST, CLEAR, TURNED = "intercept", "least", "clear", "turned"
ANY = "any"
OF_TEXT = "-text"  # behind the family: the table for passages of more than one sentence
MOST_SILENT = 0.2  # a claim that is likelier is not called unsaid, whatever was learned


@dataclass(frozen=True, slots=True)
class SupportWeights:
    """Weights of features. Below `least` (0 to 1) a claim counts as not stated, from `clear` on as
    stated; `turned` is the odds from which the exchanged claim is held to be meant.
    """

    weights: Mapping[str, float]
    intercept: float
    least: float
    clear: float
    turned: float

    def probability(self, features: Mapping[str, float]) -> float:
        total = self.intercept + math.fsum(
            self.weights[name] * value for name, value in features.items() if name in self.weights
        )
        return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


@cache
def weights_for(family: str) -> SupportWeights | None:
    """The table of a family; None where none was learned."""
    path = FOLDER / f"{family}.tsv"
    return read_weights(path) if path.is_file() else None


def read_weights(path: Path) -> SupportWeights:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(
            (line for line in lines if not line.startswith("#")),
            delimiter="\t",
            quoting=csv.QUOTE_NONE,
        )
        weights = {row[0]: float(row[1]) for row in rows if row and row[0] != "feature"}
    settings = {name: weights.pop(name) for name in (INTERCEPT, LEAST, CLEAR, TURNED)}
    return SupportWeights(weights, **settings)


def is_of_text(case: Case) -> bool:
    """Whether more than one sentence is to say the claim."""
    return len(case.passage.quoted_sentences) > 1


@dataclass(frozen=True, slots=True)
class LearnedJudge:
    name: str = "learned"

    def opinion(self, case: Case) -> Opinion | None:
        """How likely it is that the passage states the claim; and whether it rather states the
        exchanged one.
        """
        if case.subject is None or case.object is None:
            return None
        own = (weights_for(case.family + OF_TEXT) if is_of_text(case) else None) or weights_for(
            case.family
        )
        table = own or weights_for(ANY)
        if table is None:
            return None
        notes = () if own else (NOT_CALIBRATED,)
        chance = table.probability(case_features(case))
        read = any(not r.swapped and not r.relation.negated for r in case.readings)
        if read:  # a rule says who acts, and the rules judge says how it is said
            clear = chance >= table.clear
            verdict = SupportVerdict.SUPPORTS if clear else SupportVerdict.UNCLEAR
            return Opinion(verdict, notes, chance)
        if case.family in DIRECTED and case.pairs:
            back = table.probability(case_features(exchanged(case)))
            if _odds(back) > table.turned * _odds(chance):
                reason = "its words read the other way round"
                return Opinion(SupportVerdict.CONTRADICTS, (reason, *notes), chance)
        if chance < min(table.least, MOST_SILENT):
            reason = "sentences like it seldom say so"
            return Opinion(SupportVerdict.SILENT, (reason, *notes), chance)
        verdict = SupportVerdict.SUPPORTS if chance >= table.clear else SupportVerdict.UNCLEAR
        reasons = ("sentences like it mostly say so",) if verdict is SupportVerdict.SUPPORTS else ()
        return Opinion(verdict, (*reasons, *notes), chance)


def exchanged(case: Case) -> Case:
    """The case with the ends of its claim exchanged."""
    claim = case.claim
    back = Claim(
        claim.object, claim.predicate, claim.subject, negated=claim.negated, modality=claim.modality
    )
    return Case(back, case.passage, case.rules)


def _odds(chance: float) -> float:
    return chance / (1 - chance)
