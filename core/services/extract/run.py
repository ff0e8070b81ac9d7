"""An extraction as a job: the text and the schema are taken in, the run is written down, the engine
does its work.

A run is stored with the schema's own text, so that it can be repeated whatever becomes of the file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

from core.desk import APP_VERSION, Desk
from core.errors import InputError, SettingsError
from core.extraction.assemble import with_names
from core.extraction.engine import (
    Check,
    Engine,
    EngineParts,
    Limits,
    Progress,
    never_stop,
    no_progress,
)
from core.extraction.long_text import Split, cut_further, shift_offsets
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import Grounding, grounding
from core.extraction.registry import AUTO, best_engine, engine_spec
from core.extraction.species import with_species
from core.extraction.spires.prompt import class_of
from core.extraction.text_section import TextSection, part_of
from core.extraction.tree import Extraction
from core.grounding.grounder import Grounder
from core.grounding.recognise.species import taxon_curie
from core.jobs.runner import JobContext, register
from core.llm.completer import Completer
from core.model import Document, Job, Json, Problem, Run, Severity, TextVersion
from core.schema.catalogue import find_file, schema_named
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.services.extract.window import fitting, room_of
from core.services.vocabularies import preparation
from core.text.clean import clean_text, text_version

JOB = "extract"
BEAT = 0.3  # seconds between two notes of progress


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Settings of a run. `size` 0 reads a text at once; otherwise `unit` (sentences or characters)
    is what `size` and `overlap` count. `reuse` takes answers of earlier runs; `replay` is a run
    whose record answers. `taxon` is the species of genes where the text names no organism: an id
    such as NCBITaxon:9606, or a common name. `model` is asked in place of the project's for reading
    texts.
    """

    depth: int = 5
    calls: int = 0  # 0: the project's limit
    tokens: int = 1_000_000
    context: bool = False
    unit: str = "sentences"
    size: int = 0
    overlap: int = 1
    reuse: bool = True
    replay: str = ""
    taxon: str = ""
    model: str = ""

    @property
    def split(self) -> Split:
        return Split(self.unit, self.size, self.overlap)

    def limits(self, desk: Desk) -> Limits:
        settings = desk.settings
        calls = self.calls or settings.max_calls
        return Limits(
            self.depth,
            calls,
            self.tokens,
            settings.model_parallel,
            self.context,
            settings.max_tokens,
        )


@dataclass(frozen=True, slots=True)
class Entered:
    """A text and a schema as they were taken in: both are fixed from here on."""

    schema: Schema
    cls: str
    document: Document
    text: TextVersion
    folder: str = ""  # of the schema's file, where its imports are
    part: TextSection | None = None  # what of the text is read; None: all of it


def keep_text(
    desk: Desk, schema: str, text: str | bytes, source: str = "", cls: str = "", title: str = ""
) -> Entered:
    """Check and keep a text, and load its schema. `source` is a CURIE (PMID:1); without one the
    text names itself.
    """
    found = find_schema(desk, schema)
    chosen_class = class_of(found, cls).name
    words = clean_text(text)
    draft = text_version("", words, "pasted")
    document = desk.store.documents.add(Document(source or f"doc:{draft.sha[:16]}", title))
    version = desk.store.documents.add_text(replace(draft, document=document.id))
    return Entered(
        found,
        chosen_class,
        document,
        version,
        str(find_file(schema, desk.schemas).parent.resolve()),
    )


def enter_part(
    desk: Desk, schema: str, document: str, version: str, part: TextSection, cls: str = ""
) -> Entered:
    """A part of a text that is stored already, with its schema. Raises NotFound for a text that is
    not there.
    """
    found = find_schema(desk, schema)
    text = desk.store.documents.text(version, document)
    if not part.span.quote(text.text).strip():
        raise InputError("This part of the text is empty.", "Search again: the text has changed.")
    folder = str(find_file(schema, desk.schemas).parent.resolve())
    return Entered(
        found,
        class_of(found, cls).name,
        desk.store.documents.get(text.document),
        text,
        folder,
        part,
    )


def find_schema(desk: Desk, name: str) -> Schema:
    """A schema by name or file. Raises InputError with all its errors when it cannot be used."""
    schema = schema_named(name, desk.schemas, kept_in=desk.kept_schemas)
    errors = [problem for problem in schema.problems if problem.severity is Severity.ERROR]
    if errors and not schema.classes:
        raise InputError(
            f"Schema {name} cannot be used: " + " ".join(f"{p.where}: {p.message}" for p in errors)
        )
    return schema


