"""An extraction as a job: the text and the schema are taken in, the run is written down, the engine
does its work.

A run is stored with the schema's own text, so that it can be repeated whatever becomes of the file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.codec import to_json
from core.desk import APP_VERSION, Desk
from core.desk_parts import (
    HasFolder,
    HasNetwork,
    HasProject,
    HasProjectModels,
    HasProjectTerms,
    HasVocabularies,
)
from core.errors import InputError, SettingsError
from core.extraction.assemble import with_names
from core.extraction.engine import (
    Check,
    Engine,
    EngineParts,
    Progress,
    never_stop,
    no_progress,
)
from core.extraction.guidance import PLAIN
from core.extraction.long_text import Split, cut_further, shift_offsets
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import Grounding, grounding
from core.extraction.registry import AUTO, best_engine, engine_spec
from core.extraction.species import with_species
from core.extraction.spires.prompt import class_of
from core.extraction.text_section import TextSection, part_of
from core.extraction.tree import Extraction
from core.grounding.grounder import Grounder
from core.jobs.runner import JobContext, register
from core.llm.completer import Completer
from core.llm.token_count import tokens_in
from core.model import Document, Job, Json, Problem, Run, Severity, TextVersion
from core.schema.catalogue import find_file, schema_named
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.services.extract.guidance import ApprovedStatements, guidance_for, guidance_of
from core.services.extract.run_options import RunOptions, checked_options, options_of
from core.services.extract.window import fitting, room_of
from core.services.vocabularies import preparation
from core.text.clean import clean_text, text_version

JOB = "extract"
BEAT = 0.3  # seconds between two notes of progress


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
    desk: HasProject,
    schema: str,
    text: str | bytes,
    source: str = "",
    cls: str = "",
    title: str = "",
) -> Entered:
    """Check and keep a text, and load its schema. `source` is a CURIE (PMID:1); without one the
    text names itself.
    """
    schema_definition = find_schema(desk, schema)
    chosen_class = class_of(schema_definition, cls).name
    words = clean_text(text)
    draft = text_version("", words, "pasted")
    document = desk.store.documents.add(Document(source or f"doc:{draft.sha[:16]}", title))
    version = desk.store.documents.add_text(replace(draft, document=document.id))
    return Entered(
        schema_definition,
        chosen_class,
        document,
        version,
        str(find_file(schema, desk.schemas).parent.resolve()),
    )


def enter_part(
    desk: HasProject, schema: str, document: str, version: str, part: TextSection, cls: str = ""
) -> Entered:
    """A part of a text that is stored already, with its schema. Raises NotFound for a text that is
    not there.
    """
    schema_definition = find_schema(desk, schema)
    text = desk.store.documents.text(version, document)
    if not part.span.quote(text.text).strip():
        raise InputError("This part of the text is empty.", "Search again: the text has changed.")
    folder = str(find_file(schema, desk.schemas).parent.resolve())
    return Entered(
        schema_definition,
        class_of(schema_definition, cls).name,
        desk.store.documents.get(text.document),
        text,
        folder,
        part,
    )


def find_schema(desk: HasFolder, name: str) -> Schema:
    """A schema by name or file. Raises InputError with all its errors when it cannot be used."""
    schema = schema_named(name, desk.schemas, cache_folder=desk.schema_cache_folder)
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
    name = resolve_engine(desk, engine, options.model)
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
    options = checked_options(options)
    name = resolve_engine(desk, engine, options.model)
    return _begin(
        desk, schema, enter_part(desk, schema, document, version, part), name, curator, options
    )


def _begin(
    desk: Desk, schema: str, entered: Entered, engine: str, curator: str, options: RunOptions
) -> Job:
    run = new_run(desk, entered, engine, curator, options)
    return desk.runner.start(JOB, {"run": run.id, "schema": schema}, curator)


def resolve_engine(desk: HasFolder, engine: str, model: str = "") -> str:
    """The engine that is meant: `auto` is SPIRES where a model is configured, or named for the run,
    and the built-in engine elsewhere.
    """
    has_model = bool(model) or desk.settings.has_model_for("extraction")
    if engine == AUTO:
        return best_engine(has_model)
    if engine_spec(engine).needs_model and not has_model:
        raise SettingsError(
            f"The engine {engine} needs a language model, and none is configured.",
            "Set GROUNDWORK_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, or use the built-in"
            " engine.",
        )
    return engine


def new_run(
    desk: HasProjectTerms,
    entered: Entered,
    engine: str,
    curator: str,
    options: RunOptions,
    model: str = "",
) -> Run:
    """The row that holds everything needed to repeat the work."""
    return desk.store.runs.add(made_run(desk, entered, engine, curator, options, model))


def made_run(
    desk: HasProjectTerms,
    entered: Entered,
    engine: str,
    curator: str,
    options: RunOptions,
    model: str = "",
    versions: Mapping[str, str] | None = None,
    approved: ApprovedStatements | None = None,
) -> Run:
    """A run that is not stored yet. `versions` of the vocabularies and the `approved` statements
    that examples are chosen from, where the caller knows them.
    """
    guidance = PLAIN
    if engine_spec(engine).needs_model:
        text, sha = entered.text.text, entered.text.sha
        guidance = guidance_for(
            desk, entered.schema, text, entered.document.id, sha, options.examples, approved
        )
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
        | ({"part": entered.part.json()} if entered.part else {})
        | ({"guidance": to_json(guidance)} if guidance != PLAIN else {}),
        dict(desk.vocabulary_registry.versions() if versions is None else versions),
        APP_VERSION,
        desk.clock(),
        curator,
    )


def _model(desk: HasFolder, options: RunOptions) -> str:
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
    extraction = extract(
        desk,
        run,
        context.check,
        throttled_progress(context, engine_spec(run.engine).counts),
    )
    return {
        "run": run.id,
        "mentions": len(extraction.mentions),
        "problems": len(extraction.problems),
    }


def throttled_progress(context: JobContext, counted: str) -> Progress:
    """Progress that is written down a few times a second, however fast answers come."""
    last_written = 0.0

    def progress(finished: int, total: int) -> None:
        nonlocal last_written
        if finished >= total or time.monotonic() - last_written > BEAT:
            last_written = time.monotonic()
            context.progress(finished, total, f"{finished} of {total} {counted}")
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
    desk: Desk,
    run: Run,
    check: Check = never_stop,
    progress: Progress = no_progress,
    completer: Completer | None = None,
) -> Extraction:
    """Do the work of a run in this thread; its caller keeps what it gives. `completer` answers in
    place of the run's model, and nothing is recorded.
    """
    schema, text = (
        schema_of(desk, run),
        desk.store.documents.text(run.text_version, run.document).text,
    )
    options, part = options_of(run), part_of(run.settings.get("part"))
    text = part.span.quote(text) if part else text
    grounder = desk.grounder().steady().of(options.taxon)
    look_up = grounding(schema, grounder)
    engine = make_engine(desk, run, schema, grounder, options, check, progress, completer)
    extraction = _extract_text(desk, run, schema, engine, options, text)
    if engine_spec(run.engine).names_objects:
        extraction = with_names(schema, extraction, text, look_up)
    extraction = with_species(extraction, text, look_up)
    extraction = replace(
        extraction,
        problems=(*extraction.problems, *missing_vocabularies(grounder, extraction, look_up)),
    )
    return shift_offsets(extraction, part.start) if part else extraction


def _extract_text(
    desk: HasProjectModels, run: Run, schema: Schema, engine: Engine, options: RunOptions, text: str
) -> Extraction:
    """What the engine gives for a text, in parts where it is asked for or does not fit."""
    spec, cls = engine_spec(run.engine), run.settings["class"]
    if spec.reads_whole:
        return extract_long(engine, schema, cls, text, Split())
    beside = tokens_in(guidance_of(run).first)
    room = room_of(spec, schema, cls, text, desk.settings.max_tokens, beside)
    split = fitting(desk, options.split, run.model, room, len(text))
    extraction = extract_long(engine, schema, cls, text, split, room)
    if split == options.split:
        return extraction
    context = desk.models.profile(run.model).context
    note = cut_further(len(split.parts(text)), context)
    problems_left = [problem for problem in extraction.problems if problem.code != note.code]
    return replace(extraction, problems=(note, *problems_left))


def missing_vocabularies(
    grounder: Grounder, extraction: Extraction, look_up: Grounding
) -> list[Problem]:
    """What the vocabularies of this project cannot do for the mentions: ones that are missing,
    branches unchecked.
    """
    classes = dict.fromkeys(mention.cls for mention in extraction.mentions)
    problems = [
        problem for cls in classes for problem in grounder.problems(look_up.constraint(cls))
    ]
    return [problem for problem in dict.fromkeys(problems) if problem not in extraction.problems]


def make_engine(
    desk: HasProjectModels,
    run: Run,
    schema: Schema,
    grounder: Grounder,
    options: RunOptions,
    check: Check = never_stop,
    progress: Progress = no_progress,
    completer: Completer | None = None,
) -> Engine:
    """The engine of a run, over its vocabularies and, where it needs one, the desk's model with its
    record, or the `completer` given.
    """
    spec = engine_spec(run.engine)
    recorded = completer
    if completer is None and spec.needs_model:
        configured = desk.completer("extraction", run.model)
        recorded = recorded_completer(desk, run, configured, options) if configured else None
    return spec.make(
        EngineParts(
            grounder,
            grounding(schema, grounder),
            options.limits(desk),
            recorded,
            tuple(desk.schemas),
            check,
            progress,
            guidance_of(run),
        )
    )


def grounding_of(desk: HasVocabularies, schema: Schema, options: RunOptions) -> Grounding:
    """The desk's vocabularies as a run asks for them: with its species for texts that name none."""
    return grounding(schema, desk.grounder().of(options.taxon))


def recorded_completer(
    desk: HasNetwork, run: Run, completer: Completer, options: RunOptions
) -> Completer:
    return desk.recorder(run.id, reuse=options.reuse, replay=options.replay).completer(completer)


def schema_of(desk: HasFolder, run: Run) -> Schema:
    """The schema as it was when the run was made, whatever its file says now."""
    beside = run.settings.get("folder", "")
    folders = ((Path(beside),) if beside else ()) + tuple(desk.schemas)
    return _loaded(run.schema_text, folders, desk.schema_cache_folder)


@lru_cache(maxsize=64)
def _loaded(source: str, folders: tuple[Path, ...], cache_folder: Path) -> Schema:
    return load_schema(source, folder=folders, cache_folder=cache_folder)
