"""The ways in which models write citations, as one: `[1, 3]` before the stop of its sentence.

`"…." [1].`, `.” [1] Next`, `(1)`, `[passage 1]`, `【1†source】` and their like are one table in
tests/core/literature/answers/test_citation.py.
"""

from __future__ import annotations

import re

_WORD = r"(?:passages?|chunks?|sources?|documents?|docs?|refs?|references?|no|nr|p)\.?"
_ONE = rf"(?:{_WORD}\s*)?[#^]?\d{{1,3}}"
_GAP = r"\s*(?:,|;|–|-|—|&|\band\b|\bto\b)\s*"
_LIST = rf"{_ONE}(?:{_GAP}{_ONE}){{0,20}}"
CITE = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]")
_BRACKETS = re.compile(
    rf"\[{{1,2}}\s*({_LIST})\s*\]{{1,2}}(?:\(#?[\w-]{{0,20}}\))?"  # [passage 1], [[1]], [1](#1)
    rf"|【\s*({_LIST})\s*(?:[†:][^】]{{0,40}})?】"
    rf"|\(\s*((?={_WORD}\s*\d){_LIST})\s*\)",  # (passage 1)
    re.IGNORECASE,
)
_ROUND = re.compile(rf"\(\s*({_LIST})\s*\)(?=\s*(?:[.,;:!?|]|$|\(\d))")
_ROUND_LATE = re.compile(rf"(?<=[.!?\"”’])\s*\(\s*({_LIST})\s*\)")
_MARKS = r"(?:\s*\[\d[\d\s,;–-]*\])+"
# `.” [1] Next`, `.[1].`, `.") [1]`: a stop before the marks; not of an abbreviation in mid-sentence
_LATE = re.compile(rf"([.!?])([\"”’')\]]{{0,3}})({_MARKS})[.!?]?(?=\s*(?:$|[^\sa-z,;:]))")
_QUOTED = re.compile(r"([\"“][^\"“”]{2,600}?)([.!?]?[\"”])")
_STOPPED = re.compile(r"[.!?][\"”’)]*$")
_SENTENCE_END = re.compile(r"[.!?][\"”’)\]]*(?:\s*\[\d[\d\s,;–-]*\])*\s+")
_LEADING = re.compile(rf"\s*(?:[-*•|]\s*)?{_MARKS}")
_TRAILING = re.compile(rf"{_MARKS}[.!?\s|\"”’)]*$")


def unify_citations(text: str, count: int) -> str:
    """`text` with every citation as `[1, 3-5]`, lines kept. Round brackets are citations only in
    sentences that have no others, and where all their numbers are those of passages (1 to `count`).
    """
    text = _BRACKETS.sub(lambda m: _mark(next(filter(None, m.groups()))), text)

    def round_mark(match: re.Match[str]) -> str:
        inside = all(0 < number <= count for number in numbers_in(match[1]))
        cites = inside and not _cited_otherwise(match)
        return (" " + _mark(match[1])) if cites else match[0]

    lines = [_ROUND.sub(round_mark, line.rstrip()) for line in text.split("\n")]
    return "\n".join(_ROUND_LATE.sub(round_mark, line) for line in lines)


def _cited_otherwise(mark: re.Match[str]) -> bool:
    """Whether round brackets are within a quote, or in a sentence with citations in square
    brackets: then they are words.
    """
    before = mark.string[: mark.start()]
    if len(re.findall(r"[\"“”]", before)) % 2:
        return True
    line = _QUOTED.sub(lambda quote: "~" * len(quote[1]) + quote[2], mark.string)
    before, after = line[: mark.start()].rstrip(), line[mark.end() :]
    late = _STOPPED.search(before)  # the mark stands after the stop of its sentence
    before = before[: late.start()] if late else before
    begins = max((end.end() for end in _SENTENCE_END.finditer(before)), default=0)
    ends = None if late else _SENTENCE_END.search(after)
    rest = "" if late else after[: ends.end() if ends else len(after)]
    return bool(CITE.search(before, begins) or CITE.search(rest) or CITE.match(after.lstrip()))


def gather_citations(line: str) -> str:
    """A line whose citations come before the full stops of their sentences. Where each sentence
    begins with its citations they are left there.
    """
    if _LEADING.match(line) and not _TRAILING.search(line):
        return line
    return _LATE.sub(lambda m: f"{m[2]} {m[3].strip()}{m[1]}", line)


def cited_numbers(text: str) -> list[int]:
    """The numbers that a sentence cites, in order. Those inside quotes count where there are no
    others: a passage may hold numbers in brackets of its own.
    """
    outside = re.sub(r"[\"“”][^\"“”]{3,600}[\"“”]", " ", text)
    groups = CITE.findall(outside) or CITE.findall(text)
    return [number for group in groups for number in numbers_in(group)]


def without_citations(text: str) -> str:
    """Words without citation marks."""
    return re.sub(r"(?<!\.)\s+([.,;])(?!\.)", r"\1", " ".join(CITE.sub("", text).split()))


def numbers_in(group: str) -> list[int]:
    """`1, 3-5` as 1, 3, 4, 5."""
    numbers: list[int] = []
    for part in re.split(r"[,;&]|\band\b", group):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] < 50:
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers


def _mark(group: str) -> str:
    """`passage 1 and 3` as `[1, 3]`; ranges are written out."""
    with_dashes = re.sub(r"\bto\b|—", "-", group, flags=re.IGNORECASE)
    return "[" + ", ".join(map(str, numbers_in(with_dashes))) + "]"
