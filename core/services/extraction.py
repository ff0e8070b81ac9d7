"""Extraction as a use case: start it as a job, look at it, choose terms, send statements to review.

What pages and the command line call. A run is stored with the schema's own text, so that it can be repeated; the
extraction is stored as the engine left it, and the curator's choices are laid over it whenever it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

from core.desk import APP_VERSION, Desk
from core.errors import GroundworkError, InputError, NotFound, SettingsError
from core.extraction.assemble import with_names
from core.extraction.choice import chosen, identical
from core.extraction.engine import Check, Engine, Limits, Progress, never_stop, no_progress
from core.extraction.ground import grounding
from core.extraction.long_text import Split
from core.extraction.long_text import extract as extract_long
from core.extraction.one_call import OneCall
from core.extraction.spires.engine import Spires, estimate
from core.extraction.spires.prompt import class_of
from core.extraction.statements import Proposed, incomplete, statements, ungrounded
from core.extraction.tree import Extraction
from core.grounding import normalise
from core.jobs import JobContext, register
from core.llm.completer import Completer
from core.model import Call, Document, Job, Json, Mention, Outcome, Problem, Run, Severity, Statement, Term, TextVersion
from core.schema.catalogue import find, find_file
from core.schema.definition import Schema
from core.schema.load import load
from core.store.run import Choice
from core.text.document import clean, text_version

ENGINES = ("auto", "builtin", "spires", "one-call")
JOB = "extract"
BEAT = 0.3  # seconds between two notes of progress


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of a run. `size` 0 reads a text at once; otherwise `unit` (sentences or characters) is what `size` and
    `overlap` count. `reuse` takes answers of earlier runs; `replay` is a run whose record answers."""

    depth: int = 5
    calls: int = 0  # 0: the project's limit
    tokens: int = 1_000_000
    context: bool = False
    unit: str = "sentences"
    size: int = 0
    overlap: int = 1
    reuse: bool = True
    replay: str = ""

    @property
    def split(self) -> Split:
        return Split(self.unit, self.size, self.overlap)

    def limits(self, desk: Desk) -> Limits:
        settings = desk.settings
        calls = self.calls or settings.max_calls
        return Limits(self.depth, calls, self.tokens, settings.model_parallel, self.context, settings.max_tokens)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run will about take, before it starts. `cost` is US dollars, None where the price is not known."""

    engine: str
    calls: int = 0
    tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class ExtractionView:
    """A run as it stands: the curator's choices are in the mentions, and the statements follow from them."""

    run: Run
    schema: Schema
    document: Document
    text: TextVersion
    extraction: Extraction
    statements: tuple[Proposed, ...]
    problems: tuple[Problem, ...]
    calls: tuple[Call, ...]
    usage: Json = None

    @property
    def failed(self) -> bool:
        """Whether a part of the work did not come about."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Sent:
    """What sending did: ids of statements that are new or were known, and those held back, each with the reason."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    held: tuple[tuple[Statement, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """What choosing did: the slots it was applied to, and what is to be said about the term."""

    slots: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    term: Term | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A text and a schema as they were taken in: both are fixed from here on."""

    schema: Schema
    cls: str
    document: Document
    text: TextVersion
    folder: str = ""  # of the schema's file, where its imports are


# ------------------------------------------------------------------ starting


def enter(desk: Desk, schema: str, text: str | bytes, source: str = "", cls: str = "", title: str = "") -> Entered:
    """Check and keep a text, and load its schema. `source` is a CURIE (PMID:1); without one the text names itself."""
    found = find_schema(desk, schema)
    chosen_class = class_of(found, cls).name
    words = clean(text)
    draft = text_version("", words, "pasted")
    document = desk.store.add_document(Document(source or f"doc:{draft.sha[:16]}", title))
    version = desk.store.add_text(replace(draft, document=document.id))
    return Entered(found, chosen_class, document, version, str(find_file(schema, desk.schemas).parent.resolve()))


def find_schema(desk: Desk, name: str) -> Schema:
    """A schema by name or file. Raises InputError with every error it has, when it cannot be used."""
    found = find(name, desk.schemas)
    errors = [problem for problem in found.problems if problem.severity is Severity.ERROR]
    if errors and not found.classes:
        raise InputError(f"Schema {name} cannot be used: " + " ".join(f"{p.where}: {p.message}" for p in errors))
    return found


def start(
    desk: Desk,
    schema: str,
    text: str | bytes,
    source: str = "",
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: Options | None = None,
    title: str = "",
) -> Job:
    """Write an extraction down as a job and begin it. The job's result, and its arguments, name the run."""
    options = options or Options()
    name = resolve(desk, engine)
    entered = enter(desk, schema, text, source, cls, title)
    run = new_run(desk, entered, name, curator, options)
    return desk.runner.start(JOB, {"run": run.id, "schema": schema}, curator)


