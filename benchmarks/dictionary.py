"""The built-in engine against its own recogniser: what filling a schema by rules adds to finding
names.

    python -m benchmarks.dictionary [--vocabulary FILE …] [--input CORPUS] [--documents 50]

Without a corpus the templates' example texts are read over the starter vocabularies. Prints seconds
a document of the recogniser alone (the peer), of the whole engine, and their ratio.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from core.evaluation.corpus import read_corpus
from core.extraction.builtin.engine import DictionaryEngine, recognisable_classes
from core.grounding.constraint.constraint import constraint_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import Recogniser
from core.schema.catalogue import schema_examples, schema_named

ROOT = Path(__file__).resolve().parents[1]


def timed(work: Callable[[str], object], texts: Sequence[str]) -> float:
    """Seconds a text."""
    started = time.perf_counter()
    for text in texts:
        work(text)
    return (time.perf_counter() - started) / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocabulary", type=Path, action="append", default=[])
    parser.add_argument("--input", type=Path)
    parser.add_argument("--schema", default="chemical_disease")
    parser.add_argument("--documents", type=int, default=50)
    args = parser.parse_args()
    schema = schema_named(args.schema, (ROOT / "schemas",))
    texts = (
        [document.text for document in read_corpus(args.input)][: args.documents]
        if args.input
        else list(schema_examples(args.schema)) * 10
    )
    files = args.vocabulary or sorted((ROOT / "schemas" / "vocabularies").glob("*.tsv"))
    with tempfile.TemporaryDirectory() as folder:
        grounder = Grounder(VocabularyRegistry(None, Path(folder), files=files))
        engine = DictionaryEngine(Recogniser(grounder))
        constraints = {
            name: constraint_of(schema, name)
            for name in recognisable_classes(schema, schema.classes[schema.root])
        }
        Recogniser(grounder).annotate(texts[0], constraints)  # compiles the vocabularies
        peer = timed(lambda text: Recogniser(grounder).annotate(text, constraints), texts)
        whole = timed(lambda text: engine.extract(schema, "", text), texts)
    print(
        f"recogniser alone\t{1000 * peer:.1f} ms a document\nwhole engine\t{1000 * whole:.1f} ms a"
        " document"
    )
    print(f"ratio\t{whole / peer:.2f}\t({len(texts)} documents)")


if __name__ == "__main__":
    main()
