"""The recorded example runs that ship: made in a project when they are first opened, from records
typed by us, without a network.
"""

from __future__ import annotations

from core.codec import to_json
from core.desk import APP_VERSION
from core.desk_parts import HasProjectNetwork
from core.errors import GroundworkError
from core.genes.strategies import PLANNER, planner
from core.model import Json, Run
from core.ncbi.address import NcbiAddresses
from core.ncbi.client import WaitPolicy
from core.ncbi.example import QUESTIONS
from core.services.genes.options import AskOptions
from core.services.genes.strategy import recorded_ncbi_client

EXAMPLES = {  # run: question
    f"example-gene-question-{number}": text for number, text in enumerate(QUESTIONS, start=1)
}


def is_recorded(desk: HasProjectNetwork, id: str) -> bool:
    """Whether this project holds the example already."""
    try:
        return desk.store.runs.result(id) is not None
    except GroundworkError:
        return False


def record(desk: HasProjectNetwork, id: str) -> None:
    """Make an example's run in this project, once, from records typed by us; no network is used."""
    if not is_recorded(desk, id):
        _record_example(desk, id, EXAMPLES[id])


def _record_example(desk: HasProjectNetwork, id: str, text: str) -> None:
    standard = NcbiAddresses()
    settings: dict[str, Json] = {
        "question": text,
        "examples": True,
        "way": PLANNER,
        "eutils": standard.eutils,
        "blast": standard.blast,
    }
    desk.store.runs.add(
        Run(
            id,
            "ask",
            PLANNER,
            settings=settings | {"datasets": ""},
            app_version=APP_VERSION,
            created=desk.clock(),
        )
    )
    run = desk.store.runs.get(id)
    ncbi = recorded_ncbi_client(
        desk, id, run, AskOptions(reuse=False), patience=WaitPolicy(scale=0.0)
    )
    desk.store.runs.save_result(id, to_json(planner.answer(ncbi, text)))
