"""What a gene makes: its RefSeq transcripts and proteins, from NCBI Datasets' product reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values, the_gene
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database, subject_records
from core.model import Json
from core.ncbi.call import GeneProducts
from core.ncbi.record import NcbiRecord

CHOSEN = (
    r"\b(?:MANE|canonical|representative|select(?:ed)?|main|principal|primary|default"
    r"|reference transcript)\b"
)


def transcripts(gene: NcbiRecord, record: NcbiRecord, call: str) -> list[AnswerValue]:
    """`NM_000546.6 (transcript variant 1; 2512 bases; MANE Select)`"""
    values = []
    for transcript in record.get("transcripts", []):
        length = f"{transcript['length']} bases" if transcript["length"] else ""
        values.append(
            _value(
                gene,
                record,
                transcript,
                call=call,
                about=(transcript["name"], length, transcript["selected"]),
            )
        )
    return values


def proteins(gene: NcbiRecord, record: NcbiRecord, call: str) -> list[AnswerValue]:
    """`NP_000537.3 (cellular tumor antigen p53 isoform a; 393 amino acids)`"""
    answer_values: dict[str, AnswerValue] = {}
    for transcript in record.get("transcripts", []):
        if transcript["protein"] and transcript["protein"] not in answer_values:
            length = f"{transcript['residues']} amino acids" if transcript["residues"] else ""
            answer_values[transcript["protein"]] = _value(
                gene,
                record,
                transcript,
                part="/protein",
                call=call,
                about=(transcript["protein_name"], length, transcript["selected"]),
            )
    return list(answer_values.values())


def _value(
    gene: NcbiRecord,
    record: NcbiRecord,
    product: Mapping[str, Json],
    *,
    call: str,
    about: tuple[str, ...],
    part: str = "",
) -> AnswerValue:
    """A product of a gene: it rests on its accession in the report of the gene, whose number the
    report states.
    """
    accession = str(product["protein"] if part else product["accession"])
    details = "; ".join(filter(None, about))
    value = f"{accession} ({details})" if details else accession
    at = f"{product['pointer']}{part}/accession_version"
    report = str(product["pointer"]).partition("/transcripts")[0]
    own = RecordProof(call, gene.id, f"{report}/gene_id", gene.id.partition(":")[2])
    accession_proof = RecordProof(call, f"RefSeq:{accession}", at, accession)
    target = StatementEnd(accession, f"RefSeq:{accession}")
    return AnswerValue(
        value,
        record.id,
        at,
        raw=accession,
        call=call,
        subject=gene_thing(gene),
        object=target,
        proofs=(accession_proof,),
        ties=(own,),
    )


def _chosen(answer_values: list[AnswerValue], words: str) -> list[AnswerValue]:
    """Of several products the one that NCBI and Ensembl chose, where that one is asked for."""
    if not re.search(CHOSEN, words, re.I):
        return answer_values
    return [
        answer_value
        for answer_value in answer_values
        if re.search(r"\b(?:MANE|RefSeq) Select\b", answer_value.value)
    ]


def _plan(product_kind: str, session: NcbiSession) -> GeneAnswer:
    if not session.ncbi.addresses.datasets:
        session.note(
            f"NCBI Datasets, which lists the {product_kind}, is not available at this NCBI address."
        )
        return session.answer(AnswerStatus.FAILED)
    resolved = the_gene(session)
    if isinstance(resolved, GeneAnswer):
        return resolved
    gene = resolved.gene
    call = GeneProducts((gene.id.partition(":")[2],))
    try:
        answer = session.ask(call, f"The {product_kind} of {gene.get('symbol')}.")
    except RemoteError as error:
        session.note(str(error))
        return session.answer(AnswerStatus.FAILED)
    for warning in answer.reading.warnings:
        session.lack(warning.rstrip("."))
    records = [record for record in answer.records if record.id == gene.id]
    read_products = transcripts if product_kind == "transcripts" else proteins
    values = [value for record in records for value in read_products(gene, record, answer.stored)]
    if values:
        counted = product_kind if len(values) > 1 else product_kind.removesuffix("s")
        session.note(f"NCBI's report of {gene.get('symbol')} lists {len(values)} {counted}.")
    return answer_with_values(
        session,
        _chosen(values, session.question.text),
        f"NCBI's report of {gene.get('symbol')} lists no such {product_kind.removesuffix('s')}.",
    )


def _rule(product_kind: str, session: NcbiSession) -> Iterator[AnswerValue]:
    read_products = transcripts if product_kind == "transcripts" else proteins
    for gene, _ in subject_records(session):
        for record, step in records_of_database(session, "gene"):
            if record.id == gene.id and record.get("transcripts"):
                yield from _chosen(read_products(gene, record, step.call), session.question.text)


TRANSCRIPTS = GeneKind(
    "transcripts of a gene",
    Topic.GENE,
    "Which transcripts does TP53 have?",
    plan=lambda session: _plan("transcripts", session),
    claim="TranscriptClaim",
    needs=("gene",),
    rule=lambda session: _rule("transcripts", session),
    words=(
        r"\btranscripts?\b(?! factor)|\bsplic(?:e|ing) (?:variants?|forms?)\b|\bm?RNA isoforms?\b"
        r"|\bisoforms?\b(?!.*\bproteins?\b)|\bMANE\b|\bRefSeq (?:m?RNAs?|transcripts?|NM)\b"
        r"|\bmRNAs? (?:accessions?|ids?|records?|sequences?|of)\b|\bNM_? (?:numbers?"
        r"|accessions?|ids?)\b"
    ),
    listed=True,
)
PROTEINS = GeneKind(
    "proteins of a gene",
    Topic.GENE,
    "Which RefSeq proteins does TP53 encode?",
    plan=lambda session: _plan("proteins", session),
    claim="RefSeqProteinClaim",
    needs=("gene",),
    rule=lambda session: _rule("proteins", session),
    words=(
        r"\brefseq proteins?\b|\bproteins? (?:accessions?|ids?|records?|isoforms?|sequences?"
        r"|products? accessions?|products of)\b|\bNP_? (?:numbers?|accessions?|ids?)\b"
        r"|\bisoforms? of the (?:\S+ )?proteins?\b|\b(?:how many|number of) (?:amino[- ]acids?"
        r"|residues)\b"
        r"|\b(?:how (?:long|big|large)|lengths?|size)\b.*\bproteins?\b|\bproteins?\b.*\b(?:long"
        r"|lengths?)\b"
        r"|\b(?:which|what) proteins? (?:is|are|does|do) .*(?:encode[ds]?|code[ds]?|made"
        r"|produce[ds]?|make)\b"
        r"|\bproteins (?:encoded|coded for|made|produced) by\b|\bproteins of\b|(?<=[\w-]) proteins$"
        r"|\bwhat (?:does|do) (?:the )?(?:human )?(?:gene )?\S+ (?:gene )?(?:encode|code for|make"
        r"|produce)$"
    ),
    listed=True,
)
