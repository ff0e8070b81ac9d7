"""What an export says of a subject, as plain texts: how it is made, sorted and written.

rdflib's terms are checked, cast and compared in Python, one by one; an export of a million facts
cannot afford that, and needs none of it: every IRI was checked when it was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Fact = tuple[str, str, str]  # predicate, text, datatype: `"9"^^xsd:integer` of some predicate
Described = tuple[str, list[Fact]]  # a subject's IRI, and what is said of it
IRI, PLAIN = "iri", "None"  # in place of a datatype: the text is an IRI, or has no datatype


def text_fact(predicate: str, words: str) -> Fact:
    """A plain text, made safe for a UTF-8 file."""
    return predicate, utf8_safe(words), PLAIN


def optional_text_fact(predicate: str, words: str) -> Iterator[Fact]:
    if words:
        yield text_fact(predicate, words)


def utf8_safe(words: str) -> str:
    r"""NUL and half surrogates cannot stand in a UTF-8 file that others read: they become U+FFFD.

    >>> utf8_safe("IL\0-2") == "IL\ufffd-2"
    True
    """
    if words.isascii() and "\x00" not in words:
        return words
    safe_words = words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return safe_words.replace("\x00", "\ufffd")


def values_by_predicate(
    facts: Iterable[Fact], first_predicate: str
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The values (text and datatype) of each predicate of sorted facts, those of `first_predicate`
    first."""
    grouped: dict[str, list[tuple[str, str]]] = {first_predicate: []}
    for predicate, text, datatype in facts:
        if predicate in grouped:
            grouped[predicate].append((text, datatype))
        else:
            grouped[predicate] = [(text, datatype)]
    return ((predicate, values) for predicate, values in grouped.items() if values)
