"""Learn how much each rule, word and sign of a relation is worth, from annotated texts.

    python benchmarks/learn_relations.py --bc5cdr FILE --corpora FOLDER [--dev FILE]
    python benchmarks/learn_relations.py --corpora FOLDER [--only gene-inhibit-gene …]

reads the texts as the engine does, fits a logistic regression for each table (scikit-learn, needed
here only), picks its threshold by cross-validation over documents, and writes
core/support/reading/weights/. BC5CDR (with BioRED, where the corpora are named too) gives
chemical-cause-disease, with what a fresh project recognises (base set) and with what people marked;
the corpora give the other tables, from those that may be learned from and without the quarter that
`evaluate relations` measures on.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.evaluation.annotated_relations import RelationDocument, read_relation_corpus
from core.evaluation.corpus import AnnotatedDocument, read_corpus
from core.evaluation.relations import (
    ON_CONDITIONS,
    ON_MOLECULES,
    RelationTask,
    is_in,
    reading_of,
    task_relations,
)
from core.extraction.builtin.engine import recognisable_classes
from core.extraction.builtin.groups import (
    MentionGroup,
    chosen_annotations,
    group_by_term,
    outside_names,
)
from core.extraction.builtin.reading import Reader
from core.extraction.builtin.spec import kinds_in
from core.grounding.constraint.constraint import constraint_of
from core.grounding.recognise.recogniser import Recogniser
from core.model import Category
from core.schema.catalogue import schema_named
from core.settings import load_settings
from core.support.reading.pair_probability import FOLDER
from core.support.reading.predicate import Predicate, predicate_choices
from core.support.reading.rule_table import shipped_rules
from core.text.sentence import split_sentences

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
SCHEMA, RELATION = "chemical_disease_mesh", "ChemicalDiseaseRelation"
PREDICATE, CLASSES = "INDUCES", {"Chemical": "Chemical", "Disease": "Disease"}
LEAST_DOCUMENTS = 5  # a sign of fewer training texts is left out
STRENGTH = 0.2  # inverse of the regularisation
ROWS = 300  # weights kept, the largest first
OF_CAUSES = (0.08, 600)  # both, where BC5CDR has more signs to tell apart
PRECISE = 0.6  # least precision at the threshold of a table of the corpora
OF_BOTH_WAYS = 0.5  # what a pair counts of which the corpus does not say who acts


@dataclass(frozen=True, slots=True)
class Example:
    """A pair that the engine looks at, of one document: its signs, and whether it is related."""

    document: str
    features: Mapping[str, float]
    is_related: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Table:
    """A file of weights: the kinds of both ends, the family, and the corpora that teach it."""

    subject: Category
    family: str
    object: Category
    predicate: str
    corpora: tuple[str, ...]
    predicates: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.subject}-{self.family}-{self.object}"


_GENE, _CHEMICAL, _DISEASE = Category.GENE, Category.CHEMICAL, Category.DISEASE
_EVENTS = ("biored", "bionlp_pc2013", "bionlp_ge2013", "bionlp_epi2011")
TABLES = (
    Table(_CHEMICAL, "treat", _DISEASE, "TREATS", ("biored", "semrep_gold"), ON_CONDITIONS),
    Table(_GENE, "associate", _DISEASE, "ASSOCIATED_WITH", ("biored",), ("ASSOCIATED_WITH",)),
    *(
        Table(_GENE, family, _GENE, predicate, _EVENTS, ON_MOLECULES)
        for family, predicate in (
            ("inhibit", "INHIBITS"),
            ("activate", "ACTIVATES"),
            ("regulate", "REGULATES"),
            ("bind", "BINDS"),
            ("phosphorylate", "PHOSPHORYLATES"),
        )
    ),
)
CAUSES = Table(_CHEMICAL, "cause", _DISEASE, PREDICATE, ("biored",), ON_CONDITIONS)


def corpus_examples(table: Table, documents: Iterable[RelationDocument]) -> list[Example]:
    """Every pair of a table's kinds in the documents."""
    examples = []
    for document in documents:
        task = RelationTask(
            "", "", (table.subject,), (table.object,), table.predicates, frozenset((table.family,))
        )
        gold = task_relations(task, document)
        related = {(one.subject, one.object): 1.0 for one in gold}
        turned = {
            (one.object, one.subject): OF_BOTH_WAYS
            for one in gold
            if not one.is_directed and table.family != "bind"
        }
        related = turned | related | {pair[::-1]: 1.0 for pair in related if table.family == "bind"}
        for pair in turned:
            related[pair] = related[pair[::-1]] = OF_BOTH_WAYS
        reader, subjects, objects = reading_of(task, document)
        stated = reader.stated(subjects, objects, [Predicate(name) for name in table.predicates])
        for pair in reader.pairs(subjects, objects, stated, table.predicate):
            ends = pair.subject.key, pair.object.key
            if not pair.together or (ends not in related and ends in document.open):
                continue
            examples.append(
                Example(document.id, pair.features, ends in related, related.get(ends, 1.0))
            )
    return examples


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: Mapping[str, float]
    intercept: float
    threshold: float
    summary: str


