"""What the Gene Ontology says of a gene: terms with evidence codes and papers, from NCBI
Datasets.
"""

from __future__ import annotations

import re

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
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
        raw=term["id"],
        call=call,
        subject=gene_thing(record),
        object=target,
        relation=RELATIONS[term["aspect"]],
        ties=(*ties, *((code,) if term["code"] else ())),
    )


def plan(session: NcbiSession) -> GeneAnswer:
    """The aspect that is asked for, or all three; of a yes-or-no question the terms that name what
    it says of the gene.
    """
    words = session.question.text
    if session.question.claim:
        return _verdict(session, from_datasets(read_aspects(*RELATIONS), "GO terms")(session))  # type: ignore[arg-type]
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


def _verdict(session: NcbiSession, answer: GeneAnswer) -> GeneAnswer:
    """*Yes* with the terms that name it; no term is no *No*: annotations are never complete."""
    claimed = session.question.claim
    if not answer.values:
        return answer
    fitting = tuple(
        value
        for value in answer.values
        if _words(claimed) and _words(claimed) <= _words(value.object.label)
    )
    if fitting:
        terms = "; ".join(dict.fromkeys(value.value for value in fitting))
        return session.answer(AnswerStatus.ANSWERED, f"Yes ({terms})", fitting)
    return session.not_found(
        f"{session.question.subject} is annotated with {len(answer.values)} GO terms; none is"
        f" called {claimed}. That does not show that it takes no part."
    )


def _words(text: str) -> frozenset[str]:
    """Words of a term or of what a question says, without articles; apoptosis is also apoptotic."""
    stems = {"apoptosis": "apoptotic", "mitosis": "mitotic", "meiosis": "meiotic"}
    parts = re.findall(r"[a-z0-9]+", text.casefold())
    return frozenset(stems.get(part, part) for part in parts) - {"the", "a", "an", "of", "in"}


KIND = GeneKind(
    "GO terms of a gene",
    Topic.GENE,
    "Which GO terms is TP53 annotated with?",
    plan=plan,
    claim="OntologyClaim",
    needs=("gene",),
    rule=rule_of(read_aspects(*RELATIONS)),  # type: ignore[arg-type]
    words=(
        r"\bGO(?:[- ](?:terms?|annotations?|categor\w+|ids?|classes))\b|\bgene ontolog\w+"
        r"|\b(?:biological )?process(?:es)?\b|\bmolecular functions?\b|\bcellular components?\b"
        r"|\bsub-?cellular\b|(?<=[\w-]) GO$"
    ),
    listed=True,
)
