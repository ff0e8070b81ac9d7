"""What the kinds of question share that read fields of one gene's record.

Such a kind says only how a record is read: the plan finds the gene and reads its record, and the
evidence rule reads the records at hand in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, Asking, GeneAnswer, RecordProof, Thing
from core.genes.kinds.kind import EvidenceRule, Plan
from core.genes.kinds.symbol import Resolved, resolve, thing
from core.genes.verification.evidence_rules import subject_records, value_is_held
from core.ncbi.call import GeneType
from core.ncbi.record import NcbiRecord

# The values of a record, and the id of the stored answer that holds it.
RecordReader = Callable[[NcbiRecord, str], list[AnswerValue]]


def the_gene(asking: Asking) -> Resolved | GeneAnswer:
    """The one gene that the question means, or the answer that says why there is none."""
    name = asking.question.subject
    resolved = resolve(asking, name)
    if resolved is None:
        return asking.not_found(
            f"No {asking.question.species} gene in NCBI Gene bears the name {name}."
        )
    if len(resolved.genes) > 1:
        symbols = ", ".join(str(ncbi_record.get("symbol")) for ncbi_record in resolved.genes)
        asking.note(f"{name} is a name of several genes: {symbols}. Ask for one of them.")
        return asking.answer(AnswerStatus.AMBIGUOUS)
    if str(resolved.gene.get("symbol")) != name:
        asking.note(f"{name} is read as {resolved.gene.get('symbol')} ({resolved.gene.id}).")
    return resolved


def told(asking: Asking, found: list[AnswerValue], nothing: str) -> GeneAnswer:
    """The values as an answer: one, or a list; `nothing` says what is missing where there is
    none.
    """
    if not found:
        return asking.not_found(nothing)
    values = list(dict.fromkeys(answer_value.value for answer_value in found))
    text: str | list[str] = values[0] if len(values) == 1 else values
    return asking.answer(AnswerStatus.ANSWERED, text, tuple(found))


def from_summary(read: RecordReader, what: str) -> Plan:
    """A plan that reads the gene's summary (E-utilities): two calls."""

    def plan(asking: Asking) -> GeneAnswer:
        gene = the_gene(asking)
        if isinstance(gene, GeneAnswer):
            return gene
        nothing = f"NCBI's record of {gene.gene.get('symbol')} states no {what}."
        return told(asking, read(gene.gene, gene.call), nothing)

    return plan


def from_datasets(read: RecordReader, what: str) -> Plan:
    """A plan that reads the gene's report in NCBI Datasets: three calls."""

    def plan(asking: Asking) -> GeneAnswer:
        gene = the_gene(asking)
        if isinstance(gene, GeneAnswer):
            return gene
        symbol = gene.gene.get("symbol")
        if not asking.ncbi.addresses.datasets:
            asking.note(f"NCBI Datasets, which holds the {what}, is not served here.")
            return asking.answer(AnswerStatus.FAILED)
        call = GeneType((gene.gene.id.partition(":")[2],))
        try:
            answer = asking.ask(call, f"The {what} of {symbol}.")
        except RemoteError as error:
            asking.note(str(error))
            return asking.answer(AnswerStatus.FAILED)
        reports = [record for record in answer.records if record.id == gene.gene.id]
        found = [value for report in reports for value in read(report, answer.stored)]
        return told(asking, found, f"NCBI's report of {symbol} lists no {what}.")

    return plan


def rule_of(read: RecordReader) -> EvidenceRule:
    """The same reading of the records at hand."""

    def rule(asking: Asking) -> Iterator[AnswerValue]:
        known = {one.id for one, _ in subject_records(asking)}
        for record, step in value_is_held(asking, "gene"):
            if record.id in known:
                yield from read(record, step.call)

    return rule


def field_value(
    record: NcbiRecord, call: str, name: str, value: str, target: Thing, **more: object
) -> AnswerValue:
    """A value that rests on the field `name` of a gene's record."""
    raw = record.raw.get(name) or record.text(name)
    at = record.pointers.get(name, name)
    return AnswerValue(value, record.id, at, raw, call, thing(record), target, **more)  # type: ignore[arg-type]


def listed_values(
    record: NcbiRecord, call: str, name: str, prefix: str, relation: str = ""
) -> list[AnswerValue]:
    """A value for each id of the list in field `name`, as a CURIE of `prefix`; both ends stand in
    the list: the gene's record holds the id.
    """
    found = []
    for number, one in enumerate(record.get(name, [])):
        curie, at = f"{prefix}:{one}", f"{record.pointers.get(name, name)}/{number}"
        other = RecordProof(call, curie, at, str(one))
        target = Thing(str(one), curie)
        found.append(
            AnswerValue(
                curie,
                record.id,
                at,
                str(one),
                call,
                thing(record),
                target,
                relation,
                (),
                (other,),
            )
        )
    return found