def fit(
    examples: Sequence[Example],
    total: int,
    least_precision: float = 0.0,
    *,
    measured: int | None = None,
    strength: float = STRENGTH,
    most: int = ROWS,
) -> Fitted:
    """Weights, intercept and threshold; `total` relations are there to be found in the first
    `measured` examples, which the threshold is picked on (all, if None).
    """
    texts: dict[str, set[str]] = {}
    for example in examples:
        for name in example.features:
            texts.setdefault(name, set()).add(example.document)
    names = {name for name, where in texts.items() if len(where) >= LEAST_DOCUMENTS}
    kept = [
        {name: value for name, value in example.features.items() if name in names}
        for example in examples
    ]
    gold = np.array([example.is_related for example in examples])
    shares = np.array([example.weight for example in examples])
    groups = [example.document for example in examples]
    table = DictVectorizer()
    columns = table.fit_transform(kept).tocsc()
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit(columns, gold, sample_weight=shares)
    squares = (
        columns.multiply(columns).mean(axis=0).A1
        if hasattr(columns, "A")
        else np.asarray(columns.multiply(columns).mean(axis=0)).ravel()
    )
    spread = np.abs(model.coef_[0]) * np.sqrt(
        np.maximum(squares - np.square(np.asarray(columns.mean(axis=0)).ravel()), 0)
    )
    used = np.sort(np.argsort(-spread)[:most])
    rows = columns[:, used].tocsr()
    model.fit(rows, gold, sample_weight=shares)
    chance = cross_val_predict(
        model, rows, gold, groups=groups, cv=GroupKFold(10), method="predict_proba",
        params={"sample_weight": shares},
    )[:, 1]  # fmt: skip
    threshold, summary = pick_threshold(
        chance[:measured], gold[:measured], total, least_precision=least_precision
    )
    weights = dict(zip(np.array(table.feature_names_)[used], model.coef_[0], strict=True))
    return Fitted(weights, float(model.intercept_[0]), threshold, summary)


def pick_threshold(
    chance: np.ndarray, gold: np.ndarray, total: int, *, least_precision: float
) -> tuple[float, str]:
    """Of thresholds that are as good to a fifth of a point of F1, the highest: a curator reads less
    in vain. Those below the least precision count only where none reaches it.
    """
    measured = []
    for threshold in np.arange(0.15, 0.8, 0.01):
        taken = chance >= threshold
        right = int((taken & gold).sum())
        precision, recall = right / (int(taken.sum()) or 1), right / (total or 1)
        score = 2 * precision * recall / (precision + recall or 1)
        measured.append((round(float(threshold), 2), precision, recall, score))
    precise = [row for row in measured if row[1] >= least_precision] or measured
    best = max(row[3] for row in precise)
    threshold, precision, recall, score = max(
        row for row in precise if row[3] >= best - (0.002 if not least_precision else 0.0)
    )
    return threshold, f"precision {precision:.3f} recall {recall:.3f} F1 {score:.3f}"


# ------------------------------------------------------------------ BC5CDR


class Texts:
    """Annotated texts of BC5CDR with the pairs that the engine sees in them."""

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
        return group_by_term(chosen_annotations(document.text, recognised_terms, self.constraints))

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

    def examples(
        self, document: AnnotatedDocument, groups: Iterable[MentionGroup]
    ) -> list[Example]:
        text, cls = document.text, self.schema.classes[RELATION]
        drugs, effects = ([g for g in groups if g.cls == name] for name in ("Chemical", "Disease"))
        drugs = outside_names(drugs, effects, text)
        sentences = tuple(split_sentences(text))
        reader = Reader[MentionGroup](
            text, sentences, shipped_rules(), self.kinds, lambda group: Category(group.cls.lower())
        )
        stated = reader.stated(drugs, effects, predicate_choices(self.schema, cls))
        return [
            Example(
                document.id,
                self.usable(pair.features),
                (pair.subject.key, pair.object.key) in document.relations,
            )
            for pair in reader.pairs(drugs, effects, stated, PREDICATE)
        ]

    def usable(self, features: Mapping[str, float]) -> dict[str, float]:
        """The features without kinds below the top branches: those would name single
        substances.
        """
        return {
            name: value
            for name, value in features.items()
            if " kind " not in name or name.rpartition(" ")[2] in self.tops
        }

    def label(self, name: str) -> str:
        """The name of the branch that a feature of kinds means."""
        if " kind " not in name:
            return ""
        id = name.rpartition(" ")[2]
        terms = (lexicon.term(id) for lexicon in self.grounder.vocabulary_registry.all())
        return next((term.label for term in terms if term), "")


