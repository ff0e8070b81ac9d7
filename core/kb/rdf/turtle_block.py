"""Triples as Turtle: sorted, a subject's lines together, one predicate a line, every value as it
was typed.

Nothing depends on how often a thing is named, so that a file under version control changes only
where what it says did.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping

import pyoxigraph as ox

from core.kb.rdf.fact import IRI, PLAIN, Described, Fact
from core.kb.rdf.node import RDF, XSD
from core.kb.rdf.sorting import gather_by_subject, sort_texts

KNOWN = 50_000  # names that are remembered
LOCAL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?"  # of what Turtle takes without escapes


class ShortNames:
    """Short names of IRIs, and which prefixes were needed for them."""

    def __init__(self, namespaces: Mapping[str, str]):
        longest = sorted(
            namespaces.items(), key=lambda namespace: (-len(namespace[1]), namespace[0])
        )
        self._prefixes = [prefix for prefix, _ in longest]
        starts = "|".join(f"({re.escape(namespace)})" for _, namespace in longest)
        self._short = re.compile(rf"(?:{starts})({LOCAL})") if longest else re.compile("(?!)")
        self.known: dict[str, str] = {}
        self._used: dict[str, str] = {}

    def literal(self, text: str, datatype: str) -> str:
        """A literal as it is written, by its text and its datatype."""
        if datatype == PLAIN:
            return f'"{escape_turtle(text)}"'
        return f'"{escape_turtle(text)}"^^{self.iri(datatype)}'

    def iri(self, iri: str) -> str:
        """The name of an IRI that was checked: `prefix:name`, else in angle brackets.

        >>> names = ShortNames({"MONDO": "http://purl.obolibrary.org/obo/MONDO_"})
        >>> names.iri("http://purl.obolibrary.org/obo/MONDO_0005148"), names.iri("urn:cat")
        ('MONDO:0005148', '<urn:cat>')
        """
        name = self.known.get(iri)
        if name is None:
            if len(self.known) >= KNOWN:
                self.known.clear()
            name = self.known[iri] = self._name(iri)
        return name

    def _name(self, iri: str) -> str:
        match = self._short.fullmatch(iri)
        if match is None:
            return f"<{iri}>"
        at = next(at for at, group in enumerate(match.groups()) if group is not None)
        prefix = self._prefixes[at]
        self._used[prefix] = match[at + 1]
        return f"{prefix}:{match[len(self._prefixes) + 1]}"

    @property
    def header(self) -> str:
        """The prefixes that were used so far."""
        return "".join(
            f"@prefix {prefix}: <{self._used[prefix]}> .\n" for prefix in sorted(self._used)
        )


def turtle_blocks(
    own: Iterable[Described], shared: Iterable[Described], names: ShortNames
) -> Iterator[str]:
    """One text for each subject, sorted by its IRI, in bounded memory.

    What is said of a subject of `own` is said at one time, so that its text is made at once and
    only texts are sorted; what is said of one of `shared` comes from many places and is gathered.
    """
    texts = sort_texts(
        f"{subject}{END}{turtle_block(subject, sorted(set(f)), names)}" for subject, f in own
    )
    gathered = (
        f"{subject}{END}{turtle_block(subject, f, names)}"
        for subject, f in gather_by_subject(shared)
    )
    subject_before, block_before = "", ""
    for line in heapq.merge(texts, gathered):
        subject, _, text = line.partition(END)
        if subject == subject_before:
            block_before = turtle_block(
                subject, sorted({*read_block(block_before, names), *read_block(text, names)}), names
            )
            continue
        if block_before:
            yield block_before
        subject_before, block_before = subject, text
    if block_before:
        yield block_before


END = "\x00"  # of a subject: stands in no text and sorts before everything


def subject_blocks(
    described: Iterable[Described], names: ShortNames, indent: str = ""
) -> Iterator[str]:
    """One text for each subject; it begins with `indent`."""
    return (
        turtle_block(subject, facts, names, indent)
        for subject, facts in gather_by_subject(described)
    )


def turtle_block(subject: str, facts: Iterable[Fact], names: ShortNames, indent: str = "") -> str:
    """What sorted facts say of a subject, its type first; ends in a line end."""
    of_type, between = RDF.type, f" ;\n{indent}    "
    types: list[str] = []
    others: list[str] = []
    predicate_before = ""
    known = names.known  # asked here, because this loop runs for every triple
    for predicate, text, datatype in facts:
        if datatype == IRI:
            written = known.get(text) or names.iri(text)
        else:
            written = names.literal(text, datatype)
        if predicate == of_type:
            types.append(written)
        elif predicate == predicate_before:
            others += (", ", written)
        else:
            others += (between, known.get(predicate) or names.iri(predicate), " ", written)
            predicate_before = predicate
    if types:
        return f"{indent}{names.iri(subject)} a {', '.join(types)}{''.join(others)} .\n"
    return f"{indent}{names.iri(subject)} {''.join(others[1:])} .\n"


def read_block(text: str, names: ShortNames) -> Iterator[Fact]:
    """The facts of a block, read back: needed only where two subjects turn out to be one, an id
    that is the IRI of a statement.
    """
    for quad in ox.parse(f"{names.header}{text}", format=ox.RdfFormat.TURTLE):
        value = quad.object
        assert isinstance(value, ox.NamedNode | ox.Literal)
        datatype = IRI if isinstance(value, ox.NamedNode) else value.datatype.value
        yield quad.predicate.value, value.value, PLAIN if datatype == XSD.string else datatype


def escape_turtle(words: str) -> str:
    r"""The four signs that Turtle and N-Triples reserve; everything else is UTF-8.

    >>> print(escape_turtle('a "quoted"\nline'))
    a \"quoted\"\nline
    """
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        words = words.replace(sign, written)
    return words
