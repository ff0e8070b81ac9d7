"""Look-ups in the names of a compiled vocabulary: the same words, words in other forms, names that
share rare words, and a search box.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from math import log
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grounding.index.name_file import NameFile
from core.grounding.index.name_table import SCOPES, SEPARATOR
from core.grounding.match import fingerprint, normalise
from core.grounding.readers.record import SynonymScope

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

_MOST_LOOKED_AT = 20_000  # names that a search or a comparison looks at
_MOST_KEPT = 200_000  # terms whose facts are kept in memory
_MOST_SEEN = 20_000  # names that are kept in memory
_ROUNDING = 1e-6  # of sums of weights that were added in another order


class NameHit(NamedTuple):
    """A name of a term, as it stands in the vocabulary."""

    id: str
    label: str
    text: str
    scope: SynonymScope
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""


class NameLookup:
    """The names of one vocabulary, read from its name file as they are asked for."""

    def __init__(self, names: NameFile, name_count: int):
        self._names = names
        self.name_count = name_count
        self._facts: dict[int, tuple[str, str, bool, str, str]] = {}
        self._seen: dict[int, NameHit] = {}
        self._solid_names: dict[tuple[str, ...], list[int]] = {}
        self._words_by_letter: dict[str, tuple[Numbers, Numbers, Numbers]] = {}
        self._words_by_length: dict[tuple[str, int], list[str]] = {}

    def names(self, normal: str) -> list[NameHit]:
        """Names whose folded words are `normal` (see normalise.key)."""
        equal = self._names.equal("solid", fingerprint.letters_fingerprint(normal.replace(" ", "")))
        return [
            hit
            for hit in self._hits(equal)
            if hit.text.casefold() == normal or " ".join(normalise.name_words(hit.text)) == normal
        ]

    def same(self, words: tuple[str, ...], *, stems: bool = True) -> list[NameHit]:
        """Names that are the same folded words but for hyphens and spaces; with `stems`, but for
        order, stop words and word forms too. By id, then in the order of the file.
        """
        numbers = self._solid(words)
        if stems or len(words) > 1:
            more = self._names.equal("stem", fingerprint.stem_fingerprint(words))
            if more != numbers:
                numbers = list({*numbers, *more})
        return self._hits(numbers)

    def has(self, words: tuple[str, ...]) -> bool:
        """Whether some name is these folded words, but for hyphens and spaces."""
        return bool(self._solid(words))

    def _solid(self, words: tuple[str, ...]) -> list[int]:
        """The names whose letters are those of the words; a text that is read asks for most twice:
        when it is looked through, and when what it names is ranked.
        """
        if (numbers := self._solid_names.get(words)) is None:
            key = fingerprint.joined_fingerprint(words)
            numbers = self._keep_solid(words, self._names.equal("solid", key))
        return numbers

    def _keep_solid(self, words: tuple[str, ...], numbers: list[int]) -> list[int]:
        if len(self._solid_names) >= _MOST_SEEN:
            self._solid_names = {}
        self._solid_names[words] = numbers
        return numbers

    def filter(self, column: str) -> np.ndarray[Any, Any]:
        """Which fingerprints of a column (`solid` or `stem`) its names may have; see
        `name_filter`.
        """
        return self._names.numpy(f"{column}_filter")

    def met(self, column: str, key: int, words: tuple[str, ...]) -> list[NameHit]:
        """The names of the fingerprint of some words (see `match.fingerprint`; column `solid` or
        `stem`). Names that only share the number are among them.
        """
        numbers = self._names.equal(column, key)
        if column == "solid":
            self._keep_solid(words, numbers)
        return list(map(self._hit, numbers))

    def similar_names(
        self, stems: Sequence[str], needed: Collection[str] = (), limit: int = 40
    ) -> list[NameHit]:
        """Of the names that share most with the words, by the weight of the stems that they share
        (inverse document frequency), those that may hold all that are needed, best first.
        """
        import numpy as np

        lists = []
        for stem in dict.fromkeys(stems):
            place = self._names.find("stem_text", stem)
            holds = self._names.range("stem_names", "stem_names_at", place) if place >= 0 else b""
            if not len(holds) and stem in needed:
                return []
            if len(holds) and stem:
                weight = log((self.name_count + 1) / (len(holds) + 0.5))
                lists.append((len(holds), weight, holds, stem in needed))
        lists.sort(key=lambda entry: entry[0])
        usable = [entry for entry in lists if entry[0] <= _MOST_LOOKED_AT] or lists[:1]
        if not usable:
            return []
        numbers = np.concatenate([np.frombuffer(holds, dtype="u4") for _, _, holds, _ in usable])
        values = np.concatenate([np.full(size, weight) for size, weight, _, _ in usable])
        order = np.argsort(numbers, kind="stable")
        first = _first_of_equals(numbers[order])
        names = numbers[order][first]
        shared = np.bincount(np.cumsum(first) - 1, weights=values[order])
        best = np.lexsort((names, -shared))[:limit]
        least = sum(weight for _, weight, _, is_needed in usable if is_needed) - _ROUNDING
        return list(map(self._hit, names[best[shared[best] >= least]].tolist()))

    def known_words(self, words: Iterable[str]) -> set[str]:
        """Which of these folded words, of five letters or more, occur in some name."""
        return {word for word in words if self._names.find("word", word) >= 0}

    def words_like(self, word: str, most: int) -> list[str]:
        """The words of names with the first letter of `word` and at most `most` letters more or
        fewer.
        """
        lengths = range(max(5, len(word) - most), len(word) + most + 1)
        return list(chain.from_iterable(self._long_words(word[0], length) for length in lengths))

    def _long_words(self, letter: str, length: int) -> list[str]:
        """Words of so many letters, five or more, by their first letter: read when they are first
        asked for, since a vocabulary has hundreds of thousands.
        """

        if (words := self._words_by_length.get((letter, length))) is None:
            begins, sizes, foreign = self._words_begun(letter)
            possible = sizes == length
            possible[foreign] |= sizes[foreign] > length
            first = begins[:-1][possible]
            ends = first + sizes[possible]
            content = self._names.view("word")
            words = [
                word
                for begin, end in zip(first.tolist(), ends.tolist(), strict=True)
                if len(word := str(content[begin:end], "utf-8", "surrogatepass")) == length
                and word.isalpha()
            ]
            self._words_by_length[letter, length] = words
        return words

    def _words_begun(self, letter: str) -> tuple[Numbers, Numbers, Numbers]:
        """Of the words with a first letter: where each begins (and the last ends), how many bytes
        each has, and which of them have letters of more than one byte.
        """
        import numpy as np

        if (begun := self._words_by_letter.get(letter)) is None:
            low = self._names.first_not_below("word", letter)
            high = self._names.first_not_below("word", chr(ord(letter) + 1))
            begins = self._names.numpy("word_at")[low : high + 1].astype("i8")
            letters = self._names.numpy("word")[begins[0] : begins[-1]]
            far = np.flatnonzero(letters >= 128) + begins[0]
            foreign = np.searchsorted(begins, far, side="right") - 1
            foreign = foreign[_first_of_equals(foreign)]
            begun = self._words_by_letter[letter] = begins, np.diff(begins), foreign
        return begun

    def search(self, text: str, limit: int = 25) -> list[NameHit]:
        """Names that hold every word of `text`, the last one as a beginning; one name a term,
        shortest names first.
        """
        folded = [word for word in normalise.fold_words(text) if word.isalnum()]
        if not folded:
            return []
        best: dict[str, NameHit] = {}
        hits = [hit for hit in self._hits(self._holding(folded)) if _holds_words(hit.text, folded)]
        for hit in sorted(hits, key=lambda h: (len(h.text), h.scope != SynonymScope.LABEL, h.id)):
            best.setdefault(hit.id, hit)
        return list(best.values())[:limit]

    def _holding(self, words: Sequence[str]) -> list[int]:
        """Names that may hold all words, the last one as a beginning."""
        file, chosen = self._names, None
        for word in words[:-1]:
            place = file.find("word", word)
            if place < 0:
                return []
            if stem := file.view("word_stem")[place]:
                holds = set(file.range("stem_names", "stem_names_at", stem))
                chosen = holds if chosen is None else chosen & holds
        begun: set[int] = set()
        place, end = file.first_not_below("word", words[-1]), len(file.view("word_at")) - 1
        while place < end and file.text("word", place).startswith(words[-1]):
            stem = file.view("word_stem")[place]
            begun.update(file.range("stem_names", "stem_names_at", stem))
            place += 1
            if len(begun) > 10 * _MOST_LOOKED_AT:
                break
        return sorted(begun if chosen is None else chosen & begun)[:_MOST_LOOKED_AT]

    def name_at(self, number: int) -> NameHit:
        """A name by its number, from 0 to below `name_count`, in the order of the file."""
        return self._hit(number)

    def _hits(self, numbers: Sequence[int]) -> list[NameHit]:
        """The names by id, then in the order of the file."""
        if len(numbers) < 2:
            return [self._hit(number) for number in numbers]
        hits = list(map(self._hit, sorted(numbers)))
        hits.sort(key=_ID_OF_HIT)
        return hits

    def _hit(self, number: int) -> NameHit:
        """A name by its number."""
        if (hit := self._seen.get(number)) is None:
            if len(self._seen) >= _MOST_SEEN:
                self._seen = {}
            hit = self._seen[number] = self._read_hit(number)
        return hit

    def _read_hit(self, number: int) -> NameHit:
        terms, scopes, texts, at = self._name_views
        term = terms[number]
        id, label, obsolete, replaced, taxon = self._facts.get(term) or self._term_facts(term)
        text = str(texts[at[number] : at[number + 1]], "utf-8", "surrogatepass")
        scope = SCOPES[scopes[number]]
        # at a third of the time of NameHit(…): look-ups make one for every name that they meet
        return tuple.__new__(NameHit, (id, label, text, scope, obsolete, replaced, taxon))

    @cached_property
    def _name_views(self) -> tuple[memoryview, ...]:
        """Of each name: its term, its scope, and its text with where that begins."""
        return tuple(map(self._names.view, ("name_term", "name_scope", "text", "text_at")))

    def _term_facts(self, number: int) -> tuple[str, str, bool, str, str]:
        facts = self._facts.get(number)
        if facts is None:
            text = self._names.text("term", number)
            id, label, obsolete, replaced, taxon = text.split(SEPARATOR)
            facts = (id, label, obsolete == "1", replaced, taxon)
            if len(self._facts) < _MOST_KEPT:
                self._facts[number] = facts
        return facts


_ID_OF_HIT = itemgetter(0)


def _first_of_equals(ordered: Numbers) -> Numbers:
    """Which of some ordered numbers are not equal to the one before. (np.unique would import the
    masked arrays, which takes as long as four abstracts.)
    """
    import numpy as np

    first: Numbers = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    return first


def _holds_words(name: str, words: Sequence[str]) -> bool:
    own = normalise.fold_words(name)
    return all(word in own for word in words[:-1]) and any(w.startswith(words[-1]) for w in own)