def start(
    desk: Desk,
    schema: str,
    text: str | bytes,
    source: str = "",
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
    title: str = "",
) -> Job:
    """Write an extraction down as a job and begin it. The job's result, and its arguments, name the
    run.
    """
    options = checked_options(options)
    name = resolve_engine(desk, engine)
    entered = keep_text(desk, schema, text, source, cls, title)
    return _begin(desk, schema, entered, name, curator, options)


def start_part(
    desk: Desk,
    schema: str,
    document: str,
    version: str,
    part: TextSection,
    engine: str = "auto",
    curator: str = "",
    options: RunOptions | None = None,
) -> Job:
    """Like `start`, for a part of a text version that is stored: evidence has the offsets of the
    whole text.
    """
    options, name = checked_options(options), resolve_engine(desk, engine)
    return _begin(
        desk, schema, enter_part(desk, schema, document, version, part), name, curator, options
    )


def _begin(
    desk: Desk, schema: str, entered: Entered, engine: str, curator: str, options: RunOptions
) -> Job:
    run = new_run(desk, entered, engine, curator, options)
    return desk.runner.start(JOB, {"run": run.id, "schema": schema}, curator)


def resolve_engine(desk: Desk, engine: str) -> str:
    """The engine that is meant: `auto` is SPIRES where a model is configured, and the built-in
    engine elsewhere.
    """
    if engine == AUTO:
        return best_engine(desk.settings.has_model)
    if engine_spec(engine).needs_model and not desk.settings.has_model:
        raise SettingsError(
            f"The engine {engine} needs a language model, and none is configured.",
            "Set GROUNDWORK_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, or use the built-in"
            " engine.",
        )
    return engine


def new_run(
    desk: Desk, entered: Entered, engine: str, curator: str, options: RunOptions, model: str = ""
) -> Run:
    """The row that holds everything needed to repeat the work."""
    return desk.store.runs.add(made_run(desk, entered, engine, curator, options, model))


def made_run(
    desk: Desk,
    entered: Entered,
    engine: str,
    curator: str,
    options: RunOptions,
    model: str = "",
    versions: Mapping[str, str] | None = None,
) -> Run:
    """A run that is not stored yet. `versions` of the vocabularies, where the caller knows them."""
    return Run(
        desk.new_id(),
        "extract",
        engine,
        entered.schema.name,
        entered.schema.source,
        entered.document.id,
        entered.text.sha,
        model or (_model(desk, options) if engine_spec(engine).needs_model else ""),
        {"class": entered.cls, "folder": entered.folder, "options": asdict(options)}
        | ({"part": entered.part.json()} if entered.part else {}),
        dict(desk.shelf.versions() if versions is None else versions),
        APP_VERSION,
        desk.clock(),
        curator,
    )


def _model(desk: Desk, options: RunOptions) -> str:
    """The model of a run. Raises SettingsError for one that has no endpoint."""
    name = options.model or desk.settings.model_for("extraction")
    if options.model and desk.settings.located(name) is None:
        raise SettingsError(
            f"The model {name[:80]} has no endpoint.", "Choose one that Settings lists."
        )
    return name


# ------------------------------------------------------------------ working


@register(JOB)
def work(context: JobContext, arguments: Json) -> Json:
    """The job: extract, keep the extraction, name the run. Run again, it takes finished calls from
    the record.
    """
    desk: Desk = context.context
    run = desk.store.runs.get(arguments["run"])

    def preparing(name: str, share: float) -> None:
        context.progress(0, 0, f"preparing the vocabulary {name}: {share:.0%}")

    preparation.wait(desk, schema_of(desk, run), preparing)
    found = extract(
        desk,
        run,
        context.check,
        beats(context, engine_spec(run.engine).counts),
    )
    return {"run": run.id, "mentions": len(found.mentions), "problems": len(found.problems)}


def beats(context: JobContext, counted: str) -> Progress:
    """Progress that is written down a few times a second, however fast answers come."""
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if done >= total or time.monotonic() - last > BEAT:
            last = time.monotonic()
            context.progress(done, total, f"{done} of {total} {counted}")
        context.check()

    return progress


def extract(
    desk: Desk, run: Run, check: Check = never_stop, progress: Progress = no_progress
) -> Extraction:
    """Do the work of a run in this thread, and keep what it gave."""
    extraction = extracted(desk, run, check, progress)
    desk.store.runs.save_extraction(run.id, extraction)
    return extraction


