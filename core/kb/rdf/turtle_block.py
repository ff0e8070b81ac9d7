"""Triples as Turtle: sorted, a subject's lines together, one predicate a line, every value as it
was typed.

Nothing depends on how often a thing is named, so that a file under version control changes only
where what it says did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from rdflib import Literal as Value
from rdflib.term import Node as RdfNode

from core.kb.formats.ntriples import escaped
from core.kb.rdf.node import RDF, Triple

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
            return f'"{escaped(str(term))}"' + (
                f"^^{self.iri(str(term.datatype))}" if term.datatype else ""
            )
        return self.iri(str(term))

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


def blocks(triples: Iterable[Triple], names: Names, indent: str = "") -> Iterator[str]:
    """One text for each subject, its type first; it begins with `indent` and ends in a line end."""
    ordered = sorted(set(triples), key=order)
    for subject, facts in groupby(ordered, key=lambda triple: triple[0]):
        lines = [
            f"{'a' if predicate == RDF.type else names.of(predicate)}"
            f" {', '.join(names.of(one[2]) for one in same)}"
            for predicate, same in groupby(facts, key=lambda triple: triple[1])
        ]
        yield f"{indent}{names.of(subject)} " + f" ;\n{indent}    ".join(lines) + " .\n"


def order(triple: Triple) -> tuple[str, bool, str, str, str]:
    """By the texts of the parts, the type before other facts, and by datatype where values read the
    same.
    """
    subject, predicate, object_ = triple
    datatype = str(object_.datatype) if isinstance(object_, Value) else "iri"
    return str(subject), predicate != RDF.type, str(predicate), str(object_), datatype
