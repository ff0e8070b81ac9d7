"""An extraction: a text and a schema are taken in, the run is written down, and the engine does its
work as a job.

A run is stored with the schema's own text, so that it can be repeated whatever becomes of the file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.codec import to_json
from core.desk import APP_VERSION
from core.desk_parts import (
    HasEngines,
    HasFolder,
    HasNetwork,
    HasProjectModels,
    HasProjectTerms,
    HasTermJobs,
    HasVocabularies,
)
from core.documents.readers.plain_text import references_start
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
from core.extraction.long_text import TextSplit, cut_further, shift_offsets
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import Grounding, grounding
from core.extraction.registry import engine_spec
from core.extraction.species import with_species
from core.extraction.spires.prompt import class_of
from core.extraction.text_section import TextSection, part_of
from core.extraction.tree import Extraction
from core.grounding.grounder import Grounder
from core.jobs.runner import JobContext, register_job
from core.llm.completer import Completer
from core.llm.token_count import tokens_in
from core.model import Document, Job, Json, Problem, Role, Run, Severity, TextVersion
from core.schema.catalogue import find_file, schema_named
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.services.extract.engines import resolve_engine
from core.services.extract.guidance import ApprovedStatements, guidance_for, guidance_of
from core.services.extract.run_options import (
    RunOptions,
    checked_options,
    fitting_window,
    options_of,
    room_of,
)
from core.services.extract.schemas import read_apart
from core.services.learning.lessons import refresh_lessons
from core.services.settings.models import learn_from_list
from core.services.vocabularies import preparation
from core.services.vocabularies.schema_use import with_own_vocabularies
from core.text.clean import clean_text, text_version


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """A text and a schema as they were taken in: both are fixed from here on."""

    schema: Schema
    cls: str
    document: Document
    text: TextVersion
    folder: str = ""  # of the schema's file, where its imports are
    part: TextSection | None = None  # what of the text is read; None: all of it


def keep_text(
    desk: HasProjectTerms,
    schema: str,
    text: str | bytes,
    *,
    source: str = "",
    cls: str = "",
    title: str = "",
) -> ExtractionInput:
    """Check and keep a text, and load its schema. `source` is a CURIE (PMID:1); without one the
    text names itself.
    """
    schema_definition = schema_to_run(desk, schema)
    chosen_class = class_of(schema_definition, cls).name
    words = clean_text(text)
    draft = text_version("", words, "pasted")
    document = desk.store.documents.add(Document(source or f"doc:{draft.sha[:16]}", title))
    version = desk.store.documents.add_text(replace(draft, document=document.id))
    return ExtractionInput(
        schema_definition,
        chosen_class,
        document,
        text=version,
        folder=str(find_file(schema, desk.schemas).parent.resolve()),
        part=before_references(words),
    )


def before_references(text: str) -> TextSection | None:
    """What is read of a text that ends with its list of references, so that no statement rests on
    the title of another paper; None for all of it.
    """
    start = references_start(text)
    return TextSection(0, start) if start < len(text) else None


def enter_part(
    desk: HasProjectTerms,
    schema: str,
    document: str,
    version: str,
    *,
    part: TextSection,
    cls: str = "",
) -> ExtractionInput:
    """A part of a text that is stored already, with its schema. Raises NotFound for a text that is
    not there.
    """
    schema_definition = schema_to_run(desk, schema)
    text = desk.store.documents.text(version, document)
    if not part.span.quote(text.text).strip():
        raise InputError("This part of the text is empty.", "Search again: the text has changed.")
    folder = str(find_file(schema, desk.schemas).parent.resolve())
    return ExtractionInput(
        schema_definition,
        class_of(schema_definition, cls).name,
        desk.store.documents.get(text.document),
        text=text,
        folder=folder,
        part=part,
    )


def schema_to_run(desk: HasVocabularies, name: str) -> Schema:
    """A schema as a run reads a text with it: with the project's own vocabularies of the kinds it
    asks for. Raises as `find_schema`.
    """
    beside = find_file(name, desk.schemas).parent.resolve()
    return with_own_vocabularies(desk, find_schema(desk, name), beside)


def find_schema(desk: HasFolder, name: str) -> Schema:
    """A schema by name or file. Raises InputError with all its errors when it cannot be used."""
    read_apart(desk, find_file(name, desk.schemas))
    schema = schema_named(name, desk.schemas, cache_folder=desk.schema_cache_folder)
    errors = [problem for problem in schema.problems if problem.severity is Severity.ERROR]
    if errors and not schema.classes:
        raise InputError(
            f"Schema {name} cannot be used: " + " ".join(f"{p.where}: {p.message}" for p in errors)
        )
    return schema


def new_run(
    desk: HasProjectTerms,
    entered: ExtractionInput,
    engine: str,
    curator: str,
    *,
    options: RunOptions,
    model: str = "",
) -> Run:
    """The row that holds everything needed to repeat the work."""
    return desk.store.runs.add(
        made_run(desk, entered, engine, curator, options=options, model=model)
    )


def made_run(
    desk: HasProjectTerms,
    entered: ExtractionInput,
    engine: str,
    curator: str,
    *,
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
            desk,
            entered.schema,
            text,
            entered.document.id,
            sha=sha,
            examples=options.examples,
            approved=approved,
        )
    return Run(
        desk.new_id(),
        "extract",
        engine,
        schema=entered.schema.name,
        schema_text=entered.schema.source,
        document=entered.document.id,
        text_version=entered.text.sha,
        model=model or (_model(desk, options) if engine_spec(engine).needs_model else ""),
        settings={"class": entered.cls, "folder": entered.folder, "options": asdict(options)}
        | ({"part": entered.part.json()} if entered.part else {})
        | ({"guidance": to_json(guidance)} if guidance != PLAIN else {}),
        vocabularies=dict(desk.vocabulary_registry.versions() if versions is None else versions),
        app_version=APP_VERSION,
        created=desk.clock(),
        curator=curator,
    )


def _model(desk: HasFolder, options: RunOptions) -> str:
    """The model of a run. Raises SettingsError for one that has no endpoint."""
    name = options.model or desk.settings.model_for("extraction")
    if options.model and desk.settings.located(name) is None:
        raise SettingsError(
            f"The model {name[:80]} has no endpoint.", "Choose one that Settings lists."
        )
    return name


JOB = "extract"
BEAT = 0.3  # seconds between two notes of progress


REFERENCES_APART = Problem(
    "references-apart",
    "The list of references at the end of the text was not read.",
    Severity.NOTE,
    hint="To read it, paste it alone.",
)


def start_run(
    desk: HasTermJobs,
    schema: str,
    text: str | bytes,
    *,
    source: str = "",
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
    title: str = "",
) -> Job:
    """Write an extraction down as a job and begin it. The job's result, and its arguments, name the
    run. Raises Forbidden for a reader before anything is kept.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    options = checked_options(options)
    name = resolve_engine(desk, engine, options.model)
    entered = keep_text(desk, schema, text, source=source, cls=cls, title=title)
    return _begin(desk, schema, entered, name, curator=curator, options=options)


