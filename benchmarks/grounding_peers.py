"""Gilda and OAK on the names, look-ups and texts that `grounding.py` gives them; run by its
`--peers` interpreter, which has them. Prints a row for each, in the words of that benchmark.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

OAK_TEXTS = 3  # it takes seconds a text


def rows(vocabulary: Path) -> Iterator[tuple[str, str, str]]:
    """CURIE, label and name of each row."""
    opened = gzip.open if vocabulary.suffix == ".gz" else open
    with opened(vocabulary, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            id = row["id"] if ":" in row["id"] else f"{row['prefix']}:{row['id']}"
            yield id, row["label"], row["synonym"] or row["label"]


def timed(work: Callable[[str], object], items: list[str]) -> list[float]:
    marks = []
    for item in items:
        started = process_time()
        work(item)
        marks.append(1000 * (process_time() - started))
    return marks


def row(
    tool: str, count: int, load: float, work: dict[str, Any], look_up: Any, recognise: Any
) -> dict[str, object]:
    measured: dict[str, object] = {"tool": tool, "names": count, "load s": round(load, 1)}
    if look_up:
        for key, names in (
            ("ranked/s", work["names"]),
            ("lower/s", [name.lower() for name in work["names"]]),
        ):
            measured[key] = round(1000 * len(names) / sum(timed(look_up, names)))
    timed(recognise, work["texts"][: min(work["warm"], 2)])
    for when in ("new ms", "known ms"):
        marks = timed(recognise, work["texts"][work["warm"] :])
        measured |= {
            f"{when} mean": round(sum(marks) / len(marks), 2),
            f"{when} slowest": round(max(marks), 2),
        }
    return measured


def gilda_row(work: dict[str, Any]) -> dict[str, object]:
    from gilda import ner
    from gilda.grounder import Grounder
    from gilda.process import normalize
    from gilda.term import Term

    started = process_time()
    terms: dict[str, list[Term]] = {}
    count = 0
    for id, label, name in rows(Path(work["vocabulary"])):
        prefix, _, local = id.partition(":")
        status = "name" if name == label else "synonym"
        key = normalize(name)
        terms.setdefault(key, []).append(Term(key, name, prefix, local, label, status, prefix))
        count += 1
    grounder = Grounder(terms)
    load = process_time() - started
    return row(
        "Gilda",
        count,
        load,
        work,
        grounder.ground,
        lambda text: ner.annotate(text, grounder=grounder),
    )


def oak_row(work: dict[str, Any]) -> dict[str, object]:
    from oaklib import get_adapter

    started = process_time()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "names.obo"
        count = write_obo(Path(work["vocabulary"]), file)
        adapter: Any = get_adapter(f"simpleobo:{file}")
        list(adapter.annotate_text("fever"))
    load = process_time() - started
    few = {**work, "texts": work["texts"][: work["warm"] + OAK_TEXTS]}
    return row("OAK", count, load, few, None, lambda text: list(adapter.annotate_text(text)))


def write_obo(vocabulary: Path, file: Path) -> int:
    terms: dict[str, tuple[str, list[str]]] = {}
    count = 0
    for id, label, name in rows(vocabulary):
        terms.setdefault(id, (label, []))[1].append(name)
        count += 1
    with file.open("w", encoding="utf-8") as out:
        out.write("format-version: 1.2\nontology: names\n")
        for id, (label, names) in terms.items():
            out.write(f"\n[Term]\nid: {id}\nname: {label}\n")
            for name in dict.fromkeys(names):
                if name != label:
                    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
                    out.write(f'synonym: "{quoted}" EXACT []\n')
    return count


def main() -> None:
    work = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for make in (gilda_row, oak_row):
        try:
            print(json.dumps(make(work)), flush=True)
        except Exception as error:
            print(f"{make.__name__}: {type(error).__name__}: {str(error)[:200]}", flush=True)


if __name__ == "__main__":
    main()
