"""An extraction as a job: it is begun, and the engine does its work. What a run is made from is in
`new_run`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from core.desk_parts import (
    HasEngines,
    HasFolder,
    HasNetwork,
    HasProjectModels,
    HasTermJobs,
    HasVocabularies,
)
from core.extraction.assemble import with_names
from core.extraction.engine import (
    Check,
    Engine,
    EngineParts,
    Progress,
    never_stop,
    no_progress,
)
from core.extraction.long_text import TextSplit, cut_further, shift_offsets
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import Grounding, grounding
from core.extraction.registry import engine_spec
from core.extraction.species import with_species
from core.extraction.text_section import TextSection, part_of
from core.extraction.tree import Extraction
from core.grounding.grounder import Grounder
from core.jobs.runner import JobContext, register_job
from core.llm.completer import Completer
from core.llm.token_count import tokens_in
from core.model import Job, Json, Problem, Role, Run, Severity
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.services.extract.guidance import guidance_of
from core.services.extract.new_run import (
    ExtractionInput,
    before_references,
    enter_part,
    keep_text,
    new_run,
    resolve_engine,
)
from core.services.extract.run_options import (
    RunOptions,
    checked_options,
    fitting_window,
    options_of,
    room_of,
)
from core.services.settings.models import learn_from_list
from core.services.vocabularies import preparation

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
