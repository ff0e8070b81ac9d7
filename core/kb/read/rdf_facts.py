"""What an RDF file says of each subject, as far as it is read."""

from __future__ import annotations

import re
from itertools import accumulate

import pyoxigraph as ox

from core.errors import InputError
from core.kb.rdf import iri
from core.kb.rdf.node import BIOLINK, DCTERMS, GW, OA, PROV, QUDT, RDF, RDFS

MAX_FILE = 100_000_000  # bytes
MOST_NESTED = 100  # objects and lists of JSON-LD inside one another
FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".jsonld": ox.RdfFormat.JSON_LD,
}
NAMES = {".ttl": "Turtle", ".nt": "N-Triples", ".jsonld": "JSON-LD"}
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


def parse(content: bytes, suffix: str) -> dict[str, dict[str, list[Value]]]:
    """What is said of each subject with the predicates that are read, each value once, sorted.
    Nothing is ever fetched.
    """
    if len(content) > MAX_FILE:
        raise InputError(f"The file has more than {MAX_FILE:,} bytes.", "Split it.")
    if suffix not in FORMATS:
        raise InputError(
            f"{suffix or 'This kind of file'} cannot be imported.",
            "Give Turtle (.ttl), N-Triples (.nt), JSON-LD (.jsonld), a bundle or KGX (.zip), SSSOM"
            " (.tsv), or a draft (.json, .jsonl, .yaml).",
        )
    if suffix == ".jsonld" and json_depth(content) > MOST_NESTED:
        raise InputError(
            f"This JSON-LD is nested more than {MOST_NESTED} levels deep.",
            "Give it flattened, or as Turtle.",
        )
    facts: dict[str, dict[str, list[Value]]] = {}
    read_as: dict[str, str] = {}  # each predicate once, "" for one that is not read
    repeated: dict[tuple[str, str], list[Value]] = {}
    of_triple = ox.Triple  # looked up once, not for each of a million lines
    subject_before, said = (
        "",
        dict[str, list[Value]](),
    )  # a subject's lines mostly follow each other
    try:
        for quad in ox.parse(content, format=FORMATS[suffix]):
            iri_of_predicate = quad.predicate.value
            predicate = read_as.get(iri_of_predicate)
            if predicate is None:
                is_read = iri_of_predicate in READ or iri.qualifier_name(iri_of_predicate)
                predicate = read_as[iri_of_predicate] = iri_of_predicate if is_read else ""
            if not predicate:
                continue
            subject, value = quad.subject, quad.object
            if isinstance(value, of_triple) or isinstance(subject, of_triple):
                continue
            name = subject.value
            if name != subject_before:
                subject_before, said = name, facts.setdefault(name, {})
            if predicate in said:
                said[predicate].append(value)
                repeated[name, predicate] = said[predicate]
            else:
                said[predicate] = [value]
    except (SyntaxError, ValueError) as error:
        if "LoadDocumentCallback" in str(error):
            raise InputError(
                "This JSON-LD names a context at another address, which is not fetched.",
                "Give it expanded, with its context inside, or as Turtle.",
            ) from error
        raise InputError(f"This is not {NAMES[suffix]}: {str(error)[:200]}.") from error
    for values in repeated.values():
        values[:] = sorted(set(values), key=str)
    return facts


_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_STRING_OR_BRACKET = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|([][{}])', re.DOTALL
)  # a string that never ends reaches to the end, so that nothing is read twice


def json_depth(content: bytes) -> int:
    """The most arrays and objects that stand inside one another; brackets in strings are none. Too
    many end the process in a parser that follows them by its own stack, with no error to catch.
    """
    brackets = (found[1] for found in _STRING_OR_BRACKET.finditer(content))
    return max(accumulate((_STEP.get(bracket, 0) for bracket in brackets), initial=0))
