"""Whether every name of a vocabulary is found as the vocabulary writes it: each name in a neutral
sentence of its own, through the product's recognition.

A name counts as found when a mention has exactly its words and a term that bears the name is among
the mention's candidates. Left out are names of obsolete terms, and names that say nothing by
themselves (numbers, single letters, words such as "patients"): those are counted apart.
"""

from __future__ import annotations

import json
import random
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.desk import Desk
from core.errors import InputError
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_lookup import NameHit
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match.word_forms import COMMON, PARTICLES
from core.grounding.recognise.recogniser import Recogniser
from core.model import Json, Span
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

BEFORE, BEHIND = "This study looked at ", " and at two further subjects."
PART = 1_000  # names of a unit
SHOWN = 10  # missed names that are shown for a vocabulary
_SIGNS = frozenset(" -,()/'.")  # what most names have; the others are counted one by one


@dataclass
class FoundNames:
    """Counts of names: all, found whole, left out since they say nothing by themselves; the same by
    sign; and some that were missed.
    """

    total: int = 0
    found: int = 0
    left_out: int = 0
    by_sign: dict[str, list[int]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)

    def add(self, name: str, is_found: bool) -> None:
        self.total += 1
        self.found += is_found
        for sign in {c for c in name if not c.isalnum() and c not in _SIGNS}:
            counts = self.by_sign.setdefault(sign, [0, 0])
            counts[0] += 1
            counts[1] += is_found
        if not is_found and len(self.missed) < SHOWN:
            self.missed.append(name)

    def merge(self, row: Json) -> None:
        self.total += row["total"]
        self.found += row["found"]
        self.left_out += row["left_out"]
        self.missed = [*self.missed, *row["missed"]][:SHOWN]
        for sign, (total, found) in row["by_sign"].items():
            counts = self.by_sign.setdefault(sign, [0, 0])
            counts[0] += total
            counts[1] += found

    @property
    def share(self) -> float:
        return self.found / self.total if self.total else 1.0

    def as_json(self) -> Json:
        return {
            "total": self.total,
            "found": self.found,
            "left_out": self.left_out,
            "by_sign": self.by_sign,
            "missed": self.missed,
        }


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--vocabulary",
        action="append",
        default=[],
        help="vocabulary name or file (repeat); without it all of the project's",
    )
    parser.add_argument(
        "--sample", type=int, default=0, help="only so many names of each vocabulary, by --seed"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missed", action="store_true", help="show some names that were missed")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit for each thousand names of a vocabulary."""
    registry = registry_of(desk, args.vocabulary)
    parts = []
    for name in registry.names():
        count = registry.lexicon(name).name_count
        if args.sample:
            parts.append((name, 0, count))
        else:
            parts += [(name, at, min(at + PART, count)) for at in range(0, count, PART)]
    grounder = LazyValue(lambda: Grounder(registry))

    def measure(place: int, run: str) -> Json:
        name, first, last = parts[place]
        lexicon = grounder().vocabulary_registry.lexicon(name)
        numbers: Sequence[int] = range(first, last)
        if args.sample and last - first > args.sample:
            chosen = random.Random(args.seed)
            numbers = sorted(chosen.sample(numbers, args.sample))
        return found_names(grounder(), lexicon, map(lexicon.name_at, numbers)).as_json()

    rows = yield EvaluationStage(
        "names", [f"{name} {first}" for name, first, _ in parts], measure, worth=4
    )
    tables: dict[str, FoundNames] = {}
    for (name, _, _), row in zip(parts, rows, strict=True):
        tables.setdefault(name, FoundNames()).merge(row)
    sizes: Counter[str] = Counter()
    for name, first, last in parts:
        sizes[name] += last - first
    text = _lines(tables) if args.format == "json" else _text(tables, sizes, args.missed)
    return EvaluationReport(text)


def registry_of(desk: Desk, vocabularies: Sequence[str]) -> VocabularyRegistry:
    """The registry of vocabularies by name or file; the project's without any."""
    files = [path for name in vocabularies if (path := Path(name)).is_file()]
    names = [name.lower() for name in vocabularies if not Path(name).is_file()]
    if not vocabularies:
        return desk.vocabulary_registry
    own = desk.vocabulary_registry.files() if names else {}
    if missing := [name for name in names if name not in own]:
        raise InputError(
            f"There is no vocabulary {missing[0]}.", "Give a file, or a name of the project's."
        )
    desk.indexes.mkdir(parents=True, exist_ok=True)
    return VocabularyRegistry(
        None, desk.indexes, files=[*files, *(own[name] for name in dict.fromkeys(names))]
    )


def found_names(grounder: Grounder, lexicon: Lexicon, names: Iterable[NameHit]) -> FoundNames:
    """Which of a vocabulary's names are found whole, each in a sentence of its own."""
    counts = FoundNames()
    recogniser, constraint = Recogniser(grounder), {"": Constraint((lexicon.name,))}
    for hit in names:
        name = " ".join(hit.text.split())
        if hit.obsolete:
            continue
        if says_nothing(name):
            counts.left_out += 1
            continue
        text, span = f"{BEFORE}{name}{BEHIND}", Span(len(BEFORE), len(BEFORE) + len(name))
        counts.add(
            name,
            any(
                candidate.term.id == hit.id or candidate.surface == hit.text
                for mention in recogniser.annotate(text, constraint)
                if mention.span == span
                for candidate in mention.candidates
            ),
        )
    return counts


def says_nothing(name: str) -> bool:
    """Whether a name is no mention in running text whatever a vocabulary lists: a number, a letter,
    a word that English uses for much else.
    """
    words = [word for word in name.casefold().split() if any(map(str.isalnum, word))]
    return (
        sum(map(str.isalnum, name)) < 2
        or not any(map(str.isalpha, name))
        or all(word in COMMON or word in PARTICLES for word in words)
    )


def _text(tables: dict[str, FoundNames], sizes: Mapping[str, int], missed: bool) -> str:
    """The table; in the line of all, each vocabulary counts by how many names it has."""
    total, signs = FoundNames(), Counter[str]()
    lines = [f"{'vocabulary':<22}{'names':>10}{'found whole':>13}{'left out':>10}"]
    for name, table in tables.items():
        lines.append(f"{name:<22}{table.total:>10,}{table.share:>13.2%}{table.left_out:>10,}")
        lines += [f"    {words}" for words in table.missed if missed]
        total.merge(table.as_json())
        signs.update({sign: counts[0] for sign, counts in table.by_sign.items()})
    weighted = sum(sizes[name] * table.share for name, table in tables.items())
    share = weighted / max(1, sum(sizes.values()))
    lines.append(f"{'all, by size':<22}{total.total:>10,}{share:>13.2%}{total.left_out:>10,}")
    lines += ["", f"{'with the sign':<22}{'names':>10}{'found whole':>13}"]
    for sign, count in signs.most_common(30):
        lines.append(f"{sign:<22}{count:>10,}{total.by_sign[sign][1] / count:>13.2%}")
    return "\n".join(lines)


def _lines(tables: dict[str, FoundNames]) -> str:
    return "\n".join(
        json.dumps({"vocabulary": name, "share": round(table.share, 5), **table.as_json()})
        for name, table in tables.items()
    )
