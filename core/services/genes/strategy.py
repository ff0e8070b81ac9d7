"""How a gene question is answered: the way that was chosen, NCBI as this run may ask it, the model
if it needs one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.codec import to_json
from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasNetwork, HasProjectModels, HasProjectNetwork
from core.errors import GroundworkError, InputError, SettingsError
from core.genes.answer import GeneAnswer
from core.genes.session import OnStep
from core.genes.strategies import PLANNER, planner
from core.genes.strategies.registry import STRATEGIES
from core.genes.strategies.strategy import OutsideTool, Strategy, StrategyInput
from core.genes.strategies.toolbox import call_of
from core.llm.absent_model import AbsentCompleter
from core.llm.completer import Completer
from core.model import Json, Run
from core.ncbi.address import NcbiAddresses
from core.ncbi.answer_check import CheckedNcbiFetcher
from core.ncbi.call import NcbiCall
from core.ncbi.client import Ncbi, WaitPolicy
from core.ncbi.example import QUESTIONS, ExampleFetcher
from core.services.genes.api_agents import answer_by_api as answer_by_api
from core.services.genes.api_agents import as_tools
from core.services.genes.options import AskOptions
from core.services.settings.models import checked_model
from core.settings import POLITE_NCBI
from core.web import Fetcher, Pace, WebClient

# refusals in a row, none of an address that ever gave links, after which it counts as without them
ENOUGH = 5
_REFUSED: dict[
    str, int
] = {}  # E-utilities of operators, and how often they refused links to this process


# NCBI asks for at most one request to BLAST in ten seconds (its developer information, "Usage
# guidelines"); searches of several questions wait side by side.
BLAST_INTERVAL = 10.0
_PACES: dict[tuple[str, float], Pace] = {}
_PACES_LOCK = threading.Lock()


def as_served(desk: HasFolder, options: AskOptions) -> AskOptions:
    """Without asking again for what the operator's own E-utilities said they do not serve. NCBI
    itself is always asked, and a run that is repeated or changed asks what it asked.
    """
    not_served = desk.settings.own_ncbi and _REFUSED.get(desk.settings.ncbi_eutils_url, 0) >= ENOUGH
    return (
        replace(options, links=False)
        if not_served and not (options.replay or options.edits)
        else options
    )


def remember_unserved(desk: HasFolder, ncbi: Ncbi, answer: GeneAnswer) -> None:
    """Keep in mind what was not served, for the questions that follow."""
    at, links = (
        desk.settings.ncbi_eutils_url,
        [step for step in answer.steps if step.tool == "elink"],
    )
    if any(step.status == "done" for step in links):
        _REFUSED[at] = -1_000_000
    elif links and "elink" in ncbi.unserved:
        _REFUSED[at] = _REFUSED.get(at, 0) + 1


def ncbi_addresses(desk: HasFolder) -> NcbiAddresses:
    settings = desk.settings
    return NcbiAddresses.of(
        settings.ncbi_eutils_url, settings.ncbi_blast_url, settings.datasets_url
    )


def wait_scale(desk: HasFolder) -> float:
    """Waits are shortened only where the operator serves NCBI's answers and set a shorter interval
    than NCBI's.
    """
    settings = desk.settings
    return (
        min(1.0, settings.ncbi_interval / POLITE_NCBI)
        if settings.own_ncbi and settings.ncbi_interval < 0.1
        else 1.0
    )


def recorded_ncbi_client(
    desk: HasNetwork, run: str, source: Run, options: AskOptions, *, patience: WaitPolicy
) -> Ncbi:
    """NCBI as this run may ask it: recorded, careful, at the addresses of the run that is
    repeated.
    """
    settings = source.settings
    eutils, blast, datasets = (
        str(settings.get(name, "")) for name in ("eutils", "blast", "datasets")
    )
    asked_addresses = NcbiAddresses(eutils, blast, datasets, links=options.links)
    examples = bool(settings.get("examples"))  # records typed by us: never NCBI's answer to others
    inner: Fetcher = ExampleFetcher() if examples else _careful(desk, patience)
    recorder = desk.recorder(run, reuse=options.reuse, replay=options.replay, shared=not examples)
    fetcher = recorder.fetcher(inner)
    pace = None if options.replay or examples else _blast_pace(blast, patience.scale)
    return Ncbi(fetcher, asked_addresses, patience, edits=_edits(options), blast_pace=pace)


def _blast_pace(url: str, scale: float) -> Pace:
    """The pace of requests to this BLAST, one for all questions of this process."""
    with _PACES_LOCK:
        return _PACES.setdefault((url, scale), Pace(BLAST_INTERVAL * scale))


def _careful(desk: HasNetwork, patience: WaitPolicy) -> Fetcher:
    """NCBI over the web; what is waited for before a next try is seen, and Stop is heard
    meanwhile.
    """
    web, full = desk.web("ncbi"), replace(patience, scale=1.0)
    inner = web.waiting(full.wait) if isinstance(web, WebClient) else web
    pause = partial(full.wait, why="NCBI sent no usable answer; asking again")
    return CheckedNcbiFetcher(inner, pause=pause, scale=patience.scale)


def _edits(options: AskOptions) -> dict[str, NcbiCall]:
    """Calls to NCBI that a person put in; what was put to a web API is that API's own."""
    ours = {place: edit for place, edit in options.edits.items() if edit["tool"] != options.api}
    return {place: call_of(str(edit["tool"]), edit["arguments"]) for place, edit in ours.items()}


