"""Speed of grounding and recognition over a vocabulary of 200,000 names: seconds to compile,
milliseconds to reopen, to ground a mention and to annotate an abstract, beside a scan of all names
with rapidfuzz (what a tool without an index does).

    python benchmarks/grounding.py VOCABULARY.tsv.gz DOCUMENTS.jsonl.gz
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rapidfuzz import process

from core.evaluation.corpus import read
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import open_lexicon
from core.grounding.index.vocabulary_registry import Shelf
from core.grounding.readers.registry import vocabulary_stem
from core.grounding.recognise.recogniser import Recogniser

MENTIONS = (
    "hypertension",
    "severe hypertension",
    "nalozone",
    "renal failures",
    "tumours of the breast",
    "aspirin",
)


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main(vocabulary: Path, documents: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(None, Path(folder), files=[vocabulary])
        name = vocabulary_stem(vocabulary).lower()
        built = seconds(lambda: shelf.lexicon(name))
        index = shelf.lexicon(name).index
        reopened = median(
            seconds(lambda: open_lexicon(vocabulary, index).term_count) for _ in range(5)
        )
        print(
            f"{shelf.lexicon(name).name_count} names: compiled in {built:.1f} s, reopened in"
            f" {reopened * 1e3:.1f} ms"
        )
        grounder, constraint = Grounder(shelf), Constraint((name,))
        measure(grounder, constraint, documents)


def measure(grounder: Grounder, constraint: Constraint, documents: Path) -> None:
    texts = [document.text for document in read(documents)][:60]
    for text in texts[:10]:
        Recogniser(grounder).annotate(text, {"": constraint})
    marks = [
        seconds(lambda text=text: Recogniser(grounder).annotate(text, {"": constraint}))
        for text in texts
    ]
    print(
        f"annotate, warm: median {median(marks) * 1e3:.1f} ms an abstract, slowest"
        f" {max(marks) * 1e3:.1f} ms"
    )
    found = [
        seconds(lambda words=words: grounder.ground(words, constraint))
        for words in MENTIONS
        for _ in range(5)
    ]
    print(
        f"ground: median {median(found) * 1e3:.2f} ms a mention, slowest {max(found) * 1e3:.2f} ms"
    )
    lexicon = grounder.lexicons(constraint)[0][1]
    terms = (lexicon.term(listed.id) for listed in lexicon.terms(limit=lexicon.term_count))
    names = [name.text for term in terms if term for name in term.names]
    scan = median(
        seconds(lambda words=words: process.extractOne(words, names)) for words in MENTIONS
    )
    print(
        f"scan of all names: {scan * 1e3:.0f} ms a mention, {scan / median(found):.0f} times as"
        " long"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
