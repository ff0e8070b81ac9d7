"""Questions to fill in, for those who do not write SPARQL: one pattern each, and a line below."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import InputError
from core.kb.rdf import iri

FIELDS = {
    "thing": "a thing",
    "other": "another thing",
    "relation": "a relation",
    "paper": "a paper",
}
_FIELD = re.compile(r"\{(thing|other|relation|paper)\}")
CLAIM = """?statement a biolink:Association ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ;
    biolink:negated ?negated .
  OPTIONAL { ?s rdfs:label ?subject }
  OPTIONAL { ?p rdfs:label ?relation }
  OPTIONAL { ?o rdfs:label ?label }
  OPTIONAL { ?statement gw:restriction ?but }
  OPTIONAL { ?statement gw:notice ?notice }
  BIND(COALESCE(?label, STR(?o)) AS ?object)"""


@dataclass(frozen=True, slots=True)
class QuestionPattern:
    """`words` is the question with {fields}; `query` SPARQL with the same fields as IRIs."""

    name: str
    words: str
    query: str

    @property
    def fields(self) -> tuple[str, ...]:
        """What has to be filled in, in the order of the words."""
        return tuple(dict.fromkeys(_FIELD.findall(self.words)))

    def filled(self, values: Mapping[str, str]) -> str:
        """The query with IRIs in place of the fields. Raises InputError for one that is missing."""
        missing = [FIELDS[name] for name in self.fields if not values.get(name)]
        if missing:
            raise InputError(f"The question needs {' and '.join(missing)}.")
        return _FIELD.sub(lambda field: f"<{iri.checked_iri(values[field[1]])}>", self.query)


MOST = 10_000  # rows of an answer
PATTERNS = (
    QuestionPattern(
        "subjects",
        "What {relation} {thing}?",
        f"""SELECT DISTINCT ?subject ?relation ?object ?negated ?but ?notice ?statement WHERE {{
  ?statement rdf:predicate {{relation}} ; rdf:object {{thing}} .
  {CLAIM}
}} ORDER BY ?subject ?statement""",
    ),
    QuestionPattern(
        "objects",
        "What does {thing} {relation}?",
        f"""SELECT DISTINCT ?subject ?relation ?object ?negated ?but ?notice ?statement WHERE {{
  ?statement rdf:predicate {{relation}} ; rdf:subject {{thing}} .
  {CLAIM}
}} ORDER BY ?object ?statement""",
    ),
    QuestionPattern(
        "about",
        "What is said about {thing}, and where?",
        f"""SELECT DISTINCT
  ?subject ?relation ?object ?negated ?but ?notice ?quote ?paper ?statement
WHERE {{
  {{ ?statement rdf:subject {{thing}} }} UNION {{ ?statement rdf:object {{thing}} }}
  {CLAIM}
  OPTIONAL {{
    ?statement biolink:has_evidence ?evidence .
    ?evidence dcterms:source/dcterms:identifier ?paper .
    OPTIONAL {{ ?evidence oa:exact ?quote }}
  }}
}} ORDER BY ?relation ?object ?statement""",
    ),
    QuestionPattern(
        "between",
        "What lies between {thing} and {other}?",
        """SELECT DISTINCT ?between ?category ?first ?second ?statement ?statement2 WHERE {
  ?statement (rdf:subject|rdf:object) {thing} ; (rdf:subject|rdf:object) ?middle ;
    rdf:predicate ?p ; biolink:negated false .
  ?statement2 (rdf:subject|rdf:object) {other} ; (rdf:subject|rdf:object) ?middle ;
    rdf:predicate ?q ; biolink:negated false .
  FILTER(?middle != {thing} && ?middle != {other} && ?statement != ?statement2)
  FILTER NOT EXISTS { ?statement gw:restriction ?but }
  FILTER NOT EXISTS { ?statement2 gw:restriction ?but2 }
  ?middle rdfs:label ?between ; a ?class .
  BIND(REPLACE(STR(?class), "^.*[/#:]", "") AS ?category)
  OPTIONAL { ?p rdfs:label ?first }
  OPTIONAL { ?q rdfs:label ?second }
} ORDER BY ?between ?first ?second""",
    ),
    QuestionPattern(
        "shared",
        "What do {thing} and {other} both lead to by the same relation?",
        """SELECT DISTINCT ?shared ?relation ?statement ?statement2 WHERE {
  ?statement rdf:subject {thing} ; rdf:predicate ?p ; rdf:object ?o ; biolink:negated false .
  ?statement2 rdf:subject {other} ; rdf:predicate ?p ; rdf:object ?o ; biolink:negated false .
  FILTER NOT EXISTS { ?statement gw:restriction ?but }
  FILTER NOT EXISTS { ?statement2 gw:restriction ?but2 }
  ?o rdfs:label ?shared .
  OPTIONAL { ?p rdfs:label ?relation }
} ORDER BY ?relation ?shared""",
    ),
    QuestionPattern(
        "paper",
        "What rests on {paper}?",
        f"""SELECT DISTINCT ?subject ?relation ?object ?negated ?but ?notice ?quote ?statement
