"""How well the built-in engine reads relations between mentions that people marked: the right two
things, in the right direction, by the right family of predicates.

Beside it stands what co-occurrence alone gives: each two things that one sentence names are called
related, by the family that is commonest in the corpus. A fixed quarter of each corpus (by the hash
of the document's id) is what nothing was learned from.
"""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk import Desk
from core.evaluation.annotated_relations import (
    CorpusRelation,
    CorpusThing,
    RelationDocument,
    read_relation_corpus,
)
from core.evaluation.data_folder import BESIDE, data_folder
from core.extraction.builtin.reading import Reader
from core.learning.quality import calibration, calibration_error
from core.model import Category, Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.support.reading.pair_features import no_kinds
from core.support.reading.predicate import Predicate, predicate_families
from core.support.reading.rule_table import shipped_rules
from core.text.sentence import split_sentences

HOLDS = "corpora of annotated relations, each CORPUS.jsonl.gz, with families.tsv"
HEADER = (
    "corpus", "documents", "gold", "proposed", "precision", "recall", "F1", "co-occurrence F1",
    "times", "calibration error",
)  # fmt: skip
KEPT_BACK = 0.25  # of the documents of a corpus
ON_CONDITIONS = ("EXACERBATES", "INDUCES", "TREATS", "PREVENTS")
ON_MOLECULES = ("ACTIVATES", "INHIBITS", "PHOSPHORYLATES", "BINDS", "REGULATES")
# Families of the corpora that more than one of ours may state.
_MEANT_BY: Mapping[str, frozenset[str]] = {
    "treat": frozenset(("treat", "prevent")),
    "target": frozenset(("bind", "regulate")),
    # a variant and a disease: the corpus has one family for all that relates them
    "associate": frozenset(("cause", "prevent")),
}


@dataclass(frozen=True, slots=True)
class RelationTask:
    """Which relations of a corpus are read: the kinds of both ends, and by which predicates."""

    name: str
    corpus: str
    subjects: tuple[Category, ...]
    objects: tuple[Category, ...]
    predicates: tuple[str, ...]
    families: frozenset[str]


_MOLECULES = (Category.GENE, Category.CHEMICAL)
_ACTING = frozenset(("activate", "inhibit", "regulate", "bind", "phosphorylate", "target"))
TASKS = (
    RelationTask(
        "BioRED chemical-disease",
        "biored",
        (Category.CHEMICAL,),
        objects=(Category.DISEASE,),
        predicates=ON_CONDITIONS,
        families=frozenset(("cause", "treat")),
    ),
    RelationTask(
        "DrugProt",
        "drugprot",
        (Category.CHEMICAL,),
        objects=(Category.GENE,),
        predicates=ON_MOLECULES,
        families=_ACTING,
    ),
    RelationTask(
        "PC 2013",
        "bionlp_pc2013",
        _MOLECULES,
        objects=_MOLECULES,
        predicates=ON_MOLECULES,
        families=_ACTING,
    ),
    RelationTask(
        "BioRED gene-gene",
        "biored",
        (Category.GENE,),
        objects=(Category.GENE,),
        predicates=ON_MOLECULES,
        families=_ACTING,
    ),
    RelationTask(
        "food-disease",
        "food_disease",
        (Category.FOOD,),
        objects=(Category.DISEASE,),
        predicates=ON_CONDITIONS,
        families=frozenset(("cause", "treat")),
    ),
    RelationTask(
        "BB organism-place",
        "bb2019",
        (Category.ORGANISM,),
        objects=(Category.ENVIRONMENT,),
        predicates=("FOUND_IN",),
        families=frozenset(("locate",)),
    ),
    RelationTask(
        "BioRED gene-disease",
        "biored",
        (Category.GENE,),
        objects=(Category.DISEASE,),
        predicates=("ASSOCIATED_WITH",),
        families=frozenset(("associate",)),
    ),
    RelationTask(
        "BioRED variant-disease",
        "biored",
        (Category.VARIANT,),
        objects=(Category.DISEASE,),
        predicates=("CAUSES", "PREVENTS", "ASSOCIATED_WITH"),
        families=frozenset(("associate",)),
    ),
)

