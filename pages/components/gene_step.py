"""The steps of an answer: each call with its request, what it gave, what was used, and a way to change it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import gene_questions as genes
from core.services import gene_trace
from pages.components import state
from pages.components.gene_ask import start
from pages.components.problem import show_error

ORIGIN = {"planned": "▤ planned", "model": "◆ model", "you": "✎ you"}
STATUS = {"done": "✓", "failed": "✕", "refused": "⛔"}


def show_steps(desk: Desk, steps: Sequence[genes.Step], run: str = "") -> None:
    """A tree: the question's parts as branches, each with its steps; `run` allows changing one and running from
    there."""
    if not steps:
        st.caption("No call has been answered.")
    for number, (part, inside) in enumerate(branches(steps), 1):
        if not part:
            _fold(desk, inside, run)
            continue
        with st.container(key=f"gene·part·{run}·{number}"):
            used = " · ★ answer" if any(step.used for _, step in inside) else ""
            st.text(f"{number}. {part} ({len(inside)} {'call' if len(inside) == 1 else 'calls'}{used})")
            gap, body = st.columns([1, 24])
            gap.text("└")
            with body:
                _fold(desk, inside, run)


def branches(steps: Sequence[genes.Step]) -> list[tuple[str, list[tuple[int, genes.Step]]]]:
    """The sub-questions in order, each with its numbered steps; without a name where the question has no parts."""
    found: list[tuple[str, list[tuple[int, genes.Step]]]] = []
    for number, step in enumerate(steps, 1):
        if not found or found[-1][0] != step.part:
            found.append((step.part, []))
        found[-1][1].append((number, step))
    return found


def _fold(desk: Desk, steps: Sequence[tuple[int, genes.Step]], run: str) -> None:
    for number, step in steps:
        with st.expander(_title(number, step), expanded=step.status != "done"):
            _inside(desk, number, step, run)


def _title(number: int, step: genes.Step) -> str:
    given = ", ".join(str(value)[:50] for value in step.arguments.values()) if isinstance(step.arguments, dict) else ""
    count = f" · {len(step.records) or len(step.ids)} records" if step.records or step.ids else ""
    mark = " · ★ answer" if step.used else ""
    origin = f"{STATUS.get(step.status, '')} {ORIGIN.get(step.origin, step.origin)}"
    words = f"{number} · {origin} · {step.tool} · {given}{count} · {step.seconds:.1f} s{mark}"
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+!|<>~$:" else c for c in words)


def _inside(desk: Desk, number: int, step: genes.Step, run: str) -> None:
    if step.why:
        st.text(step.why)
    if step.error:
        st.text(f"✕ {step.error}")
    for warning in (*step.warnings, *(("The answer was cut.",) if step.cut else ())):
        st.text(f"⚠ {warning}")
    try:
        found = gene_trace.detail(desk, step, run)
    except GroundworkError as error:
        show_error(error)
        found = None
    _facts(step, found)
    parsed, raw = st.columns(2)
    with parsed:
        _parsed(number, step)
    with raw:
        st.caption("Raw answer")
        st.code(found.body if found else "Nothing was sent.", language=None, height=260, wrap_lines=True)
    if run and isinstance(step.arguments, dict) and step.tool != "address":
        _edit(desk, number, step, run)


def _facts(step: genes.Step, found: gene_trace.Detail | None) -> None:
    if found is None:
        return
    st.code(found.request, language=None, wrap_lines=True)
    waited = f" · waited {step.waited:.0f} s for BLAST" if step.waited else ""
    age = (
        f" · reused: NCBI was asked on {found.reused_from[:16].replace('T', ' ')}"
        if found.reused_from
        else f" · asked {found.started[:16].replace('T', ' ')}"
    )
    st.caption(f"{found.state} · {step.seconds:.2f} s · {step.size:,} characters{waited}{age}")


def _parsed(number: int, step: genes.Step) -> None:
    st.caption("As read")
    if step.ids and not step.records:
        st.text("ids: " + ", ".join(step.ids[:50]))
    used = {record for record, _ in step.used}
    if step.records:
        rows = [
            {
                "": "★" if one.id in used else "",
                "record": one.id,
                **{name: one.text(name)[:300] for name in one.values if name != "gene_records"},
            }
            for one in step.records
        ]
        st.dataframe(
            pd.DataFrame(rows).fillna(""), hide_index=True, key=f"gene·records·{number}·{step.call or step.path}"
        )
    for record, field in step.used:
        st.text(f"★ {record}: {field}")
    for one in step.dropped[:30]:
        st.text(f"not used: {one.record}: {one.why}")


def _edit(desk: Desk, number: int, step: genes.Step, run: str) -> None:
    key = f"gene·edit·{run}·{number}"
    with st.popover("Change and run from here", icon=":material/edit:"):
        st.text_area("Arguments (JSON)", json.dumps(step.arguments, ensure_ascii=False), key=key)
        st.button("Run from here", key=key + "·go", on_click=_run_edited, args=(desk, run, step.path, step.tool, key))


def _run_edited(desk: Desk, run: str, place: str, tool: str, key: str) -> None:
    try:
        given = json.loads(str(state.get(key, "{}")))
        options = genes.edited(desk, run, place, tool, given)
    except ValueError:
        state.say("The arguments are not JSON.", "error")
        return
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    start(desk, str(desk.store.run(run).settings["question"]), options)