WHERE {{
  ?statement biolink:has_evidence ?evidence .
  ?evidence dcterms:source {{paper}} .
  OPTIONAL {{ ?evidence oa:exact ?quote }}
  {CLAIM}
}} ORDER BY ?subject ?relation ?object""",
    ),
    QuestionPattern(
        "single",
        "Which statements rest on one paper only?",
        f"""SELECT
  ?subject ?relation ?object ?negated ?but ?notice ?statement (SAMPLE(?source) AS ?paper)
WHERE {{
  ?statement biolink:publications/dcterms:identifier ?source .
  {CLAIM}
}} GROUP BY ?subject ?relation ?object ?negated ?but ?notice ?statement
HAVING (COUNT(DISTINCT ?source) = 1) ORDER BY ?subject ?relation""",
    ),
    QuestionPattern(
        "disputed",
        "Which statements are both claimed and denied?",
        """SELECT DISTINCT ?subject ?relation ?object ?statement ?statement2 WHERE {
  ?statement rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; biolink:negated false .
  ?statement2 rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; biolink:negated true .
  FILTER NOT EXISTS { ?statement gw:restriction ?but }
  FILTER NOT EXISTS { ?statement2 gw:restriction ?but2 }
  OPTIONAL { ?s rdfs:label ?subject }
  OPTIONAL { ?p rdfs:label ?relation }
  OPTIONAL { ?o rdfs:label ?object }
} ORDER BY ?subject ?relation""",
    ),
)

EXAMPLES: tuple[tuple[str, str], ...] = (
    (
        "How many statements are there of each relation?",
        """SELECT ?relation (COUNT(?statement) AS ?statements) WHERE {
  ?statement a biolink:Association ; rdf:predicate ?relation .
} GROUP BY ?relation ORDER BY DESC(?statements)""",
    ),
    (
        "The ten things with the most statements",
        """SELECT ?name ?thing (COUNT(?statement) AS ?statements) WHERE {
  ?statement rdf:subject|rdf:object ?thing . ?thing rdfs:label ?name .
} GROUP BY ?name ?thing ORDER BY DESC(?statements) LIMIT 10""",
    ),
    (
        "Chemicals and what they treat, as a graph",
        """CONSTRUCT { ?chemical biolink:treats ?disease } WHERE {
  ?chemical a biolink:ChemicalEntity ; biolink:treats ?disease .
} LIMIT 200""",
    ),
    (
        "How many statements each person approved",
        """SELECT ?name ?orcid (COUNT(DISTINCT ?statement) AS ?approved) WHERE {
  ?statement a biolink:Association ; prov:wasAttributedTo ?orcid .
  OPTIONAL { ?orcid rdfs:label ?name }
} GROUP BY ?name ?orcid ORDER BY DESC(?approved)""",
    ),
    (
        "Every quote with its paper",
        """SELECT ?paper ?quote ?statement WHERE {
  ?statement biolink:has_evidence ?evidence .
  ?evidence oa:exact ?quote ; dcterms:source/dcterms:identifier ?paper .
} ORDER BY ?paper LIMIT 500""",
    ),
)


def pattern_named(name: str) -> QuestionPattern:
    """The pattern, or InputError with the names there are."""
    question_pattern = next((pattern for pattern in PATTERNS if pattern.name == name), None)
    if question_pattern is None:
        raise InputError(
            f"There is no question {name!r}.", f"Use one of: {', '.join(p.name for p in PATTERNS)}."
        )
    return question_pattern
