"""What the Gene Ontology says of a gene: terms with evidence codes and papers, from NCBI
Datasets.
"""

from __future__ import annotations

import re

from core.genes.answer import AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import from_datasets, rule_of
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.genes.session import NcbiSession
from core.ncbi.record import NcbiRecord

# Which of the claim's predicates an aspect has (Relation Ontology, as GO's annotations use them).
RELATIONS = {"function": "enables", "process": "involved in", "component": "located in"}


def read_aspects(*aspects: str) -> object:
    def read_terms(record: NcbiRecord, call: str) -> list[AnswerValue]:
        terms = [term for term in record.get("go", []) if term["aspect"] in aspects]
        return [value_of(record, call, term) for term in terms if "NOT" not in term["qualifier"]]

    return read_terms


def value_of(record: NcbiRecord, call: str, term: dict[str, str]) -> AnswerValue:
    """A term as `GO:0003677 DNA binding (IDA; PMID:1, PMID:2)`."""
    papers = [f"PMID:{pmid}" for pmid in term["pmids"].split(",") if pmid]
    basis = "; ".join(filter(None, (term["code"], ", ".join(papers))))
    value = f"{term['id']} {term['name']}" + (f" ({basis})" if basis else "")
    target = StatementEnd(term["name"], term["id"])
    code = RecordProof(call, term["id"], f"{term['pointer']}/evidence_code", term["code"])
    ties = (RecordProof(call, term["id"], f"{term['pointer']}/go_id", term["id"]),)
    return AnswerValue(
        value,
        record.id,
        f"{term['pointer']}/go_id",
        term["id"],
        call,
        gene_thing(record),
        target,
        RELATIONS[term["aspect"]],
        (),
        (*ties, *((code,) if term["code"] else ())),
    )


def plan(session: NcbiSession) -> GeneAnswer:
    """The aspect that is asked for, or all three."""
    words = session.question.text
    aspects = [
        aspect
        for aspect, pattern in (
            ("function", r"\bmolecular functions?\b|\bactivit"),
            ("process", r"\bprocess"),
            (
                "component",
                r"\bcomponents?\b|\blocali[sz]|\bcompartment|\bin the cell|\bsubcellular",
            ),
        )
        if re.search(pattern, words, re.I)
    ]
    reader = read_aspects(*(aspects or RELATIONS))
    return from_datasets(reader, "GO terms")(session)  # type: ignore[arg-type]


KIND = GeneKind(
    "GO terms of a gene",
    Topic.GENE,
    "Which GO terms is TP53 annotated with?",
    plan,
    "OntologyClaim",
    ("gene",),
    rule_of(read_aspects(*RELATIONS)),  # type: ignore[arg-type]
    words=(
        r"\bGO(?:[- ](?:terms?|annotations?|categor\w+|ids?|classes))\b|\bgene ontolog\w+"
        r"|\b(?:biological )?process(?:es)?\b|\bmolecular functions?\b|\bcellular components?\b"
        r"|\bsub-?cellular\b|(?<=[\w-]) GO$"
    ),
    listed=True,
)
