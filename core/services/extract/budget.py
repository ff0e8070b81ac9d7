"""What an extraction will about take, before it starts: of one text, or of many."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.desk_parts import HasProjectModels
from core.errors import InputError
from core.extraction.engine import Estimate
from core.extraction.guidance import Guidance
from core.extraction.registry import engine_spec
from core.llm.token_count import tokens_in
from core.services.extract.engines import resolve_engine
from core.services.extract.experience import (
    COUNTS_AS,
    NEAREST,
    NESTED_VARIES,
    EarlierRun,
    earlier_runs,
    estimate_by_experience,
    most_likely,
)
from core.services.extract.guidance import note_of
from core.services.extract.run import find_schema
from core.services.extract.run_options import RunOptions, fitting_window, room_of
from core.text.clean import clean_text

EXAMPLE = 70  # tokens of an approved statement with its quote, about
RELIABLE = 0.9  # share of texts that an estimate is right for
Telling = Callable[[Estimate, int, Sequence[EarlierRun], int], Estimate]
CostOf = Callable[[int, int], float | None]  # of tokens in and out, US dollars; None: not known
NINE_OF_TEN = 2.0  # standard deviations to either side: 1.645 if no text asked for very much
UNREAD_VARIES = 0.5  # as READ_OFF_VARIES, of a schema that nothing was read with yet
FLAT_VARIES = 0.5  # as NESTED_VARIES, of 237 recorded texts without nested questions


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Calls and tokens that a run will about take. `least` and `most` calls, `tokens_least` and
    `tokens_most`, are what the text, or earlier runs over such texts, give reason to expect: of
    one text the fewest and the most there were, of many texts what nine of ten such batches take.
    `cost` (with `cost_least` and `cost_most`) is US dollars, None where no price is known;
    `limited`: the limit of calls may end the run. `earlier` is how many earlier runs of the schema
    it rests on, `texts` how many it is of; `calls_spread` and `tokens_spread` are how far such runs
    lie from the figures (standard deviations). The figures of one text are those that are most
    likely, and `close` is the share of earlier runs within a factor of 1.3 of its tokens and of its
    cost (0 where there are none); those of many texts are sums of the means, `mean_calls` to
    `mean_cost`.
    `counted`: the first question was asked, and those that its answer leads to are counted. `parts`
    is how many a text is read in; `first_calls` to `first_cost` are of the first questions alone,
    whose length is known.
    """

    engine: str
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    least: int = 0
    most: int = 0
    limited: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    earlier: int = 0
    tokens_least: int = 0
    tokens_most: int = 0
    mean_calls: float = 0.0
    mean_in: int = 0
    mean_out: int = 0
    mean_cost: float | None = None
    calls_spread: float = 0.0
    tokens_spread: float = 0.0
    cost_least: float | None = None
    cost_most: float | None = None
    texts: int = 1
    close: float = 0.0
    counted: bool = False
    parts: int = 1
    first_calls: float = 0.0
    first_tokens: int = 0
    first_cost: float | None = None

    @property
    def calls_beyond_first(self) -> float:
        return self.mean_calls - self.first_calls

    @property
    def tokens_beyond_first(self) -> int:
        """Tokens of all answers, and of all but the first questions."""
        return self.mean_in + self.mean_out - self.first_tokens

    @property
    def open(self) -> bool:
        """Whether what the text takes is not known until its first question is answered."""
        single = self.texts == 1 and not self.counted and self.least < self.most
        return single and self.close < RELIABLE


def estimate_preview(
    desk: HasProjectModels,
    schema: str,
    text: str,
    *,
    engine: str = "auto",
    cls: str = "",
    options: RunOptions | None = None,
) -> CostEstimate:
    options = options or RunOptions()
    name = resolve_engine(desk, engine, options.model)
    return _budget_by_text(desk, schema, name, cls, options=options)(text)


def preview_many(
    desk: HasProjectModels,
    schema: str,
    texts: Iterable[str | bytes],
    *,
    engine: str = "auto",
    options: RunOptions | None = None,
    provider: bool = False,
) -> CostEstimate:
    """The same for a batch: each text has the limits of a run. What cannot be read will not be
    asked about. `provider`: at the price of the endpoint's batch interface.
    """
    options = options or RunOptions()
    name = resolve_engine(desk, engine, options.model)
    budget = _budget_by_text(desk, schema, name, cls="", options=options)
    estimates = [budget(text) for text in map(readable_estimate, texts) if text]
    total = batch_estimate(estimates) if estimates else CostEstimate(name)
    if not provider or total.cost is None:
        return total
    model = options.model or desk.settings.model_for("extraction")
    cost = desk.models.batch_cost(model, total.tokens_in, total.tokens_out)
    share = (cost or 0.0) / total.cost if total.cost else 0.0
    least, most = (total.cost_least or 0.0) * share, (total.cost_most or 0.0) * share
    return replace(total, cost=cost, cost_least=least, cost_most=most)


