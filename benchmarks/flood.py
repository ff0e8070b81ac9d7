"""How many statements a pile of abstracts brings, and what share of them is sent to review by
default: with the base set, through the path that the page takes.

    python benchmarks/flood.py DOCUMENTS.jsonl.gz [SCHEMA] [ABSTRACTS]

The schema is `chemical_disease_mesh` and 170 abstracts are read unless others are named. Before
kinds of terms were checked, 170 abstracts of one curator brought 2,739 statements (16 each).
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import Desk
from core.evaluation.corpus import read_corpus
from core.services.extract import result
from core.services.extract.readiness import untyped_terms, why_held
from core.services.extract.run import start_run
from core.settings import load_settings


def main(documents: Path, schema: str, abstracts: int) -> None:
    texts = [document.text for document in read_corpus(documents)][:abstracts]
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(load_settings(Path(folder)))
        held: Counter[str] = Counter()
        statements = 0
        for text in texts:
            outcome = result.wait_for_job(desk, start_run(desk, schema, text, engine="builtin"))
            untyped = untyped_terms(outcome.schema, outcome.extraction)
            statements += len(outcome.statements)
            reasons = [
                why_held(statement, untyped, evidence) for statement, evidence in outcome.statements
            ]
            held.update(_kind(reason) for reason in reasons if reason)
    sent = statements - held.total()
    print(
        f"{len(texts)} abstracts, {schema}: {statements} statements"
        f" ({statements / max(1, len(texts)):.1f} each), sent by default {sent}"
        f" ({sent / max(1, statements):.0%})"
    )
    for reason, count in held.most_common():
        print(f"held back\t{count}\t{reason}")


def _kind(reason: str) -> str:
    """A reason without the words that it names."""
    return reason.partition("“")[0].strip() or reason


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    schema = sys.argv[2] if len(sys.argv) > 2 else "chemical_disease_mesh"
    main(Path(sys.argv[1]), schema, int(sys.argv[3]) if len(sys.argv) > 3 else 170)
