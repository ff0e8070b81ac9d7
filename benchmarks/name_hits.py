"""Which names of a vocabulary stand most often in texts: those that are everyday words, or mean
something else, are found so, and go into `schemas/vocabularies/base/stop_names.tsv` with a reason.

    python benchmarks/name_hits.py VOCABULARY.tsv.xz … --texts TEXTS.jsonl [--most 60]

TEXTS has a JSON string, or an object with `text`, a line. A row for each name as the texts write
it, the most frequent first: vocabulary, texts that have it, how it is written there, name, id and
label.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.grounding.index.lexicon import open_lexicon
from core.grounding.readers.registry import vocabulary_stem
from core.grounding.recognise.name_finder import NameFinder
from core.grounding.recognise.names_in_text import named_places
from core.grounding.recognise.text_words import split_into_words

Row = tuple[str, str, str, str]  # as written, name, id, label


def hits(vocabulary: Path, texts: list[str], folder: Path) -> Counter[Row]:
    """How many texts write each name."""
    name = vocabulary_stem(vocabulary).lower()
    lexicon = open_lexicon(vocabulary, folder / f"{name}.sqlite", name=name)
    finder, counts = NameFinder([lexicon]), Counter[Row]()
    for text in texts:
        words = split_into_words(text)
        counts.update(
            {
                (text[slice(*place)], hit.text, hit.id, hit.label)
                for section in words.sections()
                for place, names in named_places(finder, words, {}, section)
                for _, hit in names
            }
        )
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("vocabularies", type=Path, nargs="+")
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--most", type=int, default=60)
    args = parser.parse_args()
    rows = (json.loads(line) for line in args.texts.read_text(encoding="utf-8").splitlines())
    texts = [row if isinstance(row, str) else row["text"] for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        for vocabulary in args.vocabularies:
            name = vocabulary_stem(vocabulary).lower()
            for row, count in hits(vocabulary, texts, Path(folder)).most_common(args.most):
                print(name, count, *row, sep="\t", flush=True)


if __name__ == "__main__":
    main()
