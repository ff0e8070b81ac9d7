"""What an RDF file says, as far as it is read: facts by subject, plain triples of Biolink's
predicates, and how often others relate two things. Nothing is ever fetched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import pyoxigraph as ox

from core.errors import InputError
from core.kb.formats.biolink import parent_predicates
from core.kb.rdf import iri
from core.kb.rdf.node import BIOLINK, DCTERMS, GW, OA, PROV, QUDT, RDF, RDFS

MAX_FILE = 100_000_000  # bytes
MOST_NESTED = 100  # objects and lists of JSON-LD inside one another
FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
}
NAMES = {".ttl": "Turtle", ".nt": "N-Triples", ".trig": "TriG", ".jsonld": "JSON-LD"}
Value = ox.NamedNode | ox.BlankNode | ox.Literal
READ = frozenset(  # predicates that a statement or its evidence is made of, besides qualifiers
    (
        *(RDF.type, RDF.subject, RDF.predicate, RDF.object, RDFS.label, RDFS.comment),
        *(BIOLINK.negated, BIOLINK.has_evidence, BIOLINK.publications, BIOLINK.supporting_text),
        *(DCTERMS.identifier, DCTERMS.source, PROV.wasDerivedFrom, PROV.wasGeneratedBy),
        *(OA.exact, OA.start, OA.end, QUDT.ucumCode, GW.document, GW.modality, GW.value),
        *(GW.datatype, GW.path, GW.engine, GW.score, GW.textVersion, GW.section, GW.call),
        *(GW.pointer, GW.locator, GW.rule, GW.cue, GW.calledHere),
    )
)


# ends of an association as Biolink writes them
ENDS_OF_BIOLINK = {BIOLINK[name]: RDF[name] for name in ("subject", "predicate", "object")}
_ASSOCIATION = ox.NamedNode(BIOLINK.Association)
# what these say of a thing is no relation between two
_DESCRIBING = tuple(
    str(start)
    for start in (RDF, RDFS, BIOLINK, GW, DCTERMS, PROV, OA, QUDT, "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2004/02/skos/core#", "http://www.nanopub.org/nschema#",
    "http://purl.org/nanopub/", "http://xmlns.com/foaf/", "http://schema.org/",
    "https://schema.org/", "http://purl.org/dc/", "http://purl.org/pav/", iri.QUALIFIER)
)  # fmt: skip


class PlainTriple(NamedTuple):
    """A relation that a file states without an association, and the graph where it stands."""

    subject: str
    predicate: str
    object: str
    graph: str


@dataclass(slots=True)
class RdfFile:
    """What a file says of each subject with the predicates that are read, each value once, sorted;
    its plain triples of Biolink's predicates, and how often it relates two things by others.
    """

    facts: dict[str, dict[str, list[Value]]] = field(default_factory=dict)
    plain: dict[PlainTriple, None] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)


def parse(content: bytes, suffix: str) -> RdfFile:
    """What a file says. Nothing is ever fetched."""
    if len(content) > MAX_FILE:
        raise InputError(f"The file has more than {MAX_FILE:,} bytes.", "Split it.")
    if suffix not in FORMATS:
        raise InputError(
            f"{suffix or 'This kind of file'} cannot be imported.",
            "Give Turtle (.ttl), N-Triples (.nt), TriG (.trig), JSON-LD (.jsonld), a bundle or KGX"
            " (.zip), SSSOM (.tsv), or a draft (.json, .jsonl, .yaml).",
        )
    if suffix == ".jsonld" and json_depth(content) > MOST_NESTED:
        raise InputError(
            f"This JSON-LD is nested more than {MOST_NESTED} levels deep.",
            "Give it flattened, or as Turtle.",
        )
    try:
        return _said(ox.parse(content, format=FORMATS[suffix]))
    except (SyntaxError, ValueError) as error:
        if "LoadDocumentCallback" in str(error):
            raise InputError(
                "This JSON-LD names a context at another address, which is not fetched.",
                "Give it expanded, with its context inside, or as Turtle.",
            ) from error
        raise InputError(f"This is not {NAMES[suffix]}: {str(error)[:200]}.") from error


def _said(quads: Iterator[ox.Quad]) -> RdfFile:
    file = RdfFile()
    facts, relations = file.facts, {BIOLINK[name] for name in parent_predicates()}
    read_as: dict[str, str] = {}  # each predicate once, "" for one that is not read
    repeated: dict[tuple[str, str], list[Value]] = {}
    of_triple = ox.Triple  # looked up once, not for each of a million lines
    subject_before, said = "", dict[str, list[Value]]()  # lines of a subject mostly follow
    for quad in quads:
        iri_of_predicate = quad.predicate.value
        predicate = read_as.get(iri_of_predicate)
        if predicate is None:
            is_read = iri_of_predicate in READ or iri.qualifier_name(iri_of_predicate)
            same = ENDS_OF_BIOLINK.get(iri_of_predicate, "")
            predicate = read_as[iri_of_predicate] = same or (iri_of_predicate if is_read else "")
        subject, value = quad.subject, quad.object
        if isinstance(subject, of_triple):
            continue
        if isinstance(value, of_triple):
            if iri_of_predicate == RDF.reifies:
                _reify(facts.setdefault(subject.value, {}), value)
            continue
        if not predicate:
            _relate(file, quad, relations)
            continue
        name = subject.value
        if name != subject_before:
            subject_before, said = name, facts.setdefault(name, {})
        if predicate in said:
            said[predicate].append(value)
            repeated[name, predicate] = said[predicate]
        else:
            said[predicate] = [value]
    for values in repeated.values():
        values[:] = sorted(set(values), key=str)
    if any(name.startswith(str(GW)) for name in read_as):
        file.others.clear()  # of ours: each has its association
    return file


def _reify(facts: dict[str, list[Value]], triple: ox.Triple) -> None:
    """`<< s p o >>` with what is said of it is an association."""
    if not isinstance(triple.object, ox.Triple) and not isinstance(triple.subject, ox.Triple):
        told = (RDF.type, _ASSOCIATION), (RDF.subject, triple.subject)
        for name, value in (*told, (RDF.predicate, triple.predicate), (RDF.object, triple.object)):
            if value not in (values := facts.setdefault(name, [])):
                values.append(value)


def _relate(file: RdfFile, quad: ox.Quad, relations: set[str]) -> None:
    """Keep or count a triple of a predicate that describes nothing which is read."""
    subject, value, predicate = quad.subject, quad.object, quad.predicate.value
    if not isinstance(subject, ox.NamedNode) or not isinstance(value, ox.NamedNode):
        return
    if predicate in relations:
        graph = quad.graph_name
        place = "" if isinstance(graph, ox.DefaultGraph) else graph.value
        file.plain[PlainTriple(subject.value, predicate, value.value, place)] = None
    elif not predicate.startswith(_DESCRIBING):
        file.others[predicate] += 1


_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_STRING_OR_BRACKET = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|([][{}])', re.DOTALL
)  # a string that never ends reaches to the end, so that nothing is read twice


def json_depth(content: bytes) -> int:
    """The most arrays and objects that stand inside one another; brackets in strings are none. Too
    many end the process in a parser that follows them by its own stack, with no error to catch.

    >>> json_depth(b'{"a": [1, "[[["]}')
    2
    """
    brackets = (found[1] for found in _STRING_OR_BRACKET.finditer(content))
    return max(accumulate((_STEP.get(bracket, 0) for bracket in brackets), initial=0))
