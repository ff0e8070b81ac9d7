"""An answer: values bound to record fields, or why there is none; and the steps that led to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.codec import stored_as
from core.errors import Refused, RemoteError
from core.genes.question.question import GeneQuestion
from core.model import Json
from core.ncbi.call import Align, Alignment, NcbiCall, shown_arguments
from core.ncbi.client import Aligner, Ncbi, NcbiResponse
from core.ncbi.record import NcbiReading, NcbiRecord, UnusedRecord


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


OnStep = Callable[[AnswerStep], None]


@dataclass(slots=True)
class NcbiSession:
    """The calls of one question, kept as steps. `watch` sees each step when it is done."""

    ncbi: Ncbi
    question: GeneQuestion
    origin: str = "planned"
    watch: OnStep = lambda step: None
    steps: list[AnswerStep] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    prefix: str = "ask"
    part: str = ""  # the sub-question that is being answered
    submitted: dict[str, NcbiResponse] = field(default_factory=dict)  # BLAST searches by request id
    gaps: list[str] = field(default_factory=list)  # records that NCBI has and did not send
    missing: list[str] = field(default_factory=list)  # what was not looked at, with numbers

    def ask(self, call: NcbiCall, why: str, place: str = "") -> NcbiResponse:
        """Raises what the client raises; the step is kept in any case."""
        path = self.path(place)
        origin, call = self._edited(path, call)
        try:
            answer = self.ncbi.ask(call, path)
        except (RemoteError, Refused) as error:
            self.keep(
                AnswerStep(
                    path,
                    origin,
                    *_tool_and_arguments(call),
                    why=why,
                    status="failed",
                    error=str(error),
                )
            )
            raise
        if isinstance(call, Align):
            self.submitted[answer.reading.rid] = answer
        self.keep(step_of(answer, path, origin, why))
        return answer

    def refused(self, tool: str, written: str, why: str) -> None:
        """A step that was never sent: what a model wrote (its name for a tool may be anything) was
        not a call.
        """
        name = re.sub(r"[^\w.-]+", "_", tool)[:40] or "no name"
        arguments = {"written": written[:400]}
        self.keep(
            AnswerStep(self.path(""), self.origin, name, arguments, status="refused", error=why)
        )

    def report(self, call: Alignment, why: str) -> NcbiResponse:
        """The report of a BLAST search that was submitted before, waited for."""
        path = self.path("")
        submitted = self.submitted.get(call.rid) or NcbiResponse(call, NcbiReading(rid=call.rid))
        try:
            answer = self.ncbi.result(submitted, path)
        except (RemoteError, Refused) as error:
            self.keep(
                AnswerStep(
                    path,
                    self.origin,
                    *_tool_and_arguments(call),
                    why=why,
                    status="failed",
                    error=str(error),
                )
            )
            raise
        self.keep(step_of(answer, path, self.origin, why))
        return answer

    def align(self, call: Align, why: str) -> NcbiResponse:
        """The report of a BLAST search; two steps."""
        path = self.path("")
        _, edited = self._edited(path, call)
        call = edited if isinstance(edited, Align) else call
        steps_before = len(self.steps)

        def on_submitted(submitted: NcbiResponse) -> None:
            self.keep(step_of(submitted, path, self.origin, why))

        try:
            _, report = Aligner(self.ncbi).align(call, path, on_submitted=on_submitted)
        except (RemoteError, Refused) as error:
            was_submitted = (
                len(self.steps) > steps_before
            )  # the search was taken; its report is what failed
            failed = Alignment(self.steps[-1].rid) if was_submitted and self.steps[-1].rid else call
            at, reason = (
                (path + ".report", "The report of that search.") if was_submitted else (path, why)
            )
            self.keep(
                AnswerStep(
                    at,
                    self.origin,
                    *_tool_and_arguments(failed),
                    why=reason,
                    status="failed",
                    error=str(error),
                )
            )
            raise
        self.keep(step_of(report, path + ".report", self.origin, "The report of that search."))
        self.gaps += ["the whole of BLAST's report"] if report.reading.cut else []
        return report

    def _edited(self, path: str, call: NcbiCall) -> tuple[str, NcbiCall]:
        """Origin and call of a step: a person may have put another call in this place."""
        return ("you", self.ncbi.edits[path]) if path in self.ncbi.edits else (self.origin, call)

    def path(self, place: str) -> str:
        return f"{self.prefix}[{len(self.steps)}]{place}"

    def note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)

    def drop(self, dropped: list[UnusedRecord]) -> None:
        """Say on the last step which records were not used, and why."""
        last_step = self.steps[-1]
        self.steps[-1] = _with(last_step, dropped=(*last_step.dropped, *dropped))

    def answer(
        self, status: AnswerStatus, text: str | list[str] = "", values: tuple[AnswerValue, ...] = ()
    ) -> GeneAnswer:
        used = {
            (record_proof.call, record_proof.record, record_proof.field)
            for value in values
            for record_proof in _fields_of(value)
        }
        if self.gaps and values:
            many = len(dict.fromkeys(self.gaps))
            unsent = "1 record that NCBI has was" if many == 1 else f"{many} records of NCBI were"
            self.lack(f"{unsent} not sent")
        if self.missing and status is AnswerStatus.ANSWERED:
            status = AnswerStatus.INCOMPLETE
        if self.question.limit and status is AnswerStatus.ANSWERED:
            self.note(
                f"You asked only {self.question.limit}; the records do not go into that, so this"
                " says more than you asked."
            )
            status = AnswerStatus.PARTLY
        steps = tuple(
            _with(
                step,
                used=tuple(
                    sorted(
                        {
                            (record, place)
                            for call, record, place in used
                            if call == step.call and call
                        }
                    )
                ),
            )
            for step in self.steps
        )
        return GeneAnswer(
            self.question.text,
            self.question.kind,
            status,
            text,
            values,
            steps,
            tuple(self.notes),
            self.question.subject,
            tuple(self.missing),
        )

    def lack(self, words: str) -> None:
        """Say what was not looked at (`19 of 24 forms`): the answer is incomplete from now on."""
        if words not in self.missing:
            self.missing.append(words)

    def not_found(self, why: str) -> GeneAnswer:
        """Nothing was found; or, where NCBI kept back a record that might have held it, nothing can
        be said.
        """
        self.note(why)
        if not self.gaps:
            if not self.missing:
                return self.answer(AnswerStatus.NOT_FOUND)
            self.note(f"Not everything could be checked: {'; '.join(self.missing)}.")
            return self.answer(AnswerStatus.FAILED)
        self.note(
            f"NCBI did not send {', '.join(self.gaps[:5])}, which it has. Try again in a minute."
        )
        return self.answer(AnswerStatus.FAILED)

    def no_conclusion(self, why: str) -> GeneAnswer:
        """A model that never came to an end has failed; that says nothing about the records."""
        self.note(why)
        return self.answer(AnswerStatus.FAILED)

    def keep(self, step: AnswerStep) -> None:
        """Part of the trace from now on, and seen by whoever watches."""
        step = _with(step, part=self.part)
        self.steps.append(step)
        self.watch(step)


def _fields_of(value: AnswerValue) -> tuple[RecordProof, ...]:
    """Every field that a value rests on: the tie first, then what proves its ends."""
    own = RecordProof(value.call, value.record, value.field, value.raw)
    return (own, *value.ties, *value.proofs)


def _tool_and_arguments(call: NcbiCall) -> tuple[str, Json]:
    arguments = shown_arguments(call)
    return str(arguments.pop("tool")), arguments


def _with(step: AnswerStep, **changes: object) -> AnswerStep:
    return replace(step, **changes)  # type: ignore[arg-type]


def step_of(answer: NcbiResponse, path: str, origin: str, why: str = "") -> AnswerStep:
    tool, arguments = _tool_and_arguments(answer.call)
    return AnswerStep(
        path,
        origin,
        tool,
        arguments,
        why=why,
        request=answer.request,
        call=answer.stored,
        seconds=answer.seconds,
        waited=answer.waited,
        size=len(answer.text.encode()),
        records=answer.reading.records,
        ids=answer.reading.ids,
        dropped=answer.reading.dropped,
        warnings=answer.reading.warnings,
        cut=answer.reading.cut,
        rid=answer.reading.rid,
        reused=bool(answer.reused),
        places=answer.reading.places,
        count=answer.reading.count,
    )


def bound_value(
    record: NcbiRecord, name: str, value: str, call: str, **ends: object
) -> AnswerValue:
    """`value` as found in field `name` of `record`; an end that is a term is proven by `record`, or
    by `proofs`.
    """
    raw = record.raw.get(name) or record.text(name)
    return AnswerValue(value, record.id, record.pointers.get(name, name), raw, call, **ends)  # type: ignore[arg-type]


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
