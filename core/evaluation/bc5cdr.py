"""The chemical–disease task of BioCreative V, run with any engine (the SPIRES paper's table).

Relations are compared as pairs of MeSH ids a document; what an engine states negatively is
discarded, as in the paper, and so is every predicate but INDUCES. Recognition is compared as exact
spans with their type, and as ids a document.

What an engine stated, compared with what people marked: counts, F1 and calibration.
"""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.desk import Desk
from core.errors import GroundworkError, InputError, SettingsError
from core.evaluation.corpus import (
    AnnotatedDocument,
    CorpusMention,
    current_ids,
    read_corpus,
    with_current_ids,
)
from core.evaluation.taught import SeenName, grounder_with_memory, names_to_teach, taught_memory
from core.extraction.budget import Limits
from core.extraction.builtin.engine import DictionaryEngine, recognisable_classes
from core.extraction.builtin.spec import SPEC as BUILTIN
from core.extraction.engine import Engine, EngineParts, Progress, no_progress
from core.extraction.long_text import TextSplit
from core.extraction.long_text import extract_in_parts as extract_long
from core.extraction.mention_grounding import grounding
from core.extraction.negation import is_negation, negating_qualifier
from core.extraction.registry import engine_names, engine_spec
from core.extraction.tree import Branch, Extraction, Leaf
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import RecognisedMention, Recogniser
from core.model import Candidate, Category, Json, MatchKind, Mention, Run, Span, Term
from core.schema.catalogue import schema_named
from core.schema.definition import Schema
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

PAPER = (
    ("SPIRES, published F1", "41.16"),
    ("SPIRES, published F1", "36.64"),
    ("SPIRES, published F1", "43.80"),
)
TYPES = {Category.CHEMICAL: "Chemical", Category.DISEASE: "Disease"}
CAUSES = re.compile(r"induc|caus", re.IGNORECASE)
BINS = 10


@dataclass(frozen=True, slots=True)
class Bc5cdrEntity:
    """A recognised mention: `type` is Chemical or Disease, `id` a CURIE or empty."""

    span: Span
    type: str
    id: str


def placed_entities(text: str, extraction: Extraction) -> Iterator[Bc5cdrEntity]:
    """The entities of an extraction's tree, at every place of their words."""
    for mention in extraction.mentions:
        if kind := TYPES.get(mention.category):
            for span in mention.spans:
                yield Bc5cdrEntity(span, kind, mention.chosen.id if mention.chosen else "")


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """What an engine read in one document: relations with their scores, and entities. `trouble`
    says why it read nothing.
    """

    relations: Mapping[tuple[str, str], float]
    entities: tuple[Bc5cdrEntity, ...]
    seconds: float = 0.0
    trouble: str = ""

    def as_json(self) -> Json:
        return {
            "relations": [[*pair, score] for pair, score in self.relations.items()],
            "entities": [
                [entity.span.start, entity.span.end, entity.type, entity.id]
                for entity in self.entities
            ],
            "seconds": self.seconds,
            "trouble": self.trouble,
        }

    @classmethod
    def of_json(cls, body: Json) -> DocumentReading:
        return cls(
            {(chemical, disease): score for chemical, disease, score in body["relations"]},
            tuple(Bc5cdrEntity(Span(start, end), *rest) for start, end, *rest in body["entities"]),
            body["seconds"],
            body["trouble"],
        )


