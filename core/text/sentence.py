"""Sentences, windows of sentences and character chunks: spans into a text, none of which cuts a
word.

Line ends: put there on purpose (a title, a list), or because the line was full.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from core.model import Span
from core.text.grid import row_spans

TITLE = 200  # characters; a longer line is no title
SHORT = 60  # characters; a line up to this length may be a heading or an item wherever it stands
FULL = 0.8  # of the lines around: a line that reaches so far with the next word was full
AROUND = 3  # lines before and after that tell how wide lines are
_WORD = re.compile(r"\S+")
_LAST = re.compile(r"[^\W\d_]+$")
_WORDS_OPEN = """
    a an the of in on at to for from with without by as than that which who whose when where while
    and or but nor if is are was were be been has have had may can could might should will would
    not no its their his her our this these those into onto upon over under between among after
    before during versus vs via per both either such
"""
OPEN = frozenset(_WORDS_OPEN.split())  # after these a sentence goes on


def is_wrapped_line(text: str, end: int, following: int, starter: bool) -> bool:
    """Whether the line that ends at `end` goes on at `following`, the first letter of the next
    line.

    Lines that go on with a small letter, or whose last word asks for another, do. Before a capital
    a line was full when the next word would not have fitted, as the lines around tell, some of
    which begin with a small letter as only wrapped ones do. `starter`: the next word is one that
    begins sentences.
    """
    begin = text.rfind("\n", 0, end) + 1
    line = text[begin:end].rstrip()
    last_word = _LAST.search(line)
    if (
        text[following].islower()
        or line.endswith((",", "-", "–", "("))
        or (last_word and last_word[0].lower() in OPEN)
    ):
        return True
    if starter and len(line) < TITLE:
        return False
    lines = _around(text, begin, following)
    word = _WORD.match(text, following)
    reach = len(line) + 1 + (len(word[0]) if word else 0)
    if reach <= FULL * max(len(paragraph_line) for paragraph_line in (line, *lines)):
        return False
    if any(paragraph_line[:1].islower() for paragraph_line in lines):
        return True
    is_first = not text[:begin].strip()
    return len(line) >= (TITLE if is_first else SHORT)


def _around(text: str, begin: int, following: int) -> list[str]:
    """The lines of the same paragraph before `begin` and from `following` on, without white space
    at their edges.
    """
    lines: list[str] = []
    for _ in range(AROUND):
        before = text.rfind("\n", 0, max(begin - 1, 0)) + 1
        line = text[before : max(begin - 1, 0)].strip()
        if not line:
            break
        lines.append(line)
        begin = before
    for _ in range(AROUND):
        end = text.find("\n", following)
        line = text[following : end if end >= 0 else len(text)].strip()
        if not line:
            break
        lines.append(line)
        if end < 0:
            break
        following = end + 1
    return lines


# Ends of sentences, looked at one by one: a stop before white space, or a line end.
_STOP = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s)|[。！？]|[ \t]*\n\s*")
_NEXT = re.compile(r"[\s\"'“‘«(\[]*(\S+)")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘,;/–—]+$")
_BULLET = re.compile(r"\s*(?:[-*•·▪◦–]\s|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]\s)")
_LIST_NUMBER = re.compile(r"\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})\s*")
_NO_INITIAL = re.compile(
    r"(?:(?<![^\s(])[a-z][a-z-]{3,}\s|\d\s?|[A-Za-z]/)$"
)  # "complex I.", "8 E.", "mg/L."; no name
_FIRST_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_SPECIES = re.compile(r"(?:sp|spp|subsp|ssp|var|cv|str|nov|gen|pv|bv)\.?$")

# Words whose full stop never ends a sentence, and those after which only a capital starter does.
_WORDS_NEVER = """
    fig figs eq eqs ref refs tab suppl e.g eg i.e ie viz cf vs v c.f ca approx dr prof mr mrs ms
    messrs st mt no nos vol vols pp ed eds resp sect sec chap ch ser art al.s dept univ gen col lt
    sgt rev hon jr.s nr wt.s eqn exp.s subsp ssp var cv pv bv aff incl excl min.s max.s cat.no cat
    lit op p
"""
_NEVER = frozenset(_WORDS_NEVER.split())
_WORDS_MAYBE = """
    al etc sp spp nov a.m p.m i.v i.p s.c p.o i.m b.i.d t.i.d q.d u.s u.k u.s.a ph.d m.d inc ltd co
    corp jr sr jan feb mar apr jun jul aug sep sept oct nov dec mol wt conc temp str
