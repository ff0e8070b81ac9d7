"""Words of a text as the ranker counts them: case, Greek, hyphens and the border of letters and
digits folded.

`IL-10`, `IL10` and `il 10` share the units il, 10; the first two also share il10. `β-catenin` and
`beta-catenin` are one; `NF-κB` and `NFkB`, or `TGF-β1` and `TGFB1`, share the symbol as written
without Greek. Units are stems; stop words and the possessive 's give none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from core.literature.index.stem import SHORTEST, stem_word
from core.text.script import spell_out_scripts

_NAMES = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
    sigma tau upsilon phi
    chi psi omega
"""
_GREEK = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", _NAMES.split(), strict=True))
GREEK_NAMES = {letter: name for letter, name in _GREEK.items() if letter != "ς"}
# A Greek letter written out within a symbol: "TNFalpha" and "TNFα" are one word
_IN_SYMBOL = re.compile("alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega")
SYMBOL = 4  # letters that a symbol has besides its Greek ones, at most
_GROUP = re.compile(r"\w+(?:(?:[-‐‑–]|\^[-−–+]?)\w+)*")
_POWER = re.compile(r"(?<=[^\W_])\^[-−–+]?(?=\d)")
_MEDLINE_POWER = re.compile(r"\b10\(([-−–+]?\d{1,2})\)")  # as MEDLINE wrote it: 10(6) cells
_RUN = re.compile(r"\w+")
_PART = re.compile(r"[^\W\d_]+|\d+")
_POSSESSIVE = re.compile(r"(?<=\w)'s\b")
APOSTROPHES = "'’‘ʼ′‵´`＇"  # one sign, however it was typed
_APOSTROPHE = str.maketrans(dict.fromkeys(APOSTROPHES[1:], "'"))
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ACCENT = re.compile("[\u0300-\u036f]+")
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
_FOLD = str.maketrans({**_GREEK, **_LETTERS, "ı": "i"})
_STOP_WORDS = """
    a about above after again all also am among an and any are as at be because been before being
    below between both but
    by can could did do does doing down during each either few for from further had has have
    having he her here hers him
    his how i if in into is it its itself just may me might more most must my neither no nor not
    now of off on once only
    or other our out over own same she should so some such than that the their them then there
    these they this those
    through to too toward towards under until up upon us very was we were what when where whether
    which while who whom
    whose why will with within without would you your
    arent dont doesnt hows isnt thats whats wheres whos
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_ASKING_WORDS = """
    affect apply associated association available category cause caused causes causing
    characteristic characteristics class
    common compare
    connection contribute currently define definition describe difference differences different
    effect effects
    evidence example examples exist explain feature features frequent function functions give
    identify impact
    implicated indicated influence information involved kind known link linked list main major
    many mechanism
    mechanisms mention name need number please possible present provide purpose recent recently
    related relation
    relationship reported role roles similar studies study summarize target targets type types
    typical use used
    usually versus vs
"""
ASKING_WORDS = frozenset(stem_word(word) for word in _ASKING_WORDS.split())


def fold_token(text: str) -> str:
    """Case-folded, without accents, with one sign for an apostrophe; Greek letters and raised
    digits spelled out. Offsets do not survive.
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    folded = spell_out_scripts(text).replace("İ", "i").casefold().replace("`", "'")
    return _BEYOND_ASCII.sub(_in_latin, folded)


def _in_latin(run: re.Match[str]) -> str:
    return _run_in_latin(run[0])


@lru_cache(maxsize=20_000)
def _run_in_latin(run: str) -> str:
    bare = _ACCENT.sub("", unicodedata.normalize("NFD", run.translate(_APOSTROPHE)))
    return unicodedata.normalize("NFC", bare).translate(_FOLD)


def word_groups(text: str) -> list[str]:
    """Words of a text, hyphenated ones whole, folded: what `units_of_group` takes apart."""
    folded = _without_brackets(fold_token(text))
    return _GROUP.findall(_POSSESSIVE.sub("", folded) if "'s" in folded else folded)


def with_powers(text: str) -> str:
    """Powers on one line as they are counted: `10⁻⁶` and MEDLINE's `10(-6)` are `10^-6`."""
    return _without_brackets(spell_out_scripts(text))


def _without_brackets(text: str) -> str:
    return _MEDLINE_POWER.sub(r"10^\1", text) if "10(" in text else text


def is_plain(group: str) -> bool:
    """Whether a folded word is of three letters a–z or more, is no stop word and holds no Greek
    letter's name: its stem is then its one unit.
    """
    is_word = group.isalpha() and group.isascii() and group not in STOP_WORDS
    return is_word and len(group) >= SHORTEST and _IN_SYMBOL.search(group) is None


