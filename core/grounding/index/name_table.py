"""The names of a vocabulary, gathered while it is read, as the arrays of a name file."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from core.grounding.match import normalise
from core.grounding.match.fingerprint import PRIMES, fingerprint
from core.grounding.match.word_forms import STOP
from core.grounding.readers.record import Scope

if TYPE_CHECKING:
    import numpy as np

    Ints = np.ndarray[Any, np.dtype[np.uint64]]

SCOPES = tuple(Scope)
SEPARATOR = "\x1f"  # between the facts of a term
_TOKENS = re.compile(f"{normalise.TOKEN.pattern}|{SEPARATOR}")
_ASCII_TOKENS = re.compile(f"{normalise.ASCII_TOKEN.pattern}|{SEPARATOR}")
_CHUNK = 100  # names that are cut into words at once, by the quicker pattern where they are ASCII
_MARK = 0xFFFFFFFF  # between the words of two names
_TOGETHER = 20_000  # names whose words are told apart at once
_BITS_A_NAME = 16  # of a filter: about 6 of 100 numbers that no name has get through


class TextList:
    """Texts one after another, and where each begins."""

    def __init__(self, texts: Sequence[str] = ()):
        self.content = bytearray()
        self.at = array("I", [0])
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.content += text.encode("utf-8", "surrogatepass")
        self.at.append(len(self.content))

    def extend(self, texts: Sequence[str]) -> None:
        blocks = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = accumulate(map(len, blocks), initial=len(self.content))
        next(ends)
        self.at.extend(ends)
        self.content += b"".join(blocks)

    def arrays(self, name: str) -> dict[str, tuple[str, bytes | memoryview]]:
        return {
            name: ("B", memoryview(self.content)),
            f"{name}_at": ("I", memoryview(self.at).cast("B")),
        }


class NameTable:
    """Names by number, in the order in which they were added."""

    def __init__(self) -> None:
        self.terms, self.texts = TextList(), TextList()
        self.term_of, self.scopes = array("I"), bytearray()
        self.runs, self.run_at = array("I"), array("I", [0])  # the words of each name
        self.words: dict[str, int] = {}  # folded word → number
        self.tokens = {SEPARATOR: _MARK}  # word as written → number of the folded word
        self._waiting: list[str] = []

    @property
    def count(self) -> int:
        return len(self.term_of)

    def term(self, facts: Sequence[object]) -> int:
        """A term (id, label, obsolete, replaced by, taxon); its number."""
        cells = [str(int(fact)) if isinstance(fact, bool) else str(fact) for fact in facts]
        self.terms.add(SEPARATOR.join(cell.replace(SEPARATOR, " ") for cell in cells))
        return len(self.terms.at) - 2

    def add(self, term: int, text: str, scope: Scope) -> None:
        self.term_of.append(term)
        self.scopes.append(SCOPES.index(scope))
        self._waiting.append(text)
        if len(self._waiting) >= _TOGETHER:
            self._take_in()

    def _take_in(self) -> None:
        """The texts and words of the names that wait: many at once, in one text with a mark between
        two names.
        """
        import numpy as np

        if not self._waiting:
            return
        texts, self._waiting = self._waiting, []
        self.texts.extend(texts)
        found = list(_tokens([text.replace(SEPARATOR, " ") for text in texts]))
        for token in dict.fromkeys(found):
            if token not in self.tokens:
                self._word(token)
        numbers = np.fromiter(map(self.tokens.__getitem__, found), "u4", len(found))
        marks = np.flatnonzero(numbers == _MARK)
        ends = np.append(marks - np.arange(len(marks)), len(found) - len(marks)) + len(self.runs)
        self.run_at.frombytes(ends.astype("u4").tobytes())
        self.runs.frombytes(numbers[numbers != _MARK].tobytes())

    def _word(self, token: str) -> int:
        word = normalise.fold_word(token)
        number = self.tokens[token] = self.words.setdefault(word, len(self.words))
        return number

    # ------------------------------------------------------------

    def arrays(self) -> Mapping[str, tuple[str, bytes | memoryview]]:
        """The arrays of the name file (see `name_file`)."""
        import numpy as np

        self._take_in()
        runs = np.frombuffer(self.runs, dtype="u4") if self.runs else np.empty(0, "u4")
        begin = np.frombuffer(self.run_at, dtype="u4").astype("i8")
        marks = [fingerprint(word) for word in self.words]
        found: dict[str, tuple[str, bytes | memoryview]] = {
            **self.terms.arrays("term"),
            **self.texts.arrays("text"),
            "name_term": ("I", memoryview(self.term_of).cast("B")),
            "name_scope": ("B", memoryview(self.scopes)),
            **_grouped("term_name", self.term_of, len(self.terms.at) - 1),
        }
        named = np.flatnonzero(np.diff(begin) > 0)
        found |= _column("solid", _solid(marks, runs, begin)[named], named)
        found |= _column("stem", _stems(marks, runs, begin, named), named)
        return found | self._words(runs, begin)

    def _words(self, runs: Any, begin: Any) -> dict[str, tuple[str, bytes | memoryview]]:
        """Words and stems, sorted, and for each stem (but of stop words) the names that hold it."""
        import numpy as np

        words = sorted(self.words)
        stem_of = {word: "" if word in STOP else normalise.stem_key(word) for word in self.words}
        stems = sorted(set(stem_of.values()))
        places = {stem: place for place, stem in enumerate(stems)}
        of_word = np.array([places[stem_of[word]] for word in self.words] or [0], dtype="i8")
        names = np.repeat(np.arange(self.count), np.diff(begin))
        pairs = np.unique(of_word[runs] * max(1, self.count) + names)
        held, name = np.divmod(pairs, max(1, self.count))
        at = np.searchsorted(held, np.arange(len(stems) + 1))
        word_stem = np.array([places[stem_of[word]] for word in words], dtype="u4")
        return {
            **TextList(words).arrays("word"),
            "word_stem": ("I", word_stem.tobytes()),
            **TextList(stems).arrays("stem_text"),
            "stem_names": ("I", name.astype("u4").tobytes()),
            "stem_names_at": ("I", at.astype("u4").tobytes()),
        }


def _tokens(texts: Sequence[str]) -> Iterator[str]:
    """The words of the texts, with a separator between two texts."""
    for place in range(0, len(texts), _CHUNK):
        if place:
            yield SEPARATOR
        chunk = SEPARATOR.join(texts[place : place + _CHUNK])
        yield from (_ASCII_TOKENS if chunk.isascii() else _TOKENS).findall(chunk)


def _solid(marks: Sequence[Any], runs: Any, begin: Any) -> Any:
    """The fingerprint of each name's letters: a word at a time, all names at once."""
    import numpy as np

    lengths, halves = np.diff(begin), []
    for prime, letters, shift in zip(
        PRIMES, ("one", "other"), ("shift_one", "shift_other"), strict=True
    ):
        value = np.array([getattr(mark, letters) for mark in marks], dtype="u8")
        shifts = np.array([getattr(mark, shift) for mark in marks], dtype="u8")
        total = np.zeros(len(lengths), dtype="u8")
        left = np.flatnonzero(lengths > 0)
        for place in range(int(lengths.max(initial=0))):
            left = left[lengths[left] > place]
            word = runs[begin[left] + place]
            total[left] = (total[left] * shifts[word] + value[word]) % np.uint64(prime)
        halves.append(total)
    return ((halves[0] << np.uint64(31)) | halves[1]).astype("i8")


