"""Triples as Turtle: sorted, a subject's lines together, one predicate a line, every value as it
was typed.

Nothing depends on how often a thing is named, so that a file under version control changes only
where what it says did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from rdflib import Literal as Value
from rdflib.term import Node as RdfNode

from core.kb.formats.ntriples import escaped
from core.kb.rdf.node import RDF, Triple
from core.kb.rdf.sorting import ordered

Row = tuple[str, bool, str, str, str]
TYPE = str(RDF.type)
IRI, UNTYPED = "iri", "None"  # in place of a datatype

LOCAL = re.compile(
    r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?"
)  # a part of what Turtle takes without escapes


class Names:
    """Short names of IRIs, and which prefixes were needed for them."""

    def __init__(self, namespaces: Mapping[str, str]):
        self._longest = sorted(namespaces.items(), key=lambda one: (-len(one[1]), one[0]))
        self._known: dict[str, str] = {}
        self._used: dict[str, str] = {}

    def of(self, term: RdfNode) -> str:
        """A term as it is written; the graph has no blank nodes."""
        if isinstance(term, Value):
            return self.value(str(term), str(term.datatype))
        return self.iri(str(term))

    def value(self, text: str, datatype: str) -> str:
        """An object as it is written, by its text and its datatype (see `row`)."""
        if datatype == IRI:
            return self.iri(text)
        return f'"{escaped(text)}"' + (f"^^{self.iri(datatype)}" if datatype != UNTYPED else "")

    def iri(self, iri: str) -> str:
        if iri not in self._known:
            self._known[iri] = self._name(iri)
        return self._known[iri]

    def _name(self, iri: str) -> str:
        for prefix, namespace in self._longest:
            if iri.startswith(namespace) and LOCAL.fullmatch(iri, len(namespace)):
                self._used[prefix] = namespace
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"

    @property
    def header(self) -> str:
        """The prefixes that were used so far."""
        return "".join(
            f"@prefix {prefix}: <{self._used[prefix]}> .\n" for prefix in sorted(self._used)
        )


def subject_blocks(triples: Iterable[Triple], names: Names, indent: str = "") -> Iterator[str]:
    """One text for each subject, its type first; it begins with `indent` and ends in a line end.
    Memory does not grow with the triples.
    """
    for subject, facts in groupby(ordered(map(row, triples)), key=itemgetter(0)):
        lines = [
            f"{'a' if predicate == TYPE else names.iri(predicate)}"
            f" {', '.join(names.value(one[3], one[4]) for one in same)}"
            for predicate, same in groupby(facts, key=itemgetter(2))
        ]
        yield f"{indent}{names.iri(subject)} " + f" ;\n{indent}    ".join(lines) + " .\n"


def row(triple: Triple) -> Row:
    """A triple as plain texts, which sort as the file does: by subject, the type before other
    facts, by predicate and value, and by datatype where values read the same.
    """
    subject, predicate, object_ = triple
    datatype = str(object_.datatype) if isinstance(object_, Value) else IRI
    relation = str(predicate)
    return str(subject), relation != TYPE, relation, str(object_), datatype
