"""How a disease is inherited, as MedGen says (from OMIM, GeneReviews and HPO)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.genes.answer import AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.phenotype import disease_words
from core.genes.kinds.search_pages import search_all, summaries_of
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.record import NcbiRecord

PAGE = 50  # concepts of a page
MOST_CONCEPTS = 200  # concepts that are read of one search


def record_bears_name(record: NcbiRecord, name: str) -> bool:
    """Whether the title, or one of the concept's names, says what was asked, word for word (case,
    order and small words aside).
    """
    asked_words = disease_words(name)
    names = (str(record.get("title")), *map(str, record.get("names", [])))
    return bool(asked_words) and any(
        disease_words(known_name) == asked_words for known_name in names
    )


def disease_concepts(records: list[NcbiRecord], name: str) -> list[NcbiRecord]:
    """The concepts that are the disease; failing that, those whose title holds all its words."""
    ncbi_records = [ncbi_record for ncbi_record in records if record_bears_name(ncbi_record, name)]
    return ncbi_records or [
        ncbi_record
        for ncbi_record in records
        if disease_words(name) <= disease_words(str(ncbi_record.get("title")))
    ]


def values_of(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """A value a mode of inheritance; it rests on the mode's name in the concept's record."""
    values, title = [], str(record.get("title"))
    at = record.pointers.get("modes", "")
    mims = record.get("mim", [])
    id = record.id if record.id.startswith("UMLS:") else f"OMIM:{mims[0]}" if mims else ""
    own = RecordProof(call, id, record.pointers.get("concept", at), str(record.get("concept")))
    if not record.id.startswith("UMLS:") and mims:
        own = RecordProof(call, id, at, str(mims[0]))
    for mode in record.get("modes", []):
        cui = str(mode["cui"])
        is_concept_id = re.fullmatch(r"C\d{7}", cui)
        ends = (RecordProof(call, f"UMLS:{cui}", at, cui),) if is_concept_id else ()
        target = StatementEnd(mode["name"], f"UMLS:{cui}" if is_concept_id else "")
        values.append(
            AnswerValue(
                mode["name"],
                record.id,
                at,
                raw=mode["name"],
                call=call,
                subject=StatementEnd(title, id),
                object=target,
                relation="" if id else "no id",
                proofs=ends,
                ties=(own,) if id else (),
            )
        )
    return values


def plan(session: NcbiSession) -> GeneAnswer:
    """Two calls: MedGen's concepts on the disease, and what they are."""
    name = session.question.subject
    why, call = f"MedGen's concepts on {name}.", Search(NcbiDatabase.MEDGEN, name, PAGE)
    ids = search_all(session, call, why, "MedGen concepts", most=MOST_CONCEPTS)
    if not ids:
        return session.not_found(f"MedGen has no concept on {name}.")
    summaries = summaries_of(session, NcbiDatabase.MEDGEN, ids, "What these concepts are.")
    stored = {record.id: answer.stored for record, answer in summaries}
    chosen = disease_concepts([record for record, _ in summaries], name)
    values = [value for concept in chosen for value in values_of(concept, stored[concept.id])]
    for ncbi_record in chosen:
        modes = ", ".join(mode["name"] for mode in ncbi_record.get("modes", [])) or "no mode stated"
        session.note(f"{ncbi_record.get('title')} ({ncbi_record.id}): {modes}.")
    silent = [concept for concept in chosen if not concept.get("modes")]
    if values and silent:
        session.lack(f"{len(chosen) - len(silent)} of {len(chosen)} forms state a mode")
    nothing = "states its inheritance" if chosen else f"is called {name}"
    return answer_with_values(session, values, f"No concept of MedGen {nothing}.")


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    records = records_of_database(session, "medgen")
    chosen = disease_concepts([record for record, _ in records], session.question.subject)
    for record, step in records:
        if record in chosen:
            yield from values_of(record, step.call)


KIND = GeneKind(
    "inheritance of a disease",
    Topic.DISEASE,
    "How is Meesmann corneal dystrophy inherited?",
    plan=plan,
    claim="InheritanceClaim",
    needs=("medgen",),
    rule=rule,
    words=(
        r"\binherit(?:ed|ance|able)?\b|\bheritab\w+\b|\b(?:autosomal|x[- ]linked|y[- ]linked)\b"
        r"|\b(?:dominant|recessive)\b|\bpassed (?:on|down)\b|\bhereditary (?:pattern|mode)\b"
        r"|\bmode of (?:transmission|heredity)\b|\btransmitted\b|\brun in families\b"
    ),
    listed=True,
)
