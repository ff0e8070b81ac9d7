"""Where words stand in a text: exactly, but for spelling, or as a paraphrase. A quote is proven
(docs/architecture.md, contracts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import Indel

from core.model import Span
from core.text.fold import fold_text, fold_with_offsets
from core.text.sentence import sentence_at, sentence_context

__all__ = ["QuoteMatch", "find_whole_words", "sentence_at", "sentence_context"]

EXACT, FOLDED, PARAPHRASE, NONE = "exact", "folded", "paraphrase", "none"
FOLDED_SCORE = 0.95
LEAST_PARAPHRASE = 0.55
_MOST_SPANS = 500
_OUTER = " \t\n\r.,;:!?\"'“”‘’«»()[]{}<>*_`"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORDS_WEAK = """
    a an and are as at be been by can could for from had has have in into is it its may of on or
    such than that the their there these this those to was were which who will with within without
    not no
"""
_WEAK = frozenset(_WORDS_WEAK.split())


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where words were found: every occurrence, the primary one first; a score from 0 to 1 and how
    they were met.

    `kind` is exact, folded (case, white space, hyphens, quotes, accents, Greek letters), paraphrase
    or none.
    """

    spans: tuple[Span, ...] = ()
    score: float = 0.0
    kind: str = NONE

    def __bool__(self) -> bool:
        return bool(self.spans)


def find_whole_words(
    text: str, words: str, *, near: Span | None = None, paraphrase: bool = True
) -> QuoteMatch:
    """Every occurrence of `words` in `text` as whole words; a hit inside a longer word is none.

    The primary occurrence is the first one as written; with `near`, the one inside or nearest to
    it. Occurrences in another spelling follow those as written. Without either, the windows that
    hold most of the words are taken.
    """
    words = words.strip() if words.strip(_OUTER) else ""
    if not words:
        return QuoteMatch()
    for form in dict.fromkeys((words, words.strip(_OUTER))):
        if exact := _exact(text, form):
            also = [s for s in _folded(text, form) if _same_case(form, s.quote(text))]
            return QuoteMatch(_ordered(exact, near) + _rest(also, exact), 1.0, EXACT)
    if loose := _folded(text, words.strip(_OUTER)):
        return QuoteMatch(_ordered(loose, near), FOLDED_SCORE, FOLDED)
    return _paraphrase(text, words, near) if paraphrase else QuoteMatch()


def _ordered(spans: Iterable[Span], near: Span | None) -> tuple[Span, ...]:
    """The primary span first, the others in text order."""
    found = sorted(set(spans), key=lambda s: (s.start, s.end))
    if near and found:
        primary = min(
            found, key=lambda s: (max(near.start - s.start, s.end - near.end, 0), s.start)
        )
        found = [primary, *(s for s in found if s != primary)]
    return tuple(found[:_MOST_SPANS])


def _rest(spans: Iterable[Span], known: Iterable[Span]) -> tuple[Span, ...]:
    taken = {offset for span in known for offset in range(span.start, span.end)}
    return tuple(span for span in spans if not taken.intersection(range(span.start, span.end)))


