"""Why statements of the last release are no longer released."""

from __future__ import annotations

from collections.abc import Sequence

from core.desk_parts import HasStore
from core.kb.entry import claim_words
from core.kb.gate.gate import GateReport
from core.model import State
from core.review.statement_state import folded_state
from core.store import StatementRecord


def withdrawal_reasons(
    desk: HasStore, gone: Sequence[str], report: GateReport, *, in_full: bool = True
) -> dict[str, str]:
    """Why statements are no longer released: what curators decided and for what reason (`in_full`:
    also who, and with what note), or what the gate holds them for.
    """
    reasons_by_statement: dict[str, list[str]] = {}
    for rejection in report.rejections:
        if not rejection.evidence:
            detail = f" ({rejection.detail})" if rejection.detail else ""
            reasons_by_statement.setdefault(rejection.statement.id, []).append(
                f"{rejection.why}{detail}"
            )
    records = {record.id: record for record in desk.store.statements.of_ids(list(gone))}
    return {
        name: _reason(desk, records[name], reasons_by_statement.get(name, []), in_full)
        if name in records
        else "it is not in this project any more"
        for name in gone
    }


def _reason(
    desk: HasStore, record: StatementRecord, gate_reasons: Sequence[str], in_full: bool
) -> str:
    log = folded_state(record)
    decision = log.deciding
    if decision is None:
        return "its approval was taken back"
    curator = desk.store.curators.get(decision.curator)
    by_whom = f" by {curator.name if curator and curator.name else decision.curator}"
    who = by_whom if in_full else ""
    if log.state is State.REJECTED:
        why = f": {decision.reason}" if decision.reason else ""
        note = f" ({decision.note})" if decision.note and in_full else ""
        return f"rejected{who}{why}{note}"
    if log.state is State.SUPERSEDED:
        statement_records = desk.store.statements.of_ids([decision.replacement])
        instead = f": {claim_words(statement_records[0].statement)}" if statement_records else ""
        return f"corrected{who}{instead}"
    if log.state is State.UNSURE:
        return f"marked unsure{who}"
    return "; ".join(gate_reasons) or "it is held back by the gate"
