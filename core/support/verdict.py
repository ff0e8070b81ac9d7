"""One verdict of all judges: what is read stands, what is weighed says how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.model import NOT_CALIBRATED, Support, SupportVerdict
from core.support.case import case_of
from core.support.claim import Claim, Passage
from core.support.judge import Judge, JudgeAtCost, Opinion
from core.support.reading.rule_table import RuleTable
from core.support.registry import judges_named

VERSION = "7"  # raise it when a judge changes: what was judged before is judged again
# Without weights: how often a claim is stated of which the rules say so, on the corpora that
# weights are learned from.
BY_RULES = {
    SupportVerdict.SUPPORTS: 0.7,
    SupportVerdict.UNCLEAR: 0.35,
    SupportVerdict.SILENT: 0.05,
    SupportVerdict.CONTRADICTS: 0.03,
}
# What a verdict cannot be surer of than: a claim that is held back is not likely to be stated.
_BOUNDS = {
    SupportVerdict.SUPPORTS: (0.5, 1.0),
    SupportVerdict.UNCLEAR: (0.0, 0.8),
    SupportVerdict.SILENT: (0.0, 0.3),
    SupportVerdict.CONTRADICTS: (0.0, 0.2),
}
HELD = (SupportVerdict.SILENT, SupportVerdict.CONTRADICTS)
NO_JUDGE = Opinion(SupportVerdict.UNCLEAR, ("no judge knows such a claim",), 0.5)


def judge(
    claim: Claim,
    passage: Passage,
    judges: Iterable[Judge] = (),
    rules: RuleTable | None = None,
) -> Support:
    """Whether the passage says the claim, by those of the judges (all that are registered, where
    none are given) that have something to say of it.
    """
    case = case_of(claim, passage, rules)
    said: list[tuple[str, Opinion]] = []
    for asked in tuple(judges) or judges_named(()):
        if isinstance(asked, JudgeAtCost) and any(opinion.sure for _, opinion in said):
            continue  # nothing that it could say would count
        if opinion := asked.opinion(case):
            said.append((asked.name, opinion))
    return combined(said)


def combined(said: Sequence[tuple[str, Opinion]]) -> Support:
    """The verdict of several opinions, in the order in which the judges were asked.

    A sure one stands. Where one reads that the passage says it and another weighs that it rather
    does not, or the reverse, it is unclear. Where nothing was read, what is weighed decides.
    """
    opinions = [opinion for _, opinion in said] or [NO_JUDGE]
    lead = next((opinion for opinion in opinions if opinion.sure), None) or _agreed(opinions)
    weighed = [o.probability for o in opinions if o.probability is not None]
    chance = sum(weighed) / len(weighed) if weighed else BY_RULES[lead.verdict]
    lowest, highest = _BOUNDS[lead.verdict]
    reasons = [reason for one in (lead, *_on_its_side(lead, opinions)) for reason in one.reasons]
    if any(NOT_CALIBRATED in opinion.reasons for opinion in opinions):
        reasons = [reason for reason in reasons if reason != NOT_CALIBRATED] + [NOT_CALIBRATED]
    return Support(
        lead.verdict,
        round(min(max(chance, lowest), highest), 3),
        tuple(dict.fromkeys(reasons)),
        judges=tuple(name for name, _ in said),
        rules=VERSION,
    )


def _agreed(opinions: Sequence[Opinion]) -> Opinion:
    first = opinions[0]
    for other in opinions[1:]:
        if first.verdict is SupportVerdict.UNCLEAR:
            first = Opinion(other.verdict, (*first.reasons, *other.reasons))
        elif (first.verdict in HELD) != (other.verdict in HELD) and (
            other.verdict is not SupportVerdict.UNCLEAR
        ):
            first = Opinion(SupportVerdict.UNCLEAR, (*first.reasons, *other.reasons))
    return first


def _on_its_side(lead: Opinion, opinions: Sequence[Opinion]) -> list[Opinion]:
    """The opinions whose reasons go with a verdict: those that say the same."""
    return [opinion for opinion in opinions if opinion.verdict is lead.verdict]
