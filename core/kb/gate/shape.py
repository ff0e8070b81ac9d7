"""The gate's promises about a file, as SHACL: what every export keeps, and what anyone can check
without us.
"""

from __future__ import annotations

from rdflib import Graph

from core.model import Problem, Severity

SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix biolink: <https://w3id.org/biolink/vocab/> .
@prefix gw: <urn:groundwork:> .

gw:AssociationShape a sh:NodeShape ;
    sh:targetClass biolink:Association ;
    sh:property
        [ sh:path rdf:subject ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ,
        [ sh:path rdf:predicate ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ,
        [ sh:path rdf:object ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRIOrLiteral ] ,
        [ sh:path biolink:negated ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:boolean ] ,
        [ sh:path biolink:has_evidence ; sh:minCount 1 ;
          sh:message "A statement rests on evidence." ] ,
        [ sh:path biolink:knowledge_level ; sh:minCount 1 ; sh:maxCount 1 ;
          sh:hasValue "knowledge_assertion" ] ,
        [ sh:path biolink:agent_type ; sh:minCount 1 ; sh:maxCount 1 ;
          sh:in ( "manual_agent" "manual_validation_of_automated_agent" ) ] ,
        [ sh:path prov:wasAttributedTo ; sh:minCount 1 ; sh:pattern "^https://orcid.org/[0-9]{4}-" ;
          sh:message "A person approved it." ] ,
        [ sh:path prov:generatedAtTime ; sh:minCount 1 ; sh:maxCount 1 ;
          sh:datatype xsd:dateTime ] ,
        [ sh:path gw:state ; sh:maxCount 0 ; sh:message "It is a draft: undecided." ] .
"""


def shape_problems(turtle: bytes) -> list[Problem]:
    """What a Turtle file says that an export must not say, or leaves out; nothing for a file of
    ours.
    """
    from pyshacl import validate  # half a second to import

    graph = Graph().parse(data=turtle, format="turtle")
    _, report, _ = validate(
        graph, shacl_graph=Graph().parse(data=SHAPES, format="turtle"), inference="none"
    )
    query = """
        PREFIX sh: <http://www.w3.org/ns/shacl#>
        SELECT ?node ?path ?message WHERE {
            ?result sh:focusNode ?node ; sh:resultMessage ?message .
            OPTIONAL { ?result sh:resultPath ?path }
        } ORDER BY ?node ?path ?message
    """
    rows = [tuple(str(part or "") for part in row) for row in report.query(query)]
    return [
        Problem("shape", f"{path}: {message}", Severity.ERROR, node) for node, path, message in rows
    ]
