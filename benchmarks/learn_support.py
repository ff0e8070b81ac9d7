"""Learn how likely a passage states a claim, a table for each family of predicates.

    python benchmarks/learn_support.py --relations DIR [--bc5cdr FILE] [--family cause …]

reads the corpora whose use allows learning (`LEARNED`), makes claims of their relations, of pairs
that they do not relate, of relations of another family and of exchanged ends, fits a logistic
regression for each family (scikit-learn, needed here only) and writes
core/support/judges/weights/. Where a claim counts as stated, or as not stated, is picked in
cross-validation over documents. Every example's features are those of the judge itself.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.evaluation.forged_claims import number_of
from core.evaluation.relation_corpus import (
    PREDICATES,
    CorpusPair,
    corpus_documents,
    end_of,
    key_of,
    named_things,
    related_pairs,
)
from core.model import Json, Span
from core.support.case import DIRECTED, SAID_BY, case_of
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.features import case_features
from core.support.judges.learned import (
    ANY,
    CLEAR,
    FOLDER,
    INTERCEPT,
    LEAST,
    OF_TEXT,
    TURNED,
)
from core.support.reading.rule_table import family_of
from core.text.sentence import split_sentences

# What the corpora's README allows to learn from; False: only the mentions in relations are marked.
LEARNED = {
    "biored": True,
    "bionlp_ge2013": True,
    "bionlp_pc2013": True,
    "bionlp_epi2011": True,
    "semrep_gold": False,
    "pgr_silver": True,
}
MOST_PGR = 900  # documents: its labels are silver
UNRELATED = 3  # pairs that a document does not relate, for each that it does, at most
MISSED = 0.01  # share of the true claims that may count as not stated
LEAST_DOCUMENTS = 3  # a sign of fewer documents is left out
STRENGTH = 0.05  # inverse of the regularisation
ROWS = 600  # weights kept, the largest first
LEAST_EXAMPLES = 60  # true claims without which a family gets no table


@dataclass(frozen=True, slots=True)
class Example:
    document: str
    family: str
    features: dict[str, float]
    stated: bool
    weight: float = 1.0


def family_name(corpus_family: str) -> str:
    """Our family of a corpus's: they meet in the words of the predicate."""
    family = family_of(PREDICATES[corpus_family])
    return family.name if family else corpus_family


def example(pair: CorpusPair, claim: Claim, stated: bool, weight: float = 1.0) -> Example:
    case = case_of(claim, pair.passage)
    return Example(pair.document, case.family, case_features(case), stated, weight)


def examples(folder: Path, corpus: str, complete: bool) -> Iterator[Example]:
    for number, document in enumerate(corpus_documents(folder, corpus)):
        if corpus == "pgr_silver" and number >= MOST_PGR:
            return
        pairs = list(related_pairs(folder, corpus, document))
        yield from (made for pair in pairs for made in _of_relation(pair))
        if complete:
            yield from _unrelated(document, pairs)


def _of_relation(pair: CorpusPair) -> Iterator[Example]:
    family = family_name(pair.family)
    yield example(pair, pair.claim, not pair.negated)
    if pair.negated:
        return
    if not pair.symmetric and family in DIRECTED:
        claim = replace(pair.claim, subject=pair.object, object=pair.subject)
        yield example(pair, claim, False)
    for other, words in PREDICATES.items():
        name = family_name(other)
        compatible = (
            name == family or family in SAID_BY.get(name, ()) or name in SAID_BY.get(family, ())
        )
        if not compatible and number_of(pair) % 3 == 0 and name in _NEAR.get(family, ()):
            yield example(pair, replace(pair.claim, predicate=words), False)


# Families that are taken for each other, of which a relation of one is no relation of the other.
_NEAR = {
    "activate": ("inhibit", "bind", "phosphorylate"),
    "inhibit": ("activate", "bind", "phosphorylate"),
    "cause": ("treat", "prevent"),
    "treat": ("cause",),
    "prevent": ("cause",),
    "bind": ("activate", "inhibit", "phosphorylate"),
    "phosphorylate": ("bind", "inhibit"),
}