"""
_MAYBE = frozenset(_WORDS_MAYBE.split())
_WORDS_STARTERS = """
    the a an this that these those we our they their it its he she in on at for from with by as
    after before during among between both however moreover furthermore therefore thus here there
    when while although because if to of patients results conclusions conclusion methods background
    objective objectives one two three all some several no not each most many i is are was were
    similarly finally additionally notably interestingly overall then next treatment data using
    since under although despite taken together consistent nevertheless also
"""
_STARTERS = frozenset(_WORDS_STARTERS.split())


@lru_cache(maxsize=16)
def _sentences(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    start, rows = 0, row_spans(text)
    for stop in _STOP.finditer(text):
        if stop.end() <= start or _in_row(rows, stop) or not _ends(text, start, stop):
            continue
        _add(spans, text, start, stop.end())
        start = stop.end()
    _add(spans, text, start, len(text))
    return tuple(spans)


def split_sentences(text: str) -> list[Span]:
    """The sentences, headings and list items of `text`, in order, without outer white space.

    Every character that is not white space lies in exactly one of them.

    >>> text = "We studied E. coli in vitro. Fig. 2 shows growth."
    >>> [span.quote(text) for span in split_sentences(text)]
    ['We studied E. coli in vitro.', 'Fig. 2 shows growth.']
    """
    return list(_sentences(text))


def sentence_windows(text: str, size: int = 5, overlap: int = 1) -> list[Span]:
    """Runs of `size` sentences, each sharing `overlap` of them with the one before; the last
    sentence is in one.

    >>> sentence_windows("A rose. B fell. C stayed.", size=2, overlap=1)
    [Span(start=0, end=15), Span(start=8, end=25)]
    """
    spans = split_sentences(text)
    step = max(1, size - max(0, min(overlap, size - 1)))
    runs = []
    for first_sentence in range(0, len(spans), step):
        last_sentence = min(first_sentence + size, len(spans)) - 1
        runs.append(Span(spans[first_sentence].start, spans[last_sentence].end))
        if last_sentence == len(spans) - 1:
            break
    return runs


def overlapping_pieces(text: str, characters: int = 2000, overlap: int = 200) -> list[Span]:
    """Pieces of at most `characters`, sharing about `overlap` characters; longer only when one word
    is.

    A piece ends with a sentence where one ends in its second half, else between words. No character
    that is not white space is in no piece.

    >>> text = "Aspirin helps. Ibuprofen helps. Neither harms."
    >>> [span.quote(text) for span in overlapping_pieces(text, characters=32, overlap=18)]
    ['Aspirin helps. Ibuprofen helps.', 'Ibuprofen helps. Neither harms.']
    """
    characters = max(1, characters)
    overlap = max(0, min(overlap, characters - 1))
    ends = [span.end for span in split_sentences(text)]
    starts = {span.start for span in split_sentences(text)}
    pieces: list[Span] = []
    start = _skip_space(text, 0)
    while start < len(text):
        end = _chunk_end(text, start, characters, ends)
        _add(pieces, text, start, end)
        if _skip_space(text, end) == len(text):
            break
        start = _chunk_start(text, start, end, overlap, starts=starts)
    return pieces


def sentence_at(text: str, span: Span) -> Span:
    """The sentence around `span`; the run of sentences when it lies in more than one.

    >>> sentence_at("Aspirin helps. Ibuprofen helps.", Span(15, 24))
    Span(start=15, end=31)
    >>> sentence_at("Aspirin helps. Ibuprofen helps.", Span(8, 24))
    Span(start=0, end=31)
    """
    sentences = _sentences(text)
    if not sentences:
        return Span(0, len(text))
    first_number, last_number = (
        _place(sentences, span.start),
        _place(sentences, max(span.start, span.end - 1)),
    )
    return Span(
        min(sentences[first_number].start, span.start), max(sentences[last_number].end, span.end)
    )


def sentence_context(text: str, span: Span, count: int = 1) -> tuple[Span, Span, Span]:
    """What stands before the sentence of `span`, the sentence, and what follows: `count` sentences
    on each side.

    A side that does not exist is an empty span at the edge of the sentence.

    >>> sentence_context("Aspirin helps. Ibuprofen helps.", Span(15, 24))
    (Span(start=0, end=14), Span(start=15, end=31), Span(start=31, end=31))
    """
    own = sentence_at(text, span)
    sentences = _sentences(text)
    before = [s for s in sentences if s.end <= own.start][-count:] if count else []
    after = [s for s in sentences if s.start >= own.end][:count]
    return (
        Span(before[0].start, before[-1].end) if before else Span(own.start, own.start),
        own,
        Span(after[0].start, after[-1].end) if after else Span(own.end, own.end),
    )


def _place(sentences: tuple[Span, ...], offset: int) -> int:
    return max(0, bisect_right(sentences, offset, key=lambda s: s.start) - 1)


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    """Append the span without its outer white space, unless nothing is left."""
    piece = text[start:end]
    margin = len(piece) - len(piece.lstrip())
    if margin < len(piece):
        spans.append(Span(start + margin, start + len(piece.rstrip())))


def _skip_space(text: str, start: int) -> int:
    letter = re.compile(r"\S").search(text, start)
    return letter.start() if letter else len(text)


# ------------------------------------------------------------------ where a sentence ends


def _in_row(rows: list[Span], stop: re.Match[str]) -> bool:
    """Whether a stop lies within a row of a table, which is one unit whatever its cells say."""
    place = bisect_right(rows, stop.start(), key=lambda row: row.start) - 1
    return place >= 0 and stop.end() < rows[place].end


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    following = _NEXT.match(text, stop.end())
    if following is None or "\n" in stop[0]:
        return following is None or _line_ends(text, start, stop)
    return _stop_ends(text, start, stop, following[1])


def _line_ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a line end ends a sentence: an empty line, a list item, a heading; not a line that
    was wrapped.
    """
    if stop[0].count("\n") > 1 or _BULLET.match(text, stop.end()):
        return True
    line = text[max(start, text.rfind("\n", 0, stop.start()) + 1) : stop.start()]
    if line.endswith((".", "!", "?", ":", ";")) and not _abbreviated(line.rstrip(".")):
        return True
    following = _NEXT.match(text, stop.end())
    return following is not None and not is_wrapped_line(
        text, stop.start(), stop.end(), _starts(following[1])
    )


