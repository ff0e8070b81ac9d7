"""Questions about a SNP: its gene, its place, and what its gene does."""

from __future__ import annotations

import re

from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    RecordProof,
    StatementEnd,
    bound_value,
)
from core.genes.kinds.coding import inferred_type
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.location import chromosome_name
from core.genes.kinds.resolution import gene_summaries, gene_thing
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.call import NcbiDatabase, Summary
from core.ncbi.record import NcbiRecord


def variant_record(session: NcbiSession) -> tuple[NcbiRecord | None, str]:
    """The dbSNP record of the question, the one that took its place when it was merged."""
    rs = session.question.subject.removeprefix("rs")
    answer = session.ask(Summary(NcbiDatabase.SNP, (rs,)), f"dbSNP's record of rs{rs}.")
    record = answer.records[0] if answer.records else None
    if (
        record is not None
        and (target := record.get("replaced_by"))
        and not record.get("chromosome")
    ):
        session.note(f"rs{rs} was merged into rs{target}.")
        answer = session.ask(
            Summary(NcbiDatabase.SNP, (str(target),)), f"rs{rs} was merged into it."
        )
        record = answer.records[0] if answer.records else None
    elif record is not None and (target or record.id != f"DBSNP:rs{rs}"):
        session.note(f"rs{rs} was merged into rs{target or record.id.removeprefix('DBSNP:rs')}.")
    return record, answer.stored


def gene_of_snp(session: NcbiSession) -> GeneAnswer:
    """One value a gene; dbSNP lists neighbours too, and its functional class says which they
    are.
    """
    record, call = variant_record(session)
    if record is None:
        return session.not_found(f"dbSNP has no record of {session.question.subject}.")
    answer_values = genes_in(record, call)
    if not answer_values:
        return session.not_found(f"dbSNP places {session.question.subject} in or beside no gene.")
    _say_relation(session, record)
    if claimed := session.question.claim:
        return _verdict_on_gene(session, claimed, answer_values)
    values = [answer_value.value for answer_value in answer_values]
    return session.answer(
        AnswerStatus.ANSWERED, values[0] if len(values) == 1 else values, answer_values
    )


def _verdict_on_gene(
    session: NcbiSession, claimed: str, answer_values: tuple[AnswerValue, ...]
) -> GeneAnswer:
    """Whether dbSNP names the gene that a question claims; *partly* where it names others only,
    which may be the same gene under another name.
    """
    fitting = tuple(value for value in answer_values if value.value == claimed)
    if fitting:
        return session.answer(AnswerStatus.ANSWERED, f"Yes ({claimed})", fitting)
    session.note(f"dbSNP does not name {claimed}; whether these are other names was not checked.")
    genes = [value.value for value in answer_values]
    return session.answer(AnswerStatus.PARTLY, genes, answer_values)


def genes_in(record: NcbiRecord, call: str) -> tuple[AnswerValue, ...]:
    """The genes that a dbSNP record names, each with its relation to the variant."""
    subject = StatementEnd(record.id.partition(":")[2], record.id)
    classes = record.raw.get("fxn_class", "")
    proof_of_class = (
        (RecordProof(call, record.id, record.pointers.get("fxn_class", ""), classes),)
        if classes
        else ()
    )
    values = []
    for gene in record.get("gene_records", []):
        pointer = gene["pointer"] + ("/name" if gene["pointer"].startswith("/r") else "/NAME")
        target = StatementEnd(gene["symbol"], gene["gene"])
        at = gene["pointer"] + ("/gene_id" if gene["pointer"].startswith("/r") else "/GENE_ID")
        ends = (RecordProof(call, gene["gene"], at, gene["gene"].partition(":")[2]),)
        proofs = ends if gene["gene"] else ()
        relation = str(record.get("relation")) if gene["gene"] else "unconfirmed"
        values.append(
            AnswerValue(
                gene["symbol"],
                record.id,
                pointer,
                raw=gene["symbol"],
                call=call,
                subject=subject,
                object=target,
                relation=relation,
                proofs=proofs,
                ties=proof_of_class,
            )
        )
    return tuple(values)


def _say_relation(session: NcbiSession, record: NcbiRecord) -> None:
    classes = ", ".join(record.get("fxn_class", [])) or "no functional class"
    relation_words = {
        "variant of": "lies in the gene",
        "nearby": "lies near the gene, not in it",
        "undecided": "may lie in one gene and near another",
    }
    session.note(
        f"dbSNP's functional class is {classes}: the variant"
        f" {relation_words[str(record.get('relation'))]}."
    )


