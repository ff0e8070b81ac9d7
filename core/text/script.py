"""Superscripts and subscripts on one line, so that numbers stay true: `10<sup>6</sup>` is `10^6`
and never 106.

Readers put marks around raised and lowered words while they gather a text (`RAISED`, `LOWERED`);
`marks_written_out` then writes them out, where it is known what stands before and after. The marks
are control characters that neither XML nor a cleaned text can hold.
"""

from __future__ import annotations

import re

RAISED = ("\x01", "\x02")
LOWERED = ("\x03", "\x04")
_MARK = re.compile("([\x01-\x04])")
_EXPONENT = re.compile(r"[+\-−–]?\s*\d")
# Charges are read as they are written: Ca2+, SO4^2− (after a digit), Na+, Cl−.
_CHARGE = re.compile(r"\d{0,2}\s*[+\-−–]")
# A power or the sign of a note, "10^n", "7.5^a,b"; not the "th" of "5th".
_LETTERS = re.compile(r"[^\W\d_](?:\s*,\s*[^\W\d_])*")
_TAG = re.compile(r"<(/?)(sup|sub|inf)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUBSCRIPT = "₀₁₂₃₄₅₆₇₈₉"
_RAISED_RUN = re.compile(f"[⁺⁻]?[{_SUPERSCRIPT}]+[⁺⁻]?")
_SCRIPT = re.compile(f"[⁺⁻{_SUPERSCRIPT}{_SUBSCRIPT}]")
_PLAIN = str.maketrans(_SUPERSCRIPT + _SUBSCRIPT + "⁺⁻", "0123456789" * 2 + "+-")


def raised_mark(words: str) -> str:
    return words.join(RAISED)


def lowered_mark(words: str) -> str:
    return words.join(LOWERED)


def marks_written_out(text: str) -> str:
    """A gathered text with its marks written out: `10^6`, `m^−2`, `SO4^2−`; `CO2`, `Ca2+` and `1st`
    as they are read. Digits of two levels never touch: `log2 4`, `10_2`.

    >>> marks_written_out(f"SO{lowered_mark('4')}{raised_mark('2−')}, 10{raised_mark('6')} cells")
    'SO4^2−, 10^6 cells'
    """
    if "\x01" not in text and "\x03" not in text:
        return text
    levels: list[tuple[str, str]] = [("", "")]  # the mark that opened it, what stands in it so far
    after_script = False
    for piece in _MARK.split(text):
        if piece in (RAISED[0], LOWERED[0]):
            levels.append((piece, ""))
            after_script = False
        elif piece in (RAISED[1], LOWERED[1]):
            if len(levels) > 1:
                mark, inside = levels.pop()
                opened, outside = levels[-1]
                write = _raised if mark == RAISED[0] else _lowered
                levels[-1] = (opened, outside + write(inside, outside[-1:]))
                after_script = True
        elif piece:
            opened, outside = levels[-1]
            apart = " " if after_script and outside[-1:].isdigit() and piece[0].isdigit() else ""
            levels[-1] = (opened, outside + apart + piece)
            after_script = False
    return "".join(inside for _, inside in levels)


def _raised(words: str, before: str) -> str:
    inside = words.strip()
    trailing = words[len(words.rstrip()) :]
    if before.isdigit() and _LETTERS.fullmatch(inside):
        return f"^{inside}{trailing}"
    if not _EXPONENT.match(inside) or not (before.isalnum() or before in (")", "]", "}")):
        return words
    if before and not before.isdigit() and _CHARGE.fullmatch(inside):
        return inside.replace(" ", "") + trailing
    return "^" + re.sub(r"^([+\-−–])\s+", r"\1", inside) + trailing


def _lowered(words: str, before: str) -> str:
    return f"_{words.lstrip()}" if before.isdigit() and words.lstrip()[:1].isdigit() else words


def write_out_tags(text: str) -> str:
    """A text in which HTML's `<sup>` and `<sub>` were left, with these written out.

    >>> write_out_tags("10<sup>6</sup> cells in CO<sub>2</sub>")
    '10^6 cells in CO2'
    """
    return marks_written_out(mark_tags(text)) if "<" in text else text


def mark_tags(text: str) -> str:
    """The same tags as marks, for a text that is not finished yet."""
    return _TAG.sub(_mark, text)


def _mark(tag: re.Match[str]) -> str:
    return (RAISED if tag[2].casefold() == "sup" else LOWERED)[bool(tag[1])]


def spell_out_scripts(text: str) -> str:
    """Unicode's raised and lowered digits as others are written: `10⁻⁶` is `10^-6`, `CO₂` is
    CO2.

    >>> spell_out_scripts("10⁻⁶ M Ca²⁺ in CO₂")
    '10^-6 M Ca2+ in CO2'
    """
    if text.isascii() or _SCRIPT.search(text) is None:
        return text
    return _RAISED_RUN.sub(_spelled, text).translate(_PLAIN)


def _spelled(run: re.Match[str]) -> str:
    before = run.string[run.start() - 1 : run.start()]
    return _raised(run[0].translate(_PLAIN), before)
