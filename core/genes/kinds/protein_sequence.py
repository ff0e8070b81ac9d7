"""Which protein an amino acid sequence is, by blastp against Swiss-Prot."""

from __future__ import annotations

from collections.abc import Iterator

from core.genes.answer import AnswerStatus, AnswerValue, Asking, GeneAnswer, Thing, bound_value
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.sequence import MIN_COVER, best_hits, top_score
from core.genes.verification.evidence_rules import value_is_held
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
    subject = Thing(
        f"protein sequence of {len(sequence)}", f"sequence:{json_digest(sequence)[:24]}"
    )
    return bound_value(hit, "accession", value, call, subject=subject, object=Thing(name, hit.id))


def near(hits: list[NcbiRecord], sequence: str) -> list[NcbiRecord]:
    """The best hits, where they share at least half of the amino acids."""
    first = best_hits(tuple(hits))
    return [
        ncbi_record
        for ncbi_record in first
        if ncbi_record.get("identity", 0) >= MIN_COVER * len(sequence)
    ]


def plan(asking: Asking) -> GeneAnswer:
    """A submission and its report."""
    sequence = asking.question.subject
    report = asking.align(Align(sequence, DATABASE), "Which proteins of Swiss-Prot are like it.")
    found = near(list(report.records), sequence)
    if not found:
        score = f" (the best scores {top_score(report.records):.0f} bits)" if report.records else ""
        return asking.not_found(f"No protein of Swiss-Prot shares half of the sequence{score}.")
    values = tuple(value_of(one, report.stored, sequence) for one in found)
    texts = [value.value for value in values]
    status = AnswerStatus.ANSWERED if len(found) == 1 else AnswerStatus.AMBIGUOUS
    return asking.answer(status, texts[0] if len(texts) == 1 else texts, values)


def rule(asking: Asking) -> Iterator[AnswerValue]:
    sequence = asking.question.subject
    records = [(one, step) for one, step in value_is_held(asking, "protein") if one.get("bits")]
    for hit in near([one for one, _ in records], sequence):
        call = next(step.call for one, step in records if one is hit)
        yield value_of(hit, call, sequence)


P53 = (  # the beginning of human p53
    "MEEPQSDPSVEPPLSQETFSDLWKLLPENNVLSPLPSQAMDDLMLSPDDIEQWFTEDPGP"
    "DEAPRMPEAAPPVAPAPAAPTPAAPAPAPSWPLSSS"
)
KIND = GeneKind(
    "protein of a sequence",
    Topic.SEQUENCE,
    f"Which protein has this sequence: {P53}",
    plan,
    "",
    ("blast",),
    rule,
    whole_text=True,
)
