"""A writer's own words for what it left out: "(12 more)", "… and 12 others", "[truncated]"; and an
answer that ended in the middle of a value.
"""

from __future__ import annotations

import re

from core.text.fold import fold_text, fold_with_offsets
from core.text.phrases import phrases

ELISION = phrases(
    {
        r"[(\[]\s*(?:(?:…|\.{3})\s*)?(?:(?:and|plus)\s*)?\d+\s(?:more|others?|further|additional)\b"
        r"[^)\]]{0,30}[)\]]": "IL-6, TNF (12 more)",
        r"(?:…|\.{3}|\band\b|\bplus\b)\s*\d+\s(?:more|others)\b(?=\s*(?:[.;\[(]|$))": (
            "IL-6, TNF and 12 others."
        ),
        r"[(\[]\s*(?:truncated|continued|cont\.|list continues|omitted)[^)\]]{0,30}[)\]]": (
            "IL-6, TNF [truncated]"
        ),
        r"(?:…|\.{3})(?=\s*$)": "IL-6, TNF, …",
    },
    before="",
    after="",
    flags=re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"^\s*```\w*\s*\n")
_SEPARATOR = re.compile(r"[;|\n]")
_ENDED = re.compile(r"[.!?;|\n][\"”’)\]\s]*$")
_DANGLING = re.compile(r"""(?:"(?:[^"\\]|\\.)*"\s*:\s*|[,:]\s*)$""")
_NUMBER = re.compile(r"[\w.+-]+$")
_WORD = re.compile(r"\w")
_CLOSED_BY = {"{": "}", "[": "]"}


def without_elision(words: str, source: str = "") -> tuple[str, str]:
    """What a value says, and the words in which it says that something was left out. What stands
    so in the `source` that it is read from ("(5 more months)") is its own.

    >>> without_elision("IL-6 and 12 others")
    ('IL-6', 'and 12 others')
    >>> without_elision("IL-6")
    ('IL-6', '')
    >>> without_elision("IL-6 (5 more months)", "We gave IL-6 (5 more months).")
    ('IL-6 (5 more months)', '')
    """
    met = (match for match in ELISION.finditer(words) if not _stands_in(match[0], source))
    if (left_out := next(met, None)) is None:
        return words, ""
    kept = words[: left_out.start()].rstrip(" ,;:–-…").removesuffix("...").rstrip(" ,;")
    return kept, " ".join(left_out[0].split())


def _stands_in(words: str, source: str) -> bool:
    """Whether a text has the same words; three dots that it has somewhere say nothing."""
    return bool(source and _WORD.search(words)) and (
        fold_text(words) in fold_with_offsets(source).text
    )


def without_unfinished(answer: str) -> tuple[str, str]:
    """An answer that was cut, without the value in whose middle it ends, and that value. Open
    brackets of JSON are closed, so that what was written before can be read.

    >>> without_unfinished("genes: PAH; GC")
    ('genes: PAH', 'GC')
    >>> without_unfinished('{"genes": ["PAH", "GC')
    ('{"genes": ["PAH"]}', 'GC')
    """
    fence = _FENCE.match(answer)
    body = answer[fence.end() :] if fence else answer
    if body.lstrip()[:1] in ("{", "["):
        return _json_cut_back(body)
    if _ENDED.search(answer):
        return answer, ""
    ends = [match.start() for match in _SEPARATOR.finditer(answer)]
    cut = ends[-1] if ends else 0
    dropped = answer[cut:].lstrip(";|\n ")
    head, colon, value = dropped.partition(":")
    if colon and (not ends or answer[cut] == "\n"):
        return f"{answer[:cut]}\n{head}:".lstrip("\n"), value.strip()
    return answer[:cut], dropped.strip()


def _json_cut_back(text: str) -> tuple[str, str]:
    """JSON up to its last whole value, with its brackets closed."""
    open_brackets: list[str] = []
    string_start = -1
    escaped = False
    for place, sign in enumerate(text):
        if string_start >= 0:
            if escaped or sign == "\\":
                escaped = not escaped
            elif sign == '"':
                string_start = -1
        elif sign == '"':
            string_start = place
        elif sign in _CLOSED_BY:
            open_brackets.append(_CLOSED_BY[sign])
        elif sign in "}]" and open_brackets:
            open_brackets.pop()
            if not open_brackets:
                return text, ""
    dropped = ""
    if string_start >= 0:
        text, dropped = text[:string_start], text[string_start + 1 :]
    elif bare := _NUMBER.search(text):
        text, dropped = text[: bare.start()], bare[0]
    kept = text.rstrip()
    while dangling := _DANGLING.search(kept):
        is_whole = dangling[0].endswith(",") or ":" in dangling[0]
        kept = kept[: dangling.start()].rstrip() if is_whole else kept
    return kept + "".join(reversed(open_brackets)), " ".join(dropped.split())
