"""ASReview's default model on simulated reviews; run by `triage.py` in an environment of its own.

    PYTHON_OF_ASREVIEW benchmarks/asreview_peer.py < reviews.json > orders.json

Input: {papers: [{title, text}], reviews: [{relevant: [row], start: [row]}]}; output, for each
review, the rows in the order in which they were screened, until the last relevant one.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
from asreview.learner import ActiveLearningCycle
from asreview.models.models import get_ai_config
from asreview.simulation.simulate import Simulate


def main() -> None:
    task = json.load(sys.stdin)
    table = pd.DataFrame(task["papers"]).rename(columns={"text": "abstract"})
    cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
    features = cycle.transform(table)
    orders = []
    for review in task["reviews"]:
        labels = np.zeros(len(table), dtype=int)
        labels[review["relevant"]] = 1
        cycle = ActiveLearningCycle.from_meta(
            get_ai_config()["value"], skip_feature_extraction=True
        )
        cycle.n_query = lambda results: max(1, len(results) // task["share"])
        simulation = Simulate(features, labels, cycle, skip_transform=True, print_progress=False)
        simulation.label(review["start"])
        simulation.review()
        orders.append([int(row) for row in simulation._results["record_id"]])
    json.dump(orders, sys.stdout)


if __name__ == "__main__":
    main()