def _unrelated(document: Json, pairs: Sequence[CorpusPair]) -> Iterator[Example]:
    """Pairs of one sentence that the document does not relate, of the types that it does."""
    text, mentions = document["text"], document["mentions"]
    related = {frozenset((p.subject.id, p.object.id)) for p in pairs}
    wanted: dict[tuple[str, str], str] = {}
    for pair in pairs:
        wanted[str(pair.subject.category), str(pair.object.category)] = pair.family
    kinds = list(wanted.items())
    made = []
    things = named_things(mentions)
    for sentence in split_sentences(text):
        inside = [m for m in mentions if sentence.start <= m["start"] and m["end"] <= sentence.end]
        nearest: dict[tuple[str, str], tuple[int, Json, Json]] = {}
        for a in inside:
            for b in inside:
                ends = key_of(a), key_of(b)
                if ends[0] == ends[1] or frozenset(ends) in related:
                    continue
                apart = max(b["start"] - a["end"], a["start"] - b["end"])
                if apart >= 0 and (ends not in nearest or apart < nearest[ends][0]):
                    nearest[ends] = (apart, a, b)
        for _, a, b in nearest.values():
            first, second = end_of(a), end_of(b)
            for (subject, object_), family in kinds:
                if (str(first.category), str(second.category)) == (subject, object_):
                    made.append(
                        CorpusPair(
                            document["source"], document["id"], text, sentence, first, second,
                            family, False, False, things,
                        )
                    )  # fmt: skip
    made.sort(key=number_of)
    for pair in made[: UNRELATED * len(pairs)]:
        yield example(pair, pair.claim, False)


