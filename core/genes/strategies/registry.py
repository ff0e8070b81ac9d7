"""The strategies: a new one is one file and one line here. The first is the default."""

from __future__ import annotations

from core.genes.strategies import decoding, planner, tools
from core.genes.strategies.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy for strategy in (planner.STRATEGY, tools.STRATEGY, decoding.STRATEGY)
}
