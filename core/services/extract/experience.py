"""What earlier runs of a schema took, to say what the next will: texts of about the same length
lead to about as many questions and answers. What one text takes is told badly by others; what many
take together is told well by their mean (`tests/core/services/extract/test_budget.py`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.desk_parts import HasProject
from core.extraction.engine import Estimate
from core.model import Run
from core.store.call import RunCalls

LOOKED_AT = 200  # newest runs of the project
ENOUGH, NEAREST = 3, 60  # runs that an estimate rests on: the fewest, the most
SURE = 20  # of so many alike, nine of ten more stay between the least and the most
# Standard deviations in recorded runs, as multiples of the mean: of how many questions a text leads
# to, of how long a first answer is, and of all that a text takes beyond its first question. Each
# counts as COUNTS_AS earlier runs. And the usual error of what is read off a text.
QUESTIONS_VARY, ANSWERS_VARY, NESTED_VARIES, COUNTS_AS = 2.4, 0.9, 1.5, 6
READ_OFF_VARIES = 0.2
FACTOR = 1.3  # how far an estimate may be from what a text takes


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """The length of a text in characters, and what reading it took."""

    letters: int
    took: RunCalls


def earlier_runs(
    desk: HasProject, schema: str, cls: str, engine: str, *, model: str
) -> list[EarlierRun]:
    """Runs of the same schema, class, engine and model that read a text at once and to its end;
    none where they are too few to rest an estimate on.
    """
    runs = [
        run
        for run in desk.store.runs.find("extract", limit=LOOKED_AT)
        if (run.schema, run.engine, run.model) == (schema, engine, model)
        and run.settings.get("class") == cls
        and not run.settings.get("part")
    ]
    took = desk.store.calls.of_runs([run.id for run in runs])
    letters = desk.store.documents.lengths([run.text_version for run in runs if run.id in took])
    earlier = [
        EarlierRun(letters[run.text_version], took[run.id])
        for run in runs
        if run.id in took
        and run.text_version in letters
        and _read_at_once(run, took[run.id], desk.settings.max_calls)
    ]
    return earlier if len(earlier) >= ENOUGH else []


def _read_at_once(run: Run, took: RunCalls, usual: int) -> bool:
    """Whether a run read its text at once, and no limit of calls ended it."""
    limit = int(run.settings.get("options", {}).get("calls") or usual)
    return took.roots == 1 and took.roots + took.nested < limit


def estimate_by_experience(
    estimate: Estimate, letters: int, earlier: Sequence[EarlierRun], calls: int = 1_000_000
) -> Estimate:
    """The estimate of one part of a text with what the earlier runs nearest in length took: how
    long its answers are and how many questions they lead to, each as a limit of `calls` would have
    cut it. The first question is known.
    """
    nearest = _nearest(letters, earlier, calls)
    if not nearest:
        return _cut_off(estimate, calls)
    nested = [took.nested for took in nearest]
    first_answers = [took.root_out for took in nearest]
    asked = [took.nested_in for took in nearest]
    answered = [took.root_out + took.nested_out for took in nearest]
    few, own = len(nearest) < SURE, _cut_off(estimate, calls)
    trust = _trust(nested, own.nested, QUESTIONS_VARY)
    of_first = _trust(first_answers, own.root_out, ANSWERS_VARY)
    said = [took.nested_out for took in nearest]
    return replace(
        estimate,
        root_out=round(_between(own.root_out, first_answers, of_first)),
        nested=_between(own.nested, nested, trust),
        nested_in=round(_between(own.nested_in, asked, trust)),
        nested_out=round(_between(own.nested_out, said, trust)),
        least=min(1 + min(nested), estimate.least if few else calls),
        most=max(1 + max(nested), estimate.most if few else 1),
        calls_variance=_variance(nested),
        tokens_variance=_variance([_further(took) for took in nearest]),
        fewest_in=min(*asked, estimate.fewest_in if few else asked[0]),
        fewest_out=min(*answered, estimate.fewest_out if few else answered[0]),
        most_in=max(*asked, estimate.most_in if few else 0),
        most_out=max(*answered, estimate.most_out if few else 0),
    )


def _trust(of_runs: Sequence[int], of_text: float, usual: float) -> float:
    """How much the mean of earlier runs counts (0 to 1) beside what is read off the text: as the
    squares of their errors say, each a share of its figure (Bühlmann's credibility). That of a mean
    is by chance: the variance of the runs, with COUNTS_AS runs of the `usual` one, for a few may
    happen to be alike. That of the reading is the usual one, or what the runs show of it beyond
    twice what chance explains.
    """
    seen, mean = len(of_runs), _mean(of_runs)
    varies = _variance(of_runs) / mean**2 if mean else 0.0
    by_chance = (seen * varies + COUNTS_AS * usual**2) / (seen + COUNTS_AS) / seen
    shown = (1 - min(mean, of_text) / max(mean, of_text, 1e-9)) ** 2 - 4 * by_chance
    of_reading = max(READ_OFF_VARIES**2, shown)
    return of_reading / (of_reading + by_chance)


def _between(of_text: float, of_runs: Sequence[int], trust: float) -> float:
    """The weighted geometric mean, which one text that asked very much moves less than it does the
    arithmetic one (that serves where there is nothing).
    """
    mean = _mean(of_runs)
    if mean and of_text:
        return of_text * math.pow(mean / of_text, trust)
    return trust * mean + (1 - trust) * of_text


def most_likely(  # noqa: PLR0917
    estimate: Estimate,
    letters: int,
    earlier: Sequence[EarlierRun],
    calls: int = 1_000_000,
    answer_price: float = 1.0,
) -> Estimate:
    """What a single text takes as a rule. The mean is that of no text where a few lead to very many
    questions: so the middle of the largest group of earlier runs within a factor of 1.3 of it. A
    token of an answer counts as `answer_price` of a question: it is another group that costs about
    the same than that which takes about as many tokens.
    """

    def further(took: RunCalls) -> float:
        """Beside the first question, which is known."""
        return took.nested_in + answer_price * (took.root_out + took.nested_out)

    known = _nearest(letters, earlier, calls)
    nearest = sorted(known or _imagined(estimate, calls), key=further)
    asked = max(1, estimate.root_in)
    totals = [asked + further(took) for took in nearest]
    # Totals are sorted: from `low`, all within a factor of 1.3 above and below the group's middle.
    ends = [bisect_right(totals, low * FACTOR**2) for low in totals]
    first = max(range(len(totals)), key=lambda at: ends[at] - at)
    group = nearest[first : ends[first]]
    # The geometric middle: as many times above the smallest as below the largest.
    middle = math.sqrt(totals[first] * totals[ends[first] - 1])
    mean = _mean([further(took) for took in group])
    share = (middle - asked) / mean if mean else 0.0
    return replace(
        estimate,
        root_out=round(share * _mean([took.root_out for took in group])),
        nested=_mean([took.nested for took in group]),
        nested_in=round(share * _mean([took.nested_in for took in group])),
        nested_out=round(share * _mean([took.nested_out for took in group])),
        close=len(group) / len(nearest) if known else 0.0,
    )


def _cut_off(estimate: Estimate, calls: int) -> Estimate:
    """What texts take as a rule under a limit of `calls`, without earlier runs: many lead to fewer
    questions than their mean and to none that a limit could cut, as in a geometric distribution.
    """
    mean, room = estimate.nested, max(0, calls - estimate.roots)
    share = 1 - (mean / (1 + mean)) ** room
    return replace(
        estimate,
        nested=mean * share,
        nested_in=round(estimate.nested_in * share),
        nested_out=round(estimate.nested_out * share),
    )


def _imagined(estimate: Estimate, calls: int) -> list[RunCalls]:
    """What texts take as a rule, without earlier runs: as many as an estimate rests on, whose
    further questions are spread as in a geometric distribution (see `_cut_off`).
    """
    mean = estimate.nested
    asked, said = (
        total / mean if mean else 0.0 for total in (estimate.nested_in, estimate.nested_out)
    )
    runs = []
    for at in range(NEAREST):
        rest = 1 - (at + 0.5) / NEAREST  # share of texts that lead to more
        further = math.floor(math.log(rest) / math.log(mean / (1 + mean))) if mean else 0
        nested = min(further, max(0, calls - estimate.roots))
        sizes = round(nested * asked), round(nested * said)
        runs.append(RunCalls(estimate.roots, estimate.root_in, estimate.root_out, nested, *sizes))
    return runs


def _nearest(letters: int, earlier: Sequence[EarlierRun], calls: int) -> list[RunCalls]:
    """What the earlier runs nearest in length took; none where there are too few."""

    def far(run: EarlierRun) -> float:
        ratio = (run.letters + 20) / (letters + 20)
        return ratio if ratio > 1 else 1 / ratio

    few = len(earlier) < ENOUGH
    return [] if few else [_limited(r.took, calls) for r in sorted(earlier, key=far)[:NEAREST]]


def _further(took: RunCalls) -> int:
    """Tokens beside those of the first question, which are known."""
    return took.root_out + took.nested_in + took.nested_out


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _variance(numbers: Sequence[int]) -> float:
    """Of a sample (`statistics.variance` is exact, and fifty times slower)."""
    mean = _mean(numbers)
    return sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)


def _limited(took: RunCalls, calls: int) -> RunCalls:
    """What the run would have taken under a limit of calls: nested questions are about as long as
    each other.
    """
    if took.roots + took.nested <= calls:
        return took
    nested = max(0, calls - took.roots)
    if nested == took.nested:
        return took
    share = nested / took.nested
    return replace(
        took,
        nested=nested,
        nested_in=round(took.nested_in * share),
        nested_out=round(took.nested_out * share),
    )
