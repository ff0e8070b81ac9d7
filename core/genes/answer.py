"""An answer: values bound to record fields, or why there is none; and the steps that led to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.codec import stored_as
from core.model import Json
from core.ncbi.record import NcbiRecord, UnusedRecord


class AnswerStatus(StrEnum):
    ANSWERED = "answered"
    AMBIGUOUS = "ambiguous"  # several records fit equally well
    INCOMPLETE = "incomplete"  # some of it was not looked at: cut, skipped or failed
    PARTLY = "partly"  # coarser than what was asked for
    NOT_FOUND = "not found"
    UNSUPPORTED = "unsupported"  # a model's words that are in no record
    NOT_UNDERSTOOD = "not understood"
    FAILED = "failed"  # something outside did not answer


WEAK = ("unconfirmed", "inferred", "undecided")  # relations that a record does not state outright


@dataclass(frozen=True, slots=True)
class StatementEnd:
    """One end of the statement that a value makes: a CURIE with a label, or (without an id)
    words.
    """

    label: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class RecordProof:
    """A field of a stored answer that speaks for a record: the record's id, the field, and the text
    there.
    """

    call: str
    record: str
    field: str
    raw: str


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """A value and the field that ties it to what was asked: stored call, record, field (pointer),
    and the text there (`raw`), such as the entry of a link set, the alias or the phrase of a
    summary. `ties` are more fields of that tie; `proofs` prove only that its ends exist.
    """

    value: str
    record: str
    field: str
    raw: str
    call: str = ""
    subject: StatementEnd = StatementEnd("")
    object: StatementEnd = StatementEnd("")
    relation: str = ""  # which of a kind's predicates, where it has several
    proofs: tuple[RecordProof, ...] = ()
    ties: tuple[RecordProof, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """One call of an answer. Times are seconds, `size` bytes; `used` names record and field of the
    answer; `reused`: an earlier answer to the same request was taken.
    """

    path: str
    origin: str  # planned, model, you
    tool: str
    arguments: Json
    why: str = ""
    request: Json = None
    status: str = "done"
    call: str = ""
    seconds: float = 0.0
    waited: float = 0.0
    size: int = 0
    records: tuple[NcbiRecord, ...] = ()
    ids: tuple[str, ...] = ()
    dropped: tuple[UnusedRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    cut: bool = False
    error: str = ""
    used: tuple[tuple[str, str], ...] = ()
    part: str = ""  # the sub-question that the step belongs to
    rid: str = ""  # BLAST's request id, of a submission
    reused: bool = False
    places: Mapping[str, str] = field(default_factory=dict)  # see NcbiReading
    count: int = 0  # of a search: how many records NCBI has


@dataclass(frozen=True, slots=True)
class GeneAnswer:
    """`text` is one value or a list, in the form that the papers score. `notes` are for the
    curator.
    """

    question: str
    kind: str
    status: AnswerStatus
    text: Json = ""  # one value, or a list of values
    values: tuple[AnswerValue, ...] = field(default=(), metadata=stored_as("found"))
    steps: tuple[AnswerStep, ...] = ()
    notes: tuple[str, ...] = ()
    subject: str = ""
    missing: tuple[str, ...] = ()  # what an incomplete answer lacks, with numbers
    nearest: tuple[str, ...] = ()  # questions that could be asked instead of one of no known kind

    @property
    def unconfirmed(self) -> bool:
        """Whether no value is tied to the question by a field that states it outright."""
        return bool(self.values) and all(value.relation in WEAK for value in self.values)

    @property
    def calls(self) -> int:
        """Questions put to NCBI: looks at a waiting BLAST search are not counted."""
        return len(self.steps)


def fields_of(value: AnswerValue) -> tuple[RecordProof, ...]:
    """Every field that a value rests on: the tie first, then what proves its ends."""
    own = RecordProof(value.call, value.record, value.field, value.raw)
    return (own, *value.ties, *value.proofs)


def bound_value(
    record: NcbiRecord, name: str, value: str, call: str, **ends: object
) -> AnswerValue:
    """`value` as found in field `name` of `record`; an end that is a term is proven by `record`, or
    by `proofs`.
    """
    raw = record.raw.get(name) or record.text(name)
    at = record.pointers.get(name, name)
    return AnswerValue(value, record.id, at, raw=raw, call=call, **ends)  # type: ignore[arg-type]


def proof_of(
    steps: Sequence[AnswerStep], record: NcbiRecord, name: str, end: str = ""
) -> tuple[RecordProof, ...]:
    """That `record`, as the step that read this field of it holds it, vouches for `end` (else the
    record).
    """
    place = record.pointers.get(name, name)

    def holds_field(step: AnswerStep) -> bool:
        return any(
            step_record.id == record.id and step_record.pointers.get(name, name) == place
            for step_record in step.records
        )

    call = next((step.call for step in steps if holds_field(step)), "")
    raw = record.raw.get(name) or record.text(name)
    return (RecordProof(call, end or record.id, place, raw),) if raw else ()
