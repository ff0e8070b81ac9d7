"""Line ends: put there on purpose (a title, a list), or because the line was full."""

from __future__ import annotations

import re

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