@lru_cache(maxsize=50_000)
def units_of_group(group: str) -> tuple[str, ...]:
    """The units of one folded word: its parts without stop words, then all of it joined when a
    digit is in it, and the symbols in it (kif1a of `KIF1A-related`), then, when it is a symbol
    with a Greek letter, joined with the first Latin letter in its place.
    """
    if is_plain(group):
        return (stem_word(group),)
    if group in STOP_WORDS:
        return ()
    parts = parts_of_group(group)
    units = [stem_word(part) for part in parts] + _symbols_inside(group)
    if "^" in group and _POWER.search(group):
        units.append(re.sub(r"[-−–]", "-", group))  # 10^6 is never 106
    elif _has_both(parts):
        units.append("".join(parts))
    if short := _shortened(group):
        units.append(short)
    return tuple(units)


def parts_of_group(group: str) -> list[str]:
    """The runs of letters and of digits of a folded word, without stop words; a word with a digit
    has none: HER2 is her, 2 and KIF1A is kif, 1, a.
    """
    parts: list[str] = [group] if group.isalpha() else _PART.findall(group)
    if any(map(str.isdigit, group)):
        return parts
    return [part for part in parts if part not in STOP_WORDS]


def _has_both(parts: Sequence[str]) -> bool:
    digits = sum(map(str.isdigit, parts))
    return 0 < digits < len(parts)


def _symbols_inside(group: str) -> list[str]:
    """The runs of letters and digits of a word with a hyphen: kif1a of `kif1a-related`."""
    runs = _RUN.findall(group)
    return [run for run in runs if len(runs) > 1 and _is_mixed(run)]


def _is_mixed(run: str) -> bool:
    return not run.isalpha() and not run.isdigit() and run.isalnum()


def _shortened(group: str) -> str:
    if (
        not _IN_SYMBOL.search(group)
        or not 0 < sum(map(str.isalpha, _IN_SYMBOL.sub("", group))) <= SYMBOL
    ):
        return ""
    return _IN_SYMBOL.sub(lambda letter: letter[0][0], "".join(_PART.findall(group)))


def symbol_unit(words: str) -> str:
    """The joined unit of a name that is one word with a digit or a Greek letter, or ""."""
    groups = word_groups(words)
    parts = units_of_group(groups[0]) if len(groups) == 1 else ()
    return (
        parts[-1]
        if len(parts) > 1 and (any(map(str.isdigit, groups[0])) or _shortened(groups[0]))
        else ""
    )


Rows = tuple[tuple[str, ...], ...]


def asked_units(text: str) -> list[str]:
    """The units that a question asks for: a word of letters and digits is asked for whole.

    `BRCA1` is brca1 and neither brca nor 1; `interleukin-10` is interleukin and interleukin10.
    """
    words = [word for group in word_groups(text) for word in _asked_words(group)]
    return [unit for word in words for unit in _asked_of_word(word)]


def symbol_parts(text: str) -> list[tuple[str, Rows]]:
    """Each symbol of a question with the rows of units that are the symbol as well: its letters and
    digits apart (`IL 10`), and its Latin form (`TGFB1` for `TGF-β1`).
    """
    words = [word for group in word_groups(text) for word in _asked_words(group)]
    return [
        (symbol, _rows(word, symbol)) for word in words if (symbol := _joined_unit(word, LONGEST))
    ]


LETTERS = 5  # of a part of a symbol, at most: BRCA, COVID; a longer one is a word of its own
LONGEST = 100


def _asked_words(group: str) -> list[str]:
    """A word with a symbol and a longer word in it as its parts: kif1a and related."""
    apart = _symbols_inside(group) and not _joined_unit(group, LETTERS)
    return _RUN.findall(group) if apart else [group]


def _asked_of_word(group: str) -> tuple[str, ...]:
    group_units = units_of_group(group)
    symbol = _joined_unit(group, LETTERS)
    if symbol:
        return (symbol,)
    if _joined_unit(group, LONGEST):
        return tuple(unit for unit in group_units if not unit.isdigit())
    return group_units


def _joined_unit(group: str, letters: int) -> str:
    """The joined unit of a word of letters and digits whose letters are in parts of at most so
    many, or "".
    """
    if "^" in group and _POWER.search(group):
        return next(unit for unit in units_of_group(group) if "^" in unit)
    parts = parts_of_group(group)
    return "".join(parts) if _has_both(parts) and max(map(len, parts)) <= letters else ""


def _rows(group: str, symbol: str) -> Rows:
    if "^" in symbol:
        return ()
    parts = tuple(stem_word(part) for part in parts_of_group(group))
    short = _shortened(group)
    if not short or short == symbol:
        return (parts,)
    letters = group.rstrip("0123456789")  # TGF-beta 1 is tgf, beta, tgfb, 1
    return (parts, (short,), (*units_of_group(letters), *_PART.findall(group[len(letters) :])))


def text_units(text: str) -> list[str]:
    """The units of a text in order; empty for a text of only stop words."""
    return [unit for group in word_groups(text) for unit in units_of_group(group)]


def plain_parts(group: str) -> list[str]:
    """The parts of one folded word that are not stop words, unstemmed; words of letters and digits
    whole as well.
    """
    if group.isalpha():
        return [] if group in STOP_WORDS else [group]
    mixed = [run for run in _RUN.findall(group) if _is_mixed(run)]
    return parts_of_group(group) + mixed
