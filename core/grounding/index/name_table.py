"""The names of a vocabulary, gathered while it is read, as the arrays of a name file."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from core.grounding.index.name_filter import build_filter
from core.grounding.match import normalise
from core.grounding.match.fingerprint import (
    letter_numbers,
    powers,
    stem_numbers,
    sums_before,
)
from core.grounding.match.word_forms import STOP
from core.grounding.readers.record import SynonymScope, TermName

if TYPE_CHECKING:
    pass


SCOPES = tuple(SynonymScope)
_PLACES = {scope: place for place, scope in enumerate(SCOPES)}
SEPARATOR = "\x1f"  # between the facts of a term
_TOKENS = re.compile(f"{normalise.TOKEN.pattern}|{SEPARATOR}")
_ASCII_TOKENS = re.compile(f"{normalise.ASCII_TOKEN.pattern}|{SEPARATOR}")
_CHUNK = 100  # names that are cut into words at once, by the quicker pattern where they are ASCII
_MARK = 0xFFFFFFFF  # between the words of two names
_TOGETHER = 20_000  # names whose words are told apart at once


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
        self._terms_waiting: list[str] = []
        self.term_count = 0

    @property
    def count(self) -> int:
        return len(self.term_of)

    def term(self, id: str, label: str, obsolete: bool, replaced: str, taxon: str) -> int:  # noqa: PLR0917
        """Takes a term in; its number."""
        cells = (id, label, "1" if obsolete else "0", replaced, taxon)
        text = SEPARATOR.join(cells)
        if text.count(SEPARATOR) >= len(cells):
            text = SEPARATOR.join(cell.replace(SEPARATOR, " ") for cell in cells)
        self._terms_waiting.append(text)
        if len(self._terms_waiting) >= _TOGETHER:
            self._take_terms_in()
        self.term_count += 1
        return self.term_count - 1

    def _take_terms_in(self) -> None:
        self.terms.extend(self._terms_waiting)
        self._terms_waiting = []

    def add(self, term: int, names: Sequence[TermName]) -> None:
        """The names of a term."""
        self.term_of.extend([term] * len(names))
        self.scopes.extend([_PLACES[name[1]] for name in names])
        self._waiting += [name[0] for name in names]
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
        words = list(_tokens([text.replace(SEPARATOR, " ") for text in texts]))
        for token in dict.fromkeys(words):
            if token not in self.tokens:
                self._word(token)
        numbers = np.fromiter(map(self.tokens.__getitem__, words), "u4", len(words))
        marks = np.flatnonzero(numbers == _MARK)
        ends = np.append(marks - np.arange(len(marks)), len(words) - len(marks)) + len(self.runs)
        self.run_at.frombytes(ends.astype("u4").tobytes())
        self.runs.frombytes(numbers[numbers != _MARK].tobytes())

    def _word(self, token: str) -> int:
        word = normalise.fold_new_word(token)
        number = self.tokens[token] = self.words.setdefault(word, len(self.words))
        return number

    # ------------------------------------------------------------

    def arrays(self) -> Mapping[str, tuple[str, bytes | memoryview]]:
        """The arrays of the name file (see `name_file`)."""
        import numpy as np

        self._take_in()
        self._take_terms_in()
        runs = np.frombuffer(self.runs, dtype="u4") if self.runs else np.empty(0, "u4")
        begin = np.frombuffer(self.run_at, dtype="u4").astype("i8")
        stem_of = {word: normalise.new_stem_key(word) for word in self.words}
        marks = _Marks(stem_of)
        columns: dict[str, tuple[str, bytes | memoryview]] = {
            **self.terms.arrays("term"),
            **self.texts.arrays("text"),
            "name_term": ("I", memoryview(self.term_of).cast("B")),
            "name_scope": ("B", memoryview(self.scopes)),
            **_grouped("term_name", self.term_of, self.term_count),
        }
        with_words = np.flatnonzero(np.diff(begin) > 0)
        columns |= _column("solid", _solid(marks, runs, begin)[with_words], with_words)
        columns |= _column("stem", _stems(marks, runs, begin, with_words), with_words)
        return columns | self._words(runs, begin, stem_of)

    def _words(
        self, runs: Any, begin: Any, stem_of: dict[str, str]
    ) -> dict[str, tuple[str, bytes | memoryview]]:
        """Words and stems, sorted, and for each stem (but of stop words) the names that hold it."""
        import numpy as np

        words = sorted(self.words)
        stem_of |= dict.fromkeys(STOP & stem_of.keys(), "")
        stems = sorted(set(stem_of.values()))
        places = {stem: place for place, stem in enumerate(stems)}
        of_word = np.array([places[stem_of[word]] for word in self.words] or [0], dtype="i8")
        pairs = of_word[runs] * max(1, self.count)
        pairs += np.repeat(np.arange(self.count), np.diff(begin))
        pairs.sort()
        pairs = pairs[np.flatnonzero(np.diff(pairs, prepend=-1))]
        stem_number, name = np.divmod(pairs, max(1, self.count))
        at = np.searchsorted(stem_number, np.arange(len(stems) + 1))
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


class _Marks:
    """The fingerprints of words (see `match.fingerprint`) as arrays, a number a word."""

    def __init__(self, stem_of: Mapping[str, str]):
        import numpy as np

        columns = [array("Q") for _ in range(4)]
        adders = [column.append for column in columns]
        for word, stem in stem_of.items():
            for add, number in zip(adders, stem_numbers(word, stem), strict=True):
                add(number)
        numbers = [
            np.frombuffer(column, "u8") if column else np.empty(0, "u8") for column in columns
        ]
        self.letters, self.sizes = letter_numbers(list(stem_of))
        self.stem, self.typed, self.bare = numbers[:3]
        self.is_type = numbers[3] > 0


def _solid(marks: _Marks, runs: Any, begin: Any) -> Any:
    """The fingerprint of each name's letters, all names at once."""
    import numpy as np

    upto = np.append(0, np.cumsum(marks.sizes[runs]))  # bytes of letters before each word
    after = np.repeat(upto[begin[1:]], np.diff(begin)) - upto[1:]  # in its name, behind it
    sums = sums_before(marks.letters[runs] * powers(int(after.max(initial=0)))[after])
    return (sums[begin[1:]] - sums[begin[:-1]]).view("i8")


def _stems(marks: _Marks, runs: Any, begin: Any, with_words: Any) -> Any:
    """The sum of each name's stems; of a name of stop words alone, the sum of those."""
    import numpy as np

    if not len(with_words):
        return np.empty(0, "i8")
    starts = begin[with_words]

    def total(values: Any) -> Any:
        return np.add.reduceat(values[runs], starts)

    typed = np.logical_or.reduceat(marks.is_type[runs], starts)
    bare = np.logical_and.reduceat((marks.typed == 0)[runs], starts)
    sums = np.where(typed, total(marks.typed), total(marks.stem))
    return np.where(bare, total(marks.bare), sums).view("i8")


def _column(name: str, keys: Any, names: Any) -> dict[str, tuple[str, bytes | memoryview]]:
    import numpy as np

    order = np.argsort(keys, kind="stable")
    return {
        f"{name}_key": ("q", keys[order].astype("<i8").tobytes()),
        f"{name}_name": ("I", names[order].astype("u4").tobytes()),
        f"{name}_filter": ("Q", build_filter(keys).tobytes()),
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
