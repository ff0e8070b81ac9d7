"""What an engine stated, compared with what people marked: counts, F1 and calibration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from core.evaluation.corpus import AnnotatedDocument
from core.extraction.negation import is_negation, negating_qualifier
from core.extraction.tree import Branch, Extraction, Leaf
from core.model import Category, Json, Mention, Span

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