def report(name: str, examples: Sequence[Example], total: int, fitted: Fitted) -> None:
    scored = [
        (
            1 / (1 + np.exp(-fitted.intercept - sum(
                fitted.weights.get(n, 0) * v for n, v in example.features.items()
            ))),
            example.is_related,
        )
        for example in examples
    ]  # fmt: skip
    claimed = [mark for chance, mark in scored if chance >= fitted.threshold]
    precision, recall = sum(claimed) / (len(claimed) or 1), sum(claimed) / total
    print(
        f"{name}: precision {precision:.3f} recall {recall:.3f}"
        f" F1 {2 * precision * recall / (precision + recall or 1):.3f}"
    )


def write(name: str, fitted: Fitted, source: str, labels: Mapping[str, str]) -> Path:
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}.tsv"
    lines = [
        f"# Learned by benchmarks/learn_relations.py from {source}. See pair_probability.py.",
        "feature\tweight\tnote",
        f"intercept\t{fitted.intercept:.3f}\t",
        f"threshold\t{fitted.threshold:.2f}\t",
    ]
    for sign, weight in sorted(fitted.weights.items(), key=lambda pair: (-abs(pair[1]), pair[0])):
        lines.append(f"{sign}\t{weight:.3f}\t{labels.get(sign, '')}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def learn_from_bc5cdr(args: argparse.Namespace) -> None:
    texts = Texts(args.project)
    known = pickle.loads(args.cache.read_bytes()) if args.cache and args.cache.exists() else {}

    def seen(path: Path, gold: bool = False) -> tuple[list[Example], int]:
        documents = read_corpus(path)
        if not gold and str(path) not in known:
            known[str(path)] = [texts.recognised(document) for document in documents]
        groups = [texts.annotated(d) for d in documents] if gold else known[str(path)]
        examples = [
            example
            for document, things in zip(documents, groups, strict=True)
            for example in texts.examples(document, things)
        ]
        return examples, sum(len(document.relations) for document in documents)

    # Both the entities that the engine finds and those that people marked: the weights must serve
    # whatever vocabularies a project has. The threshold is that of what the engine finds.
    halves = [seen(args.bc5cdr), seen(args.bc5cdr, gold=True)]
    if args.cache:
        args.cache.write_bytes(pickle.dumps(known))
    source = args.bc5cdr.name
    if args.corpora:
        halves.append(of_corpora(CAUSES, args.corpora))
        source += f", {', '.join(CAUSES.corpora)}"
    recognised, total = halves[0]
    strength, most = OF_CAUSES
    fitted = fit(
        [one for half, _ in halves for one in half], total,
        measured=len(recognised), strength=strength, most=most,
    )  # fmt: skip
    labels = {name: texts.label(name) for name in fitted.weights}
    print(write(CAUSES.name, fitted, source, labels), fitted.threshold, fitted.summary)
    for path in (args.bc5cdr, args.dev) if args.dev else (args.bc5cdr,):
        report(f"{path.name}, recognised", *seen(path), fitted)
        report(f"{path.name}, annotated", *seen(path, gold=True), fitted)
    if args.cache:
        args.cache.write_bytes(pickle.dumps(known))


def of_corpora(table: Table, folder: Path) -> tuple[list[Example], int]:
    """The pairs of a table in the part of its corpora that may be learned from, and how many of
    them are related.
    """
    documents = [
        document
        for corpus in table.corpora
        for document in read_relation_corpus(folder, corpus)
        if is_in(document.id, "tune")
    ]
    examples = corpus_examples(table, documents)
    return examples, sum(example.is_related for example in examples)


def learn_from_corpora(folder: Path, only: Sequence[str]) -> None:
    for table in TABLES:
        if only and table.name not in only:
            continue
        examples, related = of_corpora(table, folder)
        if related < 3 * LEAST_DOCUMENTS:
            print(f"{table.name}: only {related} related pairs, not learned")
            continue
        fitted = fit(examples, related, PRECISE)
        write(table.name, fitted, ", ".join(table.corpora), {})
        print(f"{table.name}: {related} of {len(examples)}; {fitted.threshold}, {fitted.summary}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--bc5cdr", type=Path, help="training file of BC5CDR")
    parser.add_argument("--dev", type=Path)
    parser.add_argument("--corpora", type=Path, help="folder of the annotated relations")
    parser.add_argument("--only", nargs="*", default=[], help="tables, e.g. gene-inhibit-gene")
    parser.add_argument("--project", type=Path, default=Path("/tmp/groundwork-learn"))
    parser.add_argument("--cache", type=Path, help="keep recognised mentions here between runs")
    args = parser.parse_args()
    if args.bc5cdr:
        learn_from_bc5cdr(args)
    elif args.corpora:
        learn_from_corpora(args.corpora, args.only)


if __name__ == "__main__":
    main()
