"""What a sequence record of NCBI is, by its accession: title, organism and length."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.genes.answer import AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import NcbiDatabase, Summary
from core.ncbi.record import NcbiRecord

UNITS = {"protein": "amino acids", "nuccore": "bases"}


def has_accession(record: NcbiRecord, accession: str) -> bool:
    """Whether the record is of this accession; one asked for without a version is the newest."""
    own = str(record.get("accessionversion"))
    return own == accession or ("." not in accession and own.partition(".")[0] == accession)


def value_of(record: NcbiRecord, call: str) -> AnswerValue:
    """`cellular tumor antigen p53 isoform a [Homo sapiens] (NP_000537.3; 393 amino acids)`"""
    title, accession = str(record.get("title")), str(record.get("accessionversion"))
    length = f"{record.get('slen')} {UNITS[record.db]}" if record.get("slen") else ""
    value = f"{title} ({'; '.join(filter(None, (accession, length)))})"
    taxon, at = str(record.get("taxid")), record.pointers.get("taxid", "")
    organism = str(record.get("organism"))
    target = StatementEnd(organism, f"NCBITaxon:{taxon}" if taxon else "")
    ends = (RecordProof(call, record.id, record.pointers["accessionversion"], accession),)
    if not (taxon and organism):
        return AnswerValue(
            value,
            record.id,
            record.pointers["title"],
            raw=title,
            call=call,
            subject=StatementEnd(title, record.id),
            object=StatementEnd(title),
            relation="no organism",
            proofs=ends,
        )
    taxon_proof = RecordProof(call, f"NCBITaxon:{taxon}", at, taxon)
    return AnswerValue(
        value,
        record.id,
        at,
        raw=taxon,
        call=call,
        subject=StatementEnd(title, record.id),
        object=target,
        proofs=(*ends, taxon_proof),
    )


def plan_of(db: NcbiDatabase) -> Callable[[NcbiSession], GeneAnswer]:
    def plan(session: NcbiSession) -> GeneAnswer:
        """One call."""
        accession = session.question.subject
        answer = session.ask(Summary(db, (accession,)), f"What {accession} is.")
        values = [
            value_of(record, answer.stored)
            for record in answer.records
            if has_accession(record, accession)
        ]
        return answer_with_values(session, values, f"NCBI has no {db} record {accession}.")

    return plan


def rule_of(db: str) -> Callable[[NcbiSession], Iterator[AnswerValue]]:
    def rule(session: NcbiSession) -> Iterator[AnswerValue]:
        for record, step in records_of_database(session, db):
            if has_accession(record, session.question.subject):
                yield value_of(record, step.call)

    return rule


PROTEIN = GeneKind(
    "protein record",
    Topic.ACCESSION,
    "What is the protein record NP_000537.3?",
    plan=plan_of(NcbiDatabase.PROTEIN),
    claim="SequenceRecordClaim",
    needs=("protein",),
    rule=rule_of("protein"),
    words=r"\b(?:[ANXYW]P_\d{6,9}|[A-Z]{3}\d{5,7})(?:\.\d{1,3})?\b",
    whole_text=True,
)
NUCLEOTIDE = GeneKind(
    "nucleotide record",
    Topic.ACCESSION,
    "What is the sequence record NM_000546.6?",
    plan=plan_of(NcbiDatabase.NUCCORE),
    claim="SequenceRecordClaim",
    needs=("nuccore",),
    rule=rule_of("nuccore"),
    words=(  # RefSeq, and GenBank's two letters with six or eight digits: NM_000546.6, AY123456.1
        r"\b(?:(?:N[CGMRTWZ]|X[MR])_\d{6,9}|[A-Z]{2}\d{6}(?:\d{2})?)(?:\.\d{1,3})?\b"
    ),
    whole_text=True,
)
