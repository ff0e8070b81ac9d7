"""Turtle and N-Triples back into statements and evidence: what `import` takes, all of it as
proposals.

Files of ours give the same statements, ids and all. A file of another's is taken as far as it
speaks Biolink: each `biolink:Association` with rdf:subject, rdf:predicate and rdf:object, its
publications and supporting texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from core.errors import InputError
from core.kb.rdf import iri
from core.kb.rdf.node import BIOLINK, DCTERMS, GW, OA, PROV, QUDT, RDF, RDFS, XSD
from core.model import (
    Category,
    Evidence,
    Ground,
    Literal,
    Modality,
    Node,
    Problem,
    Qualifier,
    RecordGround,
    ReferenceGround,
    Severity,
    Span,
    Statement,
    Term,
    TextGround,
    Thing,
)

MAX_FILE = 100_000_000  # bytes
FORMATS = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES}
Value = ox.NamedNode | ox.BlankNode | ox.Literal
Facts = Mapping[str, Mapping[str, tuple[Value, ...]]]


@dataclass(frozen=True, slots=True)
class ReadStatements:
    """What a file held: statements with evidence, sorted by id, and what could not be read."""

    proposals: tuple[tuple[Statement, tuple[Evidence, ...]], ...]
    problems: tuple[Problem, ...] = ()


def read(content: bytes, prefixes: Mapping[str, str], suffix: str = ".ttl") -> ReadStatements:
    """The statements of a file. Raises InputError when it is not RDF, too big, or holds no
    association.
    """
    facts = parse(content, suffix)
    reader = RdfReader(facts, prefixes)
    proposals: dict[str, tuple[Statement, tuple[Evidence, ...]]] = {}
    problems = []
    for node in sorted(
        name for name, found in facts.items() if has_type(found, str(BIOLINK.Association))
    ):
        try:
            statement = reader.statement(node)
            proposals[statement.id] = (statement, reader.evidence(node, statement))
        except (InputError, ValueError) as error:
            problems.append(
                Problem("not-a-statement", str(error), Severity.ERROR, node, "It is left out.")
            )
    if not proposals and not problems:
        raise InputError(
            "This file holds no statements.",
            "A knowledge base to import has nodes of type biolink:Association.",
        )
    return ReadStatements(tuple(proposals[name] for name in sorted(proposals)), tuple(problems))


def parse(content: bytes, suffix: str) -> Facts:
    """Subject → predicate → objects, sorted. Nothing is ever fetched."""
    if len(content) > MAX_FILE:
        raise InputError(f"The file has more than {MAX_FILE:,} bytes.", "Split it.")
    if suffix not in FORMATS:
        raise InputError(
            f"{suffix or 'This kind of file'} cannot be imported.",
            "Give Turtle (.ttl), N-Triples (.nt), a bundle or KGX (.zip), SSSOM (.tsv), or a draft"
            " (.json, .jsonl, .yaml).",
        )
    found: dict[str, dict[str, list[Value]]] = {}
    try:
        for quad in ox.parse(content, format=FORMATS[suffix]):
            if isinstance(quad.subject, ox.Triple) or isinstance(quad.object, ox.Triple):
                continue
            found.setdefault(quad.subject.value, {}).setdefault(quad.predicate.value, []).append(
                quad.object
            )
    except (SyntaxError, ValueError) as error:
        raise InputError(
            f"This is not {'Turtle' if suffix == '.ttl' else 'N-Triples'}: {str(error)[:200]}."
        ) from error
    return {s: {p: tuple(sorted(set(o), key=str)) for p, o in found[s].items()} for s in found}


def has_type(facts: Mapping[str, tuple[Value, ...]], wanted: str) -> bool:
    return any(value.value == wanted for value in facts.get(str(RDF.type), ()))


@dataclass(frozen=True, slots=True)
class RdfReader:
    """Reads nouns out of facts. `prefixes` are those of the project's schemas."""

    facts: Facts
    prefixes: Mapping[str, str]

    def values(self, node: str, predicate: str) -> tuple[Value, ...]:
        return self.facts.get(node, {}).get(str(predicate), ())

    def one(self, node: str, predicate: str) -> str:
        return next((value.value for value in self.values(node, predicate)), "")

    def statement(self, node: str) -> Statement:
        subject, predicate = (self.thing(node, name) for name in (RDF.subject, RDF.predicate))
        if isinstance(subject, Literal) or not isinstance(predicate, Term):
            raise InputError(
                "The subject and the predicate of an association must be things, not values."
            )
        return Statement(
            subject=subject,
            predicate=predicate,
            object=self.thing(node, RDF.object),
            negated=self.one(node, BIOLINK.negated) in ("true", "1"),
            modality=Modality(self.one(node, GW.modality) or Modality.ASSERTED),
            qualifiers=tuple(sorted(self.qualifiers(node), key=lambda qualifier: qualifier.name)),
            document=self.paper(self.one(node, GW.document)),
            derived_from=iri.name_of(self.one(node, PROV.wasDerivedFrom), "statement"),
        )

    def qualifiers(self, node: str) -> Iterator[Qualifier]:
        for predicate in sorted(self.facts[node]):
            if name := iri.qualifier_name(predicate):
                for value in self.values(node, predicate):
                    thing = self.term_or_literal(value)
                    if not isinstance(thing, Node):
                        yield Qualifier(name, thing)

    def thing(self, node: str, predicate: str) -> Thing:
        values = self.values(node, predicate)
        if len(values) != 1:
            raise InputError(
                f"An association needs exactly one {predicate.rpartition('#')[2]}, not"
                f" {len(values)}."
            )
        if isinstance(values[0], ox.Literal) and self.values(node, GW.datatype):
            return Literal(
                self.one(node, GW.value), self.one(node, GW.datatype), self.one(node, QUDT.ucumCode)
            )
        return self.term_or_literal(values[0])

    def term_or_literal(self, value: Value) -> Thing:
        if isinstance(value, ox.Literal):
            return self.literal(value)
        name, label, category = (
            value.value,
            self.one(value.value, RDFS.label),
            self.category(value.value),
        )
        if node := iri.name_of(name, "node"):
            return Node(node, self.cls(name), label, category)
        if has_type(self.facts.get(name, {}), str(GW.Words)):
            return Term("", label, category)
        return Term(
            self.one(name, DCTERMS.identifier) or iri.curie(name, self.prefixes), label, category
        )

    def literal(self, value: ox.Literal) -> Literal:
        datatype = value.datatype.value
        if datatype == iri.UCUM_LITERAL:
            number, _, unit = value.value.partition(" ")
            return Literal(number, "xsd:decimal", unit)
        return Literal(
            value.value,
            iri.curie(datatype, self.prefixes) if datatype != str(XSD.string) else "xsd:string",
        )

    def category(self, node: str) -> Category:
        types = [value.value for value in self.values(node, RDF.type)]
        return next(
            (iri.CATEGORIES[name] for name in types if name in iri.CATEGORIES), Category.THING
        )

    def cls(self, node: str) -> str:
        types = (iri.name_of(value.value, "class") for value in self.values(node, RDF.type))
        return next((name for name in types if name), "")

    def paper(self, node: str) -> str:
        if not node:
            return ""
        return (
            self.one(node, DCTERMS.identifier)
            or iri.name_of(node, "document")
            or iri.curie(node, self.prefixes)
        )

    def evidence(self, node: str, statement: Statement) -> tuple[Evidence, ...]:
        evidences = [
            self.piece(value.value, statement) for value in self.values(node, BIOLINK.has_evidence)
        ]
        pieces = [piece for piece in evidences if piece] or list(self.references(node, statement))
        return tuple(sorted(pieces, key=lambda piece: piece.id))

    def piece(self, node: str, statement: Statement) -> Evidence | None:
        ground = self.ground(node)
        if ground is None:
            return None
        return Evidence(
            statement.id,
            ground,
            run=iri.name_of(self.one(node, PROV.wasGeneratedBy), "run"),
            path=self.one(node, GW.path),
            engine=self.one(node, GW.engine),
            score=float(self.one(node, GW.score) or 1.0),
        )

    def ground(self, node: str) -> Ground | None:
        facts, source = self.facts.get(node, {}), self.paper(self.one(node, DCTERMS.source))
        if has_type(facts, str(GW.TextEvidence)):
            span = Span(int(self.one(node, OA.start)), int(self.one(node, OA.end)))
            quote, section = self.one(node, OA.exact), self.one(node, GW.section)
            return TextGround(source, self.one(node, GW.textVersion), span, quote, section)
        if has_type(facts, str(GW.RecordEvidence)):
            record, pointer = self.one(node, DCTERMS.identifier), self.one(node, GW.pointer)
            return RecordGround(self.one(node, GW.call), record, pointer, self.one(node, GW.value))
        if has_type(facts, str(GW.ReferenceEvidence)):
            return ReferenceGround(source, self.one(node, GW.locator), self.one(node, RDFS.comment))
        return None

    def references(self, node: str, statement: Statement) -> Iterator[Evidence]:
        """Another's file: each publication is a reference, and a single supporting text is its
        note.
        """
        quotes = [value.value for value in self.values(node, BIOLINK.supporting_text)]
        note = quotes[0] if len(quotes) == 1 else ""
        for value in self.values(node, BIOLINK.publications):
            yield Evidence(
                statement.id, ReferenceGround(self.paper(value.value), note=note), engine="import"
            )