def extracted(
    desk: Desk, run: Run, check: Check = never_stop, progress: Progress = no_progress
) -> Extraction:
    """Do the work of a run in this thread; its caller keeps what it gives."""
    schema, text = (
        schema_of(desk, run),
        desk.store.documents.text(run.text_version, run.document).text,
    )
    options, part = options_of(run), part_of(run.settings.get("part"))
    text = part.span.quote(text) if part else text
    grounder = desk.grounder().steady().of(options.taxon)
    look_up = grounding(schema, grounder)
    engine = make_engine(desk, run, schema, grounder, options, check, progress)
    extraction = _read(desk, run, schema, engine, options, text)
    if engine_spec(run.engine).names_objects:
        extraction = with_names(schema, extraction, text, look_up)
    extraction = with_species(extraction, text, look_up)
    extraction = replace(
        extraction,
        problems=(*extraction.problems, *missing_vocabularies(grounder, extraction, look_up)),
    )
    return shift_offsets(extraction, part.start) if part else extraction


def _read(
    desk: Desk, run: Run, schema: Schema, engine: Engine, options: RunOptions, text: str
) -> Extraction:
    """What the engine gives for a text, in parts where it is asked for or does not fit."""
    spec, cls = engine_spec(run.engine), run.settings["class"]
    if spec.reads_whole:
        return extract_long(engine, schema, cls, text, Split())
    room = room_of(spec, schema, cls, desk.settings.max_tokens)
    split = fitting(desk, options.split, run.model, room, len(text))
    found = extract_long(engine, schema, cls, text, split, room)
    if split == options.split:
        return found
    context = desk.models.profile(run.model).context
    note = cut_further(len(split.parts(text)), context)
    known = [problem for problem in found.problems if problem.code != note.code]
    return replace(found, problems=(note, *known))


def missing_vocabularies(
    grounder: Grounder, found: Extraction, look_up: Grounding
) -> list[Problem]:
    """What the vocabularies of this project cannot do for the mentions: ones that are missing,
    branches unchecked.
    """
    classes = dict.fromkeys(mention.cls for mention in found.mentions)
    said = [problem for cls in classes for problem in grounder.problems(look_up.constraint(cls))]
    return [problem for problem in dict.fromkeys(said) if problem not in found.problems]


def make_engine(
    desk: Desk,
    run: Run,
    schema: Schema,
    grounder: Grounder,
    options: RunOptions,
    check: Check = never_stop,
    progress: Progress = no_progress,
) -> Engine:
    """The engine of a run, over its vocabularies and, where it needs one, the desk's model."""
    spec = engine_spec(run.engine)
    completer = desk.completer("extraction", run.model) if spec.needs_model else None
    recorded = recorded_completer(desk, run, completer, options) if completer else None
    return spec.make(
        EngineParts(
            grounder,
            grounding(schema, grounder),
            options.limits(desk),
            recorded,
            tuple(desk.schemas),
            check,
            progress,
        )
    )


def grounding_of(desk: Desk, schema: Schema, options: RunOptions) -> Grounding:
    """The desk's vocabularies as a run asks for them: with its species for texts that name none."""
    return grounding(schema, desk.grounder().of(options.taxon))


def checked_options(options: RunOptions | None) -> RunOptions:
    """The options with their species as an id. Raises InputError for words that name none."""
    options = options or RunOptions()
    return replace(options, taxon=taxon_curie(options.taxon))


def recorded_completer(
    desk: Desk, run: Run, completer: Completer, options: RunOptions
) -> Completer:
    return desk.recorder(run.id, reuse=options.reuse, replay=options.replay).completer(completer)


def options_of(run: Run) -> RunOptions:
    given = run.settings.get("options", {})
    return RunOptions(**{f.name: given[f.name] for f in fields(RunOptions) if f.name in given})


def schema_of(desk: Desk, run: Run) -> Schema:
    """The schema as it was when the run was made, whatever its file says now."""
    beside = run.settings.get("folder", "")
    folders = ((Path(beside),) if beside else ()) + tuple(desk.schemas)
    return _loaded(run.schema_text, folders, desk.kept_schemas)


@lru_cache(maxsize=64)
def _loaded(source: str, folders: tuple[Path, ...], kept_in: Path) -> Schema:
    return load_schema(source, folder=folders, kept_in=kept_in)
