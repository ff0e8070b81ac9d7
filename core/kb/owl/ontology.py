"""A knowledge base as an OWL 2 DL ontology in Turtle (SPIRES §3, step 5): objects are classes
defined by their parts.

Only plain statements become axioms; the header says how many are left out, and that a draft is
undecided. Evidence is in the Turtle of statements: a reasoner needs none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib import Literal as RdfValue
from rdflib.plugins.serializers.turtle import TurtleSerializer

from core.curie import PREFIXES
from core.kb.entry import KnowledgeBase, document_of
from core.kb.owl.axiom import AxiomCollector
from core.kb.owl.form import (
    EntityKind,
    Iri,
    OwlForm,
    check_form,
    functional_syntax,
    iris_in_form,
    with_iris,
)
from core.kb.owl.instance import statements_left_out
from core.kb.owl.part_name import with_named_parts
from core.kb.owl.rdf import DECLARED, RESERVED, Triple, triples
from core.kb.rdf import iri as iris
from core.kb.rdf.association import DRAFTED, namespaces
from core.kb.rdf.fact import utf8_safe
from core.kb.rdf.node import BIOLINK, DCTERMS, FIXED, GW, PROV, curator_node, document_node
from core.model import Problem, Severity, json_digest
from core.schema.owl import owl_words as owl_words

DRAFT = (
    "# DRAFT: an ontology of what nobody has decided yet (undecided). Not for publication.\n"
    "# It was proposed by an engine or a model (text mining).\n"
)
UNDECIDED = "undecided draft: proposed by a machine (text-mining), decided by nobody"
APPROVED = "Made of statements that curators approved."
PROPERTIES = (EntityKind.OBJECT_PROPERTY, EntityKind.DATA_PROPERTY, EntityKind.ANNOTATION_PROPERTY)
BUILT_IN = {
    EntityKind.CLASS: {"Thing", "Nothing"},
    EntityKind.OBJECT_PROPERTY: {"topObjectProperty"},
    EntityKind.DATA_PROPERTY: {"topDataProperty"},
    EntityKind.ANNOTATION_PROPERTY: {
        "label",
        "comment",
        "seeAlso",
        "isDefinedBy",
        "deprecated",
        "versionInfo",
    },
}


@dataclass(frozen=True, slots=True)
class Ontology:
    """Axioms sorted by text, the entities that no axiom declares, and what could not be said."""

    axioms: tuple[OwlForm, ...]
    declared: tuple[tuple[EntityKind, str], ...] = ()
    problems: tuple[Problem, ...] = ()


def owl(kb: KnowledgeBase) -> bytes:
    """The ontology as Turtle, the same bytes for the same content."""
    return written(kb, ontology(kb))


def ontology(kb: KnowledgeBase) -> Ontology:
    built = AxiomCollector(kb)
    problems = [*built.problems.values(), *_left_out(kb), *_silent(kb)]
    checked = {check_form(axiom) for axiom in built.axioms}
    axioms, more = _separate(with_named_parts(checked, kb.base_iri), kb)
    all_problems = sorted([*problems, *more], key=lambda problem: (problem.code, problem.message))
    return Ontology(
        tuple(sorted(axioms, key=functional_syntax)),
        tuple(sorted(built.declared)),
        tuple(all_problems),
    )


def written(kb: KnowledgeBase, kb_ontology: Ontology) -> bytes:
    graph = Graph(bind_namespaces="none")
    for prefix, namespace in sorted({**FIXED, "owl": PREFIXES["owl"], **namespaces(kb)}.items()):
        graph.bind(prefix, namespace, replace=True)
    for triple in ontology_triples(kb, kb_ontology):
        graph.add(triple)
    out = BytesIO()
    ExplicitNumbersTurtle(graph).serialize(out, encoding="utf-8")
    return (DRAFT.encode() if kb.draft else b"") + out.getvalue().strip() + b"\n"


def ontology_triples(kb: KnowledgeBase, kb_ontology: Ontology) -> set[Triple]:
    """Axioms, declarations and what is said of the ontology itself."""
    declared = ((URIRef(name), RDF.type, DECLARED[kind]) for kind, name in kb_ontology.declared)
    return {*triples(kb_ontology.axioms), *declared, *header(kb, kb_ontology)}


def header(kb: KnowledgeBase, kb_ontology: Ontology) -> Iterator[Triple]:
    """What the file is: undecided or approved, from which texts, and what it does not say."""
    node = URIRef(name_of(kb))
    yield node, RDF.type, OWL.Ontology
    yield node, RDFS.comment, plain_text(UNDECIDED if kb.draft else APPROVED)
    facts: list[tuple[str, URIRef | RdfValue]] = []
    if kb.draft:
        facts += [(GW.state, plain_text("undecided")), (BIOLINK.agent_type, plain_text(DRAFTED))]
        facts += [(BIOLINK.knowledge_level, plain_text("not_provided"))]
    papers = {document_of(piece) for entry in kb.entries for piece in entry.evidence} - {""}
    facts += [(DCTERMS.source, URIRef(document_node(paper, kb))) for paper in sorted(papers)]
    people = {decision.curator for entry in kb.entries for decision in entry.approvals}
    facts += [(PROV.wasAttributedTo, URIRef(curator_node(person))) for person in sorted(people)]
    if kb.release:
        yield node, OWL.versionIRI, URIRef(f"{kb.release.iri}/ontology")
        facts += [(str(OWL.versionInfo), plain_text(kb.release.number))]
        facts += [(DCTERMS.title, plain_text(kb.release.title))]
        facts += [(DCTERMS.license, URIRef(kb.release.licence))]
        facts += [
            (DCTERMS.creator, URIRef(curator_node(creator.orcid)))
            for creator in kb.release.creators
        ]
    for predicate, value in facts:
        yield node, URIRef(predicate), value
        if not predicate.startswith(RESERVED):
            yield URIRef(predicate), RDF.type, OWL.AnnotationProperty
    for problem in kb_ontology.problems:
        yield node, RDFS.comment, plain_text(f"{problem.code}: {problem.message}")


def plain_text(words: str) -> RdfValue:
    return RdfValue(utf8_safe(words))


def name_of(kb: KnowledgeBase) -> str:
    """The ontology's IRI; a draft's follows from what it holds."""
    if not kb.draft:
        return iris.local_iri(kb.base_iri, "ontology", "approved")
    return iris.local_iri(
        kb.base_iri, "ontology", "draft-" + json_digest([e.statement.id for e in kb.sorted()])[:16]
    )


def _left_out(kb: KnowledgeBase) -> Iterator[Problem]:
    if count := len(statements_left_out(kb)):
        message = (
            f"{count} negated, hedged or qualified statements are left out: as axioms they would"
            " claim too much."
        )
        yield Problem(
            "owl-left-out", message, Severity.NOTE, hint="The Turtle of statements has them."
        )


def _silent(kb: KnowledgeBase) -> Iterator[Problem]:
    """A knowledge base whose schemas say nothing of OWL is annotations only."""
    slots = (cls for schema in kb.schemas for cls in schema.classes.values())
    if not any(
        owl_words(s.annotations) - {"AnnotationProperty", "AnnotationAssertion"}
        for c in slots
        for s in c.slots
    ):
        message = (
            "The schema has no owl annotations on its slots, so statements are annotations and"
            " define nothing."
        )
        yield Problem("owl-silent", message, Severity.NOTE)


def _separate(axioms: Iterable[OwlForm], kb: KnowledgeBase) -> tuple[list[OwlForm], list[Problem]]:
    """OWL 2 DL lets no property be of two kinds, and reserves its own names: these get names of
    ours instead.
    """
    kinds_by_name: dict[str, set[EntityKind]] = {}
    axioms = list(axioms)
    for axiom in axioms:
        for kind, name in iris_in_form(axiom):
            kinds_by_name.setdefault(name, set()).add(kind)
    new: dict[tuple[EntityKind, str], str] = {}
    for name, kinds in kinds_by_name.items():
        properties = [kind for kind in PROPERTIES if kind in kinds]
        new |= {(kind, name): _iri_of_name(kind, name, kb) for kind in properties[1:]}
        new |= {
            (kind, name): _iri_of_name(kind, name, kb) for kind in kinds if _reserved(kind, name)
        }
    problems = [
        Problem(
            "owl-name",
            f"{name} cannot be a {kind} here and is called {new_name}.",
            Severity.WARNING,
            name,
        )
        for (kind, name), new_name in sorted(new.items())
    ]
    forms = [with_iris(axiom, lambda kind, name: new.get((kind, name), name)) for axiom in axioms]
    forms += [_see(new_name, name) for (_, name), new_name in sorted(new.items())]
    return forms, problems


def _reserved(kind: EntityKind, name: str) -> bool:
    local = name.rpartition("#")[2]
    return name.startswith(RESERVED) and kind in DECLARED and local not in BUILT_IN.get(kind, ())


def _iri_of_name(kind: EntityKind, name: str, kb: KnowledgeBase) -> str:
    return iris.local_iri(
        kb.base_iri,
        "property" if kind in PROPERTIES else "class",
        f"{kind.replace(' ', '-')}-{name}",
    )


def _see(new_name: str, name: str) -> OwlForm:
    return OwlForm("AnnotationAssertion", (Iri(str(RDFS.seeAlso)), Iri(new_name), Iri(name)))


class ExplicitNumbersTurtle(TurtleSerializer):
    """rdflib's Turtle, with every number written as it was typed: its short forms turn "200" into
    200.0.
    """

    def __init__(self, store: Any):
        super().__init__(store)
        self.known: dict[tuple[Any, bool], Any] = {}

    def getQName(self, uri: Any, gen_prefix: bool = True) -> Any:
        """A name worked out once: each is asked for many times."""
        if (uri, gen_prefix) not in self.known:
            self.known[uri, gen_prefix] = super().getQName(uri, gen_prefix)
        return self.known[uri, gen_prefix]

    def label(self, node: Any, position: Any) -> Any:
        if isinstance(node, RdfValue):
            return node._literal_n3(
                use_plain=False, qname_callback=lambda name: self.getQName(name, False)
            )
        return super().label(node, position)
