"""Decisions as JSON, one a line: what the command line reads and says (`decide --input`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from core.desk_parts import HasStore
from core.errors import GroundworkError, InputError, NotFound
from core.model import VERDICTS, Curator, Decision, Json, State, Verdict
from core.services.review.decision import (
    DecidingCurator,
    Judgement,
    evidence_of,
    permitted_author,
    reason_of,
)
from core.services.shared.json_row import Reads, pick_keys, unread_keys
from core.store import StatementRecord
from core.store.database import retry_while_away
from core.store.statement import stale_decision

AT_ONCE = 250  # lines that are stored in one transaction
# what `statements` prints: a line of it with a verdict added is a line for `decide`
_THING = pick_keys("id", "label", "category", "node", "class", "value", "datatype", "unit")
_READ: Reads = {
    **dict.fromkeys(("id", "verdict", "version", "reason", "note")),
    **dict.fromkeys(
        (
            *("state", "negated", "modality", "derived_from"),
            *("support", "supported", "complete", "missing"),
        )
    ),
    **dict.fromkeys(("subject", "predicate", "object"), _THING),
    "qualifiers": lambda _: {"name": None, "value": _THING},
    "evidence": pick_keys("id", "standing", "rule", "kept", "decided", "newer_text", "support"),
    "renamed": pick_keys("id", "before", "renamed_in"),
}


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
    """{id, verdict, version, reason, note, evidence} as a decision to make; `evidence` is the id of
    one piece, or the list that `statements` prints, which says nothing. Raises InputError.
    """
    if isinstance(row, InputError):
        raise row
    if not isinstance(row, Mapping) or "verdict" not in row:
        raise InputError(f"A line needs a verdict: {', '.join(VERDICTS)}.")
    if row["verdict"] not in VERDICTS:
        wrong = str(row["verdict"])[:40]
        raise InputError(f"“{wrong}” is not a verdict.", f"Use one of: {', '.join(VERDICTS)}.")
    version = row.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise InputError("A line needs the version that you saw.", "See `statements`.")
    if _is_listing(row.get("evidence")):
        row = {**row, "evidence": ""}
    words = {name: _words(row, name) for name in ("id", "reason", "note", "evidence")}
    judgement = Judgement(Verdict(row["verdict"]), reason_of(words["reason"]), words["note"])
    return DecisionRow(words["id"], version, judgement.checked(), words["evidence"])


def _is_listing(pieces: Json) -> bool:
    return isinstance(pieces, list) and all(
        isinstance(piece, Mapping) and "standing" in piece for piece in pieces
    )


def _words(row: Mapping[str, Json], name: str) -> str:
    value = row.get(name) or ""
    if not isinstance(value, str) and not (name == "reason" and isinstance(value, int)):
        raise InputError(f"`{name}` must be text.", "Write it in quotation marks.")
    return str(value)


def decide_rows(
    desk: HasStore, rows: Iterable[Json | InputError], curator: Curator
) -> Iterator[Json]:
    """A line of result for each, in order, as soon as it is stored: the decision, or why there is
    none. Raises Forbidden where this person may not decide.
    """
    decider = permitted_author(desk, curator)
    lines = iter(rows)
    while part := list(islice(lines, AT_ONCE)):
        yield from retry_while_away(partial(_decide_part, decider, part))


def _decide_part(decider: DecidingCurator, rows: Sequence[Json | InputError]) -> list[Json]:
    statements = decider.desk.store.statements
    ids = dict.fromkeys(str(row.get("id")) for row in rows if isinstance(row, Mapping))
    records = {record.id: record for record in statements.of_ids(list(ids))}
    outcomes = [_decided(decider, records, row) for row in rows]
    late = statements.decide_many(
        outcome for outcome in outcomes if not isinstance(outcome, GroundworkError)
    )
    return [_result(row, outcome, late) for row, outcome in zip(rows, outcomes, strict=True)]


Made = tuple[Decision, State, bool]  # with the state and the news that it leads to


def _decided(
    decider: DecidingCurator, records: dict[str, StatementRecord], row: Json | InputError
) -> Made | GroundworkError:
    """What a line leads to; its statement is then at the version that the next line may name."""
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
        if decision.version != record.version:
            raise stale_decision(record, decision, blind=decider.policy.blind)
        after = decider.refolded(record, decision)
    except GroundworkError as error:
        return error
    records[record.id] = replace(
        record, decisions=(*record.decisions, decision), version=record.version + 1
    )
    return decision, after.state, after.has_news


def _result(
    row: Json | InputError, outcome: Made | GroundworkError, late: Mapping[str, GroundworkError]
) -> Json:
    if not isinstance(outcome, GroundworkError) and outcome[0].id not in late:
        decision, state, _ = outcome
        head: Json = {"id": decision.statement, "version": decision.version + 1}
        return (
            head
            | {"state": str(state), "decision": decision.id}
            | unread_keys(row, lambda _: _READ)
        )
    error = outcome if isinstance(outcome, GroundworkError) else late[outcome[0].id]
    named = row.get("id") if isinstance(row, Mapping) else None
    return {"id": named if isinstance(named, str) else None, "error": str(error)}
