"""What the kinds of question share that read fields of one gene's record.

Such a kind says only how a record is read: the plan finds the gene and reads its record, and the
evidence rule reads the records at hand in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.kind import EvidenceRule, Plan
from core.genes.kinds.resolution import ResolvedGenes, gene_thing, resolve_gene
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database, subject_records
from core.ncbi.call import GeneType
from core.ncbi.record import NcbiRecord

# The values of a record, and the id of the stored answer that holds it.
RecordReader = Callable[[NcbiRecord, str], list[AnswerValue]]


def the_gene(session: NcbiSession, name: str = "") -> ResolvedGenes | GeneAnswer:
    """The one gene that the question means (or that `name` names), or the answer that says why
    there is none.
    """
    name = name or session.question.subject
    resolved = resolve_gene(session, name)
    if resolved is None:
        return session.not_found(
            f"No {session.question.species} gene in NCBI Gene has the name {name}."
        )
    if len(resolved.genes) > 1:
        symbols = ", ".join(str(ncbi_record.get("symbol")) for ncbi_record in resolved.genes)
        session.note(f"{name} is a name of several genes: {symbols}. Ask for one of them.")
        return session.answer(AnswerStatus.AMBIGUOUS)
    if str(resolved.gene.get("symbol")) != name:
        session.note(f"{name} is read as {resolved.gene.get('symbol')} ({resolved.gene.id}).")
    return resolved


def answer_with_values(
    session: NcbiSession, answer_values: list[AnswerValue], nothing: str
) -> GeneAnswer:
    """The values as an answer: one, or a list; `nothing` says what is missing where there is
    none.
    """
    if not answer_values:
        return session.not_found(nothing)
    values = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    text: str | list[str] = values[0] if len(values) == 1 else values
    return session.answer(AnswerStatus.ANSWERED, text, tuple(answer_values))


def from_summary(read_values: RecordReader, field_title: str) -> Plan:
    """A plan that reads the gene's summary (E-utilities): two calls."""

    def plan(session: NcbiSession) -> GeneAnswer:
        gene = the_gene(session)
        if isinstance(gene, GeneAnswer):
            return gene
        nothing = f"NCBI's record of {gene.gene.get('symbol')} states no {field_title}."
        return answer_with_values(session, read_values(gene.gene, gene.call), nothing)

    return plan


def from_datasets(read_values: RecordReader, field_title: str) -> Plan:
    """A plan that reads the gene's report in NCBI Datasets: three calls."""

    def plan(session: NcbiSession) -> GeneAnswer:
        gene = the_gene(session)
        if isinstance(gene, GeneAnswer):
            return gene
        symbol = gene.gene.get("symbol")
        if not session.ncbi.addresses.datasets:
            session.note(
                f"NCBI Datasets, which holds the {field_title}, is not available at this "
                "NCBI address."
            )
            return session.answer(AnswerStatus.FAILED)
        call = GeneType((gene.gene.id.partition(":")[2],))
        try:
            answer = session.ask(call, f"The {field_title} of {symbol}.")
        except RemoteError as error:
            session.note(str(error))
            return session.answer(AnswerStatus.FAILED)
        reports = [record for record in answer.records if record.id == gene.gene.id]
        values = [value for report in reports for value in read_values(report, answer.stored)]
        return answer_with_values(
            session, values, f"NCBI's report of {symbol} lists no {field_title}."
        )

    return plan


def rule_of(read_values: RecordReader) -> EvidenceRule:
    """The same reading of the records at hand."""

    def rule(session: NcbiSession) -> Iterator[AnswerValue]:
        subject_ids = {subject.id for subject, _ in subject_records(session)}
        for record, step in records_of_database(session, "gene"):
            if record.id in subject_ids:
                yield from read_values(record, step.call)

    return rule


def field_value(
    record: NcbiRecord, call: str, name: str, value: str, *, target: StatementEnd, **more: object
) -> AnswerValue:
    """A value that rests on the field `name` of a gene's record."""
    raw = record.raw.get(name) or record.text(name)
    at = record.pointers.get(name, name)
    gene = gene_thing(record)
    return AnswerValue(value, record.id, at, raw, call=call, subject=gene, object=target, **more)  # type: ignore[arg-type]


def listed_values(
    record: NcbiRecord, call: str, name: str, prefix: str, *, relation: str = ""
) -> list[AnswerValue]:
    """A value for each id of the list in field `name`, as a CURIE of `prefix`; both ends stand in
    the list: the gene's record holds the id.
    """
    values = []
    for number, local_id in enumerate(record.get(name, [])):
        curie, at = f"{prefix}:{local_id}", f"{record.pointers.get(name, name)}/{number}"
        id_proof = RecordProof(call, curie, at, str(local_id))
        target = StatementEnd(str(local_id), curie)
        values.append(
            AnswerValue(
                curie,
                record.id,
                at,
                raw=str(local_id),
                call=call,
                subject=gene_thing(record),
                object=target,
                relation=relation,
                ties=(id_proof,),
            )
        )
    return values
