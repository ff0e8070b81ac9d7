"""How a relation is said: denied, only supposed, only asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.model import Span
from core.support.reading.rule_table import (
    BACKWARD,
    DECHALLENGE,
    FORWARD,
    HINT,
    OWN,
    SURE,
    RelationRule,
)
from core.support.reading.stance_patterns import (
    ABSENT,
    AIM,
    AS_MODEL,
    BY,
    CELLS_OF,
    DENIED_AFTER,
    DENIED_WHOLE,
    FAILED,
    GROWTH_OF,
    HINDERED_AFTER,
    HYPOTHESIS,
    IN_MUTANTS,
    IS_HINDERED,
    ITS_LACK,
    LESS_OF_IT,
    LESSENED_AFTER,
    LESSENED_BEFORE,
    NEGATION,
    NO_NEGATION,
    NO_SUCH,
    NOT_THIS,
    PRODUCT_OF,
    SOUGHT,
    STOPPED,
    THEN_TREATED,
    UNSETTLED,
    WARNED,
    WARNED_BEFORE,
    WHEN,
)

SCOPE = 70  # characters before a pair that a negation reaches over
NEAR = 30  # characters before or behind a pair in which a warning or a failure may stand
# Families whose verbs name their actor behind "by" when the noun is used: "inhibition by veratin".
ACTING = frozenset(("inhibit", "activate", "phosphorylate", "bind", "regulate"))
_NO_DENIAL = re.compile(f"{NO_NEGATION.pattern}|{UNSETTLED.pattern}")
_SUPPOSED = re.compile(f"{HYPOTHESIS.pattern}|{UNSETTLED.pattern}")
# "S is negatively regulated by O", "S suppresses another kinase activated by O": it is O that acts.
_BY_THE_OBJECT = re.compile(r"(?<!encod)ed\s(?:\w+ly\s)?by\s(?:[\w-]+\s)?$")
_CLAUSE = re.compile(r"[;:]\s|,?\s(?:but|although|whereas|however|while|though)\b")


@dataclass(frozen=True, slots=True)
class RelationWording:
    """Where a relation is said: the `pair` from its first mention to its second, what stands
    `between` them, and the part of it from which the relation was `read`.

    `is_named`: the relation stands inside a noun (S-induced O, the O produced by S), where a denial
    of the sentence's verb says nothing of it; only "no", "without" and the like before it do.
    """

    pair: Span
    between: Span
    read: Span
    is_named: bool


def relation_stance(text: str, sentence: Span, wording: RelationWording) -> tuple[bool, bool, bool]:
    """Whether a relation is denied, only supposed, only asked: by cues in its clause, before or
    inside it, or by what follows the pair: "… was not observed".
    """
    scope = ABSENT.sub(" ", _scope(text, sentence, wording).casefold())
    after = DENIED_AFTER.match(text[wording.pair.end : sentence.end].casefold())
    if wording.is_named:
        clause = _clause(text, sentence, wording.between)
        denied = NO_SUCH.search(text[clause : wording.pair.start].casefold())
    else:
        denied = NEGATION.search(_NO_DENIAL.sub(" ", scope)) or denied_whole(
            text, sentence, wording.pair
        )
        denied = denied or NOT_THIS.search(text[sentence.start : wording.pair.start].casefold())
    supposed = _SUPPOSED.search(scope)
    return bool(after or denied), bool(supposed), bool(supposed and AIM.search(scope))


def denied_whole(text: str, sentence: Span, pair: Span) -> re.Match[str] | None:
    """Words before a pair that deny all that follows: "there is no evidence that"."""
    before = text[sentence.start : pair.start].casefold()
    return DENIED_WHOLE.search(NO_NEGATION.sub(_blank, before))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def turned_round(text: str, pair: Span, between: Span, cue: Span, *, rule: RelationRule) -> bool:
    """Whether words around a cue say the opposite: "reduced exacerbations of O", "induced
    regression of O", "S-mediated inhibition of O"; a cue that seems to act is acted on:
    "inhibition by O"; it is the lack of S that acts; what treats is warned of, or leads to harm; or
    a semicolon stands between a mere hint and one of its ends.
    """
    if rule.direction == FORWARD and ITS_LACK.search(text[between.start : cue.start].casefold()):
        return True
    if rule.family == "activate" and HINDERED_AFTER.match(text[cue.end : between.end].casefold()):
        return True
    if rule.family == "treat" and AS_MODEL.search(between.quote(text).casefold()):
        return True
    if rule.strength == SURE:  # "A activated by B": it is B that activates
        return BY.match(text[cue.end : between.end].casefold()) is not None
    if rule.direction == BACKWARD and _is_when_stopped(text, pair, between, rule):
        return True
    if rule.family == "locate":
        return _is_elsewhere(text, pair, between, rule)
    if rule.strength == HINT and ";" in between.quote(text):
        return True
    if (
        rule.direction == FORWARD
        and (rule.family in ACTING or rule.name.startswith(OWN))
        and BY.match(text[cue.end : between.end].casefold())
    ):
        return True
    if (
        rule.direction == FORWARD
        and rule.family in ACTING
        and _BY_THE_OBJECT.search(text[cue.start : between.end].casefold())
    ):
        return True
    if rule.family == "treat":
        others = f"{text[between.start : cue.start]} | {text[cue.end : between.end]}"
        of_object = pair.end if rule.direction == FORWARD else between.start
        return bool(
            CELLS_OF.match(text[of_object : of_object + NEAR].casefold())
            or WARNED.search(others.casefold())
            or WARNED_BEFORE.search(text[max(pair.start - NEAR, 0) : pair.start].casefold())
            or FAILED.match(text[pair.end : pair.end + NEAR].casefold())
        )
    if rule.family not in ("cause", "exacerbate"):
        return False
    before = text[between.start : cue.start].casefold()
    after = text[cue.end : between.end].casefold()
    if rule.direction == BACKWARD and THEN_TREATED.search(after):
        return True
    less = rule.direction == FORWARD and LESS_OF_IT.search(between.quote(text).casefold())
    return bool(less or LESSENED_BEFORE.search(before) or LESSENED_AFTER.match(after))


def _is_when_stopped(text: str, pair: Span, between: Span, rule: RelationRule) -> bool:
    """Whether what is told happened when the subject was taken away: "stopped after S was held"."""
    return (
        rule.name != DECHALLENGE
        and STOPPED.match(text[pair.end : pair.end + SCOPE].casefold()) is not None
        and WHEN.search(between.quote(text).casefold()) is not None
    )


def _is_elsewhere(text: str, pair: Span, between: Span, rule: RelationRule) -> bool:
    """Whether a thing is not said to be at a place: it was only looked for there, dies there or is
    kept from growing there, or what it makes is meant.
    """
    if rule.direction == BACKWARD:
        return False
    before = text[max(pair.start - NEAR, 0) : pair.start].casefold()
    grows = GROWTH_OF.search(before)
    return bool(
        SOUGHT.search(between.quote(text).casefold())
        or PRODUCT_OF.search(before)
        or (grows and IS_HINDERED.match(text[pair.end : pair.end + SCOPE].casefold()))
    )


def is_of_mutants(text: str, sentence: Span, pair: Span, rule: RelationRule) -> bool:
    """Whether a denial only holds where a gene is missing: "in Tlr4-/- mice A did not induce B"."""
    before = text[sentence.start : pair.start].casefold()
    return rule.family in ACTING and IN_MUTANTS.search(before) is not None


def _scope(text: str, sentence: Span, wording: RelationWording) -> str:
    """The words that bear on a relation: those of its clause, without an earlier predicate of the
    same subject ("did not relieve A and caused B": "did not" is not said of B).
    """
    read = wording.read
    clause = _clause(text, sentence, read)
    if wording.between.start < read.start and clause < read.start:
        before = _clause(text, sentence, wording.between)
        return f"{text[before : wording.between.start]} {text[read.start : read.end]}"
    return text[clause : read.end]


def _clause(text: str, sentence: Span, between: Span) -> int:
    """Where the clause of a relation begins: after the last ;, :, "but", "although" before it; at
    most SCOPE before.
    """
    before = text[sentence.start : between.start]
    ends = [match.end() for match in _CLAUSE.finditer(before)]
    return max(sentence.start + (ends[-1] if ends else 0), between.start - SCOPE)
