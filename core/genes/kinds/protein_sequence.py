"""Which protein an amino acid sequence is, by blastp against Swiss-Prot."""

from __future__ import annotations

from collections.abc import Iterator

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, StatementEnd, bound_value
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.sequence import MIN_COVER, best_hits, top_score
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.model import json_digest
from core.ncbi.call import Align
from core.ncbi.record import NcbiRecord

DATABASE = "swissprot"


def value_of(hit: NcbiRecord, call: str, sequence: str) -> AnswerValue:
    """`Cellular tumor antigen p53 [Homo sapiens] (UniProtKB:P04637; 393 of 393 identical)`"""
    title = str(hit.get("title")).partition("; AltName")[0].removeprefix("RecName: Full=")
    organism = str(hit.get("organism"))
    name = title.partition(";")[0].partition(" [")[0]
    of = f" [{organism}]" if organism else ""
    value = f"{name}{of} ({hit.id}; {hit.get('identity')} of {len(sequence)} identical)"
    subject = StatementEnd(
        f"protein sequence of {len(sequence)}", f"sequence:{json_digest(sequence)[:24]}"
    )
    return bound_value(
        hit, "accession", value, call, subject=subject, object=StatementEnd(name, hit.id)
    )


def near_hits(hits: list[NcbiRecord], sequence: str) -> list[NcbiRecord]:
    """The best hits, where they share at least half of the amino acids."""
    top_hits = best_hits(tuple(hits))
    return [
        ncbi_record
        for ncbi_record in top_hits
        if ncbi_record.get("identity", 0) >= MIN_COVER * len(sequence)
    ]


def plan(session: NcbiSession) -> GeneAnswer:
    """A submission and its report."""
    sequence = session.question.subject
    report = session.align(Align(sequence, DATABASE), "Which proteins of Swiss-Prot are like it.")
    hits = near_hits(list(report.records), sequence)
    if not hits:
        score = f" (the best scores {top_score(report.records):.0f} bits)" if report.records else ""
        return session.not_found(f"No protein of Swiss-Prot shares half of the sequence{score}.")
    values = tuple(value_of(hit, report.stored, sequence) for hit in hits)
    texts = [value.value for value in values]
    status = AnswerStatus.ANSWERED if len(hits) == 1 else AnswerStatus.AMBIGUOUS
    return session.answer(status, texts[0] if len(texts) == 1 else texts, values)


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    sequence = session.question.subject
    records = [
        (record, step)
        for record, step in records_of_database(session, "protein")
        if record.get("bits")
    ]
    for hit in near_hits([record for record, _ in records], sequence):
        call = next(step.call for record, step in records if record is hit)
        yield value_of(hit, call, sequence)


P53 = (  # the beginning of human p53
    "MEEPQSDPSVEPPLSQETFSDLWKLLPENNVLSPLPSQAMDDLMLSPDDIEQWFTEDPGP"
    "DEAPRMPEAAPPVAPAPAAPTPAAPAPAPSWPLSSS"
)
KIND = GeneKind(
    "protein of a sequence",
    Topic.SEQUENCE,
    f"Which protein has this sequence: {P53}",
    plan=plan,
    claim="",
    needs=("blast",),
    rule=rule,
    whole_text=True,
)