def place_of_snp(session: NcbiSession) -> GeneAnswer:
    record, call = variant_record(session)
    if record is None:
        return session.not_found(f"dbSNP has no record of {session.question.subject}.")
    if not record.get("chromosome"):
        return session.not_found(
            f"dbSNP's record of {session.question.subject} states no chromosome."
        )
    chromosomes = [
        chromosome_name(part) for part in re.split(r"[,;|]\s*", str(record.get("chromosome")))
    ]
    if len(chromosomes) > 1:
        session.note(f"dbSNP places {session.question.subject} on several chromosomes.")
        return session.answer(AnswerStatus.AMBIGUOUS, chromosomes)
    if record.get("location"):
        session.note(
            f"{record.get('location')} ({record.get('assembly') or 'assembly not stated'},"
            " 1-based)."
        )
    exact = {place.value.partition(" ")[0]: place for place in exact_places(record, call)}
    words = session.question.text
    old = re.search(r"\b(?:GRCh37|hg19|b37)\b", words, re.I)
    if old and re.search(r"\b(?:GRCh38|hg38|b38)\b", words, re.I) and len(exact) == 2:
        return session.answer(
            AnswerStatus.ANSWERED, [place.value for place in exact.values()], (*exact.values(),)
        )
    if old:
        if "GRCh37" in exact:
            return session.answer(AnswerStatus.ANSWERED, exact["GRCh37"].value, (exact["GRCh37"],))
        session.note("dbSNP's record states no position on GRCh37; only the chromosome is known.")
        answer_value = place_in(record, call)
        return session.answer(AnswerStatus.PARTLY, answer_value.value, (answer_value,))
    if re.search(EXACT, words, re.I) and (own := exact.get(str(record.get("assembly")))):
        return session.answer(AnswerStatus.ANSWERED, own.value, (own,))
    answer_value = place_in(record, call)
    return session.answer(AnswerStatus.ANSWERED, answer_value.value, (answer_value,))


EXACT = r"\bco-?ordinates?\b|\b(?:exact|genomic|base[- ]pair|bp) (?:position|location)s?\b"


def exact_places(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The places that dbSNP states, 1-based, each with its assembly: the current one and that of
    GRCh37 (`chrpos_prev_assm`).
    """
    subject, values = StatementEnd(record.id.partition(":")[2], record.id), []
    for field, assembly, place in (
        ("location", str(record.get("assembly")), str(record.get("location"))),
        ("previous", "GRCh37", f"chr{record.get('previous')}"),
    ):
        if record.get(field) and assembly:
            value = f"{assembly} {place}"
            values.append(
                bound_value(record, field, value, call, subject=subject, object=StatementEnd(value))
            )
    return values


def place_in(record: NcbiRecord, call: str) -> AnswerValue:
    """The chromosome that a dbSNP record states."""
    value = chromosome_name(str(record.get("chromosome")))
    accession = str(record.get("location")).partition(":")[0]
    target = StatementEnd(value, f"RefSeq:{accession}" if accession.startswith("NC_") else "")
    subject = StatementEnd(record.id.partition(":")[2], record.id)
    proofs = (
        (RecordProof(call, target.id, record.pointers.get("assembly", "acc"), accession),)
        if target.id
        else ()
    )
    return bound_value(
        record, "chromosome", value, call, subject=subject, object=target, proofs=proofs
    )


def function_of_gene(session: NcbiSession) -> GeneAnswer:
    """What the SNP's gene does: the summary in its gene record, or its type when it has none."""
    session.part = f"Which gene is {session.question.subject} in or near?"
    record, _ = variant_record(session)
    if record is None:
        return session.not_found(f"dbSNP has no record of {session.question.subject}.")
    gene_numbers = [
        gene_record["gene"].partition(":")[2] for gene_record in record.get("gene_records", [])
    ]
    ids = tuple(filter(None, gene_numbers))
    if not ids:
        return session.not_found(f"dbSNP places {session.question.subject} in or beside no gene.")
    _say_relation(session, record)
    session.part = f"What does {', '.join(record.get('genes', []))} do?"
    genes, call = gene_summaries(session, ids, "What the gene does.")
    values = [value for gene in genes if (value := _function(session, gene, call))]
    if not values:
        return session.not_found("The gene's record has no summary.")
    texts = [value.value for value in values]
    return session.answer(
        AnswerStatus.ANSWERED, texts[0] if len(texts) == 1 else texts, tuple(values)
    )


def _function(session: NcbiSession, gene: NcbiRecord, call: str) -> AnswerValue | None:
    function_value, symbol = function_in(gene, call), gene.get("symbol")
    if function_value is not None and function_value.relation:
        session.note(f"NCBI has no summary of {symbol}; its record says what kind of gene it is.")
    elif function_value is not None:
        session.note(f"NCBI's summary of {symbol} ({gene.get('species')}).")
    return function_value


def function_in(gene: NcbiRecord, call: str) -> AnswerValue | None:
    """What a gene record says that the gene does: its summary, or, where it has none, what kind of
    gene it is.
    """
    if summary := str(gene.get("summary")):
        text = re.sub(r"\s*\[(?:provided|supplied) by [^\]]*\]\.?\s*$", "", summary)
        return bound_value(
            gene, "summary", text, call, subject=gene_thing(gene), object=StatementEnd(text)
        )
    kind, where = inferred_type(gene)
    if not kind:
        return None
    return bound_value(
        gene,
        where,
        kind,
        call,
        subject=gene_thing(gene),
        object=StatementEnd(kind),
        relation="inferred",
    )


KINDS = (
    GeneKind(
        QuestionKind.SNP_GENE,
        Topic.VARIANT,
        "Which gene is SNP rs1217074595 associated with?",
        plan=gene_of_snp,
        claim="VariantGeneClaim",
        needs=("snp",),
    ),
    GeneKind(
        QuestionKind.SNP_LOCATION,
        Topic.VARIANT,
        "Where in the human genome is rs1217074595?",
        plan=place_of_snp,
        claim="VariantPlaceClaim",
        needs=("snp",),
    ),
    GeneKind(
        QuestionKind.SNP_FUNCTION,
        Topic.VARIANT,
        "What is the function of the gene associated with SNP rs1217074595?",
        plan=function_of_gene,
        claim="FunctionClaim",
        needs=("snp", "gene"),
        whole_text=True,
        hops=True,
    ),
)
