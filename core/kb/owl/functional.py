"""OWL functional syntax into forms: the small part of it that templates write.

Values put in by a template stand in the text as marks (see `value_mark`), never as their own words:
a label that looks like syntax stays a label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from core.curie import PREFIXES
from core.errors import InputError
from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part, check_form
from core.kb.rdf import iri as iris

OPEN, CLOSE = "\ue000", "\ue001"  # private use: around the number of a value
# Brackets, <IRIs>, "text"^^type or "text"@en, names: no part can match another's text
_TOKEN = re.compile(
    r"\s+|[()]|<[^<>\s]*>|\"(?:[^\"\\]|\\.)*\"(?:\^\^[^\s()\"]+|@[A-Za-z-]+)?|[^\s()<>\"]+"
)
_MARK = re.compile(OPEN + r"(\d+)" + CLOSE)
MAX_DEPTH = 60
Expand = Callable[[str], str]  # CURIE → IRI


def value_mark(number: int) -> str:
    """What stands in a text for the value of that number."""
    return f"{OPEN}{number}{CLOSE}"


def parse_axioms(text: str, values: Sequence[object], expand: Expand) -> list[OwlForm]:
    """The axioms of a text, checked. Raises InputError that says what could not be read."""
    checked_axioms, tokens = [], list(_tokens(text))
    at = 0
    while at < len(tokens):
        part, at = _part(tokens, at, values, expand, depth=0)
        if not isinstance(part, OwlForm):
            raise InputError("An axiom was expected.")
        if part.operator != "Declaration":  # what is named is declared anyway
            checked_axioms.append(check_form(part))
    return checked_axioms


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise InputError(f"“{_MARK.sub('…', text[at : at + 30])}” is not functional syntax.")
        if not match[0].isspace():
            yield match[0]
        at = match.end()


def _part(
    tokens: list[str], at: int, values: Sequence[object], expand: Expand, *, depth: int
) -> tuple[Part, int]:
    word = tokens[at]
    if depth > MAX_DEPTH:
        raise InputError("The axiom is nested too deeply.")
    if word in "()":
        raise InputError("A bracket is in the wrong place.")
    if at + 1 >= len(tokens) or tokens[at + 1] != "(":
        return _atom(word, values, expand), at + 1
    parts: list[Part] = []
    at += 2
    while at < len(tokens) and tokens[at] != ")":
        part, at = _part(tokens, at, values, expand, depth=depth + 1)
        parts.append(part)
    if at >= len(tokens):
        raise InputError(f"{word[:60]} is not closed.")
    return OwlForm(word, tuple(parts)), at + 1


def _atom(word: str, values: Sequence[object], expand: Expand) -> Part:
    if match := _MARK.fullmatch(word):
        return _value(values[int(match[1])], expand)
    if word.startswith('"'):
        return _quoted(word, values, expand)
    filled_word = _MARK.sub(lambda match: _words(values[int(match[1])]), word)
    if filled_word.startswith("<"):
        return Iri(iris.checked_iri(filled_word[1:-1]))
    if re.fullmatch(r"[+-]?\d+", filled_word):
        return OwlLiteral(filled_word, PREFIXES["xsd"] + "integer")
    if re.fullmatch(r"[+-]?\d*\.\d+", filled_word):
        return OwlLiteral(filled_word, PREFIXES["xsd"] + "decimal")
    return Iri(expand(filled_word))


def _value(value: object, expand: Expand) -> Part:
    """A value that stands alone: itself, if it is a part already; other words are a CURIE of the
    template's own.
    """
    if isinstance(value, OwlForm | Iri | OwlLiteral):
        return value
    if (part := getattr(value, "part", None)) is not None:
        return _value(part, expand)
    if isinstance(value, int | float):
        return _atom(str(value), (), expand)
    return Iri(expand(str(value)))


def _quoted(word: str, values: Sequence[object], expand: Expand) -> OwlLiteral:
    body, _, tail = word[1:].rpartition('"')
    unescaped = re.sub(r"\\(.)", r"\1", body, flags=re.DOTALL)
    text = _MARK.sub(lambda match: _words(values[int(match[1])]), unescaped)
    if tail.startswith("@"):
        return OwlLiteral(text, language=tail[1:])
    if tail:
        datatype = _atom(tail[2:], values, expand)
        return OwlLiteral(text, datatype.iri if isinstance(datatype, Iri) else "")
    return OwlLiteral(text)


def _words(value: object) -> str:
    part = getattr(value, "part", value)
    if isinstance(part, Iri):
        return part.iri
    return part.text if isinstance(part, OwlLiteral) else str(value)
