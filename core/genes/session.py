"""The calls to NCBI that answer one question, each kept as a step; and the answers made of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core.errors import GroundworkError, Refused, RemoteError
from core.genes.answer import (
    AnswerStatus,
    AnswerStep,
    AnswerValue,
    GeneAnswer,
    fields_of,
)
from core.genes.question.question import GeneQuestion
from core.model import Json
from core.ncbi.call import Align, Alignment, NcbiCall, shown_arguments
from core.ncbi.client import Aligner, Ncbi, NcbiResponse
from core.ncbi.record import NcbiReading, UnusedRecord

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
            self.keep(_failed_step(path, origin, call, why, error=error))
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
            self.keep(_failed_step(path, self.origin, call, why, error=error))
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
            self.keep(_failed_step(at, self.origin, failed, reason, error=error))
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
            for record_proof in fields_of(value)
        }
        if self.gaps and values:
            many = len(dict.fromkeys(self.gaps))
            unsent = "1 record that NCBI has was" if many == 1 else f"{many} records of NCBI were"
            self.lack(f"{unsent} not sent")
        if self.missing and status is AnswerStatus.ANSWERED:
            status = AnswerStatus.INCOMPLETE
        if self.question.limit and status is AnswerStatus.ANSWERED:
            self.note(
                f"The records do not single out “{self.question.limit}”, so this answer is broader"
                " than your question."
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
            text=text,
            values=values,
            steps=steps,
            notes=tuple(self.notes),
            subject=self.question.subject,
            missing=tuple(self.missing),
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
        kept_back = ", ".join(list(dict.fromkeys(self.gaps))[:5])
        self.note(f"NCBI did not send {kept_back}, which it has. Try again in a minute.")
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


def _tool_and_arguments(call: NcbiCall) -> tuple[str, Json]:
    arguments = shown_arguments(call)
    return str(arguments.pop("tool")), arguments


def _failed_step(
    path: str, origin: str, call: NcbiCall, why: str, *, error: GroundworkError
) -> AnswerStep:
    attempts = error.attempts if isinstance(error, RemoteError) else ()
    return AnswerStep(
        path,
        origin,
        *_tool_and_arguments(call),
        why=why,
        status="failed",
        error=str(error),
        seconds=sum(attempt.seconds for attempt in attempts),
        size=sum(attempt.size for attempt in attempts),
    )


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
