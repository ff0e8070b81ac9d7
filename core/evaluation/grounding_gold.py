"""Grounding and recognition measured on annotated corpora: mentions with known ids, in documents.

Grounding takes each gold mention's words (with its document as context) and compares the chosen id;
recognition compares what `annotate` finds in the documents with the gold spans. Mentions whose ids
are absent from the vocabulary count against us, and are also counted apart as the ceiling.

The annotated corpora of `evaluate grounding --gold`, a unit a document.
"""

from __future__ import annotations

import gzip
import json
from argparse import Namespace
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.taught import SeenName, grounder_with_memory, names_to_teach, taught_memory
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.readers.record import identifier
from core.model import Json, Span
from core.services.evaluation.stage import EvaluationStage, LazyValue


@dataclass(frozen=True, slots=True)
class GoldMention:
    """One annotated mention; `ids` are any of the ids that are right."""

    document: str
    text: str
    type: str
    ids: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus by its file names, and the vocabularies that it is grounded to."""

    name: str
    vocabularies: tuple[str, ...]
    mapping: str = ""  # table of merged ids
    taught_by: str = ""  # the corpus that a curator corrects before this one is measured


CORPORA = (
    Corpus("bc5cdr_train", ("mesh_desc", "mesh_scr_gilda", "medic_2012")),
    Corpus("bc5cdr_dev", ("mesh_desc", "mesh_scr_gilda", "medic_2012"), taught_by="bc5cdr_train"),
    Corpus("ncbi_disease_train", ("mesh_desc", "medic_2012")),
    Corpus("ncbi_disease_dev", ("mesh_desc", "medic_2012"), taught_by="ncbi_disease_train"),
    Corpus("hpo_gscplus_dev", ("hp_2023",), "hp_2014_to_2023.tsv"),
    Corpus("craft_chebi", ("chebi",)),
    Corpus("craft_cl", ("cl_2016",)),
    Corpus("paper_go_100", ("go_labels",)),
    Corpus("paper_emapa_100", ("emapa",)),
    Corpus("paper_mondo_100", ("mondo_labels",)),
)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Of `total` gold mentions `right` got a right id, `chosen` got any, `first` have a right id as
    first candidate, `listed` have one among the candidates, and for `possible` the vocabulary has a
    right id at all.
    """

    total: int
    right: int
    chosen: int
    first: int
    listed: int
    possible: int

    @property
    def accuracy(self) -> float:
        return self.right / self.total if self.total else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.chosen if self.chosen else 0.0


def vocabulary_registry(lexicons: Path, indexes: Path, corpus: Corpus) -> VocabularyRegistry:
    files = [lexicons / f"{name}.tsv.gz" for name in corpus.vocabularies]
    if absent := [path.name for path in files if not path.exists()]:
        raise InputError(f"{lexicons} lacks {', '.join(absent)}.")
    return VocabularyRegistry(None, indexes, files=files)


def documents(folder: Path, corpus: Corpus) -> dict[str, str]:
    path = folder / f"{corpus.name}.docs.jsonl.gz"
    return {row["doc"]: row["text"] for row in _rows(path)} if path.exists() else {}


def mentions(folder: Path, corpus: Corpus) -> list[GoldMention]:
    """GoldMention mentions with ids; those without one (-1, empty) are left out."""
    merged = _merged(folder / corpus.mapping) if corpus.mapping else {}
    gold_mentions = []
    for row in _rows(folder / f"{corpus.name}.mentions.jsonl.gz"):
        ids = [part for id in row["ids"] for part in str(id).replace("|", "+").split("+")]
        curies = tuple(merged.get(curie, curie) for id in ids if (curie := identifier(id)))
        if curies:
            gold_mentions.append(
                GoldMention(
                    row["doc"],
                    row["text"],
                    row["type"],
                    ids=curies,
                    span=Span(row["start"], row["end"]),
                )
            )
    return gold_mentions


def accuracy(
    grounder: Grounder, corpus: Corpus, gold: Sequence[GoldMention], texts: dict[str, str]
) -> Accuracy:
    constraint = Constraint(corpus.vocabularies)
    lexicons = grounder.vocabulary_registry.lexicons(corpus.vocabularies)
    answer_by_words: dict[tuple[str, str], tuple[str, list[str]]] = {}
    right = chosen = first_right = listed = possible = 0
    for gold_mention in gold:
        key = (gold_mention.document, gold_mention.text)
        if key not in answer_by_words:
            candidates = grounder.ground(
                gold_mention.text,
                constraint,
                context=texts.get(gold_mention.document, ""),
                span=gold_mention.span,
            )
            term, _ = choose_candidate(candidates)
            answer_by_words[key] = (
                term.id if term else "",
                [candidate.term.id for candidate in candidates],
            )
        id, ids = answer_by_words[key]
        right += id in gold_mention.ids
        chosen += bool(id)
        first_right += bool(ids) and ids[0] in gold_mention.ids
        listed += not set(ids).isdisjoint(gold_mention.ids)
        possible += any(lexicon.term(curie) for lexicon in lexicons for curie in gold_mention.ids)
    return Accuracy(len(gold), right, chosen, first=first_right, listed=listed, possible=possible)


def seen_names(
    grounder: Grounder, corpus: Corpus, gold: Sequence[GoldMention], texts: dict[str, str]
) -> Iterator[SeenName]:
    """Every mention with the id that the desk gives it: what a curator sees who corrects it."""
    constraint = Constraint(corpus.vocabularies)
    for gold_mention in gold:
        candidates = grounder.ground(
            gold_mention.text,
            constraint,
            context=texts.get(gold_mention.document, ""),
            span=gold_mention.span,
        )
        term, _ = choose_candidate(candidates)
        yield SeenName(gold_mention.text, gold_mention.ids, term.id if term else "")