Proposals = dict[tuple[str, str], tuple[str, float]]  # by subject and object: family, probability


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=BESIDE / "relations", help=f"folder of {HOLDS}"
    )
    parser.add_argument(
        "--split", choices=("tune", "check", "all"), default="check",
        help="the documents that weights may be learned from, the others (default), or both",
    )  # fmt: skip


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A line a corpus, tab-separated."""
    folder = data_folder(args.data, HOLDS)

    def measure(place: int, run: str) -> Json:
        task = TASKS[place]
        documents = read_relation_corpus(folder, task.corpus)
        return measured(task, [one for one in documents if is_in(one.id, args.split)])

    rows = yield EvaluationStage("corpora", [task.name for task in TASKS], measure, worth=1)
    lines = ["\t".join(HEADER), *("\t".join(map(str, row)) for row in rows)]
    return EvaluationReport("\n".join(lines))


def is_in(id: str, split: str) -> bool:
    """Whether a document belongs to a split, by its id alone: a paper is in the same everywhere."""
    share = int(hashlib.sha256(id.encode()).hexdigest()[:8], 16) / 16**8
    return split == "all" or (share < KEPT_BACK) == (split == "check")


def measured(task: RelationTask, documents: Sequence[RelationDocument]) -> list[Json]:
    """The row of a corpus. A pair that the corpus leaves open is neither right nor wrong."""
    scored: list[tuple[float, bool]] = []
    gold_count = met = guessed = guessed_right = 0
    common = _commonest(task, documents)
    for document in documents:
        gold = task_relations(task, document)
        gold_count += len(gold)
        found = proposals(task, document)
        marks = {ends: is_right(ends, family, gold) for ends, (family, _) in found.items()}
        closed = {ends for ends in found if marks[ends] or not is_open(ends, document)}
        scored += [(found[ends][1], marks[ends]) for ends in closed]
        met += len({_one_of(ends, found[ends][0], gold) for ends in closed if marks[ends]})
        pairs = [ends for ends in named_together(task, document) if not is_open(ends, document)]
        guessed += len(pairs)
        guessed_right += sum(is_right(ends, common, gold) for ends in pairs)
    right = sum(mark for _, mark in scored)
    precision, recall = right / (len(scored) or 1), met / (gold_count or 1)
    by_chance = _f1(guessed_right / (guessed or 1), guessed_right / (gold_count or 1))
    score = _f1(precision, recall)
    return [
        task.name, len(documents), gold_count, len(scored), f"{precision:.3f}", f"{recall:.3f}",
        f"{score:.3f}", f"{by_chance:.3f}", f"{score / (by_chance or 1):.2f}",
        f"{calibration_error(calibration(scored)):.3f}",
    ]  # fmt: skip


def proposals(task: RelationTask, document: RelationDocument) -> Proposals:
    """What the engine's reading proposes of the marked things: of each two the likeliest."""
    reader, subjects, objects = reading_of(task, document)
    predicates = [Predicate(name) for name in task.predicates]
    family_of = {
        predicate.name: predicate_families(predicate, reader.rules)[0][0].name
        for predicate in predicates
    }
    owner = {span: thing.key for thing in document.things for span in thing.spans}
    found: Proposals = {}
    for relation in reader.relations(subjects, objects, predicates):
        ends = owner[relation.subject], owner[relation.object]
        if relation.negated or relation.hypothesis or ends[0] == ends[1]:
            continue
        if relation.score > found.get(ends, ("", 0.0))[1]:
            found[ends] = family_of[relation.predicate], relation.score
    return found


def reading_of(
    task: RelationTask, document: RelationDocument
) -> tuple[Reader[CorpusThing], list[CorpusThing], list[CorpusThing]]:
    """A reader of the document, and its things that may be subjects and objects."""
    reader = Reader[CorpusThing](
        document.text,
        tuple(split_sentences(document.text)),
        shipped_rules(),
        no_kinds,
        lambda thing: thing.kind,
    )
    subjects = [thing for kind in task.subjects for thing in document.of_kind(kind)]
    return reader, subjects, [thing for kind in task.objects for thing in document.of_kind(kind)]


def task_relations(task: RelationTask, document: RelationDocument) -> set[CorpusRelation]:
    kinds = {thing.key: thing.kind for thing in document.things}
    return {
        relation
        for relation in document.relations
        if relation.family in task.families
        and kinds.get(relation.subject) in task.subjects
        and kinds.get(relation.object) in task.objects
        and relation.subject != relation.object
    }


def named_together(task: RelationTask, document: RelationDocument) -> Iterator[tuple[str, str]]:
    """Each two things that one sentence names, once; of two that may act on each other the one
    named first is the subject.
    """
    _, subjects, objects = reading_of(task, document)
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for sentence in split_sentences(document.text):
        ours, theirs = (
            [
                (span.start, thing.key)
                for thing in things
                for span in thing.spans
                if sentence.overlaps(span)
            ]
            for things in (subjects, objects)
        )
        for start, subject in sorted(ours):
            for other, object_ in sorted(theirs):
                is_turned = task.subjects == task.objects and other < start
                if subject != object_ and not is_turned:
                    pairs.setdefault(frozenset((subject, object_)), (subject, object_))
    yield from pairs.values()


def _commonest(task: RelationTask, documents: Iterable[RelationDocument]) -> str:
    counts = Counter(
        relation.family for document in documents for relation in task_relations(task, document)
    )
    return counts.most_common(1)[0][0] if counts else ""


def is_right(ends: tuple[str, str], family: str, gold: Iterable[CorpusRelation]) -> bool:
    return _one_of(ends, family, gold) is not None


def _one_of(
    ends: tuple[str, str], family: str, gold: Iterable[CorpusRelation]
) -> CorpusRelation | None:
    """The gold relation that a proposal is."""
    return next(
        (
            relation
            for relation in gold
            if family in _MEANT_BY.get(relation.family, frozenset()) | {relation.family}
            and (
                ends == (relation.subject, relation.object)
                or (not relation.is_directed and ends == (relation.object, relation.subject))
            )
        ),
        None,
    )


def is_open(ends: tuple[str, str], document: RelationDocument) -> bool:
    return ends in document.open or ends[::-1] in document.open


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
