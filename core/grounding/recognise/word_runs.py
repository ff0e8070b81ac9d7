"""All runs of a text's words that may be names, as numbers that are looked up at once: the
fingerprints of runs follow from those of their words (see `match.fingerprint`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.grounding.match.fingerprint import (
    inverse_powers,
    packed_fingerprint,
    powers,
    sums_before,
)

LONGEST = 16  # of a name: words with white space between them
MOST_WORDS = 64  # of a name: "N-(1,2-…" has many for each of those
BAGS = range(3, 7)  # words of a run in which order and stop words do not matter


class WordRunArrays(NamedTuple):
    """Runs of words as arrays (int64): their first and last word, both included, and their
    fingerprints.
    """

    first: Any
    last: Any
    key: Any


class WordRuns:
    """The runs of folded words. `joined`, `linked` and `spaced` say how each follows the one before
    (see `text_words.TextWords`).
    """

    def __init__(
        self,
        folded: Sequence[str],
        joined: Sequence[bool],
        linked: Sequence[bool],
        spaced: Sequence[bool],
    ):
        import numpy as np

        self._joined = np.array(joined, dtype=bool)
        self._linked = np.array(linked, dtype=bool)
        self._spaced = np.array(spaced, dtype=bool)
        marks = np.frombuffer(b"".join(map(packed_fingerprint, folded)), "u8")
        self._columns = marks.reshape(-1, 6).T

    def solid(self) -> WordRunArrays:
        """Every run of linked words, by the letters of its words written together."""
        import numpy as np

        count = len(self._linked)
        place = np.arange(count)
        breaks = np.append(np.flatnonzero(~self._linked), count)
        end = breaks[np.searchsorted(breaks, place, side="right")]  # of what may be one name
        blanks = np.append(np.flatnonzero(self._spaced), np.full(LONGEST, count))
        far = blanks[np.searchsorted(blanks, place, side="right") + LONGEST - 1]
        runs = np.minimum(np.minimum(end, far) - place, MOST_WORDS)  # that begin with each word
        first = np.repeat(place, runs)
        last = np.arange(len(first)) + np.repeat(place - np.cumsum(runs) + runs, runs)
        letters, sizes = self._columns[:2]
        upto = np.cumsum(sizes.view("i8"))  # bytes of letters up to each word's end
        most = int(upto[-1]) if count else 0
        sums = sums_before(letters * inverse_powers(most)[upto])
        key = (sums[last + 1] - sums[first]) * powers(most)[upto][last]
        return WordRunArrays(first, last, key.view("i8"))

    def bags(self) -> WordRunArrays:
        """Runs of three to six words with a stop word inside and none at either end, by their
        stems.
        """
        import numpy as np

        stem, typed_stem, is_type, is_stop = self._columns[2:]
        stop = is_stop > 0
        stops, breaks = sums_before(is_stop), sums_before(~self._joined)
        begins = np.flatnonzero(~stop)
        first, length = np.repeat(begins, len(BAGS)), np.tile(np.array(BAGS), len(begins))
        last = first + length - 1
        inside = last < len(stop)
        first, last = first[inside], last[inside]
        fits = ~stop[last] & (stops[last] > stops[first]) & (breaks[last + 1] == breaks[first + 1])
        first, last = first[fits], last[fits]
        stems = sums_before(stem)
        key = stems[last + 1] - stems[first]
        if is_type.any():
            typed_stems, types = sums_before(typed_stem), sums_before(is_type)
            typed = types[last + 1] > types[first]
            key = np.where(typed, typed_stems[last + 1] - typed_stems[first], key)
        return WordRunArrays(first, last, key.view("i8"))
