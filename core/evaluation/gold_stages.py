"""The annotated corpora of `evaluate grounding --gold`, a unit a document."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation import grounding_gold
from core.evaluation.grounding_gold import Accuracy, Corpus, GoldMention
from core.evaluation.taught import SeenName, grounder_with_memory, names_to_teach, taught_memory
from core.grounding.grounder import Grounder
from core.model import Json
from core.services.evaluation.stage import EvaluationStage, LazyValue


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
    texts = grounding_gold.documents(folder, corpus)
    by_document: dict[str, list[GoldMention]] = {}
    for mention in grounding_gold.mentions(folder, corpus):
        by_document.setdefault(mention.document, []).append(mention)
    return [
        _GoldDocument(corpus, name, tuple(mentions), texts.get(name, ""))
        for name, mentions in by_document.items()
    ]


def gold_lines(
    desk: Desk, folder: Path, args: Namespace
) -> Generator[EvaluationStage, list[Json], list[str]]:
    """A line a corpus, and another one once the names of its training half were taught."""
    corpora = {corpus.name: corpus for corpus in grounding_gold.CORPORA}
    if unknown := [name for name in args.corpus if name not in corpora]:
        raise InputError(f"There is no corpus {unknown[0]!r}.", f"There are: {', '.join(corpora)}.")
    chosen = [corpora[name] for name in args.corpus or corpora]
    read = {corpus.name: _gold_documents(folder / "gold", corpus) for corpus in chosen}
    lexicons = folder / "lexicons"

    def make_grounder(corpus: Corpus) -> Grounder:
        registry = grounding_gold.vocabulary_registry(lexicons, desk.indexes, corpus)
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
        return astuple(grounding_gold.accuracy(grounder, corpus, document.mentions, document.texts))

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
        names = grounding_gold.seen_names(
            grounder(), document.corpus, document.mentions, document.texts
        )
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