def resolve(desk: Desk, engine: str) -> str:
    """The engine that is meant: `auto` is SPIRES where a model is configured, and the built-in engine elsewhere."""
    if engine not in ENGINES:
        raise InputError(f"There is no engine called {engine}.", f"Choose one of {', '.join(ENGINES)}.")
    if engine == "auto":
        return "spires" if desk.settings.has_model else "builtin"
    if engine != "builtin" and not desk.settings.has_model:
        raise SettingsError(
            f"The engine {engine} needs a language model, and none is configured.",
            "Set GROUNDWORK_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, or use the built-in engine.",
        )
    return engine


def new_run(desk: Desk, entered: Entered, engine: str, curator: str, options: Options, model: str = "") -> Run:
    """The row that holds everything needed to repeat the work."""
    return desk.store.add_run(
        Run(
            desk.new_id(),
            "extract",
            engine,
            entered.schema.name,
            entered.schema.source,
            entered.document.id,
            entered.text.sha,
            model or (desk.settings.model if engine != "builtin" else ""),
            {"class": entered.cls, "folder": entered.folder, "options": asdict(options)},
            dict(desk.shelf.versions()),
            APP_VERSION,
            desk.clock(),
            curator,
        )
    )


def preview(
    desk: Desk, schema: str, text: str, engine: str = "auto", cls: str = "", options: Options | None = None
) -> Budget:
    """Calls, tokens and cost that a run will about take."""
    name = resolve(desk, engine)
    if name == "builtin":
        return Budget(name)
    options, found = options or Options(), find_schema(desk, schema)
    parts = options.split.parts(text)
    counts = [estimate(found, cls or found.root, part.quote(text), options.limits(desk)) for part in parts]
    calls = len(parts) if name == "one-call" else sum(calls for calls, _ in counts)
    tokens = len(text) // 2 + 1000 if name == "one-call" else sum(tokens for _, tokens in counts)
    limits = options.limits(desk)
    calls, tokens = min(calls, limits.calls), min(tokens, limits.tokens)
    return Budget(name, calls, tokens, desk.cost(desk.settings.model, int(tokens * 0.8), int(tokens * 0.2)))


# ------------------------------------------------------------------ working


@register(JOB)
def work(context: JobContext, arguments: Json) -> Json:
    """The job: extract, keep the extraction, name the run. Run again, it takes finished calls from the record."""
    desk: Desk = context.context
    run = desk.store.run(arguments["run"])
    found = extract(desk, run, context.check, beats(context))
    return {"run": run.id, "mentions": len(found.mentions), "problems": len(found.problems)}


def beats(context: JobContext) -> Progress:
    """Progress that is written down a few times a second, however fast answers come."""
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if done >= total or time.monotonic() - last > BEAT:
            last = time.monotonic()
            context.progress(done, total, f"{done} of {total} answers")
        context.check()

    return progress


def extract(desk: Desk, run: Run, check: Check = never_stop, progress: Progress = no_progress) -> Extraction:
    """Do the work of a run in this thread, and keep what it gave."""
    schema, text = schema_of(desk, run), desk.store.text(run.text_version, run.document).text
    options = options_of(run)
    engine = make_engine(desk, run, schema, options, check, progress)
    found = extract_long(engine, schema, run.settings["class"], text, options.split)
    if run.engine == "builtin":
        found = with_names(schema, found, text, grounding(schema, desk.grounder()))
    desk.store.save_extraction(run.id, found)
    return found


def make_engine(
    desk: Desk, run: Run, schema: Schema, options: Options, check: Check = never_stop, progress: Progress = no_progress
) -> Engine:
    """The engine of a run, over the desk's vocabularies and, where it needs one, its model."""
    if run.engine == "builtin":
        from core.extraction.dictionary import DictionaryEngine

        return DictionaryEngine(desk.grounder(), check)
    completer = desk.completer()
    if completer is None:
        raise SettingsError("No language model is configured any more.", "Set GROUNDWORK_MODEL and resume.")
    recorded = recorded_completer(desk, run, completer, options)
    kind = OneCall if run.engine == "one-call" else Spires
    return kind(recorded, grounding(schema, desk.grounder()), options.limits(desk), check, progress)


def recorded_completer(desk: Desk, run: Run, completer: Completer, options: Options) -> Completer:
    return desk.recorder(run.id, reuse=options.reuse, replay=options.replay).completer(completer)


def options_of(run: Run) -> Options:
    given = run.settings.get("options", {})
    return Options(**{f.name: given[f.name] for f in fields(Options) if f.name in given})