def _whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over either edge."""
    before = start > 0 and text[start].isalnum() and text[start - 1].isalnum()
    after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not before and not after


def _exact(text: str, words: str) -> list[Span]:
    spans: list[Span] = []
    start = text.find(words)
    while start >= 0 and len(spans) < _MOST_SPANS:
        end = start + len(words)
        whole = _whole(text, start, end)
        if whole:
            spans.append(Span(start, end))
        start = text.find(words, end if whole else start + 1)
    return spans


def _folded(text: str, words: str) -> list[Span]:
    wanted = fold_text(words)
    if not wanted:
        return []
    source = fold_with_offsets(text)
    spans: list[Span] = []
    place = source.text.find(wanted)
    while place >= 0 and len(spans) < _MOST_SPANS:
        start, end = source.origin[place], source.origin[place + len(wanted) - 1] + 1
        end += _marks(text, end)
        if _whole(text, start, end) and _at_edges(source.origin, place, len(wanted)):
            spans.append(Span(start, end))
        place = source.text.find(wanted, place + 1)
    return [span for i, span in enumerate(spans) if not i or span.start >= spans[i - 1].end]


def _marks(text: str, end: int) -> int:
    """How many combining marks follow, which belong to the last character."""
    count = 0
    while end + count < len(text) and "\u0300" <= text[end + count] <= "\u036f":
        count += 1
    return count


def _at_edges(origin: tuple[int, ...], place: int, length: int) -> bool:
    """Whether the hit begins and ends with whole characters (α is five folded ones)."""
    begins = place == 0 or origin[place - 1] != origin[place]
    last = place + length - 1
    return begins and (last + 1 == len(origin) or origin[last + 1] != origin[last])


def _same_case(words: str, quote: str) -> bool:
    """For short names (ALL, was, cat) another case is another word, but for a capital at the
    start.
    """
    letters = [c for c in words if c.isalpha()]
    return len(letters) > 4 or letters[1:] == [c for c in quote if c.isalpha()][1:]


# ------------------------------------------------------------------ paraphrase


@dataclass(frozen=True, slots=True)
class _Tokens:
    spans: tuple[Span, ...]
    stems: tuple[str, ...]
    places: dict[str, tuple[int, ...]]  # stem → token numbers


@lru_cache(maxsize=8)
def _tokens(text: str) -> _Tokens:
    spans: list[Span] = []
    stems: list[str] = []
    places: dict[str, list[int]] = {}
    for number, word in enumerate(_WORD.finditer(text)):
        stem = _stem(word[0])
        spans.append(Span(word.start(), word.end()))
        stems.append(stem)
        places.setdefault(stem, []).append(number)
    return _Tokens(
        tuple(spans), tuple(stems), {stem: tuple(found) for stem, found in places.items()}
    )


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    """A word folded and without its commonest English endings."""
    word = fold_text(word).removesuffix("'s").removesuffix("'")
    for ending, least in (("ies", 6), ("ing", 7), ("ed", 6), ("es", 6), ("s", 4)):
        if (
            word.endswith(ending)
            and len(word) >= least
            and not word.endswith(("ss", "sis", "us", "eed"))
        ):
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word


def _weight(stem: str) -> float:
    return 0.15 if stem in _WEAK else min(len(stem), 8) / 4 + 0.25


def _paraphrase(text: str, words: str, near: Span | None) -> QuoteMatch:
    """The windows that hold most of the words, weighed by length, close together. Score: weight
    found × tightness.
    """
    wanted = list(dict.fromkeys(_stem(word[0]) for word in _WORD.finditer(words)))[:40]
    tokens = _tokens(text)
    spoken = {stem: _spelled(stem, tokens) for stem in wanted}
    hits = sorted(
        (place, stem) for stem in wanted if spoken[stem] for place in tokens.places[spoken[stem]]
    )
    if not any(stem not in _WEAK for _, stem in hits):
        return QuoteMatch()
    scored = _windows(hits, wanted, tokens)
    best = max((score for score, _ in scored), default=0.0)
    if best < LEAST_PARAPHRASE:
        return QuoteMatch()
    spans = _apart(
        sorted((s for s in scored if s[0] >= best - 0.02), key=lambda s: (-s[0], s[1].start))
    )
    return QuoteMatch(_ordered(spans, near), round(min(best, 0.9), 3), PARAPHRASE)


def _spelled(stem: str, tokens: _Tokens) -> str:
    """The stem as the text has it: itself, or the nearest of its spellings for a long word; "" when
    absent.
    """
    if stem in tokens.places:
        return stem
    if len(stem) < 6:
        return ""
    near = process.extractOne(
        stem, tokens.places.keys(), scorer=Indel.normalized_similarity, score_cutoff=0.85
    )
    return near[0] if near and near[0][0] == stem[0] else ""


def _windows(
    hits: list[tuple[int, str]], wanted: list[str], tokens: _Tokens
) -> list[tuple[float, Span]]:
    """Each strong hit opens a window of at most twice as many words as were asked for, close
    together.
    """
    total = sum(map(_weight, wanted))
    reach = 2 * len(wanted) + 4
    found = []
    for first, (place, stem) in enumerate(hits[:20_000]):
        if stem in _WEAK:
            continue
        seen: dict[str, int] = {}
        for other, word in hits[first : first + 4 * len(wanted) + 4]:
            if other - place >= reach:
                break
            if word not in seen:
                seen[word] = other
        if (window := _score(place, seen, total, len(wanted))) and window[0] >= LEAST_PARAPHRASE:
            found.append((window[0], Span(tokens.spans[place].start, tokens.spans[window[1]].end)))
    return found


def _score(place: int, seen: dict[str, int], total: float, count: int) -> tuple[float, int]:
    """The best score over the ends of a window, and that end (a token number)."""
    best, end = 0.0, place
    weight = 0.0
    for stem, other in sorted(seen.items(), key=lambda pair: pair[1]):
        weight += _weight(stem)
        length = other - place + 1
        score = weight / total * min(1.0, (count / length) ** 0.35)
        if score > best and stem not in _WEAK:
            best, end = score, other
    return best, end


def _apart(scored: list[tuple[float, Span]]) -> list[Span]:
    """Spans, best first, without those that overlap a better one."""
    spans: list[Span] = []
    for _, span in scored:
        if not any(span.overlaps(other) for other in spans):
            spans.append(span)
        if len(spans) >= 50:
            break
    return spans
