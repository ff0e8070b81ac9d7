"""bib-dedupe and asreview-datatools on pairs of records; run by `same_paper.py` in an environment
of their own.

    PYTHON_OF_PEERS benchmarks/same_paper_peer.py < pairs.json > found.json

Input: {pairs: [[record, record]], library: [record]}, records as BibTeX fields; output: for each
peer whether it takes each pair for one paper, the pairs of rows of the library that it takes for
one, and the seconds that the library took.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from typing import Any

import pandas as pd
from asreview import ASReviewData
from asreviewcontrib.datatools.dedup import deduplicate_data
from bib_dedupe.bib_dedupe import block, match, prep

FIELDS = ("ID", "ENTRYTYPE", "title", "author", "year", "journal", "booktitle", "volume", "number",
          "pages", "doi", "abstract")  # fmt: skip
Rows = list[dict[str, Any]]


def of_bib_dedupe(rows: Rows) -> list[tuple[int, int]]:
    """The pairs that it links (its *maybe* cases are not linked)."""
    records = [
        {name: row.get(name) or "" for name in FIELDS}
        | {"ID": str(n), "author": (row.get("author") or "").replace(";", " and ")}
        for n, row in enumerate(rows)
    ]
    linked = match(block(prep(pd.DataFrame(records), cpu=1), cpu=1), cpu=1)
    if linked.empty:
        return []
    sure = linked
    if "duplicate_label" in linked:
        sure = linked[linked["duplicate_label"] == "duplicate"]
    return [(int(a), int(b)) for a, b in zip(sure["ID_1"], sure["ID_2"], strict=True)]


def of_asreview(rows: Rows) -> list[tuple[int, int]]:
    """Which rows go when near titles are removed, too; each beside the row that it repeats."""
    names = ["title", "abstract", *(["doi"] if any(row.get("doi") for row in rows) else [])]
    records = [
        {name: row.get(name) or (None if name == "doi" else "") for name in names} | {"row": n}
        for n, row in enumerate(rows)
    ]
    table = pd.DataFrame(records)
    data = ASReviewData(df=table)
    deduplicate_data(data, similar=True)
    gone = sorted({*range(len(rows))} - {int(row) for row in data.df["row"]})
    return [(0, row) for row in gone]


def quiet(peer: Any, rows: Rows) -> list[tuple[int, int]]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return peer(rows)


def main() -> None:
    task = json.load(sys.stdin)
    found: dict[str, Any] = {}
    for name, peer in (("bib-dedupe", of_bib_dedupe), ("asreview-datatools", of_asreview)):
        started = time.perf_counter()
        library = quiet(peer, task["library"])
        seconds = time.perf_counter() - started
        pairs = [bool(quiet(peer, pair)) for pair in task["pairs"]]
        found[name] = {"pairs": pairs, "library": library, "seconds": seconds}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
