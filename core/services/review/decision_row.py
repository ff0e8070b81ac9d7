"""Decisions as JSON, one a line: what the command line reads and says (`decide --input`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from core.desk_parts import HasStore
from core.errors import GroundworkError, InputError, NotFound
from core.model import Curator, Decision, Json, State, Verdict
from core.services.review.decision import (
    Author,
    Judgement,
    evidence_of,
    permitted_author,
    reason_of,
)
from core.store import StatementRecord

VERDICTS = ("approve", "reject", "unsure")
AT_ONCE = 250  # lines that are stored in one transaction


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A line that could be read: the statement, the version seen, and what is said of it or of a
    piece of its evidence.
    """

    statement: str
    version: int
    judgement: Judgement
    evidence: str = ""


def from_json(row: Json | InputError) -> DecisionRow:
    """{id, verdict, version, reason, note, evidence} as a decision to make. Raises InputError."""
    if isinstance(row, InputError):
        raise row
    if not isinstance(row, Mapping) or row.get("verdict") not in VERDICTS:
        raise InputError(f"A line needs a verdict: {', '.join(VERDICTS)}.")
    version = row.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise InputError("A line needs the version that you saw.", "See `statements`.")
    words = {name: _words(row, name) for name in ("id", "reason", "note", "evidence")}
    judgement = Judgement(Verdict(row["verdict"]), reason_of(words["reason"]), words["note"])
    return DecisionRow(words["id"], version, judgement.checked(), words["evidence"])


def _words(row: Mapping[str, Json], name: str) -> str:
    value = row.get(name) or ""
    if not isinstance(value, str) and not (name == "reason" and isinstance(value, int)):
        raise InputError(f"`{name}` is text.", "Write it in quotation marks.")
    return str(value)


def decide_rows(
    desk: HasStore, rows: Iterable[Json | InputError], curator: Curator
) -> Iterator[Json]:
    """A line of result for each, in order, as soon as it is stored: the decision, or why there is
    none. Raises Forbidden where this person may not decide.
    """
    decider = permitted_author(desk, curator)
    for part in _parts(rows):
        yield from _decide_part(decider, part)


def _parts(rows: Iterable[Json | InputError]) -> Iterator[list[Json | InputError]]:
    """Rows to be stored together: some hundred, and none on a statement that is among them."""
    part: list[Json | InputError] = []
    named_statements: set[str] = set()
    for row in rows:
        statement = str(row.get("id")) if isinstance(row, Mapping) else ""
        if len(part) == AT_ONCE or statement in named_statements:
            yield part
            part, named_statements = [], set()
        part.append(row)
        named_statements |= {statement} - {""}
    yield part


def _decide_part(decider: Author, rows: list[Json | InputError]) -> list[Json]:
    statements = decider.desk.store.statements
    ids = [str(row.get("id")) for row in rows if isinstance(row, Mapping)]
    records = {record.id: record for record in statements.of_ids(ids)}
    outcomes = [_decided(decider, records, row) for row in rows]
    late = statements.decide_many(
        outcome for outcome in outcomes if not isinstance(outcome, GroundworkError)
    )
    return [_result(row, outcome, late) for row, outcome in zip(rows, outcomes, strict=True)]


Made = tuple[Decision, State, bool]  # with the state and the news that it leads to


def _decided(
    decider: Author, records: Mapping[str, StatementRecord], row: Json | InputError
) -> Made | GroundworkError:
    try:
        decision_row = from_json(row)
        record = records.get(decision_row.statement)
        if record is None:
            raise NotFound(f"No statement {decision_row.statement[:80]} is stored in this project.")
        judgement = decision_row.judgement
        decision = decider.decision(decision_row.statement, decision_row.version, judgement.verdict)
        evidence = evidence_of(record, decision_row.evidence)
        decision = replace(
            decision, evidence=evidence, reason=judgement.reason, note=judgement.note
        )
        after = decider.refolded(record, decision)
    except GroundworkError as error:
        return error
    return decision, after.state, after.has_news


def _result(
    row: Json | InputError, outcome: Made | GroundworkError, late: Mapping[str, GroundworkError]
) -> Json:
    if not isinstance(outcome, GroundworkError) and outcome[0].statement not in late:
        decision, state, _ = outcome
        head: Json = {"id": decision.statement, "version": decision.version + 1}
        return head | {"state": str(state), "decision": decision.id}
    error = outcome if isinstance(outcome, GroundworkError) else late[outcome[0].statement]
    named = row.get("id") if isinstance(row, Mapping) else None
    return {"id": named if isinstance(named, str) else None, "error": str(error)}
