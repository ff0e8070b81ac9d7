"""One viewer for every call: a model, NCBI, a web API. Requests and answers are shown as plain
text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from core.model import Call, CallState, Json
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.empty import empty_state

ICONS = {
    CallState.STARTED: "… started",
    CallState.DONE: "✓ done",
    CallState.FAILED: "✕ failed",
    CallState.CUT: "✂ cut",
}
SHOWN = 60_000


def show_calls(calls: Sequence[Call], key: str = "calls") -> None:
    """A table of calls in the order of their places, and beside it what one of them asked and was
    answered.
    """
    if not calls:
        empty_state(
            "No calls were made.", "The built-in engines work without a model or a network."
        )
        return
    st.caption(totals_line(calls))
    table = state.key(key, len(calls))
    st.dataframe(
        pd.DataFrame([_row(number, call) for number, call in enumerate(calls, 1)]).dropna(
            axis="columns", how="all"
        ),
        key=table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        height=min(38 + 35 * len(calls), 320),
    )
    chosen = state.selected_rows(table)
    show_call(calls[chosen[0] if chosen and chosen[0] < len(calls) else 0])


def totals_line(calls: Sequence[Call]) -> str:
    """Calls, seconds, tokens and cost in one line."""
    reused = sum(1 for call in calls if call.reused)
    parts = [counted(len(calls), "call")]
    parts += [f"{reused} answered from the record"] if reused else []
    parts.append(f"{sum(call.seconds for call in calls):.1f} s")
    tokens_in, tokens_out = (
        sum(call.tokens_in for call in calls),
        sum(call.tokens_out for call in calls),
    )
    parts += [f"{tokens_in:,} + {tokens_out:,} tokens"] if tokens_in or tokens_out else []
    costs = [call.cost for call in calls if call.cost is not None]
    unpriced = sum(1 for c in calls if c.cost is None and (c.tokens_in or c.tokens_out))
    known = bool(costs) and (sum(costs) > 0 or not unpriced)
    parts += [f"{sum(costs):.4f} US$"] if known else []
    if unpriced:
        parts.append(
            f"and {counted(unpriced, 'call')} of unknown price" if known else "price not known"
        )
    return " · ".join(parts)


def show_call(call: Call) -> None:
    """One call: what was asked, then what was answered."""
    reused = " · answered from the record" if call.reused else ""
    st.caption(
        f"{call.kind} · {ICONS[call.state]}{reused} · {call.seconds:.2f} s ·"
        f" {call.started or 'no time'}"
    )
    if call.error:
        st.text(f"✕ {call.error}")
    request_column, answered = st.columns(2)
    with request_column:
        st.caption("Asked")
        _show(request_text(call.request))
    with answered:
        st.caption("Answered")
        _show(answer_text(call.answer))


def request_text(request: Json) -> str:
    """A model's messages as one text, a fetch as method and address, anything else as JSON."""
    if not isinstance(request, dict):
        return _json(request)
    if messages := request.get("messages"):
        turns = [m for m in messages if isinstance(m, dict)]
        if len(turns) == 1:
            return str(turns[0].get("content", ""))
        return "\n\n".join(
            f"[{m.get('role', '')}]\n{m.get('content', '')}{_tool_calls(m)}" for m in turns
        )
    return _fetch_text(request) if "url" in request else _json(request)


def _fetch_text(request: dict[str, Any]) -> str:
    """`GET address?name=value`, then the form or the body that was sent."""
    query, form = _pairs(request.get("params")), _pairs(request.get("data"))
    body = form or (_json(request["data"]) if request.get("data") else "")
    address = f"{request.get('method', 'GET')} {request['url']}{'?' + query if query else ''}"
    return address + (f"\n\n{body}" if body else "")


def _pairs(value: Json) -> str:
    """[[name, value], …] as in an address; nothing for what is no such list."""
    pairs = (
        value
        if isinstance(value, list)
        and all(isinstance(pair, list) and len(pair) == 2 for pair in value)
        else []
    )
    return urlencode([(str(name), str(value)) for name, value in pairs], safe="*,[]:()")


def answer_text(answer: Json) -> str:
    """What came back: the text of a reply, else JSON."""
    if answer is None:
        return ""
    if isinstance(answer, dict) and isinstance(answer.get("text"), str):
        return str(answer["text"]) + _tool_calls(answer)
    return answer if isinstance(answer, str) else _json(answer)


def _tool_calls(turn: dict[str, Any]) -> str:
    calls = [call for call in turn.get("calls") or [] if isinstance(call, dict)]
    return "".join(f"\n→ {call.get('name', '')}({call.get('arguments', '')})" for call in calls)


def _json(value: Json) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True, default=str)


def _show(text: str) -> None:
    st.code(
        text[:SHOWN] or "(nothing)",
        language=None,
        wrap_lines=True,
        height=360 if len(text) > 900 else "content",
    )
    if len(text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(text):,} characters are shown.")


def _row(number: int, call: Call) -> dict[str, Any]:
    return {
        "no.": number,
        "place": call.path or "whole text",
        "kind": call.kind,
        "state": ICONS[call.state] + (" · reused" if call.reused else ""),
        "seconds": round(call.seconds, 2),
        "tokens in": call.tokens_in or None,
        "tokens out": call.tokens_out or None,
        "US$": call.cost,
    }