def _stop_ends(text: str, start: int, stop: re.Match[str], following: str) -> bool:
    if stop[0][0] in "。！？":
        return True
    if stop[0][0] != ".":
        return not following[0].islower()
    if stop[0].startswith("..."):
        return not following[0].islower()
    if _LIST_NUMBER.fullmatch(text, start, stop.start()):
        return False
    before = _LAST_WORD.search(text, max(start, stop.start() - 40), stop.start())
    word = before[0].lower().rstrip(".") if before else ""
    starter = _starts(following)
    if (
        before
        and len(word) == 1
        and before[0].isupper()
        and _NO_INITIAL.search(text[start : before.start()])
    ):
        return _begins(following)
    if len(stop[0]) == 1 and before and word:
        if word in _NEVER:
            return word in ("no", "p", "v", "art", "exp", "cat", "gen", "var") and starter
        if word in _MAYBE or (len(word) == 1 and before[0].isupper()):
            return starter
    return _begins(following)


def _starts(word: str) -> bool:
    """Whether a word, written with a capital, begins sentences."""
    return word.rstrip(",.;:").lower() in _STARTERS and word[0].isupper()


def _abbreviated(line: str) -> bool:
    before = _LAST_WORD.search(line)
    return before is not None and (
        before[0].lower() in _NEVER or _SPECIES.match(before[0]) is not None
    )


def _begins(word: str) -> bool:
    """Whether a word may begin a sentence: not a plain lower-case one, but mTOR, p53 and
    α-synuclein may.
    """
    if not word[0].islower():
        return word[0].isalnum() or word[0] in "<>±~≥≤=+-–—*•#§$€£%&@"
    first_word = _FIRST_WORD.match(word)
    return first_word is not None and (
        any(c.isupper() or c.isdigit() for c in first_word[0]) or not word[0].isascii()
    )


# ------------------------------------------------------------------ where a chunk ends


def _chunk_end(text: str, start: int, characters: int, ends: list[int]) -> int:
    limit = start + characters
    if limit >= len(text):
        return len(text)
    place = bisect_right(ends, limit) - 1
    if place >= 0 and ends[place] > start + characters // 2:
        return ends[place]
    return _between_words(text, start, limit)


def _between_words(text: str, start: int, limit: int) -> int:
    """The last white space before `limit`, else the last place between two words, else the end of
    the long word.
    """
    for end in range(limit, start, -1):
        if text[end].isspace() or text[end - 1].isspace():
            return end
    for end in range(limit, start, -1):
        if not (_in_word(text[end]) and _in_word(text[end - 1])):
            return end
    while limit < len(text) and _in_word(text[limit]):
        limit += 1
    return limit


def _chunk_start(text: str, start: int, end: int, overlap: int, *, starts: set[int]) -> int:
    """Where the next chunk starts: at a sentence within the overlap, else at a word; always past
    `start`.
    """
    earliest = max(start + 1, end - overlap)
    for place in range(earliest, end):
        if place in starts:
            return place
    for place in range(earliest, end):
        if text[place - 1].isspace() and not text[place].isspace():
            return place
    return _skip_space(text, end)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
