"""All runs of a text's words that may be names, looked up at once: their fingerprints follow from
those of the words (see `match.fingerprint`), a length at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from core.grounding.index.lexicon import Lexicon, NameHit
from core.grounding.match import normalise
from core.grounding.match.fingerprint import PRIMES, fingerprint
from core.grounding.match.word_forms import STOP

LONGEST = 14  # words of a name
SOLID = 5  # words that the vocabulary may write together: "IL 6" for IL-6
BAGS = range(3, 7)  # words of a run in which order and stop words do not matter


_words = lru_cache(maxsize=100_000)(normalise.fold_words)  # of names, which texts repeat


class WordRuns:
    """The runs of folded words; `joined` says whether a word follows the one before in a phrase."""

    def __init__(self, folded: Sequence[str], joined: Sequence[bool]):
        import numpy as np

        self.folded = tuple(folded)
        self._joined = np.array(joined, dtype=bool)
        self._marks = [fingerprint(word) for word in self.folded]
        self._solid = self._solids()
        self._bags = self._bag_runs()

    def names(self, lexicon: Lexicon) -> Iterator[tuple[str, int, int, NameHit]]:
        """Names that stand in the text: how they were met (`ordered`, `solid` or `bag`), their
        first and last word (both included), and the name.
        """
        firsts, lasts, keys = self._solid
        for place, hit in lexicon.met("solid", keys):
            first, last = firsts[place], lasts[place]
            own, words = _words(hit.text), self.folded[first : last + 1]
            if own == words:
                yield "ordered", first, last, hit
            elif "".join(own) == "".join(words) and self._may_be_solid(words):
                yield "solid", first, last, hit
        firsts, lasts, keys = self._bags
        for place, hit in lexicon.met("stem", keys):
            first, last = firsts[place], lasts[place]
            words = self.folded[first : last + 1]
            own = _words(hit.text)
            if own != words and normalise.bag_of_words(own) == normalise.bag_of_words(words):
                yield "bag", first, last, hit

    @staticmethod
    def _may_be_solid(words: Sequence[str]) -> bool:
        return (
            len(words) <= SOLID
            and sum(map(len, words)) > 3
            and any(len(word) <= 2 or not word.isalpha() for word in words)
        )

    def _solids(self) -> tuple[list[int], list[int], Any]:
        import numpy as np

        count = len(self.folded)
        first = np.arange(count)
        halves = [
            (
                np.array([getattr(mark, letters) for mark in self._marks], dtype="i8"),
                np.array([getattr(mark, shift) for mark in self._marks], dtype="i8"),
                prime,
            )
            for prime, letters, shift in zip(
                PRIMES, ("one", "other"), ("shift_one", "shift_other"), strict=True
            )
        ]
        totals = [value.copy() for value, _, _ in halves]
        firsts, lasts, keys = [first], [first], [(totals[0] << 31) | totals[1]]
        for length in range(1, LONGEST):
            on = np.flatnonzero(first + length < count)
            on = on[self._joined[first[on] + length]]
            if not len(on):
                break
            first = first[on]
            last = first + length
            totals = [
                (total[on] * shift[last] + value[last]) % prime
                for total, (value, shift, prime) in zip(totals, halves, strict=True)
            ]
            firsts.append(first)
            lasts.append(last)
            keys.append((totals[0] << 31) | totals[1])
        return _listed(firsts, lasts, keys)

    def _bag_runs(self) -> tuple[list[int], list[int], Any]:
        """Runs of three to six words with a stop word inside and none at either end."""
        import numpy as np

        count = len(self.folded)
        stop = np.array([word in STOP for word in self.folded], dtype=bool)
        sums = {
            field: np.concatenate(
                [
                    np.zeros(1, "u8"),
                    np.cumsum(np.array([getattr(m, field) for m in self._marks], dtype="u8")),
                ]
            )
            for field in ("stem", "typed")
        }
        types = np.concatenate([[0], np.cumsum([mark.is_type for mark in self._marks])])
        stops = np.concatenate([[0], np.cumsum(stop)])
        breaks = np.concatenate([[0], np.cumsum(~self._joined)])
        firsts, lasts, keys = [], [], []
        for length in BAGS:
            first = np.arange(max(0, count - length + 1))
            last = first + length - 1
            ok = ~stop[first] & ~stop[last] & (stops[last] > stops[first + 1])
            ok &= breaks[last + 1] == breaks[first + 1]
            first, last = first[ok], last[ok]
            typed = types[last + 1] > types[first]
            key = np.where(
                typed,
                sums["typed"][last + 1] - sums["typed"][first],
                sums["stem"][last + 1] - sums["stem"][first],
            )
            firsts.append(first)
            lasts.append(last)
            keys.append(key.view("i8"))
        return _listed(firsts, lasts, keys)


def _listed(
    firsts: list[Any], lasts: list[Any], keys: list[Any]
) -> tuple[list[int], list[int], Any]:
    import numpy as np

    return np.concatenate(firsts).tolist(), np.concatenate(lasts).tolist(), np.concatenate(keys)
