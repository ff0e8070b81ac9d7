"""The identifiers of a gene in NCBI Gene, OMIM, HGNC, Ensembl and UniProt."""

from __future__ import annotations

import re

from core.genes.answer import AnswerValue, GeneAnswer, StatementEnd
from core.genes.kinds.gene_record import (
    field_value,
    from_datasets,
    from_summary,
    listed_values,
    rule_of,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.session import NcbiSession
from core.ncbi.record import NcbiRecord


def gene_id(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The number in NCBI Gene, which is the record's own."""
    number = record.id.partition(":")[2]
    value = field_value(
        record, call, "uid", record.id, target=StatementEnd(number), relation="itself"
    )
    return [value] if "uid" in record.pointers else []


def mim(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return listed_values(record, call, "mim", "OMIM")


def ensembl(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return listed_values(record, call, "ensembl", "ENSEMBL")


def uniprot(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return listed_values(record, call, "uniprot", "UniProtKB")


def hgnc(record: NcbiRecord, call: str) -> list[AnswerValue]:
    value = str(record.get("hgnc"))
    return (
        [field_value(record, call, "hgnc", value, target=StatementEnd(value, value))]
        if value
        else []
    )


_ID = r"(?:ids?|identifiers?|numbers?|accessions?|no\.?)"
MIM = rf"\b(?:O?MIM)\b(?: gene)?(?: {_ID})?"
ENSEMBL = rf"\bensembl(?: gene)? {_ID}\b|(?<=[\w-]) ensembl$"
UNIPROT = r"\b(?:uni-?prot\w*|swiss-?prot)\b"
HGNC = rf"\bHGNC {_ID}\b|(?<=[\w-]) HGNC$"
NCBI = (
    rf"(?<=[\w-]) entrez$|\b(?:ncbi|entrez)(?: gene)?(?:[ -]{_ID})\b"
    rf"|\b(?<!ensembl )gene[ -]?{_ID}\b"
)


def plan(session: NcbiSession) -> GeneAnswer:
    """The identifier that is asked for; the number in NCBI Gene where none is named."""
    words = session.question.text.rstrip("?.! ")
    if re.search(MIM, words, re.I):
        return from_summary(mim, "MIM number")(session)
    for pattern, reader, id_title in (
        (ENSEMBL, ensembl, "Ensembl id"),
        (HGNC, hgnc, "HGNC id"),
    ):
        if re.search(pattern, words, re.I):
            return from_datasets(reader, id_title)(session)
    return from_summary(gene_id, "number")(session)


def read_all(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return [value for read_ids in (gene_id, mim, ensembl, hgnc) for value in read_ids(record, call)]


KIND = GeneKind(
    "identifiers of a gene",
    Topic.GENE,
    "What is the NCBI Gene ID of TP53?",
    plan=plan,
    claim="ConversionClaim",
    needs=("gene",),
    rule=rule_of(read_all),
    words=rf"{ENSEMBL}|{HGNC}|^(?!.*\b(?:phenotypes?|diseases?|disorders?|conditions?)\b).*\bO?MIM\b|{NCBI}",
)
PROTEIN = GeneKind(
    "UniProt entry of a gene",
    Topic.GENE,
    "What is the UniProt accession of TP53?",
    plan=from_datasets(uniprot, "UniProt accession"),
    claim="GeneProductClaim",
    needs=("gene",),
    rule=rule_of(uniprot),
    words=UNIPROT + rf"(?: (?:entry|protein)?\s?{_ID})?",
)