def _budget_by_text(
    desk: HasProjectModels, schema: str, engine: str, cls: str, *, options: RunOptions
) -> Callable[[str], CostEstimate]:
    """The budget of a text, with what is the same for all texts looked up once."""
    spec = engine_spec(engine)
    if not spec.needs_model:
        return lambda text: CostEstimate(engine)
    model = options.model or desk.settings.model_for("extraction")
    schema_definition, limits = find_schema(desk, schema), options.limits(desk)
    root = cls or schema_definition.root
    earlier = earlier_runs(desk, schema_definition.name, root, engine, model=model)
    note = tokens_in(Guidance(note_of(desk, schema_definition.name).text).everywhere)
    examples = EXAMPLE * options.examples
    unlimited = replace(limits, calls=1_000_000, tokens=1_000_000_000)
    cost_of = partial(desk.cost, model)
    likely_price = partial(most_likely, answer_price=answer_price(cost_of))

    def budget(text: str) -> CostEstimate:
        split = options.split
        if not spec.reads_whole:
            room = room_of(spec, schema_definition, root, text, answer=desk.settings.max_tokens)
            split = fitting_window(desk, split, model, room, length=len(text))
        parts = [part.quote(text) for part in split.parts(text)]

        def of_parts(calls: int, told_by: Telling = estimate_by_experience) -> Estimate:
            estimates = (
                told_by(
                    spec.estimate(schema_definition, root, part, unlimited),
                    len(part),
                    earlier,
                    calls,
                )
                for part in parts
            )
            whole = sum(estimates, Estimate())
            return replace(
                whole,
                root_in=whole.root_in + whole.roots * (note + examples),
                nested_in=whole.nested_in + (0 if earlier else round(whole.nested * note)),
            )

        whole = of_parts(unlimited.calls)
        if len(parts) > 1:  # the limit is one of all parts
            limited = shown = paid = whole.within(limits.calls, limits.tokens)
        else:
            limited, shown, paid = (
                of_parts(limits.calls, told_by).within(limits.calls, limits.tokens)
                for told_by in (estimate_by_experience, most_likely, likely_price)
            )
        reckoned = budget_of(
            engine, whole, limited, shown, earlier=earlier, cost_of=cost_of, paid=paid
        )
        return replace(reckoned, parts=len(parts))

    return budget


def budget_of(
    engine: str,
    unlimited_estimate: Estimate,
    limited: Estimate,
    shown: Estimate,
    *,
    earlier: Sequence[EarlierRun] = (),
    cost_of: CostOf = lambda tokens_in, tokens_out: None,
    paid: Estimate | None = None,
) -> CostEstimate:
    """The budget of a text; `limited` is the mean as far as the limits of a run let it come,
    `shown` what is most likely, `cost_of` the price of tokens in and out in US dollars, `paid` what
    is most likely to be paid (without it, as `shown`).
    """
    paid = paid or shown
    fewest = limited.root_in + limited.fewest_in, limited.fewest_out
    most = limited.root_in + limited.most_in, limited.most_out
    return CostEstimate(
        engine,
        shown.calls,
        shown.tokens,
        cost=cost_of(paid.tokens_in, paid.tokens_out),
        least=limited.least,
        most=limited.most,
        limited=unlimited_estimate.most > limited.most or limited.calls < unlimited_estimate.calls,
        tokens_in=shown.tokens_in,
        tokens_out=shown.tokens_out,
        earlier=min(len(earlier), NEAREST),
        tokens_least=sum(fewest),
        tokens_most=sum(most),
        mean_calls=limited.roots + limited.nested,
        mean_in=limited.tokens_in,
        mean_out=limited.tokens_out,
        mean_cost=cost_of(limited.tokens_in, limited.tokens_out),
        calls_spread=math.sqrt(limited.calls_variance),
        tokens_spread=math.sqrt(limited.tokens_variance),
        cost_least=cost_of(*fewest),
        cost_most=cost_of(*most),
        close=min(shown.close, paid.close),
        first_calls=limited.roots,
        first_tokens=limited.root_in,
        first_cost=cost_of(limited.root_in, 0),
    )


def answer_price(cost_of: CostOf) -> float:
    """What a token of an answer costs, as a multiple of one of a question; 1 where unknown."""
    asked, answered = cost_of(1_000_000, 0), cost_of(0, 1_000_000)
    return answered / asked if asked and answered else 1.0


