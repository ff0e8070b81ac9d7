"""The chemical–disease task of BioCreative V, run with any engine (the SPIRES paper's table).

Relations are compared as pairs of MeSH ids a document; what an engine states negatively is
discarded, as in the paper, and so is every predicate but INDUCES. Recognition is compared as exact
spans with their type, and as ids a document.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from core.desk import Desk
from core.errors import GroundworkError, InputError, SettingsError
from core.evaluation.bc5cdr_scores import (
    TYPES,
    Bc5cdrEntity,
    DocumentReading,
    placed_entities,
    score_table,
    scored_relations,
)
from core.evaluation.corpus import AnnotatedDocument, CorpusMention, read_corpus
from core.evaluation.taught import SeenName, grounder_with_memory, names_to_teach, taught_memory
from core.extraction.budget import Limits
from core.extraction.builtin.engine import DictionaryEngine, recognisable_classes
from core.extraction.builtin.spec import SPEC as BUILTIN
from core.extraction.engine import Engine, EngineParts, Progress, no_progress
from core.extraction.long_text import TextSplit
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import grounding
from core.extraction.registry import engine_names, engine_spec
from core.extraction.tree import Branch, Extraction
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import RecognisedMention, Recogniser
from core.model import Candidate, Json, MatchKind, Run, Term
from core.schema.catalogue import schema_named
from core.schema.definition import Schema
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

CHUNK, OVERLAP = 2000, 200  # characters

Extract = Callable[[str], Extraction]


Recognise = Callable[[str, Extraction], Iterable[Bc5cdrEntity]]


def read_document(
    text: str, extract: Extract, recognise: Recognise = placed_entities
) -> DocumentReading:
    """What an engine reads in a text. One that fails reads nothing and says why."""
    started = time.perf_counter()
    try:
        extraction, trouble = extract(text), ""
    except GroundworkError as error:
        extraction, trouble = Extraction(Branch("", "")), str(error)
    entities = tuple(recognise(text, extraction))
    seconds = time.perf_counter() - started
    return DocumentReading(scored_relations(extraction), entities, seconds, trouble)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--input",
        type=Path,
        required=True,
        action="append",
        help="BioC, PubTator or JSON Lines file",
    )
    parser.add_argument("--engine", choices=engine_names(), default="builtin")
    parser.add_argument(
        "--chunk",
        action="store_true",
        help=f"in pieces of {CHUNK} characters, as the paper's variant",
    )
    parser.add_argument("--schema", default="chemical_disease_mesh", help="template or file")
    parser.add_argument(
        "--vocabulary", action="append", default=[], help="vocabulary name or file (repeat)"
    )
    parser.add_argument(
        "--gold-entities",
        action="store_true",
        help="the built-in engine reads the relations of the mentions that people marked",
    )
    parser.add_argument(
        "--taught",
        type=Path,
        action="append",
        default=[],
        help="an annotated file (of a training half) whose names a curator corrected before",
    )
    parser.add_argument("--limit", type=int, default=0, help="only the first so many documents")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a document; with --taught first one for each that a curator corrected before."""
    documents = [document for path in args.input for document in read_corpus(path)]
    if args.limit:
        documents = documents[: args.limit]
    if args.gold_entities and args.engine != BUILTIN.name:
        raise InputError("Only the built-in engine takes mentions.", "Leave out --engine.")
    schema = schema_named(args.schema, desk.schemas, cache_folder=desk.schema_cache_folder)
    grounder = LazyValue(lambda: _grounder(desk, args.vocabulary))
    with ExitStack() as stack:
        if args.taught:
            before = [document for path in args.taught for document in read_corpus(path)]

            def seen(place: int, run: str) -> Json:
                names = seen_names(schema, grounder(), before[place])
                return [
                    [name.words, list(name.right), name.chosen, name.category] for name in names
                ]

            rows = yield EvaluationStage(
                "taught documents", [document.id for document in before], seen
            )
            seen_before = [
                SeenName(words, tuple(right), chosen, category)
                for row in rows
                for words, right, chosen, category in row
            ]
            untaught = grounder
            grounder = LazyValue(
                lambda: grounder_with_memory(
                    untaught(),
                    stack.enter_context(taught_memory(desk, names_to_teach(seen_before))),
                )
            )
        measure = LazyValue(lambda: _Reader(desk, args, documents, schema, grounder()))
        readings = yield EvaluationStage(
            "documents",
            [document.id for document in documents],
            lambda place, run: measure().read(documents[place].text, run).as_json(),
            threads=desk.settings.model_parallel if engine_spec(args.engine).needs_model else 1,
        )
    table = score_table(documents, map(DocumentReading.of_json, readings))
    summary = f"{table.documents} documents, {len(table.trouble)} failed, {table.seconds:.1f} s"
    all_failed = len(table.trouble) == table.documents
    return EvaluationReport(
        "\n".join(table.lines()), "\n".join([*table.trouble, summary]), 1 if all_failed else 0
    )