def _rows(path: Path) -> Iterable[Any]:
    if not path.exists():
        raise InputError(f"There is no file {path}.")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _merged(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {row[0]: row[3] for row in rows if row[2] == "merged" and row[3]}


@dataclass(frozen=True, slots=True)
class _GoldDocument:
    """The mentions of one document of a corpus."""

    corpus: Corpus
    name: str
    mentions: tuple[GoldMention, ...]
    text: str

    @property
    def texts(self) -> dict[str, str]:
        return {self.name: self.text} if self.text else {}


def _gold_documents(folder: Path, corpus: Corpus) -> list[_GoldDocument]:
    texts = documents(folder, corpus)
    by_document: dict[str, list[GoldMention]] = {}
    for mention in mentions(folder, corpus):
        by_document.setdefault(mention.document, []).append(mention)
    return [
        _GoldDocument(corpus, name, tuple(mentions), texts.get(name, ""))
        for name, mentions in by_document.items()
    ]


def gold_lines(
    desk: Desk, folder: Path, args: Namespace
) -> Generator[EvaluationStage, list[Json], list[str]]:
    """A line a corpus, and another one once the names of its training half were taught."""
    corpora = {corpus.name: corpus for corpus in CORPORA}
    if unknown := [name for name in args.corpus if name not in corpora]:
        raise InputError(f"There is no corpus {unknown[0]!r}.", f"There are: {', '.join(corpora)}.")
    chosen = [corpora[name] for name in args.corpus or corpora]
    read = {corpus.name: _gold_documents(folder / "gold", corpus) for corpus in chosen}
    lexicons = folder / "lexicons"

    def make_grounder(corpus: Corpus) -> Grounder:
        registry = vocabulary_registry(lexicons, desk.indexes, corpus)
        return Grounder(registry)

    grounders = {corpus.name: LazyValue(partial(make_grounder, corpus)) for corpus in chosen}
    counts = yield from _measured(
        [doc for corpus in chosen for doc in read[corpus.name]], grounders
    )
    measured = {(corpus.name, ""): counts[corpus.name] for corpus in chosen}
    with ExitStack() as stack:
        for corpus in chosen if args.taught else ():
            if corpus.taught_by:
                before = _gold_documents(folder / "gold", corpora[corpus.taught_by])
                grounder = grounders[corpus.name]
                seen = yield _seen(corpus, before, grounder)
                taught = LazyValue(partial(_taught, desk, stack, grounder, seen))
                counts = yield from _measured(read[corpus.name], {corpus.name: taught})
                measured[corpus.name, " taught"] = counts[corpus.name]
    order = sorted(measured, key=lambda key: [corpus.name for corpus in chosen].index(key[0]))
    return _gold_lines({name + how: measured[name, how] for name, how in order}, args.format)


def _measured(
    documents: Sequence[_GoldDocument], grounders: Mapping[str, LazyValue[Grounder]]
) -> Generator[EvaluationStage, list[Json], dict[str, Accuracy]]:
    """The counts of each corpus, a unit a document."""

    def measure(place: int, run: str) -> Json:
        document = documents[place]
        grounder, corpus = grounders[document.corpus.name](), document.corpus
        return astuple(accuracy(grounder, corpus, document.mentions, document.texts))

    names = [f"{document.corpus.name} {document.name}" for document in documents]
    rows = yield EvaluationStage("documents", names, measure)
    sums: dict[str, list[int]] = {}
    for document, row in zip(documents, rows, strict=True):
        before = sums.get(document.corpus.name, [0] * len(row))
        sums[document.corpus.name] = [a + b for a, b in zip(before, row, strict=True)]
    return {name: Accuracy(*row) for name, row in sums.items()}


def _seen(
    corpus: Corpus, before: Sequence[_GoldDocument], grounder: LazyValue[Grounder]
) -> EvaluationStage:
    """What a curator sees who corrects the training half: its names with the ids they got."""

    def measure(place: int, run: str) -> Json:
        document = before[place]
        names = seen_names(grounder(), document.corpus, document.mentions, document.texts)
        return to_json(list(names))

    names = [f"{document.corpus.name} {document.name}" for document in before]
    return EvaluationStage(f"documents taught before {corpus.name}", names, measure)


def _taught(
    desk: Desk, stack: ExitStack, grounder: LazyValue[Grounder], seen: Sequence[Json]
) -> Grounder:
    names: list[SeenName] = [from_json(SeenName, name) for names in seen for name in names]
    return grounder_with_memory(
        grounder(), stack.enter_context(taught_memory(desk, names_to_teach(names)))
    )


def _gold_lines(measured: Mapping[str, Accuracy], form: str) -> list[str]:
    if form == "json":
        return [
            json.dumps(
                {
                    "corpus": name,
                    "mentions": counts.total,
                    "accuracy": round(counts.accuracy, 4),
                    "precision": round(counts.precision, 4),
                }
            )
            for name, counts in measured.items()
        ]
    head = f"\n{'corpus':<22}{'mentions':>9}{'right id':>10}{'precision':>11}{'in vocabulary':>15}"
    return [
        head,
        *(
            f"{name:<22}{counts.total:>9}{counts.accuracy:>10.1%}{counts.precision:>11.1%}"
            f"{counts.possible / counts.total:>15.1%}"
            for name, counts in measured.items()
        ),
    ]
