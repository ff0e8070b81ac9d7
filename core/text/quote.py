"""Where words occur in a text: exactly, but for spelling, or as a paraphrase. A quote is proven
(docs/architecture.md, contracts).
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
_MOST_PARAPHRASES = 50
_MOST_HITS = 20_000  # of words in the text, looked at as the beginning of a paraphrase
_OUTER = " \t\n\r.,;:!?\"'“”‘’«»()[]{}<>*_`"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# Beginnings and endings that turn a word into another: hyper- and hypo-, -ate and -ite
_OPPOSED = re.compile(
    r"^(?:hyper|hypo|inter|intra|infra|macro|micro|pre|peri|pro|post)|(?:at|it|id)(?=e?$)"
)
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
    text: str, words: str, *, near_span: Span | None = None, paraphrase: bool = True
) -> QuoteMatch:
    """Every occurrence of `words` in `text` as whole words; a hit inside a longer word is none.

    The primary occurrence is the first one as written; with `near_span`, the one inside or nearest
    to it. Occurrences in another spelling follow those as written. Without either, the windows that
    hold most of the words are taken.

    >>> find_whole_words("Serum TNF-α rose.", "TNF alpha")
    QuoteMatch(spans=(Span(start=6, end=11),), score=0.95, kind='folded')
    >>> find_whole_words("The catalogue", "cat").kind
    'none'
    """
    words = words.strip() if words.strip(_OUTER) else ""
    if not words:
        return QuoteMatch()
    for form in dict.fromkeys((words, words.strip(_OUTER))):
        if exact := _exact(text, form):
            also = [s for s in _folded(text, form) if _same_case(form, s.quote(text))]
            spans = _ordered(exact, near_span) + _uncovered(also, exact)
            return QuoteMatch(spans[:_MOST_SPANS], 1.0, EXACT)
    if loose := _folded(text, words.strip(_OUTER)):
        return QuoteMatch(_ordered(loose, near_span)[:_MOST_SPANS], FOLDED_SCORE, FOLDED)
    return _paraphrase(text, words, near_span) if paraphrase else QuoteMatch()


def _ordered(spans: Iterable[Span], near_span: Span | None) -> tuple[Span, ...]:
    """The primary span first, the others in text order."""
    ordered = sorted(spans, key=lambda s: s.start)
    if near_span:
        primary = min(ordered, key=lambda s: _distance(s, near_span))
        ordered = [primary, *(s for s in ordered if s != primary)]
    return tuple(ordered)


def _distance(span: Span, near_span: Span | None) -> int:
    """How many characters a span sticks out of the one nearby; 0 inside it."""
    return max(near_span.start - span.start, span.end - near_span.end, 0) if near_span else 0


def _uncovered(spans: Iterable[Span], known_spans: Iterable[Span]) -> tuple[Span, ...]:
    covered = {offset for span in known_spans for offset in range(span.start, span.end)}
    return tuple(span for span in spans if not covered.intersection(range(span.start, span.end)))


def _has_whole_words(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over either edge."""
    before = start > 0 and text[start].isalnum() and text[start - 1].isalnum()
    after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not before and not after


def _exact(text: str, words: str) -> list[Span]:
    spans: list[Span] = []
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        is_whole = _has_whole_words(text, start, end)
        if is_whole:
            spans.append(Span(start, end))
        start = text.find(words, end if is_whole else start + 1)
    return spans


def _folded(text: str, words: str) -> list[Span]:
    folded = fold_text(words)
    if not folded:
        return []
    source = fold_with_offsets(text)
    spans: list[Span] = []
    place = source.text.find(folded)
    while place >= 0:
        after = place + len(folded)
        start, end = source.origin[place], source.origin[after - 1] + 1
        end += _marks(text, end)
        is_whole = _has_whole_words(text, start, end) and _at_edges(source.origin, place, after)
        if is_whole:
            spans.append(Span(start, end))
        place = source.text.find(folded, after if is_whole else place + 1)
    return spans


def _marks(text: str, end: int) -> int:
    """How many combining marks follow, which belong to the last character."""
    count = 0
    while end + count < len(text) and "\u0300" <= text[end + count] <= "\u036f":
        count += 1
    return count