def start_part(
    desk: HasTermJobs,
    schema: str,
    document: str,
    version: str,
    *,
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
        desk,
        schema,
        enter_part(desk, schema, document, version, part=part),
        name,
        curator=curator,
        options=options,
    )


def _begin(
    desk: HasTermJobs,
    schema: str,
    entered: ExtractionInput,
    engine: str,
    *,
    curator: str,
    options: RunOptions,
) -> Job:
    run = new_run(desk, entered, engine, curator, options=options)
    return desk.runner.start(JOB, {"run": run.id, "schema": schema}, curator)


@register_job(JOB)
def run_extraction(context: JobContext, arguments: Json) -> Json:
    """The job: extract, keep the extraction, name the run. Run again, it takes finished calls from
    the record.
    """
    desk: HasEngines = context.context
    run = desk.store.runs.get(arguments["run"])

    def preparing(name: str, share: float) -> None:
        context.progress(0, 0, f"preparing the vocabulary {name}: {share:.0%}")

    preparation.wait_for_vocabularies(desk, schema_of(desk, run), preparing)
    if engine_spec(run.engine).needs_model:
        learn_from_list(desk, run.model)
    extraction = extract_and_keep(
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


def extract_and_keep(
    desk: HasEngines, run: Run, check: Check = never_stop, progress: Progress = no_progress
) -> Extraction:
    """Do the work of a run in this thread, and keep what it gave."""
    extraction = extract_in_thread(desk, run, check=check, progress=progress)
    desk.store.runs.save_extraction(run.id, extraction)
    return extraction


def extract_in_thread(
    desk: HasEngines,
    run: Run,
    *,
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
    if not engine_spec(run.engine).needs_model:
        refresh_lessons(desk)
    options, part = options_of(run), part_of(run.settings.get("part"))
    notes = (REFERENCES_APART,) if part and part == before_references(text) else ()
    text = part.span.quote(text) if part else text
    grounder = desk.grounder().steady().of(options.taxon)
    look_up = grounding(schema, grounder)
    engine = make_engine(
        desk,
        run,
        schema,
        grounder,
        options=options,
        check=check,
        progress=progress,
        completer=completer,
    )
    extraction = _extract_text(desk, run, schema, engine, options=options, text=text)
    if engine_spec(run.engine).names_objects:
        extraction = with_names(schema, extraction, text, look_up)
    extraction = with_species(extraction, text, look_up)
    extraction = replace(
        extraction,
        problems=(
            *extraction.problems,
            *notes,
            *missing_vocabularies(grounder, extraction, look_up),
        ),
    )
    return shift_offsets(extraction, part.start) if part else extraction


def _extract_text(
    desk: HasProjectModels,
    run: Run,
    schema: Schema,
    engine: Engine,
    *,
    options: RunOptions,
    text: str,
) -> Extraction:
    """What the engine gives for a text, in parts where it is asked for or does not fit."""
    spec, cls = engine_spec(run.engine), run.settings["class"]
    if spec.reads_whole:
        return extract_long(engine, schema, cls, text, split=TextSplit())
    beside = tokens_in(guidance_of(run).first)
    room = room_of(spec, schema, cls, text, answer=desk.settings.max_tokens, beside=beside)
    split = fitting_window(desk, options.split, run.model, room, length=len(text))
    extraction = extract_long(engine, schema, cls, text, split=split, room=room)
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
    *,
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
            completer=recorded,
            folders=tuple(desk.schemas),
            check=check,
            progress=progress,
            guidance=guidance_of(run),
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