@dataclass
class ScoreCounts:
    """Counts of one measure over all documents."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, predicted: Set[object], gold: Set[object]) -> None:
        self.right += len(predicted & gold)
        self.wrong += len(predicted - gold)
        self.missed += len(gold - predicted)

    @property
    def scores(self) -> tuple[float, float, float]:
        """Precision, recall and F1, in per cent."""
        precision = 100 * self.right / (self.right + self.wrong or 1)
        recall = 100 * self.right / (self.right + self.missed or 1)
        return precision, recall, 2 * precision * recall / (precision + recall or 1)


ENDS = "relations whose two ends are recognised"  # all that can be found at all


@dataclass
class Calibration:
    """Proposed relations with their scores, and whether each was right."""

    proposals: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, scored: Mapping[tuple[str, str], float], gold: Set[tuple[str, str]]) -> None:
        self.proposals += [(score, pair in gold) for pair, score in scored.items()]

    @property
    def error(self) -> float:
        """Expected calibration error over ten bins of score, 0 to 1 (Guo et al. 2017, eq. 3)."""
        bins: dict[int, list[tuple[float, bool]]] = {}
        for score, right in self.proposals:
            bins.setdefault(min(int(score * BINS), BINS - 1), []).append((score, right))
        gaps = (abs(sum(s - r for s, r in inside)) for inside in bins.values())
        return sum(gaps) / (len(self.proposals) or 1)

    @property
    def higher_half(self) -> float:
        """Precision of the half with the higher scores, in per cent."""
        ranked = sorted(self.proposals, key=lambda proposal: -proposal[0])
        half = ranked[: (len(ranked) + 1) // 2]
        return 100 * sum(right for _, right in half) / (len(half) or 1)


@dataclass
class Bc5cdrTable:
    """Every measure, in the order of the report."""

    relations: ScoreCounts = field(default_factory=ScoreCounts)
    ends: ScoreCounts = field(default_factory=ScoreCounts)
    calibration: Calibration = field(default_factory=Calibration)
    measures: dict[str, ScoreCounts] = field(default_factory=dict)
    documents: int = 0
    trouble: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, document: AnnotatedDocument, reading: DocumentReading) -> None:
        self.documents += 1
        self.seconds += reading.seconds
        if reading.trouble:
            self.trouble.append(f"{document.id}: {reading.trouble}")
        self.relations.add(set(reading.relations), set(document.relations))
        met = {entity.id for entity in reading.entities if entity.id}
        gold_pairs = set(document.relations)
        self.ends.add({pair for pair in gold_pairs if met.issuperset(pair)}, gold_pairs)
        self.calibration.add(reading.relations, document.relations)
        for kind in TYPES.values() if document.has_mentions else ():
            gold = [mention for mention in document.mentions if mention.type == kind]
            predicted = [entity for entity in reading.entities if entity.type == kind]
            spans = {entity.span for entity in predicted}
            self.measures.setdefault(f"{kind} spans", ScoreCounts()).add(
                spans, {mention.span for mention in gold}
            )
            ids = {entity.id for entity in predicted if entity.id}
            self.measures.setdefault(f"{kind} ids", ScoreCounts()).add(
                ids, {i for mention in gold for i in mention.ids}
            )

    def lines(self) -> Iterator[str]:
        yield "measure\tprecision\trecall\tF1\tright\twrong\tmissed"
        for name, tally in (("relations", self.relations), *self.measures.items()):
            figures = [f"{share:.2f}" for share in tally.scores]
            counts = [str(count) for count in (tally.right, tally.wrong, tally.missed)]
            yield "\t".join([name, *figures, *counts])
        share = f"{self.ends.scores[1]:.2f}"
        yield f"{ENDS}\t\t{share}\t\t{self.ends.right}\t\t{self.ends.missed}"
        yield f"relations, higher-scoring half\t{self.calibration.higher_half:.2f}\t\t\t\t\t"
        yield f"expected calibration error\t{self.calibration.error:.3f}\t\t\t\t\t"
        for name, f1_published in PAPER:
            yield f"{name}\t\t\t{f1_published}\t\t\t"


def scored_relations(extraction: Extraction) -> dict[tuple[str, str], float]:
    """The (chemical, disease) CURIEs that a tree says one causes the other, with the best score of
    each, 0 to 1 (1 where the engine gives none); denied ones are left out.
    """
    chosen = {mention.slot: mention for mention in extraction.mentions}
    scored: dict[tuple[str, str], float] = {}
    for place in extraction.tree.walk():
        if (
            isinstance(place, Branch)
            and place.get("subject")
            and place.get("object")
            and _causes(place)
        ):
            score = max((why.score for why in place.stated), default=1.0)
            subject, object_ = (_ids(place.get(name), chosen) for name in ("subject", "object"))
            for pair in ((chemical, disease) for chemical in subject for disease in object_):
                scored[pair] = max(score, scored.get(pair, 0.0))
    return scored


def _ids(values: Iterable[Branch | Leaf], chosen: dict[str, Mention]) -> list[str]:
    terms = [chosen[value.path].chosen for value in values if value.path in chosen]
    return [term.id for term in terms if term and term.id]


def _causes(triple: Branch) -> bool:
    leaves = {
        name: value for name, values in triple.slots for value in values if isinstance(value, Leaf)
    }
    predicate = leaves.get("predicate")
    if (
        predicate is None
        or is_negation(predicate.text)
        or not CAUSES.search(f"{predicate.text} {predicate.value}")
    ):
        return False
    return not any(
        negating_qualifier(name, leaf.value or leaf.text) for name, leaf in leaves.items()
    )


def score_table(
    documents: Iterable[AnnotatedDocument], readings: Iterable[DocumentReading]
) -> Bc5cdrTable:
    """The table of what was read; a document that failed counts as empty."""
    table = Bc5cdrTable()
    for document, reading in zip(documents, readings, strict=True):
        table.add(document, reading)
    return table


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
    registry = LazyValue(lambda: grounder().vocabulary_registry)
    today = LazyValue(
        lambda: [with_current_ids(document, current_ids(registry())) for document in documents]
    )
    with ExitStack() as stack:
        if args.taught:
            before = [document for path in args.taught for document in read_corpus(path)]

            def seen(place: int, run: str) -> Json:
                document = with_current_ids(before[place], current_ids(registry()))
                names = seen_names(schema, grounder(), document)
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
        measure = LazyValue(lambda: _Reader(desk, args, today(), schema, grounder=grounder()))
        readings = yield EvaluationStage(
            "documents",
            [document.id for document in documents],
            lambda place, run: measure().read(documents[place].text, run).as_json(),
            threads=desk.settings.model_parallel if engine_spec(args.engine).needs_model else 1,
        )
    table = score_table(today(), map(DocumentReading.of_json, readings))
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
        *,
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
        engine = self._engine or _engine(
            self._desk, self._schema, self._name, grounder=self._grounder, run=run
        )
        return read_document(
            text,
            lambda words: extract_long(
                engine, self._schema, self._schema.root, text=words, split=self._split
            ),
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


def _engine(desk: Desk, schema: Schema, name: str, grounder: Grounder, run: str = "") -> Engine:  # noqa: PLR0917
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
    return spec.make(
        EngineParts(
            grounder, grounding(schema, grounder), limits, completer=recorded, folders=folders
        )
    )


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
    return Grounder(
        VocabularyRegistry(None, desk.indexes, files=[*files, *own.values()]),
        equivalents=desk.grounder().equivalents,
    )
