"""Learn how much each rule and sign of a chemical–disease relation is worth, from annotated texts.

    python benchmarks/learn_relations.py --train train.jsonl.gz [--dev dev.jsonl.gz]

reads the texts as a fresh project does (base set, recogniser, rules), fits a logistic regression
(scikit-learn, needed here only), picks a threshold by F1 in cross-validation over the documents
of the training file, and writes core/support/reading/weights/. With --dev it prints
precision, recall, F1 and calibration there, for recognised and for annotated entities.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.evaluation.corpus import AnnotatedDocument, read_corpus
from core.extraction.builtin.engine import recognisable_classes
from core.extraction.builtin.groups import (
    MentionGroup,
    chosen_annotations,
    group_by_term,
    outside_names,
)
from core.extraction.builtin.likely_relation import may_be_proposed
from core.extraction.builtin.outline import title_line
from core.extraction.builtin.spec import kinds_in
from core.extraction.builtin.triples import predicate_choices, stated_fitting
from core.grounding.constraint.constraint import constraint_of
from core.grounding.recognise.recogniser import Recogniser
from core.model import Category
from core.schema.catalogue import schema_named
from core.settings import load_settings
from core.support.reading.pair_features import Pair, candidate_pairs
from core.support.reading.pair_probability import FOLDER
from core.support.reading.rule_table import shipped_rules
from core.text.sentence import split_sentences

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
SCHEMA, RELATION, FAMILY = "chemical_disease_mesh", "ChemicalDiseaseRelation", "cause"
PREDICATE, CLASSES = "INDUCES", {"Chemical": "Chemical", "Disease": "Disease"}
LEAST_DOCUMENTS = 5  # a sign of fewer training texts is left out
STRENGTH = 0.2  # inverse of the regularisation
ROWS = 140  # weights kept, the largest first

Example = tuple[AnnotatedDocument, list[Pair[MentionGroup]]]


class Texts:
    """Annotated texts with the pairs that the engine sees in them."""

    def __init__(self, project: Path):
        self.schema = schema_named(SCHEMA, [SCHEMAS])
        self.grounder = open_desk(load_settings(project)).grounder().steady()
        self.kinds = kinds_in(self.grounder)
        root = self.schema.classes[self.schema.root]
        names = recognisable_classes(self.schema, root)
        self.constraints = {name: constraint_of(self.schema, name) for name in names}
        value_sets = [value_set for c in self.constraints.values() for value_set in c.value_sets]
        self.tops = {node for value_set in value_sets for node in value_set.nodes}

    def recognised(self, document: AnnotatedDocument) -> list[MentionGroup]:
        recognised_terms = Recogniser(self.grounder).annotate(document.text, self.constraints)
        return group_by_term(chosen_annotations(recognised_terms, self.constraints))

    def annotated(self, document: AnnotatedDocument) -> list[MentionGroup]:
        """The entities that people marked: what is left is the rules' own error."""
        by_id: dict[tuple[str, str], list] = {}
        for mention in document.mentions:
            for id in mention.ids:
                by_id.setdefault((mention.type, id), []).append(mention.span)
        return [
            MentionGroup(id, CLASSES[type], tuple(sorted(spans, key=lambda s: s.start)), ())
            for (type, id), spans in by_id.items()
        ]

    def pairs(
        self, document: AnnotatedDocument, groups: Iterable[MentionGroup]
    ) -> list[Pair[MentionGroup]]:
        text, cls = document.text, self.schema.classes[RELATION]
        drugs, effects = ([g for g in groups if g.cls == name] for name in ("Chemical", "Disease"))
        drugs = outside_names(drugs, effects, text)
        parts = tuple(split_sentences(text))
        known = predicate_choices(self.schema, cls)
        stated = stated_fitting(text, parts, drugs, effects, known, shipped_rules(), self.kinds)
        title = title_line(text)
        pairs = candidate_pairs(text, title, parts, drugs, effects, stated, PREDICATE, self.kinds)
        denied = frozenset(relation.object for relation in stated if relation.negated)
        return [pair for pair in pairs if may_be_proposed(pair, denied)]


def usable(features: Mapping[str, float], tops: set[str]) -> dict[str, float]:
    """The features without kinds below the top branches: those would name single substances."""
    return {
        name: value
        for name, value in features.items()
        if " kind " not in name or name.rpartition(" ")[2] in tops
    }


