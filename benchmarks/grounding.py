"""Speed of grounding and recognition in processor time, with Gilda and OAK on the same names.

    python benchmarks/grounding.py VOCABULARY DOCUMENTS.jsonl.gz [--peers PYTHON] [--texts 60]

VOCABULARY is a table as in `../shared/data/grounding/lexicons` (prefix, id, label, synonym, scope).
PYTHON is an interpreter with `gilda-slim`, `nltk` and `oaklib` (they are heavy, and no part of the
project); each of them gets the names of VOCABULARY, since their own data is not on the registries.
A row for each tool: seconds to load or compile, seconds to open again, look-ups a second (exact,
each name once, then in lower case), milliseconds to recognise an abstract that is read for the
first time, and one that was read before: mean and slowest. The last line is 2 MB of text against
200 kB. A processor that others use too is slower: compare rows of one run.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.collector_pause import leave_old_alone
from core.evaluation.corpus import read_corpus
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon, open_lexicon
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match import normalise
from core.grounding.match.name_match import exact_names
from core.grounding.readers.record import VocabularyReading
from core.grounding.readers.registry import read as records
from core.grounding.readers.registry import vocabulary_stem
from core.grounding.recognise.recogniser import Recogniser

PEERS = Path(__file__).with_name("grounding_peers.py")
LOOK_UPS = 5_000
WARM = 40  # abstracts that are read before the clock runs
LONG = 2_000_000  # characters; against a tenth of it


def sampled_names(vocabulary: Path) -> list[str]:
    names = [
        name.text for record in records(vocabulary, VocabularyReading()) for name in record.names
    ]
    return random.Random(7).sample(names, min(LOOK_UPS, len(names)))


def rate(work, names: list[str]) -> int:  # type: ignore[no-untyped-def]
    started = process_time()
    for name in names:
        work(name)
    return round(len(names) / (process_time() - started))


def ours(vocabulary: Path, texts: list[str], names: list[str], folder: Path) -> dict[str, object]:
    registry, name = (
        VocabularyRegistry(None, folder, files=[vocabulary]),
        vocabulary_stem(vocabulary).lower(),
    )
    started = process_time()
    lexicon = registry.lexicon(name)
    compiled = process_time() - started
    started = process_time()
    open_lexicon(vocabulary, lexicon.index)
    opened = process_time() - started
    leave_old_alone()  # as a desk does before its grounder is made
    grounder, constraint = Grounder(registry), Constraint((name,))
    recogniser = Recogniser(grounder)
    for text in texts[:WARM]:
        recogniser.annotate(text, {"": constraint})

    def pass_over() -> list[float]:
        marks = []
        for text in texts[WARM:]:
            started = process_time()
            recogniser.annotate(text, {"": constraint})
            marks.append(1000 * (process_time() - started))
        return marks

    first, again = pass_over(), pass_over()
    return {
        "tool": "Groundwork",
        "names": lexicon.name_count,
        "load s": round(compiled, 1),
        "open s": round(opened, 3),
        **look_ups(lexicon, names),
        **passes(first, again),
    }


def look_ups(lexicon: Lexicon, names: list[str]) -> dict[str, object]:
    lower = [name.lower() for name in names]
    return {
        "names/s": rate(lambda name: lexicon.names(normalise.name_key(name)), names),
        "ranked/s": rate(lambda name: exact_names(lexicon, name), names),
        "lower/s": rate(lambda name: exact_names(lexicon, name), lower),
    }


def passes(first: list[float], again: list[float]) -> dict[str, object]:
    return {
        f"{when} {what}": round(value, 2)
        for when, marks in (("new ms", first), ("known ms", again))
        for what, value in (("mean", sum(marks) / len(marks)), ("slowest", max(marks)))
    }


def growth(vocabulary: Path, texts: list[str], folder: Path) -> float:
    """How many times as long 2 MB of text take as 200 kB."""
    name = vocabulary_stem(vocabulary).lower()
    recogniser = Recogniser(Grounder(VocabularyRegistry(None, folder, files=[vocabulary])))
    whole = "\n\n".join(texts)
    whole = (whole + "\n\n") * (LONG // len(whole) + 1)
    spent = []
    for size in (LONG // 10, LONG // 10, LONG):
        started = process_time()
        recogniser.annotate(whole[:size], {"": Constraint((name,))})
        spent.append(process_time() - started)
    return spent[2] / spent[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--peers", type=Path, help="an interpreter with Gilda and OAK")
    parser.add_argument("--texts", type=int, default=60)
    args = parser.parse_args()
    texts = [document.text for document in read_corpus(args.documents)][: args.texts + WARM]
    names = sampled_names(args.vocabulary)
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(ours(args.vocabulary, texts, names, Path(folder))), flush=True)
        if args.peers:
            work = {"vocabulary": str(args.vocabulary), "texts": texts, "names": names}
            file = Path(folder) / "work.json"
            file.write_text(json.dumps(work | {"warm": WARM}), encoding="utf-8")
            command = [str(args.peers), str(PEERS), str(file)]
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
        ratio = growth(args.vocabulary, texts, Path(folder))
        print(f"2 MB of text against 200 kB: {ratio:.1f} times as long")


if __name__ == "__main__":
    main()
