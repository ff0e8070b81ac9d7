"""What ClinVar says of a variant: its classification, review status and conditions.

A variant is named by its rs number, or as a change of a gene (`BRAF V600E`, `BRCA1 c.68_69del`,
`NM_007294.4:c.5266dup`). A record counts only where one of its own fields names that variant.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.genes.answer import AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.clinvar_records import (
    ClinvarRecord,
    changes_at_hand,
    clinvar_record_of_rs,
    read_of_change,
    read_of_rs,
)
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database

# What ClinVar says, and which predicate of the claim that is. Conflicting and other classifications
# are no statement on a condition.
PREDICATES = {
    "pathogenic": "pathogenic for condition",
    "likely pathogenic": "likely pathogenic for condition",
    "benign": "benign for condition",
    "likely benign": "likely benign for condition",
    "uncertain significance": "uncertain significance for condition",
}

# The stars of a review status, of 4 (https://www.ncbi.nlm.nih.gov/clinvar/docs/review_status/)
STARS = {
    "practice guideline": 4,
    "reviewed by expert panel": 3,
    "criteria provided, multiple submitters, no conflicts": 2,
    "criteria provided, multiple submitters": 2,
    "criteria provided, conflicting classifications": 1,
    "criteria provided, conflicting interpretations": 1,
    "criteria provided, single submitter": 1,
    "no assertion criteria provided": 0,
    "no assertion provided": 0,
    "no classification provided": 0,
}


def with_stars(review_status: str) -> str:
    """A review status with its stars; one that ClinVar does not list stands alone."""
    stars = STARS.get(review_status.casefold())
    return review_status if stars is None else f"{review_status}, {stars} of 4 stars"


def values_of(tied: ClinvarRecord) -> list[AnswerValue]:
    """The classification of a record, with its review status and the conditions it is for: a value
    a condition, in the same words. Its subject is the variation itself: an rs number may stand for
    several alleles.
    """
    record, call = tied.record, tied.call
    classification = str(record.get("classification"))
    if not classification:
        return []
    conditions = record.get("conditions", [])
    names = ", ".join(condition["name"] for condition in conditions) or "no condition named"
    status = with_stars(str(record.get("review_status") or "no review status"))
    value = f"{classification} ({status}; {names}; {record.get('accession')})"
    variation = StatementEnd(str(record.get("title") or record.id), record.id)
    at = record.pointers.get("classification", "")
    own = RecordProof(call, record.id, record.pointers.get("uid", ""), record.id.partition(":")[2])
    germline = record.get("classified") == "germline"
    predicate = PREDICATES.get(classification.casefold(), "") if germline else ""
    values = []
    for condition in conditions:
        if condition["id"]:
            field = RecordProof(call, condition["id"], condition["pointer"], condition["raw"])
            values.append(
                AnswerValue(
                    value, record.id, at, raw=classification, call=call, subject=variation,
                    object=StatementEnd(condition["name"], condition["id"]),
                    relation=predicate or "other classification",
                    proofs=(own,), ties=(*tied.ties, field),
                )
            )  # fmt: skip
    return values or [
        AnswerValue(
            value,
            record.id,
            at,
            raw=classification,
            call=call,
            subject=variation,
            object=StatementEnd(value),
            relation="no id",
            proofs=(own,),
            ties=tied.ties,
        )
    ]


def plan_of_rs(session: NcbiSession) -> GeneAnswer:
    values = [value for tied in read_of_rs(session) for value in values_of(tied)]
    return answer_with_values(
        session,
        values,
        f"No classified ClinVar record names {session.question.subject} as its dbSNP number.",
    )


def rule_of_rs(session: NcbiSession) -> Iterator[AnswerValue]:
    for record, step in records_of_database(session, "clinvar"):
        if tied := clinvar_record_of_rs(record, step.call, session.question.subject):
            yield from values_of(tied)


def plan_of_change(session: NcbiSession) -> GeneAnswer:
    values = [value for tied in read_of_change(session) for value in values_of(tied)]
    return answer_with_values(
        session, values, f"No classified ClinVar record names {session.question.subject}."
    )


def rule_of_change(session: NcbiSession) -> Iterator[AnswerValue]:
    for tied in changes_at_hand(session):
        yield from values_of(tied)


WORDS = (
    r"\bclin(?:ical|var)\w*\b|\b(?:pathogenic|benign|harmful|disease-causing|deleterious)\w*\b"
    r"|\b(?:how many )?(?:(?:review|gold) )?stars\b|\bsignificance\b|\bVUS\b"
    r"|\bclassifi(?:ed|cation)\b"
    r"|\b(?:which|what) (?:diseases?|conditions?|disorders?)\b(?!-| genes?\b)"
)
OF_RS = GeneKind(
    "clinical significance of a variant",
    Topic.VARIANT,
    "What is the clinical significance of rs80357906?",
    plan=plan_of_rs,
    claim="SignificanceClaim",
    needs=("clinvar",),
    rule=rule_of_rs,
    words=rf"{WORDS}|(?<=\d) (?:diseases?|conditions?|disorders?)\W*$",
    whole_text=True,
)
OF_CHANGE = GeneKind(
    "clinical significance of a change",
    Topic.CHANGE,
    "What is the clinical significance of BRAF V600E?",
    plan=plan_of_change,
    claim="SignificanceClaim",
    needs=("clinvar",),
    rule=rule_of_change,
    words=rf"{WORDS}|\b(?:diseases?|conditions?|disorders?|syndromes?)\b",
    whole_text=True,
)
