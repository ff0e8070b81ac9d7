"""The gene of a protein or transcript that is named by its accession in UniProt or RefSeq.

NCBI's index leads to the gene. The answer rests on the gene's own report in Datasets, which lists
the accession; without that list the tie is unproven, and there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.identifiers import uniprot
from core.genes.kinds.kind import EvidenceRule, GeneKind, Plan, Topic
from core.genes.kinds.products import proteins, transcripts
from core.genes.kinds.resolution import tied_gene_ids
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import GeneProducts, GeneType, NcbiDatabase, Search
from core.ncbi.record import NcbiRecord

ReportReader = Callable[[NcbiRecord, str], list[AnswerValue]]


def read_proteins(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return proteins(record, record, call)


def read_transcripts(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return transcripts(record, record, call)


def genes_in(
    record: NcbiRecord, call: str, accession: str, read: ReportReader
) -> list[AnswerValue]:
    """The gene of a report (`TP53 (NCBIGene:7157)`) where it lists the accession, in whichever
    version.
    """
    bare = accession.partition(".")[0]
    if not record.get("symbol"):
        return []
    value = f"{record.get('symbol')} ({record.id})"
    return [
        replace(listed, value=value)
        for listed in read(record, call)
        if listed.object.label.partition(".")[0] == bare
    ]


def accession_gene_plan(read: ReportReader, report: type[GeneType] | type[GeneProducts]) -> Plan:
    def plan(session: NcbiSession) -> GeneAnswer:
        """Two calls: the genes that NCBI's index ties to the accession, and their reports."""
        accession = session.question.subject
        bare = accession.partition(".")[0]
        if not session.ncbi.addresses.datasets:
            session.note(
                f"NCBI Datasets, which says which gene {accession} belongs to, is not available at"
                " this NCBI address."
            )
            return session.answer(AnswerStatus.FAILED)
        search = session.ask(Search(NcbiDatabase.GENE, bare), f"Genes linked to {bare}.")
        ids = tied_gene_ids(search.reading, bare)
        if not ids:
            return session.not_found(f"No gene in NCBI Gene is linked to {bare}.")
        try:
            answer = session.ask(report(ids), f"Whether their reports list {bare}.")
        except RemoteError as error:
            session.note(str(error))
            return session.answer(AnswerStatus.FAILED)
        values = [
            value
            for record in answer.records
            if record.id.partition(":")[2] in ids
            for value in genes_in(record, answer.stored, accession, read)
        ]
        for listed in {value.object.label for value in values} - {accession, bare}:
            session.note(f"NCBI lists it as {listed}.")
        return answer_with_values(
            session, values, f"No report of a gene that NCBI links to {bare} lists it."
        )

    return plan


def rule_of(read: ReportReader) -> EvidenceRule:
    def rule(session: NcbiSession) -> Iterator[AnswerValue]:
        for record, step in records_of_database(session, "gene"):
            yield from genes_in(record, step.call, session.question.subject, read)

    return rule


UNIPROT = GeneKind(
    "gene of a UniProt entry",
    Topic.ACCESSION,
    "Which gene encodes UniProt P04637?",
    plan=accession_gene_plan(uniprot, GeneType),
    claim="GeneProductClaim",
    needs=("gene",),
    rule=rule_of(uniprot),
)
PROTEIN = GeneKind(
    "gene of a RefSeq protein",
    Topic.ACCESSION,
    "Which gene encodes NP_000537.3?",
    plan=accession_gene_plan(read_proteins, GeneProducts),
    claim="RefSeqProteinClaim",
    needs=("gene",),
    rule=rule_of(read_proteins),
)
TRANSCRIPT = GeneKind(
    "gene of a RefSeq transcript",
    Topic.ACCESSION,
    "Which gene does NM_000546.6 belong to?",
    plan=accession_gene_plan(read_transcripts, GeneProducts),
    claim="TranscriptClaim",
    needs=("gene",),
    rule=rule_of(read_transcripts),
)
