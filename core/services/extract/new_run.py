"""What an extraction is made from: a text and a schema are taken in, and the run is written down.

A run is stored with the schema's own text, so that it can be repeated whatever becomes of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from core.codec import to_json
from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProjectTerms, HasVocabularies
from core.documents.readers.plain_text import references_start
from core.errors import InputError, SettingsError
from core.extraction.guidance import PLAIN
from core.extraction.registry import AUTO, best_engine, engine_spec
from core.extraction.spires.prompt import class_of
from core.extraction.text_section import TextSection
from core.model import Document, Run, Severity, TextVersion
from core.schema.catalogue import find_file, schema_named
from core.schema.definition import Schema
from core.services.extract.guidance import ApprovedStatements, guidance_for
from core.services.extract.run_options import RunOptions
from core.services.extract.schemas import read_apart
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
