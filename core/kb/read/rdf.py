"""Turtle, N-Triples, TriG and JSON-LD back into statements and evidence: what `import` takes, all
as proposals.

Files of ours give the same statements, ids and all. A file of another's is taken as far as it
speaks Biolink: each `biolink:Association` or class below it, `rdf:Statement` and reified triple
(RDF 1.2) with subject, predicate and object (of RDF or Biolink), its publications and supporting
texts; and each plain triple of a predicate of Biolink's that no association states, with the paper
that its graph was derived from (nanopublications). Other predicates between things are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import pyoxigraph as ox

from core.collector_pause import collector_paused
from core.errors import InputError
from core.kb.rdf import iri
from core.kb.rdf.node import BIOLINK, DCTERMS, GW, OA, PROV, QUDT, RDF, RDFS, XSD
from core.kb.read.qualifier_readings import other_ways, statement_with_id
from core.kb.read.rdf_file import ENDS_OF_BIOLINK, READ, PlainTriple, RdfFile, Value, parse
from core.kb.read.unread import UnreadParts
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
    Span,
    Statement,
    Term,
    TextGround,
    Thing,
)

MOST_NAMED = 8  # predicates that a remark names
Facts = Mapping[str, Sequence[Value]]  # what is said of a subject: predicate → values, sorted
OwnNames = Mapping[str, tuple[Category, str]]


class ReadProposals(Protocol):
    """Statements with evidence, sorted by id, that can be gone through again and again."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[tuple[Statement, tuple[Evidence, ...]]]: ...


@dataclass(frozen=True, slots=True)
class ReadStatements:
    """What a file held, and what could not be read."""

    proposals: ReadProposals
    problems: tuple[Problem, ...] = ()


def read(content: bytes, prefixes: Mapping[str, str], suffix: str = ".ttl") -> ReadStatements:
    """The statements of a file. Raises InputError when it is not RDF, too big, or holds no
    association.
    """
    with collector_paused():
        file = parse(content, suffix)
        proposals, unread = _proposals(file, prefixes)
    if not proposals and not unread:
        raise InputError(
            "This file contains no statements.",
            "A knowledge base to import has nodes of type biolink:Association, or relates things by"
            " predicates of Biolink's.",
        )
    if file.others:
        unread.add(_others_words(file.others, prefixes), "the file")
    return ReadStatements(tuple(proposals[name] for name in sorted(proposals)), unread.problems())


_PAPERS = ("PMID:", "PMC:", "PMCID:", "DOI:")
Proposals = dict[str, tuple[Statement, tuple[Evidence, ...]]]  # by the statement's id


def _proposals(file: RdfFile, prefixes: Mapping[str, str]) -> tuple[Proposals, UnreadParts]:
    reader = RdfReader(file.facts, prefixes)
    proposals: Proposals = {}
    unread = UnreadParts()
    stated: set[tuple[str, ...]] = set()  # the triples of associations, where there are plain ones
    for node in reader.associations():
        try:
            facts = reader.facts_of(node)
            if file.plain:
                stated.add(tuple(first_value(facts, end) for end in ENDS_OF_BIOLINK.values()))
            statement = reader.statement(node)
            _add(proposals, statement, reader.evidence(facts, statement.id))
        except (InputError, ValueError) as error:
            unread.add(str(error), node)
    for triple in file.plain:
        if triple[:3] not in stated:
            _add(proposals, *reader.plain(triple))
    return proposals, unread


def _add(proposals: Proposals, statement: Statement, evidence: tuple[Evidence, ...]) -> None:
    """What several say is one statement with the evidence of each."""
    name = statement.id
    if before := proposals.get(name):
        evidence = tuple({piece.id: piece for piece in (*before[1], *evidence)}.values())
    proposals[name] = (statement, evidence)


def _others_words(others: Counter[str], prefixes: Mapping[str, str]) -> str:
    named = [f"{iri.curie(name, prefixes)} ({n:,})" for name, n in others.most_common(MOST_NAMED)]
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    return (
        f"Triples of predicates that are not Biolink's are not read: {', '.join(named)}{more}."
        " State them as associations."
    )