def bc5cdr(path: Path) -> Iterator[Example]:
    """Chemical–disease pairs: each sentence that names both, and the whole text."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from text_pairs(json.loads(line))


def text_pairs(document: Json) -> Iterator[Example]:
    for made, stated, whole in text_claims(document):
        claim, passage = made
        case = case_of(claim, passage)
        name = str(document["pmid"])
        family = case.family + OF_TEXT if whole else case.family
        yield Example(name, family, case_features(case), stated)
        if whole or not stated:
            continue
        back = case_of(replace(claim, subject=claim.object, object=claim.subject), passage)
        yield Example(name, case.family, case_features(back), False)


def text_claims(document: Json) -> Iterator[tuple[tuple[Claim, Passage], bool, bool]]:
    """(claim, passage), whether it is stated, whether the passage is the whole text: of every
    chemical and disease that one sentence names together.
    """
    text = f"{document['title']} {document['abstract']}"
    title = Span(0, len(document["title"]))
    mentions = [m for m in document["mentions"] if m["ids"] and m["ids"][0] not in ("-1", "")]
    things = named_things(mentions)
    gold = {(r["chemical"], r["disease"]) for r in document["relations"]}
    sentences = split_sentences(text)
    for chemical in things:
        for disease in things:
            if (chemical.category, disease.category) != ("chemical", "disease"):
                continue
            together = [
                s
                for s in sentences
                if any(s.start <= p.start < s.end for p in chemical.spans)
                and any(s.start <= p.start < s.end for p in disease.spans)
            ]
            if not together:
                continue
            ends = (
                ClaimEnd((thing.spans[0].quote(text),), thing.category, thing.spans, thing.key)
                for thing in (chemical, disease)
            )
            subject, object_ = ends
            claim = Claim(subject, "causes", object_)
            stated = (chemical.key, disease.key) in gold
            yield (claim, Passage(text, title=title, things=things)), stated, True
            for sentence in together[:2]:
                yield (claim, Passage(text, sentence, title, things)), stated, False


def fit(made: Sequence[Example], words: bool = True) -> tuple[list[str], dict[str, float]]:
    """The lines of a table and its figures."""
    documents: dict[str, set[str]] = defaultdict(set)
    for one in made:
        for name in one.features:
            documents[name].add(one.document)
    kept = {
        name
        for name, where in documents.items()
        if len(where) >= LEAST_DOCUMENTS and (words or not _is_word(name))
    }
    rows = [{n: v for n, v in one.features.items() if n in kept} for one in made]
    gold = np.array([one.stated for one in made])
    weight = np.array([one.weight for one in made])
    groups = [one.document for one in made]
    table = DictVectorizer()
    columns = _narrow(table.fit_transform(rows))
    model = LogisticRegression(C=STRENGTH, max_iter=3000, solver="liblinear")
    model.fit(columns, gold, sample_weight=weight)
    spread = np.abs(model.coef_[0]) * np.sqrt(np.asarray(columns.multiply(columns).mean(axis=0))[0])
    used = np.sort(np.argsort(-spread)[:ROWS])
    columns = _narrow(columns[:, used])
    folds = GroupKFold(min(5, len(set(groups))))
    chance = cross_val_predict(
        model, columns, gold, groups=groups, cv=folds, method="predict_proba"
    )[:, 1]
    model.fit(columns, gold, sample_weight=weight)
    least = float(np.quantile(chance[gold], MISSED))
    clear = _clear(chance, gold)
    names = np.array(table.feature_names_)[used]
    lines = [
        f"{INTERCEPT}\t{model.intercept_[0]:.3f}",
        f"{LEAST}\t{least:.3f}",
        f"{CLEAR}\t{clear:.3f}",
        f"{TURNED}\t4",
    ]
    order = sorted(zip(names, model.coef_[0], strict=True), key=lambda p: (-abs(p[1]), p[0]))
    lines += [f"{name}\t{value:.3f}" for name, value in order if abs(value) >= 0.02]
    figures = {
        "examples": len(made),
        "stated": int(gold.sum()),
        "AUC": float(roc_auc_score(gold, chance)),
        "least": least,
        "clear": clear,
        "held of not stated": float((chance[~gold] < least).mean()),
    }
    return lines, figures


def _narrow(columns: Any) -> Any:
    """A sparse matrix with the indices that liblinear takes."""
    columns.indices, columns.indptr = (
        a.astype(np.int32) for a in (columns.indices, columns.indptr)
    )
    return columns


def _clear(chance: np.ndarray, gold: np.ndarray) -> float:
    """The lowest probability from which on nine tenths of the claims that reach it are stated; at
    most .9, at least .5.
    """
    order = np.argsort(-chance)
    right = np.cumsum(gold[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(right >= 0.85)[0]
    return float(min(max(chance[order][good[-1]] if len(good) else 0.9, 0.5), 0.9))


def _is_word(name: str) -> bool:
    return name.startswith(("S…O ", "O…S ", "rule ")) or name.endswith(("S…O", "O…S"))


def write(family: str, lines: Sequence[str], note: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    head = f"# Learned by benchmarks/learn_support.py from {note}. See judges/learned.py."
    (FOLDER / f"{family}.tsv").write_text(
        "\n".join([head, "feature\tweight", *lines]) + "\n", encoding="utf-8"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--relations", type=Path, required=True)
    parser.add_argument("--bc5cdr", type=Path)
    parser.add_argument("--family", nargs="*")
    args = parser.parse_args()
    made: dict[str, list[Example]] = defaultdict(list)
    sources: dict[str, set[str]] = defaultdict(set)
    for corpus, complete in LEARNED.items():
        for one in examples(args.relations, corpus, complete):
            made[one.family].append(one)
            sources[one.family].add(corpus)
        print(corpus, {family: len(rows) for family, rows in made.items()}, flush=True)
    if args.bc5cdr:
        for one in bc5cdr(args.bc5cdr):
            made[one.family].append(one)
            sources[one.family].add("BC5CDR")
    for family, rows in sorted(made.items()):
        if args.family and family not in args.family:
            continue
        stated = sum(row.stated for row in rows)
        if stated < LEAST_EXAMPLES or stated == len(rows):
            print(f"{family}: {stated} true claims of {len(rows)} are too few", flush=True)
            continue
        lines, figures = fit(rows)
        print(family, figures, flush=True)
        write(family, lines, ", ".join(sorted(sources[family])))
    everything = [r for family, rows in made.items() if OF_TEXT not in family for r in rows]
    lines, figures = fit(everything, words=False)
    print(ANY, figures, flush=True)
    write(ANY, lines, "all of these, without words and rules")


if __name__ == "__main__":
    main()
