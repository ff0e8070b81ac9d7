"""The recorded example runs that ship: made once in each project from records typed by us, without
a network.
"""

from __future__ import annotations

from core.codec import to_json
from core.desk import APP_VERSION
from core.desk_parts import HasProjectNetwork
from core.errors import GroundworkError
from core.genes.strategies import planner
from core.model import Json, Run
from core.ncbi.address import NcbiAddresses
from core.ncbi.client import WaitPolicy
from core.ncbi.example import QUESTIONS
from core.services.genes.options import AskOptions
from core.services.genes.strategy import client

EXAMPLE_RUNS = tuple(f"example-gene-question-{number}" for number in range(1, len(QUESTIONS) + 1))


def examples(desk: HasProjectNetwork) -> list[str]:
    """The runs of the shipped examples, made once in each project from records typed by us; no
    network is used.
    """
    for id, text in zip(EXAMPLE_RUNS, QUESTIONS, strict=True):
        try:
            if desk.store.runs.result(id) is not None:
                continue
        except GroundworkError:
            pass
        _record_example(desk, id, text)
    return list(EXAMPLE_RUNS)


def _record_example(desk: HasProjectNetwork, id: str, text: str) -> None:
    standard = NcbiAddresses()
    settings: dict[str, Json] = {
        "question": text,
        "examples": True,
        "way": "planner",
        "eutils": standard.eutils,
        "blast": standard.blast,
    }
    desk.store.runs.add(
        Run(
            id,
            "ask",
            "planner",
            settings=settings | {"datasets": ""},
            app_version=APP_VERSION,
            created=desk.clock(),
        )
    )
    run = desk.store.runs.get(id)
    ncbi = client(desk, id, run, AskOptions(reuse=False), WaitPolicy(scale=0.0))
    desk.store.runs.save_result(id, to_json(planner.answer(ncbi, text)))