class _Reader:
    """Reads documents with an engine as a run does; one that asks a model is made for each run."""

    def __init__(
        self,
        desk: Desk,
        args: Namespace,
        documents: list[AnnotatedDocument],
        schema: Schema,
        grounder: Grounder,
    ):
        self._desk, self._name, self._schema, self._grounder = desk, args.engine, schema, grounder
        spec = engine_spec(args.engine)
        split = TextSplit("characters", CHUNK, OVERLAP) if args.chunk else TextSplit()
        self._split = TextSplit() if spec.reads_whole else split
        engine = None if spec.needs_model else _engine(desk, schema, args.engine, grounder)
        if isinstance(engine, DictionaryEngine) and args.gold_entities:
            engine = replace(engine, annotator=MarkedMentions(documents))
        self._engine = engine
        self._recognise: Recognise = placed_entities
        if isinstance(engine, DictionaryEngine):
            self._recognise = recogniser(schema, engine)

    def read(self, text: str, run: str) -> DocumentReading:
        engine = self._engine or _engine(self._desk, self._schema, self._name, self._grounder, run)
        return read_document(
            text,
            lambda words: extract_long(engine, self._schema, self._schema.root, words, self._split),
            self._recognise,
        )


def seen_names(
    schema: Schema, grounder: Grounder, document: AnnotatedDocument
) -> Iterator[SeenName]:
    """Every name that the desk finds in an annotated text, and those that it misses. What overlaps
    an annotated name without being one is left out: its words are not what is wrong.
    """
    classes = recognisable_classes(schema, schema.classes[schema.root])
    constraints = {name: constraint_of(schema, name) for name in classes}
    gold = {(mention.span, mention.type): mention for mention in document.mentions}
    met = set()
    for mark in Recogniser(grounder).annotate(document.text, constraints):
        category = constraints[mark.key].category
        kind = TYPES.get(category, "")
        gold_mention = gold.get((mark.span, kind))
        if gold_mention is None and any(mark.span.overlaps(span) for span, _ in gold):
            continue
        met.add((mark.span, kind))
        term, _ = choose_candidate(mark.candidates)
        right = gold_mention.ids if gold_mention else ()
        words = mark.span.quote(document.text)
        yield SeenName(words, right, term.id if term else "", category)
    for place, missed in gold.items():
        if place not in met and missed.ids:
            category = next(
                category_of_type for category_of_type, name in TYPES.items() if name == missed.type
            )
            yield SeenName(missed.text, missed.ids, "", category)


class MarkedMentions:
    """The mentions that people marked, in place of recognised ones: what is left is the relations'
    own error.
    """

    def __init__(self, documents: Iterable[AnnotatedDocument]):
        self.by_text = {document.text: document for document in documents}

    def annotate(
        self, text: str, constraints: Mapping[str, Constraint], progress: Progress = no_progress
    ) -> list[RecognisedMention]:
        keys = {TYPES.get(constraint.category): key for key, constraint in constraints.items()}
        return [
            RecognisedMention(mention.span, keys[mention.type], (_candidate(id, mention),))
            for mention in self.by_text[text].mentions
            if mention.type in keys
            for id in mention.ids
        ]


def _candidate(id: str, mention: CorpusMention) -> Candidate:
    category = next(
        category_of_type for category_of_type, name in TYPES.items() if name == mention.type
    )
    return Candidate(Term(id, mention.text, category), MatchKind.CURATOR, 1.0, mention.text)


def recogniser(schema: Schema, engine: DictionaryEngine) -> Recognise:
    """Everything that the built-in engine recognises, also what is part of no relation."""
    classes = recognisable_classes(schema, schema.classes[schema.root])
    constraints = {name: constraint_of(schema, name) for name in classes}

    def look(text: str, extraction: Extraction) -> Iterator[Bc5cdrEntity]:
        for annotation in engine.annotator.annotate(text, constraints):
            term, _ = choose_candidate(annotation.candidates)
            if kind := TYPES.get(constraints[annotation.key].category):
                yield Bc5cdrEntity(annotation.span, kind, term.id if term else "")

    return look


def _engine(desk: Desk, schema: Schema, name: str, grounder: Grounder, run: str = "") -> Engine:
    """The engine of the registry, as a run makes it; calls of a model are recorded under `run`."""
    spec, completer = engine_spec(name), desk.completer("extraction")
    recorded = None
    if spec.needs_model:
        if completer is None:
            raise SettingsError(
                f"The engine {name} needs a language model.",
                "Set GROUNDWORK_MODEL and a key or base URL.",
            )
        record = desk.store.runs.add(
            Run(run or desk.new_id(), "evaluate", name, schema.name, model=completer.model)
        )
        recorded = desk.recorder(record.id).completer(completer)
    limits = Limits(calls=desk.settings.max_calls)
    folders = tuple(desk.schemas)
    return spec.make(EngineParts(grounder, grounding(schema, grounder), limits, recorded, folders))


def _grounder(desk: Desk, vocabularies: Sequence[str]) -> Grounder:
    """The vocabularies named, files or the project's; without any, all of the project's."""
    if not vocabularies:
        return desk.grounder()
    files = [path for name in vocabularies if (path := Path(name)).is_file()]
    project_names = {name for name in vocabularies if not Path(name).is_file()}
    own = {
        name: path
        for name, path in desk.vocabulary_registry.files().items()
        if name in project_names
    }
    if missing := project_names - set(own):
        raise InputError(
            f"There is no vocabulary {sorted(missing)[0]}.",
            "Give a file, or a name of the project's.",
        )
    desk.indexes.mkdir(parents=True, exist_ok=True)
    return Grounder(VocabularyRegistry(None, desk.indexes, files=[*files, *own.values()]))