def _stems(marks: Sequence[Any], runs: Any, begin: Any, named: Any) -> Any:
    """The sum of each name's stems; of a name of stop words alone, the sum of those."""
    import numpy as np

    if not len(named):
        return np.empty(0, "i8")
    starts = begin[named]

    def total(field: str) -> Any:
        values = np.array([getattr(mark, field) for mark in marks], dtype="u8")
        return np.add.reduceat(values[runs], starts)

    stop = np.array([mark.typed == 0 for mark in marks])
    types = np.array([mark.is_type for mark in marks])
    typed = np.logical_or.reduceat(types[runs], starts)
    bare = np.logical_and.reduceat(stop[runs], starts)
    sums = np.where(typed, total("typed"), total("stem"))
    return np.where(bare, total("bare"), sums).view("i8")


def _column(name: str, keys: Any, names: Any) -> dict[str, tuple[str, bytes | memoryview]]:
    import numpy as np

    order = np.argsort(keys, kind="stable")
    size = 1 << max(10, (len(keys) * _BITS_A_NAME - 1).bit_length())
    bits = np.zeros(size, dtype=bool)
    bits[(keys ^ (keys >> 29)) & (size - 1)] = True
    return {
        f"{name}_key": ("q", keys[order].astype("<i8").tobytes()),
        f"{name}_name": ("I", names[order].astype("u4").tobytes()),
        f"{name}_bits": ("B", np.packbits(bits, bitorder="little").tobytes()),
    }


def _grouped(name: str, owners: array[int], count: int) -> dict[str, tuple[str, bytes]]:
    """For each owner the numbers that it owns, in order."""
    import numpy as np

    values = np.frombuffer(owners, dtype="u4") if owners else np.empty(0, "u4")
    order = np.argsort(values, kind="stable")
    at = np.searchsorted(values[order], np.arange(count + 1))
    return {
        name: ("I", order.astype("u4").tobytes()),
        f"{name}_at": ("I", at.astype("u4").tobytes()),
    }