class RdfReader:
    """Reads nouns out of facts. `prefixes` are those of the project's schemas. What many statements
    name, things and papers, is read once.
    """

    def __init__(self, facts: Mapping[str, Facts], prefixes: Mapping[str, str]):
        self.facts = facts
        self.prefixes = prefixes
        self._things: dict[str, Term | Node] = {}
        self._papers: dict[str, str] = {}

    def associations(self) -> list[str]:
        """The subjects that are statements, sorted: of the class Association or one that Biolink
        has below it, or reified.
        """
        known: dict[Value, bool] = {}
        return sorted(
            name
            for name, facts in self.facts.items()
            if any(_is_association(kind, known) for kind in facts.get(RDF.type, ()))
        )

    def plain(self, triple: PlainTriple) -> tuple[Statement, tuple[Evidence, ...]]:
        """A triple without an association; the paper that its graph was derived from is its
        evidence.
        """
        predicate = Term(iri.curie(triple.predicate, self.prefixes), "", Category.RELATION)
        subject, object_ = self.term_named(triple.subject), self.term_named(triple.object)
        statement = Statement(subject, predicate, object_)
        sources = self.facts_of(triple.graph).get(PROV.wasDerivedFrom, ()) if triple.graph else ()
        papers = {self.paper(value.value) for value in sources}
        grounds = (ReferenceGround(p) for p in sorted(papers) if p.startswith(_PAPERS))
        return statement, tuple(Evidence(statement.id, g, engine="import") for g in grounds)

    def facts_of(self, node: str) -> Facts:
        return self.facts.get(node, {})

    def statement(self, node: str) -> Statement:
        """The statement that a node describes. Where it is one of ours, its id says how its
        qualifiers were meant; a file that was changed by hand says another statement.
        """
        facts = self.facts_of(node)
        names = self.own_names(facts)
        subject, predicate = (
            self.thing(facts, name, names) for name in (RDF.subject, RDF.predicate)
        )
        if isinstance(subject, Literal) or not isinstance(predicate, Term):
            raise InputError(
                "The subject and the predicate of an association must be things, not values."
            )
        statement = Statement(
            subject=subject,
            predicate=predicate,
            object=self.thing(facts, RDF.object, names),
            negated=_is_true(first_value(facts, BIOLINK.negated)),
            modality=Modality(first_value(facts, GW.modality) or Modality.ASSERTED),
            qualifiers=tuple(
                sorted(self.qualifiers(facts, names), key=lambda qualifier: qualifier.name)
            ),
            document=self.paper(first_value(facts, GW.document)),
            derived_from=iri.name_of(first_value(facts, PROV.wasDerivedFrom), "statement"),
        )
        wanted_id = iri.name_of(node, "statement") if statement.qualifiers else ""
        if not wanted_id or statement.id == wanted_id:
            return statement
        ways = [
            [Qualifier(qualifier.name, value) for value in other_ways(qualifier.value)]
            for qualifier in statement.qualifiers
        ]
        return (
            statement_with_id(wanted_id, ways, lambda chosen: replace(statement, qualifiers=chosen))
            or statement
        )

    def own_names(self, facts: Facts) -> OwnNames:
        """Category and label of the things that this statement calls otherwise, by IRI."""
        names: dict[str, tuple[Category, str]] = {}
        for value in facts.get(GW.calledHere, ()):
            address, _, kind_and_label = value.value.partition(" ")
            kind, _, label = kind_and_label.partition(" ")
            names[address] = (Category(kind), label)
        return names

    def qualifiers(self, facts: Facts, names: OwnNames) -> Iterator[Qualifier]:
        for predicate in sorted(facts.keys() - READ):
            for value in facts[predicate]:
                thing = self.term_or_literal(value, names)
                if not isinstance(thing, Node):
                    yield Qualifier(iri.qualifier_name(predicate), thing)

    def thing(self, facts: Facts, predicate: str, names: OwnNames) -> Thing:
        values = facts.get(predicate, ())
        if len(values) != 1:
            raise InputError(
                f"An association needs exactly one {predicate.rpartition('#')[2]}, not"
                f" {len(values)}."
            )
        if isinstance(values[0], ox.Literal) and GW.datatype in facts:
            return Literal(
                first_value(facts, GW.value),
                first_value(facts, GW.datatype),
                first_value(facts, QUDT.ucumCode),
            )
        return self.term_or_literal(values[0], names)

    def term_or_literal(self, value: Value, names: OwnNames) -> Thing:
        if isinstance(value, ox.Literal):
            return self.literal(value)
        name = value.value
        if name not in self._things:
            self._things[name] = self.term_named(name)
        thing = self._things[name]
        if name in names:
            category, label = names[name]
            return replace(thing, label=label, category=category)
        return thing

    def term_named(self, name: str) -> Term | Node:
        facts = self.facts_of(name)
        types = [value.value for value in facts.get(RDF.type, ())]
        categories = (iri.CATEGORIES[kind] for kind in types if kind in iri.CATEGORIES)
        label, category = first_value(facts, RDFS.label), next(categories, Category.THING)
        if node := iri.name_of(name, "node"):
            classes = (iri.name_of(kind, "class") for kind in types)
            return Node(node, next((cls for cls in classes if cls), ""), label, category)
        if GW.Words in types:
            return Term("", label, category)
        return Term(
            first_value(facts, DCTERMS.identifier) or iri.curie(name, self.prefixes),
            label,
            category,
        )

    def literal(self, value: ox.Literal) -> Literal:
        datatype = value.datatype.value
        if datatype == iri.UCUM_LITERAL:
            number, _, unit = value.value.partition(" ")
            return Literal(number, "xsd:decimal", unit)
        return Literal(
            value.value,
            iri.curie(datatype, self.prefixes) if datatype != XSD.string else "xsd:string",
        )

    def paper(self, node: str) -> str:
        if node and node not in self._papers:
            self._papers[node] = (
                first_value(self.facts_of(node), DCTERMS.identifier)
                or iri.name_of(node, "document")
                or iri.curie(node.rstrip("/"), self.prefixes)
            )
        return self._papers[node] if node else ""

    def evidence(self, facts: Facts, statement: str) -> tuple[Evidence, ...]:
        """The evidence of the statement of this id."""
        pieces_read = (
            self.piece(value.value, statement) for value in facts.get(BIOLINK.has_evidence, ())
        )
        pieces = [piece for piece in pieces_read if piece] or list(
            self.references(facts, statement)
        )
        return tuple(sorted(pieces, key=lambda piece: piece.id) if len(pieces) > 1 else pieces)

    def piece(self, node: str, statement: str) -> Evidence | None:
        facts = self.facts_of(node)
        ground = self.ground(facts)
        if ground is None:
            return None
        return Evidence(
            statement,
            ground,
            run=iri.name_of(first_value(facts, PROV.wasGeneratedBy), "run"),
            path=first_value(facts, GW.path),
            engine=first_value(facts, GW.engine),
            score=float(first_value(facts, GW.score) or 1.0),
            rule=first_value(facts, GW.rule),
            cue=first_value(facts, GW.cue),
        )

    def ground(self, facts: Facts) -> Ground | None:
        types = [value.value for value in facts.get(RDF.type, ())]
        source = self.paper(first_value(facts, DCTERMS.source))
        if GW.TextEvidence in types:
            span = Span(int(first_value(facts, OA.start)), int(first_value(facts, OA.end)))
            quote, section = first_value(facts, OA.exact), first_value(facts, GW.section)
            return TextGround(
                source, first_value(facts, GW.textVersion), span, quote=quote, section=section
            )
        if GW.RecordEvidence in types:
            record, pointer = first_value(facts, DCTERMS.identifier), first_value(facts, GW.pointer)
            return RecordGround(
                first_value(facts, GW.call), record, pointer, first_value(facts, GW.value)
            )
        if GW.ReferenceEvidence in types:
            return ReferenceGround(
                source, first_value(facts, GW.locator), first_value(facts, RDFS.comment)
            )
        return None

    def references(self, facts: Facts, statement: str) -> Iterator[Evidence]:
        """Another's file: each publication is a reference, and a single supporting text is its
        note.
        """
        quotes = [value.value for value in facts.get(BIOLINK.supporting_text, ())]
        note = quotes[0] if len(quotes) == 1 else ""
        for value in facts.get(BIOLINK.publications, ()):
            yield Evidence(
                statement, ReferenceGround(self.paper(value.value), note=note), engine="import"
            )


def _is_association(kind: Value, known: dict[Value, bool]) -> bool:
    """Whether a type is Association, a class of Biolink below it, or that of reified triples."""
    if kind not in known:
        name = kind.value
        is_biolink = name.startswith(str(BIOLINK)) and name.endswith("Association")
        known[kind] = is_biolink or name == RDF.Statement
    return known[kind]


def first_value(facts: Facts, predicate: str) -> str:
    """The first value of a predicate, "" where there is none."""
    values = facts.get(predicate)
    return values[0].value if values else ""


def _is_true(value: str) -> bool:
    """Whether a statement is denied. Raises InputError for what is neither true nor false."""
    if value.casefold() not in ("", "true", "1", "false", "0"):
        raise InputError(
            f"biolink:negated is “{value[:40]}”, neither true nor false.", "Write true or false."
        )
    return value.casefold() in ("true", "1")