def answer_by_strategy(
    desk: HasProjectModels, ncbi: Ncbi, run: Run, options: AskOptions, *, watch: OnStep
) -> GeneAnswer:
    text = str(run.settings["question"])
    if options.api and options.way == PLANNER:
        waiting = partial(ncbi.patience.wait, why="The API has no answer yet")
        return answer_by_api(
            desk, run.id, text, options.api, options=options, watch=watch, wait=waiting
        )
    strategy = strategy_of(options.way)
    completer = None
    if strategy.needs_model:
        recorder = desk.recorder(run.id, reuse=options.reuse, replay=options.replay)
        completer = recorder.completer(strategy_model(desk, options))
    strategy_input = StrategyInput(
        ncbi,
        text,
        watch,
        completer=completer,
        examples=Ncbi(ExampleFetcher()),
        mask=options.mask,
        live=options.live,
        extra=lambda: _extra(desk, run.id, options),
    )
    return strategy.answer(strategy_input)


def strategy_of(name: str) -> Strategy:
    """Raises InputError with the names there are."""
    if name not in STRATEGIES:
        raise InputError(
            f"{name[:40]!r} is not a way to answer.", f"Choose {', '.join(STRATEGIES)}."
        )
    return STRATEGIES[name]


def usable_strategies(desk: HasFolder) -> list[Strategy]:
    """The strategies that can be used here: without a model, those that need none."""
    return [
        strategy
        for strategy in STRATEGIES.values()
        if desk.settings.has_model_for("interpretation") or not strategy.needs_model
    ]


def strategy_model(desk: HasProjectModels, options: AskOptions) -> Completer:
    """The configured model; in a replay the one that was asked then, of which only the record
    speaks. Raises SettingsError where there is none.
    """
    if options.replay:
        return AbsentCompleter(desk.store.runs.get(options.replay).model)
    completer = desk.completer("interpretation", checked_model(desk, options.model))
    if completer is None:
        raise SettingsError(
            "No model is configured.",
            "Set OPENAI_API_KEY or OPENAI_BASE_URL and a model, or use the planner.",
        )
    return completer


def _extra(desk: HasProjectNetwork, run: str, options: AskOptions) -> Sequence[OutsideTool]:
    """API agents that are handed to the model as tools."""
    if not options.api:
        return ()
    return as_tools(
        desk, run, [api_name for api_name in options.api.split(",") if api_name], options
    )


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
