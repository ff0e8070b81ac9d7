"""Gene questions as a use case: ask one, watch it, replay it, change a step, ask many.

What the page and the command line call. An answer is a run: its calls are recorded, so that it can be replayed without
a network, and its result is kept as JSON beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.codec import from_json, to_json
from core.desk import APP_VERSION, Desk
from core.errors import InputError, NotFound, SettingsError
from core.genes import decoding, planner, tools
from core.genes.answer import Answer, OnStep, Status, Step
from core.genes.error_class import SAID as ERRORS
from core.genes.export import markdown, row, totals, whole
from core.genes.question import EXAMPLES, Kind, Question, understand
from core.genes.toolbox import call_of
from core.jobs import JobContext, register
from core.model import Call, Job, Json, Run
from core.ncbi.address import Addresses
from core.ncbi.call import NcbiCall
from core.ncbi.client import Ncbi, Patience
from core.ncbi.example import ExampleFetcher
from core.ncbi.manners import Careful
from core.settings import POLITE_NCBI
from core.web import Fetcher

WAYS = ("planner", "tools", "decoding")
JOB, BATCH = "gene question", "gene questions"
MAX_BATCH = 2000
__all__ = [
    "ERRORS",
    "EXAMPLES",
    "WAYS",
    "Answer",
    "Asked",
    "Kind",
    "Options",
    "Question",
    "Status",
    "Step",
    "totals",
    "understand",
]


@dataclass(frozen=True, slots=True)
class Options:
    """How to ask. `mask` is decoding's; `api` names an API agent (with the way tools: one more tool); `edits` maps a
    step's place to the tool and arguments that a person put there; `replay` is a run whose record answers."""

    way: str = "planner"
    mask: str = "full"
    api: str = ""
    reuse: bool = True
    replay: str = ""
    edits: Mapping[str, Json] = field(default_factory=dict)
    live: bool = False  # decoding: run the demonstrations on the network too


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer and the run that holds its calls."""

    run: str
    way: str
    answer: Answer

    @property
    def row(self) -> Json:
        return row(self.answer, self.run, self.way)

    @property
    def whole(self) -> Json:
        return whole(self.answer, self.run, self.way)

    @property
    def markdown(self) -> str:
        return markdown(self.answer, self.run, self.way)


Check = Callable[[], None]
Tell = Callable[[str], None]


def ask(
    desk: Desk,
    text: str,
    options: Options | None = None,
    *,
    curator: str = "",
    run: str = "",
    watch: OnStep = lambda step: None,
    check: Check = lambda: None,
    tell: Tell = lambda words: None,
) -> Asked:
    """Ask one question and keep the answer. Raises InputError, SettingsError (no model for a way that needs one) and
    Stopped; what NCBI did not answer is in the answer."""
    options = options or Options()
    if not options.api:
        understand(text)
    kept = desk.store.add_run(_run(desk, text, options, curator, run or desk.new_id()))
    seen: list[Step] = []

    def saw(step: Step) -> None:
        seen.append(step)
        desk.store.save_result(kept.id, [to_json(one) for one in seen], "steps")
        watch(step)

    patience = Patience(check=check, tell=tell, scale=0.0 if options.replay else _scale(desk))
    source = desk.store.run(options.replay) if options.replay else kept
    ncbi = client(desk, kept.id, source, options, patience)
    answer = _answer(desk, ncbi, kept, options, saw)
    desk.store.save_result(kept.id, to_json(answer))
    return Asked(kept.id, options.way, answer)


def keep(desk: Desk, text: str, options: Options, curator: str = "") -> str:
    """A new run of this question, without asking it yet: its id."""
    return desk.store.add_run(_run(desk, text, options, curator, desk.new_id())).id


def _run(desk: Desk, text: str, options: Options, curator: str, id: str) -> Run:
    settings = desk.settings
    addresses = _addresses(desk)
    kept: dict[str, Json] = {"question": text, **to_json(options)}
    kept |= {"eutils": addresses.eutils, "blast": addresses.blast, "datasets": addresses.datasets}
    model = settings.model if options.way != "planner" else ""
    return Run(
        id,
        "ask",
        options.way,
        model=model,
        settings=kept,
        app_version=APP_VERSION,
        created=desk.clock(),
        curator=curator,
    )


def _addresses(desk: Desk) -> Addresses:
    settings = desk.settings
    return Addresses.of(settings.ncbi_eutils_url, settings.ncbi_blast_url, settings.datasets_url)


def _scale(desk: Desk) -> float:
    """Waits are shortened only where the operator serves NCBI's answers and set a shorter interval than NCBI's."""
    settings = desk.settings
    return min(1.0, settings.ncbi_interval / POLITE_NCBI) if settings.own_ncbi and settings.ncbi_interval < 0.1 else 1.0


def client(desk: Desk, run: str, source: Run, options: Options, patience: Patience) -> Ncbi:
    """NCBI as this run may ask it: recorded, careful, at the addresses of the run that is repeated."""
    given = source.settings
    addresses = Addresses(str(given.get("eutils", "")), str(given.get("blast", "")), str(given.get("datasets", "")))
    inner: Fetcher = (
        ExampleFetcher()
        if given.get("examples")
        else Careful(desk.web("ncbi"), pause=patience.sleep, scale=patience.scale)
    )
    fetcher = desk.recorder(run, reuse=options.reuse, replay=options.replay).fetcher(inner)
    return Ncbi(fetcher, addresses, patience, edits=_edits(options))


def _edits(options: Options) -> dict[str, NcbiCall]:
    return {place: call_of(str(given["tool"]), given["arguments"]) for place, given in options.edits.items()}


def _answer(desk: Desk, ncbi: Ncbi, run: Run, options: Options, watch: OnStep) -> Answer:
    text = str(run.settings["question"])
    if options.api and options.way == "planner":
        from core.services.api_agents import answer as answer_by_api

        return answer_by_api(desk, run.id, text, options.api, options, watch)
    if options.way == "planner":
        return planner.answer(ncbi, text, watch)
    if options.way not in WAYS:
        raise InputError(f"{options.way[:40]!r} is not a way to answer.", f"Choose {', '.join(WAYS)}.")
    completer = desk.completer()
    if completer is None:
        raise SettingsError(
            "No model is configured.", "Set OPENAI_API_KEY or OPENAI_BASE_URL and a model, or use the planner."
        )
    recorded = desk.recorder(run.id, reuse=options.reuse, replay=options.replay).completer(completer)
    if options.way == "tools":
        return tools.answer(ncbi, recorded, text, watch, _extra(desk, run.id, options))
    head = decoding.header(options.mask, Ncbi(ExampleFetcher()), ncbi if options.live else None)
    ncbi.calls = 0
    return decoding.answer(ncbi, recorded, text, head, watch)


def _extra(desk: Desk, run: str, options: Options) -> Sequence[tools.Extra]:
    """API agents that are handed to the model as tools."""
    if not options.api:
        return ()
    from core.services.api_agents import as_tools

    return as_tools(desk, run, [one for one in options.api.split(",") if one], options)


# ------------------------------------------------------------------ what is kept
def view(desk: Desk, run: str) -> Asked:
    """A stored answer. Raises NotFound while it is not finished."""
    kept = desk.store.run(run)
    value = desk.store.result(run)
    if value is None:
        raise NotFound(f"Run {run[:80]} has no answer yet.", "Look at its steps, or resume it.")
    return Asked(run, kept.engine, from_json(Answer, value))


def steps(desk: Desk, run: str) -> list[Step]:
    """The steps so far of a run that may still be going on."""
    return [from_json(Step, one) for one in desk.store.result(run, "steps") or []]


def calls(desk: Desk, run: str) -> list[Call]:
    return desk.store.calls(run)


def asked(desk: Desk, limit: int = 50) -> list[Run]:
    """Questions asked in this project, newest first."""
    return desk.store.runs("ask", limit=limit)


def replay(desk: Desk, run: str, curator: str = "") -> Asked:
    """The same question answered from the record alone; nothing goes out. Raises NotFound where a call is missing."""
    kept = desk.store.run(run)
    options: Options = replace(from_json(Options, dict(kept.settings)), replay=run)
    return ask(desk, str(kept.settings["question"]), options, curator=curator)


def edited(desk: Desk, run: str, place: str, tool: str, arguments: Mapping[str, Json]) -> Options:
    """Options that run a question again from one step on, with other arguments there. Raises InputError for arguments
    that are no call; earlier steps answer from the cache."""
    call_of(tool, arguments)
    options: Options = from_json(Options, dict(desk.store.run(run).settings))
    return replace(
        options, replay="", reuse=True, edits={**options.edits, place: {"tool": tool, "arguments": dict(arguments)}}
    )


# ------------------------------------------------------------------ jobs
def start(desk: Desk, text: str, options: Options | None = None, curator: str = "") -> tuple[Job, str]:
    """Ask in the background: the job, and the run whose steps can be watched."""
    understand(text)
    run = desk.new_id()
    given = {"question": text, "options": to_json(options or Options()), "run": run}
    return desk.runner.start(JOB, given, curator), run


@register(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    count = 0

    def watch(step: Step) -> None:
        nonlocal count
        count += 1
        context.progress(count, 0, f"{step.tool}: {step.why}")

    found = ask(
        context.context,
        arguments["question"],
        from_json(Options, arguments["options"]),
        curator=context.job.curator,
        run=arguments["run"],
        watch=watch,
        check=context.check,
        tell=lambda words: context.progress(count, 0, words),
    )
    return {"run": found.run, "status": str(found.answer.status)}


def start_batch(desk: Desk, questions: Sequence[str], options: Options | None = None, curator: str = "") -> Job:
    """Ask many questions, one after the other, in the background."""
    given = [one.strip() for one in questions if one.strip()]
    if not given or len(given) > MAX_BATCH:
        raise InputError(f"Give between 1 and {MAX_BATCH} questions, one a line.")
    runs = [desk.new_id() for _ in given]
    return desk.runner.start(
        BATCH, {"questions": given, "runs": runs, "options": to_json(options or Options())}, curator
    )


@register(BATCH)
def _work_batch(context: JobContext, arguments: Json) -> Json:
    desk: Desk = context.context
    options: Options = from_json(Options, arguments["options"])
    total = len(arguments["questions"])
    rows = []
    for number, (text, run) in enumerate(zip(arguments["questions"], arguments["runs"], strict=True)):
        context.progress(number, total, text[:100])
        rows.append(row_of(desk, text, options, context.job.curator, run, context.check))
    context.progress(total, total, "done")
    return {"rows": rows}


def row_of(
    desk: Desk, text: str, options: Options, curator: str = "", run: str = "", check: Check = lambda: None
) -> Json:
    """One question of many: trouble is a row of its own, so that the others go on."""
    try:
        return ask(desk, text, options, curator=curator, run=run, check=check).row
    except InputError as error:
        return {
            "question": text,
            "answer": "",
            "status": str(Status.NOT_UNDERSTOOD),
            "evidence": [],
            "calls": 0,
            "run": run,
            "notes": [str(error)],
        }


def questions_of(text: str) -> list[str]:
    """The questions of a file, one a line; JSON lines with `question` are taken too."""
    import json

    found = []
    for line in text.splitlines():
        if line.lstrip().startswith("{"):
            try:
                line = str(json.loads(line).get("question", ""))
            except ValueError as error:
                raise InputError(f"This line is not JSON: {line[:60]}", "Write one question a line.") from error
        if line.strip():
            found.append(line.strip())
    return found


def decoded(raw: bytes) -> str:
    """An uploaded file as text. Raises InputError for what is no text."""
    from core.text.document import clean

    return clean(raw)
