"""How names are compared: what is folded away, in steps that can be reported.

A text becomes words (Unicode, case, Greek letters, apostrophes, spelling, plural), and words become
four keys:

    ordered   the words in order
    solid     the same, written together: hyphens and spaces do not matter
    bag       order, stop words, "type" and roman numerals do not matter
    stem      in addition word form (hypertensive, hypertension) and equal words (renal, kidney) do
    not matter

Symbols keep their letters: nothing with a digit in it and no short word in capitals loses a plural
s.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from core.grounding.match.word_forms import (
    ENDINGS,
    EQUAL,
    GREEK,
    GREEK_ENDINGS,
    IRREGULAR,
    SPELLINGS,
    STOP,
    TYPES,
)

_GREEK_LETTERS = "\u0370-\u03ff\u1f00-\u1fff\u00b5"
# A word, with its accents and "'s"; a Greek letter is a word of its own: "TNFα" has two
TOKEN = re.compile(
    rf"[{_GREEK_LETTERS}]|(?:[^\W_{_GREEK_LETTERS}][\u0300-\u036f]*)+(?:['’‘`´ʼ](?:s|S)?(?![^\W_]))?",
    re.UNICODE,
)
ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:['`][sS]?(?![A-Za-z0-9]))?")  # the same, for ASCII alone
_CUT, _ASCII_CUT = (re.compile(f"({token.pattern})") for token in (TOKEN, ASCII_TOKEN))
_APOSTROPHE = re.compile(r"['’‘`´ʼ][sS]?$")
_ANY_APOSTROPHE = re.compile(r"['’‘`´ʼ]")
_ANY_ROMAN = re.compile(r"\b[ivx]+\b", re.IGNORECASE)
_BRITISH = re.compile("|".join(british for british, _ in SPELLINGS))
_PLURAL_LAST = frozenset("sa")  # "cells", "carcinomata"
_ROMAN_DIGITS = frozenset("ivx")
_ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})$")
_ACRONYM_PLURAL = re.compile(r"[A-Z0-9]{2,}s")
_OF_A_WORD = ("Unicode", "case", "Greek letter", "apostrophe", "spelling", "plural")
_PLAIN = (*_OF_A_WORD, "hyphen or space")
_ORDER = ("word order", "stop word", "numeral")
_ENDINGS_BY_LAST = {
    letter: tuple(ending for ending in ENDINGS if ending[-1] == letter)
    for letter in {ending[-1] for ending in ENDINGS}
}
STEPS = (*_PLAIN, *_ORDER, "word form", "equal word")
_ALL_STEPS = frozenset(STEPS)
_ONE = {step: frozenset((step,)) for step in STEPS}


def fold_words(text: str) -> tuple[str, ...]:
    """The folded words of a text, in order.

    >>> fold_words("Tumours of the TNF-α pathway")
    ('tumor', 'of', 'the', 'tnf', 'alpha', 'pathway')
    """
    words = text.split() if text.isascii() else TOKEN.findall(text)
    if text.isascii() and not "".join(words).isalnum():  # more than blanks stands between words
        words = ASCII_TOKEN.findall(text)
    return tuple(map(fold_word, words))


def cut_at_words(text: str) -> list[str]:
    """What stands before the first word, that word, what stands between it and the next one, and so
    on to what stands behind the last.

    >>> cut_at_words("(TNF-α) rose")
    ['(', 'TNF', '-', 'α', ') ', 'rose', '']
    """
    return (_ASCII_CUT if text.isascii() else _CUT).split(text)


name_words = lru_cache(maxsize=100_000)(fold_words)  # of names, which texts and look-ups repeat


def name_key(text: str) -> str:
    """The folded words with single spaces: how names and synonyms are compared and stored.

    >>> name_key("Parkinson's Diseases"), name_key("Tumour necrosis factor-α")
    ('parkinson disease', 'tumor necrosis factor alpha')
    """
    return " ".join(name_words(text))


def fold_new_word(token: str) -> str:
    """One folded word, for callers that remember it themselves."""
    if not token.isascii() or not token.isalnum():
        return _fold(token, _NOTHING)
    lower = token.lower()  # most words are plain ones, which need few of the steps
    if not lower.isalpha() or len(lower) == 1:
        return lower
    return singular(american_spelling(IRREGULAR.get(lower, lower)), token)


fold_word = lru_cache(maxsize=400_000)(fold_new_word)
_NOTHING: frozenset[str] = frozenset()
_CASE = frozenset(("case",))


@lru_cache(maxsize=100_000)
def _folded(token: str, without: frozenset[str]) -> str:
    return _fold(token, without)


def _fold(token: str, without: frozenset[str]) -> str:
    """Fold a word, but for the steps named in `without`."""
    word = token
    if not token.isalnum() and "apostrophe" not in without:
        word = _APOSTROPHE.sub("", token)
    if "Unicode" not in without and not word.isascii():
        word = unaccented(word)
    if len(word) == 1 and "Greek letter" not in without:
        word = GREEK.get(word.casefold(), word)
    lower = word.casefold() if "case" not in without else word
    if not lower.isascii() or not lower.isalpha():
        return lower
    if "plural" not in without:
        lower = IRREGULAR.get(lower, lower)  # before the spelling: vertebrae is no "vertebre"
    if "spelling" not in without:
        lower = american_spelling(lower)
    return lower if "plural" in without else singular(lower, word)


def unaccented(text: str) -> str:
    """Compatibility forms, without accents; ligatures written out.

    >>> unaccented("Sjögren"), unaccented("ﬁbrosis")
    ('Sjogren', 'fibrosis')
    """
    flat = unicodedata.normalize(
        "NFKD", text.replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ß", "ss")
    )
    return "".join(c for c in flat if not unicodedata.combining(c)) if not flat.isascii() else flat


@lru_cache(maxsize=100_000)
def american_spelling(lower: str) -> str:
    """The American spelling of a British word.

    >>> american_spelling("oedema"), american_spelling("leukaemia")
    ('edema', 'leukemia')
    """
    if len(lower) < 5:
        return lower
    if _BRITISH.search(lower):
        for british, replacement in SPELLINGS:
            lower = lower.replace(british, replacement)
    if lower.endswith(("tre", "bre")) and len(lower) > 4:
        return lower[:-2] + "er"
    return lower


def singular(lower: str, written: str) -> str:
    """The singular of a noun; symbols (short words in capitals, endings of symbols) stay.

    >>> singular("metastases", "metastases"), singular("arrhythmias", "arrhythmias")
    ('metastasis', 'arrhythmia')
    >>> singular("kras", "KRAS"), singular("als", "ALS")
    ('kras', 'als')
    """
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    if lower[-1:] not in _PLURAL_LAST:
        return lower
    if written[-1:] == "s" and _ACRONYM_PLURAL.fullmatch(written):
        return lower[:-1]
    if len(lower) < 4 or (written.isupper() and len(written) <= 5):
        return lower
    if not lower.endswith("s"):
        return lower[:-3] + "a" if lower.endswith("omata") else lower
    if lower.endswith(("ss", "us", "is", "as", "os")) and not lower.endswith(
        ("omas", "iras", "ias")  # sarcomas, tiaras, arrhythmias
    ):
        return lower
    if lower.endswith("ies"):
        return lower[:-3] + "y" if len(lower) > 5 else lower[:-1]
    if lower.endswith(("stases", "oses", "yses", "eses", "crises")) and lower not in (
        "doses",
        "noses",
        "roses",
    ):
        return lower[:-2] + "is"
    if lower.endswith("aches"):
        return lower[:-1]
    if lower.endswith(("xes", "ches", "shes", "sses", "uses")):
        return lower[:-2]
    return lower[:-1]


@lru_cache(maxsize=100_000)
def bag_of_words(folded: tuple[str, ...]) -> tuple[str, ...]:
    """Words without order, stop words and the word "type"; roman numerals as digits. Never empty
    for real words.

    >>> bag_of_words(("type", "ii", "diabetes", "of", "the", "young"))
    ('2', 'diabetes', 'young')
    """
    typed = not TYPES.isdisjoint(folded)
    parts = [part for part in folded if part not in STOP]
    return tuple(sorted(_numerals_as_digits(parts, typed))) or folded


def _numerals_as_digits(parts: Iterable[str], typed: bool) -> list[str]:
    return [roman_as_arabic(part, typed) if part[:1] in _ROMAN_DIGITS else part for part in parts]


def roman_as_arabic(part: str, typed: bool) -> str:
    """A roman numeral up to 39 as digits; a single letter only where type, stage, factor … stands
    beside it.

    >>> roman_as_arabic("ii", False), roman_as_arabic("v", False), roman_as_arabic("v", True)
    ('2', 'v', '5')
    """
    if part[:1] not in _ROMAN_DIGITS or (len(part) == 1 and not typed):
        return part
    if (match := _ROMAN.match(part)) and match.end() == len(part):
        tens, ones = match[1], match[2]
        units = {"ix": 9, "iv": 4}.get(ones, ones.count("i") + 5 * ones.count("v"))
        return str(10 * len(tens) + units)
    return part


def new_stem_key(part: str) -> str:
    """What equal words share: renal and kidney, hypertensive and hypertension; for callers that
    remember it themselves.

    >>> new_stem_key("renal"), new_stem_key("kidney"), new_stem_key("hypertensive")
    ('kidney', 'kidney', 'hypertens')
    """
    return without_suffix(EQUAL.get(part, part))


stem_key = lru_cache(maxsize=200_000)(new_stem_key)


def without_suffix(part: str) -> str:
    """A word without the ending that makes it an adjective, a noun or a verb.

    >>> without_suffix("hypertensive"), without_suffix("hypertension")
    ('hypertens', 'hypertens')
    """
    if len(part) < 7 or not part.isascii() or not part.isalpha():
        return part
    if part[-4:] in GREEK_ENDINGS:
        return part[:-4] + GREEK_ENDINGS[part[-4:]]
    for ending in _ENDINGS_BY_LAST.get(part[-1], ()):
        if part.endswith(ending) and len(part) - len(ending) >= 5:
            return part[: -len(ending)]
    return part


@lru_cache(maxsize=100_000)
def folding_steps(mention: str, name: str) -> tuple[str, ...]:
    """What had to be folded for the two to meet, in the order of STEPS; empty when they are equal,
    letter by letter.

    A step is named when without it they would not meet.

    >>> folding_steps("tumours, Brain", "brain tumor")
    ('case', 'spelling', 'plural', 'hyphen or space', 'word order')
    >>> folding_steps("IFN-γ", "IFN gamma")
    ('Greek letter', 'hyphen or space')
    """
    if mention == name:
        return ()
    if mention.casefold() == name.casefold():
        return ("case",)
    of_mention, of_name = name_words(mention), name_words(name)
    if of_mention == of_name:
        return _word_by_word(mention, name)
    if "".join(of_mention) == "".join(of_name):
        depth: tuple[str, ...] = _PLAIN
    elif bag_of_words(of_mention) == bag_of_words(of_name):
        depth = _PLAIN + _ORDER
    elif _form(mention, _ONE["equal word"]) == _form(name, _ONE["equal word"]):
        return (*_needed(mention, name, _PLAIN + _ORDER, _ONE["equal word"]), "word form")
    else:
        return (*_needed(mention, name, _PLAIN + _ORDER, frozenset()), "equal word")
    return _needed(mention, name, depth, _ALL_STEPS - frozenset(depth)) or ("hyphen or space",)


def _word_by_word(mention: str, name: str) -> tuple[str, ...]:
    """The steps between texts of equal folded words, a pair of words at a time."""
    steps: set[str] = set()
    of_mention, of_name = cut_at_words(mention), cut_at_words(name)
    for mention_word, name_word in zip(of_mention[1::2], of_name[1::2], strict=True):
        if mention_word != name_word:
            steps |= _steps(mention_word, name_word)
    if "_".join(of_mention[::2]).split() != "_".join(of_name[::2]).split():
        steps.add("hyphen or space")
    return tuple(step for step in _PLAIN if step in steps) or ("hyphen or space",)


@lru_cache(maxsize=100_000)
def _steps(mention_word: str, name_word: str) -> frozenset[str]:
    if mention_word.lower() == name_word.lower() and (mention_word + name_word).isascii():
        return _CASE
    return frozenset(
        step
        for step in _steps_of_word(mention_word) | _steps_of_word(name_word)
        if _folded(mention_word, _ONE[step]) != _folded(name_word, _ONE[step])
    )


@lru_cache(maxsize=100_000)
def _steps_of_word(word: str) -> frozenset[str]:
    """The steps that fold something away of a word: all others need not be tried."""
    folded = fold_word(word)
    if folded == word:
        return _NOTHING
    if folded == word.lower() and word.isascii():
        return _CASE
    return frozenset(
        step
        for step in _OF_A_WORD
        if _may_matter(step, word) and _folded(word, _ONE[step]) != folded
    )


def _needed(
    mention: str, name: str, depth: tuple[str, ...], off: frozenset[str]
) -> tuple[str, ...]:
    of_words = frozenset[str]().union(*map(_steps_of_word, (*_tokens(mention), *_tokens(name))))
    return tuple(
        step
        for step in depth
        if (step in of_words if step in _OF_A_WORD else _may_matter_between(step, mention, name))
        and _form(mention, off | {step}) != _form(name, off | {step})
    )


def _may_matter_between(step: str, mention: str, name: str) -> bool:
    """Whether a step that changes no word may tell two texts apart."""
    if step == "stop word":
        return not STOP.isdisjoint(name_words(mention) + name_words(name))
    return step != "numeral" or _ANY_ROMAN.search(f"{mention} {name}") is not None


def _may_matter(step: str, text: str) -> bool:
    """Whether a step may change some word of a text: most need not be tried."""
    match step:
        case "Unicode" | "Greek letter":
            return not text.isascii()
        case "case":
            return text != text.casefold()
        case "apostrophe":
            return _ANY_APOSTROPHE.search(text) is not None
    return True


@lru_cache(maxsize=50_000)
def _form(text: str, without: frozenset[str]) -> str:
    """The most folded form of a text, but for the steps in `without`."""
    parts = words = name_words(text)
    between = ""
    if "hyphen or space" in without:  # words are folded in place, punctuation is kept
        cut, between = cut_at_words(text), " "
        cut[1::2] = words
        parts = tuple("".join(cut).split())
    elif step := next(filter(without.__contains__, _OF_A_WORD), ""):
        parts = tuple(
            _folded(token, _ONE[step]) if step in _steps_of_word(token) else fold_word(token)
            for token in _tokens(text)
        )
    if "stop word" not in without and not STOP.isdisjoint(parts):
        parts = tuple([part for part in parts if part not in STOP]) or parts
    if "numeral" not in without:
        typed = not TYPES.isdisjoint(words)
        parts = tuple(_numerals_as_digits(parts, typed))
    if "equal word" in without:
        changed: Iterable[str] = parts if "word form" in without else map(without_suffix, parts)
    elif "word form" in without:
        changed = [EQUAL.get(part, part) for part in parts]
    else:
        changed = map(stem_key, parts)
    if "word form" not in without:
        changed = dict.fromkeys(changed)
    return between.join(changed if "word order" in without else sorted(changed))


@lru_cache(maxsize=50_000)
def _tokens(text: str) -> tuple[str, ...]:
    """The words of a text as it writes them."""
    return tuple(cut_at_words(text)[1::2])