def fit(examples: Sequence[Example], tops: set[str]) -> tuple[dict[str, float], float, float]:
    """Weights, intercept and threshold."""
    rows = [usable(pair.features, tops) for _, many in examples for pair in many]
    gold = np.array([
        (pair.subject.key, pair.object.key) in document.relations
        for document, many in examples
        for pair in many
    ])  # fmt: skip
    groups = [document.id for document, many in examples for _ in many]
    texts: dict[str, set[str]] = {}
    for row, document in zip(rows, groups, strict=True):
        for name in row:
            texts.setdefault(name, set()).add(document)
    names = {name for name, where in texts.items() if len(where) >= LEAST_DOCUMENTS}
    kept = [{name: value for name, value in row.items() if name in names} for row in rows]
    table = DictVectorizer(sparse=False)
    columns = table.fit_transform(kept)
    model = LogisticRegression(C=STRENGTH, max_iter=5000)
    model.fit(columns, gold)
    spread = np.abs(model.coef_[0]) * columns.std(axis=0)
    used = np.sort(np.argsort(-spread)[:ROWS])
    model.fit(columns[:, used], gold)
    chance = cross_val_predict(
        model, columns[:, used], gold, groups=groups, cv=GroupKFold(10), method="predict_proba"
    )[:, 1]
    total = sum(len(document.relations) for document, _ in examples)
    scores = {float(t): f1(chance >= t, gold, total) for t in np.arange(0.15, 0.6, 0.01)}
    # Of thresholds that are as good to one point of F1, the highest: a curator reads less in vain.
    threshold = max(t for t, score in scores.items() if score >= max(scores.values()) - 0.01)
    weights = dict(zip(np.array(table.feature_names_)[used], model.coef_[0], strict=True))
    return weights, float(model.intercept_[0]), round(threshold, 2)


def f1(proposed: np.ndarray, gold: np.ndarray, total: int) -> float:
    right = int((proposed & gold).sum())
    return 2 * right / (int(proposed.sum()) + total or 1)


def report(
    name: str, examples: Sequence[Example], weights: Mapping[str, float], start: float, least: float
) -> None:
    scored = [
        (1 / (1 + np.exp(-start - sum(weights.get(n, 0) * v for n, v in pair.features.items()))),
         (pair.subject.key, pair.object.key) in document.relations)
        for document, many in examples
        for pair in many
    ]  # fmt: skip
    total = sum(len(document.relations) for document, _ in examples)
    claimed = sorted(
        (scored_pattern for scored_pattern in scored if scored_pattern[0] >= least), reverse=True
    )
    right = sum(gold for _, gold in claimed)
    half = claimed[: len(claimed) // 2]
    precision, recall = right / (len(claimed) or 1), right / total
    print(
        f"{name}: precision {precision:.3f} recall {recall:.3f}"
        f" F1 {2 * precision * recall / (precision + recall or 1):.3f},"
        f" higher half precision {sum(g for _, g in half) / (len(half) or 1):.3f}"
    )


def write(
    weights: Mapping[str, float], start: float, least: float, texts: Texts, note: str
) -> Path:
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{Category.CHEMICAL}-{FAMILY}-{Category.DISEASE}.tsv"
    lines = [
        f"# Learned by benchmarks/learn_relations.py from {note}. See pair_probability.py.",
        "feature\tweight\tnote",
        f"intercept\t{start:.3f}\t",
        f"threshold\t{least:.2f}\t",
    ]
    for name, weight in sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0])):
        lines.append(f"{name}\t{weight:.3f}\t{label(name, texts)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def label(name: str, texts: Texts) -> str:
    """The name of the branch that a feature of kinds means."""
    if " kind " not in name:
        return ""
    id = name.rpartition(" ")[2]
    terms = (lexicon.term(id) for lexicon in texts.grounder.vocabulary_registry.all())
    return next((term.label for term in terms if term), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--dev", type=Path)
    parser.add_argument("--project", type=Path, default=Path("/tmp/groundwork-learn"))
    parser.add_argument("--cache", type=Path, help="keep recognised mentions here between runs")
    args = parser.parse_args()
    texts = Texts(args.project)
    known = pickle.loads(args.cache.read_bytes()) if args.cache and args.cache.exists() else {}

    def seen(path: Path, gold: bool = False) -> list[Example]:
        documents = read_corpus(path)
        if not gold and str(path) not in known:
            known[str(path)] = [texts.recognised(document) for document in documents]
        groups = [texts.annotated(d) for d in documents] if gold else known[str(path)]
        return [(d, texts.pairs(d, g)) for d, g in zip(documents, groups, strict=True)]

    # Both the entities that the engine finds and those that people marked: the weights must serve
    # whatever vocabularies a project has.
    train = [*seen(args.train), *seen(args.train, gold=True)]
    weights, start, least = fit(train, texts.tops)
    print(write(weights, start, least, texts, args.train.name), "threshold", least)
    for path in (args.train, args.dev) if args.dev else (args.train,):
        report(f"{path.name}, recognised", seen(path), weights, start, least)
        report(f"{path.name}, annotated", seen(path, gold=True), weights, start, least)
    if args.cache:
        args.cache.write_bytes(pickle.dumps(known))


if __name__ == "__main__":
    main()