def _at_edges(origin: tuple[int, ...], place: int, after: int) -> bool:
    """Whether the hit begins and ends with whole characters (α is five folded ones)."""
    begins = place == 0 or origin[place - 1] != origin[place]
    return begins and (after == len(origin) or origin[after - 1] != origin[after])


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
    places: dict[str, tuple[int, ...]]  # stem → token numbers


@lru_cache(maxsize=8)
def _tokens(text: str) -> _Tokens:
    spans: list[Span] = []
    places: dict[str, list[int]] = {}
    for number, word in enumerate(_WORD.finditer(text)):
        spans.append(Span(word.start(), word.end()))
        places.setdefault(_stem(word[0]), []).append(number)
    return _Tokens(tuple(spans), {stem: tuple(numbers) for stem, numbers in places.items()})


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


def _paraphrase(text: str, words: str, near_span: Span | None) -> QuoteMatch:
    """The windows that hold most of the words, weighed by length, close together. Score: weight
    found × tightness.
    """
    stems = list(dict.fromkeys(_stem(word[0]) for word in _WORD.finditer(words)))[:40]
    tokens = _tokens(text)
    spoken = {stem: _spelled(stem, tokens) for stem in stems}
    hits = sorted(
        (place, stem) for stem in stems if spoken[stem] for place in tokens.places[spoken[stem]]
    )
    scored = _windows(hits, stems, tokens)
    if not scored:
        return QuoteMatch()
    best = max(score for score, _ in scored)
    nearly_best = [(score, span) for score, span in scored if score >= best - 0.02]
    nearly_best.sort(key=lambda s: (-s[0], _distance(s[1], near_span), s[1].start))
    spans = _apart(span for _, span in nearly_best)
    return QuoteMatch(_ordered(spans, near_span), round(min(best, 0.9), 3), PARAPHRASE)


def _spelled(stem: str, tokens: _Tokens) -> str:
    """The stem as the text has it: itself, or the nearest of its spellings for a long word without
    a digit (SMARCA2 is not SMARCA4); "" when absent.
    """
    if stem in tokens.places:
        return stem
    if len(stem) < 6 or not stem.isalpha():
        return ""
    nearest = process.extractOne(
        stem, tokens.places.keys(), scorer=Indel.normalized_similarity, score_cutoff=0.85
    )
    return nearest[0] if nearest and _telling_parts(nearest[0]) == _telling_parts(stem) else ""


def _telling_parts(stem: str) -> list[str]:
    """What two spellings of a word share: the first letter, and a beginning or ending that has an
    opposite (hypotension is not hypertension, nitrite not nitrate).
    """
    return [stem[0], *_OPPOSED.findall(stem)]


def _windows(
    hits: list[tuple[int, str]], stems: list[str], tokens: _Tokens
) -> list[tuple[float, Span]]:
    """Each strong hit opens a window of at most twice as many words as were asked for, close
    together.
    """
    total = sum(map(_weight, stems))
    reach = 2 * len(stems) + 4
    scored = []
    for number, (place, stem) in enumerate(hits[:_MOST_HITS]):
        if stem in _WEAK:
            continue
        first_at: dict[str, int] = {}
        for token_number, word in hits[number : bisect_left(hits, (place + reach, ""))]:
            first_at.setdefault(word, token_number)
        score, end = _score(place, first_at, total, len(stems))
        if score >= LEAST_PARAPHRASE:
            scored.append((score, Span(tokens.spans[place].start, tokens.spans[end].end)))
    return scored


def _score(place: int, first_at: dict[str, int], total: float, count: int) -> tuple[float, int]:
    """The best score over the ends of a window, and that end (a token number)."""
    best, end = 0.0, place
    weight = 0.0
    for stem, token_number in sorted(first_at.items(), key=lambda pair: pair[1]):
        weight += _weight(stem)
        length = token_number - place + 1
        # Share of the quote's weight in the window, less for a window longer than the quote: the
        # same words over twice the length count 0.78.
        score = weight / total * min(1.0, (count / length) ** 0.35)
        if score > best and stem not in _WEAK:
            best, end = score, token_number
    return best, end


def _apart(candidates: Iterable[Span]) -> list[Span]:
    """The first of the spans, best first, without those that overlap a better one."""
    spans: list[Span] = []
    for span in candidates:
        if len(spans) < _MOST_PARAPHRASES and not any(map(span.overlaps, spans)):
            spans.append(span)
    return spans
