"""How often each row of the relation rules is right on annotated texts, written beside the row.

    python benchmarks/rule_precision.py --corpora FOLDER [--dry-run]

reads the marked mentions of the corpora by the rules alone and counts, for each row, the relations
that it asserts (`hits`) and the share of them that the corpus holds with that family (`precision`);
and the same for all plain statements ("S inhibits O") together.
A weight below the precision is raised to it; it is not lowered, as the annotators left out much of
what their texts say. Rows with fewer than ten hits have neither. Rows below .30 are named.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.evaluation.annotated_relations import read_relation_corpus
from core.evaluation.relations import TASKS, is_open, is_right, reading_of, task_relations
from core.support.reading.predicate import Predicate, predicate_families
from core.support.reading.rule_table import COLUMNS, OWN_TABLE

PLAIN = "plain statements"  # of whatever rule: what `likely_relation.PLAIN` is taken from
LEAST = 10  # hits of a row, below which nothing is said of it
LOW = 0.3  # a row below it goes
MEASURED = ("precision", "hits")
WEIGHT = COLUMNS.index("weight")


def counts(folder: Path) -> dict[str, list[int]]:
    """Right and all assertions of each rule."""
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for task in TASKS:
        for document in read_relation_corpus(folder, task.corpus):
            gold = task_relations(task, document)
            reader, subjects, objects = reading_of(task, document)
            predicates = [Predicate(name) for name in task.predicates]
            family_of = {
                one.name: predicate_families(one, reader.rules)[0][0].name for one in predicates
            }
            owner = {span: thing.key for thing in document.things for span in thing.spans}
            asserted = {
                (
                    name,
                    owner[relation.subject],
                    owner[relation.object],
                    family_of[relation.predicate],
                )
                for relation in reader.stated(subjects, objects, predicates)
                if not (relation.negated or relation.hypothesis)
                for name in (relation.rule, *([PLAIN] if relation.plain else []))
            }
            for rule, subject, object_, family in asserted:
                mark = is_right((subject, object_), family, gold)
                if mark or not is_open((subject, object_), document):
                    tally[rule][0] += mark
                    tally[rule][1] += 1
    return tally


def write(tally: Mapping[str, list[int]]) -> None:
    lines = []
    for line in OWN_TABLE.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")[: len(COLUMNS)]
        if line.startswith("#") or len(cells) < len(COLUMNS):
            lines.append(line)
        elif cells[0] == COLUMNS[0]:
            lines.append("\t".join([*cells, *MEASURED]))
        else:
            right, hits = tally.get(cells[0], (0, 0))
            measured = [f"{right / hits:.2f}", str(hits)] if hits >= LEAST else ["", ""]
            if measured[0] and float(measured[0]) > float(cells[WEIGHT]):
                cells[WEIGHT] = measured[0]
            lines.append("\t".join([*cells, *measured]))
    OWN_TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--dry-run", action="store_true", help="print, and write nothing")
    args = parser.parse_args()
    tally = counts(args.corpora)
    for rule, (right, hits) in sorted(tally.items(), key=lambda row: row[1][0] / row[1][1]):
        if hits >= LEAST:
            print(f"{right / hits:.2f}\t{hits}\t{rule}{' LOW' * (right / hits < LOW)}")
    if not args.dry_run:
        write(tally)


if __name__ == "__main__":
    main()
