"""BibTeX's TeX as it is read: letters with accents, Greek, signs, and raised and lowered digits.

Only what is TeX for certain is rewritten, fragment by fragment and by pylatexenc, so that a bare
`%`, `&` or `$5` of a careless export stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from core.text.script import write_out_tags

_ESCAPED = re.compile(r"\\([%&#_${}])")
_HELD_BACK = {sign: chr(place) for place, sign in enumerate("%&#_${}", start=0xE000)}
_RAISED = re.compile(r"\\textsuperscript\s*\{([^{}]{1,40})\}")
_LOWERED = re.compile(r"\\textsubscript\s*\{([^{}]{1,40})\}")
_MATH = re.compile(r"\$(?!\s)([^$\n]{1,80}?)(?<!\s)\$")
_FORMULA = re.compile(r"[\\^_<>=]|\A[A-Za-z]\Z")
_POWER = re.compile(r"\^(?:\{([^{}]{1,40})\}|([\w+-]))")
_INDEX = re.compile(r"_(?:\{([^{}]{1,40})\}|(\w))")
# \"o, \"{o}, \'{\i}, \c{c}, \v S
_ACCENT = re.compile(
    r"\\(?:[\"'`^~=.]|[uvHckrdb](?![A-Za-z]))\s*(?:\{\s*\\?[A-Za-z]\s*\}|\\[ij](?![A-Za-z])|[A-Za-z])"
)
_MACRO = re.compile(r"\\([A-Za-z]+)(?:\{\})?[ ]?")  # \ss{}, \O, \beta
_LOOKS = (
    *("emph", "text", "textit", "textbf", "textrm", "textsc", "textsf", "mathrm", "mathit"),
    *("mathbf", "mbox", "it", "bf", "em", "rm"),
)


def without_tex(value: str) -> str:
    """The value of a BibTeX field in one line."""
    value = value.replace("\\textbackslash{}", "\ue0ff")
    value = _ESCAPED.sub(lambda match: _HELD_BACK[match[1]], value)
    value = _RAISED.sub(r"<sup>\1</sup>", _LOWERED.sub(r"<sub>\1</sub>", value))
    value = _MATH.sub(_of_math, value)
    value = _MACRO.sub(_of_macro, _ACCENT.sub(_of_accent, value))
    value = re.sub(r"[{}]", "", value).replace("~", " ")
    for sign, place in _HELD_BACK.items():
        value = value.replace(place, sign)
    return " ".join(write_out_tags(value.replace("\ue0ff", "\\")).split())


def _of_math(match: re.Match[str]) -> str:
    """A formula; what stands between two prices stays as it is, and what would make one number
    with the digits beside it.
    """
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    first, last = match[1][0], match[1][-1]
    if (before.isdecimal() and first.isdecimal()) or (after.isdecimal() and last.isdecimal()):
        return match[0]
    if not _FORMULA.search(match[1]):
        return match[0]
    raised = _POWER.sub(lambda power: f"<sup>{power[1] or power[2]}</sup>", match[1])
    return _INDEX.sub(lambda index: f"<sub>{index[1] or index[2]}</sub>", raised)


def _of_accent(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", _text_of_tex(match[0]))


def _of_macro(match: re.Match[str]) -> str:
    """A letter or a sign; what only says how words look is left out, what is unknown stays."""
    if match[1] in _LOOKS:
        return ""
    return _text_of_tex(f"\\{match[1]}{{}}") or match[0]


@cache
def _text_of_tex(fragment: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text  # only where a file needs it

    return str(LatexNodes2Text(math_mode="text").latex_to_text(fragment))