def schema_of(desk: Desk, run: Run) -> Schema:
    """The schema as it was when the run was made, whatever its file says now."""
    beside = run.settings.get("folder", "")
    return _loaded(run.schema_text, ((Path(beside),) if beside else ()) + tuple(desk.schemas))


@lru_cache(maxsize=64)
def _loaded(source: str, folders: tuple[Path, ...]) -> Schema:
    return load(source, folder=folders)


# ------------------------------------------------------------------ looking


def view(desk: Desk, run_id: str) -> ExtractionView:
    """A finished run with the choices made so far. Raises NotFound while there is nothing to see."""
    store = desk.store
    run = store.run(run_id)
    raw: Extraction | None = store.extraction(run_id)
    if raw is None:
        raise NotFound(f"Run {run_id} has no result yet.", "Wait for its job, or resume it.")
    schema, document = schema_of(desk, run), store.document(run.document)
    text = store.text(run.text_version, run.document)
    found = chosen(raw, store.choices(run_id))
    claims = statements(schema, found, document.id, text, run.id, run.engine)
    problems = (*found.problems, *incomplete(schema, found))
    calls = tuple(store.calls(run_id))
    return ExtractionView(run, schema, document, text, found, tuple(claims), problems, calls, store.usage(run_id))


# ------------------------------------------------------------------ choosing


def choose(
    desk: Desk,
    run_id: str,
    slot: str,
    curator: str,
    term_id: str = "",
    outcome: Outcome | None = None,
    everywhere: bool = False,
    remember: bool = True,
) -> Chosen:
    """Choose a term for a mention by its id, or say that no term fits; `everywhere`: for all mentions of these words.

    A typed id is proven first: it exists, its prefix fits, it is of the branch. The choice is remembered as a project
    synonym. Raises InputError where the id cannot stand there.
    """
    found = view(desk, run_id)
    mention = next((m for m in found.extraction.mentions if m.slot == slot), None)
    if mention is None:
        raise NotFound(f"Run {run_id} has no mention at {slot}.")
    term, problems = (None, ()) if outcome is Outcome.NO_TERM_FITS else proven(desk, found.schema, mention, term_id)
    same = identical(found.extraction, mention) if everywhere else [mention]
    what = Outcome.NO_TERM_FITS if term is None else Outcome.GROUNDED
    time = desk.clock()
    desk.store.add_choices([Choice(run_id, m.slot, what, term, curator, time) for m in same])
    if term is not None and remember:
        _remember(desk, mention, term, curator)
    return Chosen(tuple(m.slot for m in same), problems, term)


def proven(desk: Desk, schema: Schema, mention: Mention, term_id: str) -> tuple[Term, tuple[Problem, ...]]:
    """The term of an id, with what is to be said against it. Raises InputError where it cannot stand in this slot."""
    wanted = term_id.strip()
    known = next((c for c in mention.candidates if c.term.id == wanted), None)
    if known is not None:
        return known.term, ()
    candidate, problems = desk.grounder().check(wanted, grounding(schema, desk.grounder()).constraint(mention.cls))
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if candidate is None or errors:
        said = (
            " ".join(p.message for p in errors or problems) or f"{wanted or 'Nothing'} is in no installed vocabulary."
        )
        raise InputError(said, "Type another id, choose a candidate, or say that no term fits.")
    return candidate.term, problems


def _remember(desk: Desk, mention: Mention, term: Term, curator: str) -> None:
    desk.store.add_synonym(mention.text, normalise.key(mention.text), term, curator)


# ------------------------------------------------------------------ sending


def send(
    desk: Desk,
    run_id: str,
    curator: str,
    only: Collection[str] | None = None,
    include_ungrounded: bool = False,
) -> Sent:
    """Propose statements to review: all, or those of the ids `only`. What is ungrounded is held back and named, unless
    it is asked for in so many words."""
    found = view(desk, run_id)
    going: list[Proposed] = []
    held: list[tuple[Statement, str]] = []
    for statement, evidence in found.statements:
        if only is not None and statement.id not in only:
            continue
        if (words := ungrounded(statement)) and not include_ungrounded:
            held.append((statement, f"No term for {', '.join(f'“{term.label}”' for term in words)}."))
        else:
            going.append((statement, evidence))
    proposal = desk.store.propose(going, run_id, curator)
    return Sent(tuple(proposal.new), tuple(proposal.known), tuple(held))


def finish(desk: Desk, job: Job) -> ExtractionView:
    """Wait for a job and give what it made. Raises GroundworkError with what went wrong."""
    ended = desk.runner.wait(job.id)
    if not ended.result:
        raise GroundworkError(ended.error or f"The extraction is {ended.state}.")
    return view(desk, ended.result["run"])