def batch_estimate(estimates: Sequence[CostEstimate]) -> CostEstimate:
    """The estimate of a batch: nine of ten batches take between the fewest and the most, for what
    single texts take more and less evens out.
    """
    if len(estimates) == 1:
        return estimates[0]
    means = ("mean_calls", "mean_in", "mean_out", "first_calls", "first_tokens", "texts")
    names = (*means, "least", "most", "tokens_least", "tokens_most")
    sums = {name: sum(getattr(estimate, name) for estimate in estimates) for name in names}
    whole = replace(
        estimates[0],
        **sums,
        close=0.0,
        calls=round(sums["mean_calls"]),
        tokens=sums["mean_in"] + sums["mean_out"],
        tokens_in=sums["mean_in"],
        tokens_out=sums["mean_out"],
        cost=_sum([estimate.mean_cost for estimate in estimates]),
        mean_cost=_sum([estimate.mean_cost for estimate in estimates]),
        cost_least=_sum([estimate.cost_least for estimate in estimates]),
        cost_most=_sum([estimate.cost_most for estimate in estimates]),
        limited=any(estimate.limited for estimate in estimates),
        calls_spread=_spread(
            [(estimate.calls_spread, estimate.calls_beyond_first) for estimate in estimates],
            estimates[0],
        ),
        tokens_spread=_spread(
            [(estimate.tokens_spread, estimate.tokens_beyond_first) for estimate in estimates],
            estimates[0],
        ),
    )
    first_cost = _sum([estimate.first_cost for estimate in estimates])
    calls, tokens, cost = (
        _range(first, mean, spread / (beyond or 1), whole.earlier)
        for first, mean, spread, beyond in (
            (whole.first_calls, whole.mean_calls, whole.calls_spread, whole.calls_beyond_first),
            (whole.first_tokens, whole.tokens, whole.tokens_spread, whole.tokens_beyond_first),
            (first_cost, whole.cost, whole.tokens_spread, whole.tokens_beyond_first),
        )
    )
    return replace(
        whole,
        least=max(whole.least, round(calls[0] or 0)),
        most=min(whole.most, round(calls[1] or 0)),
        tokens_least=round(tokens[0] or 0),
        tokens_most=round(tokens[1] or 0),
        cost_least=cost[0],
        cost_most=cost[1],
    )


def _range(
    first: float | None, mean: float | None, varies: float, earlier: int
) -> tuple[float | None, float | None]:
    """What nine of ten batches take. What lies beyond the first questions is as many times more as
    less, for a few texts ask very much and none asks less than nothing; wider where few earlier
    runs tell how far texts lie apart (as Student's distribution is).
    """
    if first is None or mean is None:
        return None, None
    few = 0.5 / earlier if earlier else 0.0
    wide = math.exp(NINE_OF_TEN * (1 + few) * math.sqrt(math.log1p(varies**2)))
    return first + (mean - first) / wide, first + (mean - first) * wide


def dollar_words(cost: float) -> str:
    """`$0.25`, `$0.0031`: two digits of what is less than a cent."""
    return f"${cost:.2f}" if cost >= 0.1 or not cost else f"${float(f'{cost:.2g}'):.8f}".rstrip("0")


def _sum(costs: Sequence[float | None]) -> float | None:
    """None where one of them is not known."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _spread(texts: Sequence[tuple[float, float]], estimate: CostEstimate) -> float:
    """The standard deviation of a sum, from what each text has beyond its first question and how
    far earlier runs lay from that: of the texts, which differ each for itself, and of what is
    expected of all (from their reading and from the mean of the earlier runs, which are more exact
    together than either), which is as wrong for all of them. A few runs that happen to be alike do
    not tell that all texts are.
    """
    varies = NESTED_VARIES if estimate.most > estimate.first_calls else FLAT_VARIES
    seen, total = estimate.earlier, sum(beyond_first for _, beyond_first in texts)
    spreads = [
        math.sqrt(
            (seen * spread**2 + COUNTS_AS * (varies * beyond_first) ** 2) / (seen + COUNTS_AS)
        )
        for spread, beyond_first in texts
    ]
    alone = math.sqrt(sum(wide * wide for wide in spreads))
    if not total:
        return alone
    of_runs = sum(spreads) / total
    common = total / math.sqrt(1 / UNREAD_VARIES**2 + seen / of_runs**2)
    return math.hypot(alone, common)


def readable_estimate(text: str | bytes) -> str:
    try:
        return clean_text(text)
    except InputError:
        return ""
