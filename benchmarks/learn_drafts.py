"""Learn how likely a draft of the built-in engine is right as it stands, from abstracts with gold
facts.

    python benchmarks/learn_drafts.py --facts FOLDER [--all]

FOLDER holds gold.jsonl and score.py (which says what is right). Every text is read as `extract`
does in a fresh project, with every draft let through; a logistic regression (scikit-learn, needed
here only) over their signs gives core/extraction/builtin/draft_weights.tsv. Its threshold is the
lowest at which five of eight drafts that are proposed are right. Precision, recall and calibration
are printed as cross-validation over the abstracts gives them. Only half of the abstracts (by the
hash of their id) is learned from, unless --all says otherwise.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import core.extraction.builtin.spec as builtin_spec
from core.extraction.builtin.draft_probability import TABLE
from core.extraction.engine import Engine, EngineParts
from core.learning.quality import calibration, calibration_error

LEAST_DOCUMENTS = 4  # a sign of fewer abstracts is left out
STRENGTH = 0.3  # inverse of the regularisation
STEP = 1000  # drafts of one abstract are told apart by scores of thousandths
THRESHOLDS = np.arange(0.2, 0.6, 0.01)
# Of plain statements the abstracts hold too few; in the corpora four in five are right
# (`benchmarks/rule_precision.py`), and with this weight as many of those proposed are.
SET = {"plainly said": (1.2, "set so that four in five are proposed as right, as in the corpora")}
PRECISE = 0.62  # least share of right ones among the drafts that are proposed


@dataclass
class Recorder:
    """A judge that lets every draft through, and gives each a score that tells it from the rest."""

    seen: list[Mapping[str, float]]

    def __call__(self, features: Mapping[str, float]) -> float:
        self.seen.append(features)
        return len(self.seen) / STEP


@dataclass(frozen=True, slots=True)
class Draft:
    document: str
    features: Mapping[str, float]
    is_right: bool


def load_judge(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("facts_score", folder / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drafts_of(folder: Path, project: Path, documents: Sequence[dict[str, Any]]) -> Iterator[Draft]:
    """Every draft with what the judge of the facts says of it; those it ignores are left out."""
    score = load_judge(folder)
    recorder = Recorder([])
    make = builtin_spec._make

    def recording(parts: EngineParts) -> Engine:
        return replace(make(parts), judge=recorder)  # type: ignore[type-var, return-value]

    object.__setattr__(builtin_spec.SPEC, "make", recording)
    extracted = score.extract(documents, str(project))
    while True:
        recorder.seen = []
        try:
            document, answer = next(extracted)
        except StopIteration:
            return
        rows, _, _ = score.judge(document, answer)
        verdicts: dict[int, bool] = {}
        for row in rows:
            place = round((row["score"] or 0) * STEP) - 1
            if row["verdict"] != "ignored" and 0 <= place < len(recorder.seen):
                verdicts[place] = verdicts.get(place, False) or row["verdict"] == "right"
        for place, is_right in verdicts.items():
            yield Draft(document["id"], recorder.seen[place], is_right)


def is_learned_from(id: str) -> bool:
    return int(hashlib.sha256(id.encode()).hexdigest(), 16) % 2 == 0


def learn(drafts: Sequence[Draft]) -> tuple[dict[str, float], float, float]:
    texts: dict[str, set[str]] = {}
    for draft in drafts:
        for name in draft.features:
            texts.setdefault(name, set()).add(draft.document)
    names = {
        name
        for name, where in texts.items()
        if len(where) >= LEAST_DOCUMENTS
        and name not in SET
        and not name.startswith(("term ", "predicate "))
    }
    table = DictVectorizer(sparse=False)
    rows = table.fit_transform(
        [{n: v for n, v in draft.features.items() if n in names} for draft in drafts]
    )
    right = np.array([draft.is_right for draft in drafts])
    groups = [draft.document for draft in drafts]
    model = LogisticRegression(C=STRENGTH, max_iter=2000)
    chance = cross_val_predict(
        model, rows, right, groups=groups, cv=GroupKFold(10), method="predict_proba"
    )[:, 1]
    best = next(
        (least for least in THRESHOLDS if right[chance >= least].mean() >= PRECISE), THRESHOLDS[-1]
    )
    taken = chance >= best
    error = calibration_error(calibration(zip(chance[taken], right[taken], strict=True)))
    print(
        f"{len(drafts)} drafts, {right.sum()} right; at {best:.2f}: {taken.sum()} proposed,"
        f" precision {right[taken].mean():.3f}, kept {right[taken].sum() / right.sum():.3f} of the"
        f" right ones, calibration error {error:.3f}"
    )
    model.fit(rows, right)
    weights = dict(zip(table.feature_names_, model.coef_[0], strict=True))
    return weights, float(model.intercept_[0]), float(best)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="learn from all abstracts")
    parser.add_argument("--project", type=Path, default=Path("/tmp/groundwork-drafts"))
    args = parser.parse_args()
    lines = (args.facts / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [json.loads(line) for line in lines if line.strip()]
    documents = [one for one in documents if args.all or is_learned_from(one["id"])]
    args.project.mkdir(parents=True, exist_ok=True)
    drafts = list(drafts_of(args.facts, args.project, documents))
    weights, intercept, threshold = learn(drafts)
    source = "all abstracts" if args.all else "half of the abstracts"
    rows = [
        f"# Learned by benchmarks/learn_drafts.py from {source} of the facts.",
        "feature\tweight\tnote",
        f"intercept\t{intercept:.3f}\t",
        f"threshold\t{threshold:.2f}\t",
        *(f"{name}\t{weight:.3f}\t{note}" for name, (weight, note) in SET.items()),
        *(
            f"{name}\t{weight:.3f}\t"
            for name, weight in sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
        ),
    ]
    TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(TABLE)


if __name__ == "__main__":
    main()
