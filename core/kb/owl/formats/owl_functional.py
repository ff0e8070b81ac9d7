"""OWL 2 in functional syntax, for OWL API tools (Protégé, ROBOT) and horned-owl: the same axioms as
the Turtle, with full IRIs, sorted, one per line.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import OWL, RDF, URIRef
from rdflib import Literal as RdfValue

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.owl.form import EntityKind, Iri, OwlLiteral, functional_syntax, iris_in_form
from core.kb.owl.ontology import DRAFT, Ontology, header, name_of, ontology
from core.kb.owl.rdf import DECLARED, RESERVED
from core.model import Problem

OPERATORS = {
    EntityKind.CLASS: "Class",
    EntityKind.OBJECT_PROPERTY: "ObjectProperty",
    EntityKind.DATA_PROPERTY: "DataProperty",
    EntityKind.ANNOTATION_PROPERTY: "AnnotationProperty",
    EntityKind.INDIVIDUAL: "NamedIndividual",
}


def functional(kb: KnowledgeBase) -> Iterator[bytes]:
    """The ontology, some lines at a time; the same bytes for the same content."""
    kb_ontology = ontology(kb)
    yield (DRAFT if kb.draft else "").encode()
    annotations = [*header(kb, kb_ontology)]
    version = next((f" <{o}>" for _, p, o in annotations if p == OWL.versionIRI), "")
    yield f"Ontology(<{name_of(kb)}>{version}\n".encode()
    annotation_lines = {_annotation(p, o) for s, p, o in annotations if _is_annotation(s, p, kb)}
    for line in (*sorted(annotation_lines), *_declarations(kb, kb_ontology)):
        yield f"{line}\n".encode()
    for axiom in kb_ontology.axioms:
        yield f"{functional_syntax(axiom)}\n".encode("utf-8", "replace")
    yield b")\n"


def _is_annotation(subject: object, predicate: URIRef, kb: KnowledgeBase) -> bool:
    """Whether it is said of the ontology, and not by the syntax itself."""
    return str(subject) == name_of(kb) and predicate not in (RDF.type, OWL.versionIRI)


def _annotation(predicate: URIRef, value: object) -> str:
    annotation_value = OwlLiteral(str(value)) if isinstance(value, RdfValue) else Iri(str(value))
    return f"Annotation(<{predicate}> {functional_syntax(annotation_value)})"


def _declarations(kb: KnowledgeBase, kb_ontology: Ontology) -> list[str]:
    declared_entities = set(kb_ontology.declared)
    for axiom in kb_ontology.axioms:
        declared_entities |= {(kind, iri) for kind, iri in iris_in_form(axiom) if kind in DECLARED}
    declared_entities |= {
        (EntityKind.ANNOTATION_PROPERTY, str(p))
        for s, p, _ in header(kb, kb_ontology)
        if _is_annotation(s, p, kb)
    }
    return sorted(
        f"Declaration({OPERATORS[kind]}(<{iri}>))"
        for kind, iri in declared_entities
        if kind in OPERATORS and not iri.startswith(RESERVED)
    )


def remarks(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """What of the knowledge base no axiom can say."""
    return ontology(kb).problems


OWL_FUNCTIONAL = ExportFormat(
    "ofn",
    "OWL ontology (functional syntax)",
    ".ofn",
    mime="text/owl-functional",
    chunks=functional,
    drafts=True,
    remarks=remarks,
)
