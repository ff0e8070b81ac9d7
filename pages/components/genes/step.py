"""The steps of an answer: each call with its request, what it gave, what was used, and a way to
change it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Json, Span
from core.services.genes import questions as genes
from core.services.genes import trace
from pages.components.genes.ask import ask_in_background
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error
from pages.components.shared.text import MarkedWords, excerpt, highlighted_html

ORIGIN = {"planned": "▤ planned", "model": "◆ model", "you": "✎ you"}
STATUS = {"done": "✓", "failed": "✕", "refused": "⛔"}
USED = "background-color: rgba(230,194,41,.30)"  # the same mark as `gw-quote`
SHOWN_BODY = 20_000  # characters


def show_steps(
    desk: Desk, steps: Sequence[trace.AnswerStep], run: str, change: bool = True
) -> None:
    """A tree: the question's parts as branches, each with its steps; `change` allows changing one
    and running from there.
    """
    if not steps:
        st.caption("No call has been answered yet.")
    for number, (part, inside) in enumerate(steps_by_subquestion(steps), 1):
        if not part:
            _fold(desk, inside, run, change)
            continue
        with st.container(key=f"gene·part·{run}·{number}"):
            used = " · ★ answer" if any(step.used for _, step in inside) else ""
            st.text(
                f"{number}. {part} ({len(inside)} {'call' if len(inside) == 1 else 'calls'}{used})"
            )
            gap, body = st.columns([1, 24])
            gap.text("└")
            with body:
                _fold(desk, inside, run, change)


def steps_by_subquestion(
    steps: Sequence[trace.AnswerStep],
) -> list[tuple[str, list[tuple[int, trace.AnswerStep]]]]:
    """The sub-questions in order, each with its numbered steps; without a name where the question
    has no parts.
    """
    parts: list[tuple[str, list[tuple[int, trace.AnswerStep]]]] = []
    for number, step in enumerate(steps, 1):
        if not parts or parts[-1][0] != step.part:
            parts.append((step.part, []))
        parts[-1][1].append((number, step))
    return parts


def _fold(
    desk: Desk, steps: Sequence[tuple[int, trace.AnswerStep]], run: str, change: bool
) -> None:
    for number, step in steps:
        with st.expander(
            _title(number, step), expanded=step.status != "done", key=f"gene·step·{run}·{step.path}"
        ):
            _inside(desk, number, step, run, change=change)


def _title(number: int, step: trace.AnswerStep) -> str:
    """`1 · ✓ ▤ planned · esearch · Genes of human with the symbol LMP10. · 2 records · 0.2 s`"""
    count = len(step.records) or len(step.ids)
    words = step.why if step.why and step.origin != "you" else arguments_line(step)
    parts = [
        str(number),
        f"{STATUS.get(step.status, '')} {ORIGIN.get(step.origin, step.origin)}",
        step.tool,
        escaped(words.rstrip("."), 110),
        *([f"{count} record{'' if count == 1 else 's'}"] if count else []),
        "reused" if step.reused else f"{step.seconds + step.waited:.1f} s",
        *(["⚠ warning"] if step.warnings or step.cut else []),
        *(["★ answer"] if step.used else []),
    ]
    return " · ".join(parts)


def arguments_line(step: trace.AnswerStep) -> str:
    """`db gene, term LMP10[sym] AND human[orgn]`"""
    if not isinstance(step.arguments, dict):
        return str(step.arguments)
    return ", ".join(f"{name} {value}" for name, value in step.arguments.items())


def _inside(desk: Desk, number: int, step: trace.AnswerStep, run: str, *, change: bool) -> None:
    for warning in (*step.warnings, *(("The answer was cut off.",) if step.cut else ())):
        st.text(f"⚠ {warning}")
    if step.error:
        st.text(f"✕ {step.error}")
    try:
        detail = trace.stored_call_of_step(desk, step, run)
    except GroundworkError as error:
        show_error(error)
        detail = None
    origin = ORIGIN.get(step.origin, step.origin)
    st.caption(f"{origin} · {step.tool} · {escaped(arguments_line(step), 400)}")
    if detail is not None:
        st.code(
            detail.request,
            language=None,
            wrap_lines=True,
            height=160 if len(detail.request) > 600 else "content",
        )
        st.caption(step_facts(step, detail))
        _attempts(detail)
    parsed, raw = st.columns(2)
    with parsed:
        _parsed(number, step)
    with raw:
        _raw(detail)
    if change and isinstance(step.arguments, dict) and step.status != "refused":
        _edit(desk, number, step, run)


def _attempts(detail: trace.StepDetail) -> None:
    """Tries before the answer, or instead of one: what each got, how long it took."""
    for number, attempt in enumerate(detail.attempts, 1):
        reason = f"Try {number} failed: {attempt.why}" + (
            f" · HTTP {attempt.status}" if attempt.status else ""
        )
        waited = f" · waited {attempt.waited:.1f} s before it" if attempt.waited >= 0.05 else ""
        st.text(f"{reason} · {attempt.seconds:.1f} s · {trace.spoken_bytes(attempt.size)}{waited}")
        if attempt.body.strip():
            st.code(attempt.body, language=None, wrap_lines=True, height=120)


def step_facts(step: trace.AnswerStep, detail: trace.StepDetail) -> str:
    """`done · HTTP 200 · 0.22 s · 5.1 kB · waited 0.4 s: pace · asked 2026-11-21 20:50 UTC`"""
    when = detail.started[:16].replace("T", " ")
    parts = [
        detail.state + (f" · HTTP {detail.status}" if detail.status else ""),
        *([] if detail.reused else [f"{step.seconds:.2f} s"]),
        trace.spoken_bytes(step.size),
        *(
            [f"waited {step.waited:.0f} s for BLAST"]
            if step.waited >= 0.5 and step.tool.startswith("blast")
            else []
        ),
        *(
            [f"waited {detail.waited:.1f} s: {escaped(_why(detail.why_waited))}"]
            if detail.waited >= 0.05 and not detail.reused
            else []
        ),
        (
            f"reused: this answer is {detail.age} old, NCBI was asked on {when} UTC"
            if detail.reused
            else f"asked {when} UTC"
        ),
    ]
    return " · ".join(parts)


def _why(words: str) -> str:
    return (
        "NCBI's limit of requests per second, or another question's turn"
        if words in ("", "pace")
        else words
    )


def _parsed(number: int, step: trace.AnswerStep) -> None:
    st.caption("As read")
    if step.records:
        table = _table(step)
        st.dataframe(table, hide_index=True, key=f"gene·records·{number}·{step.call or step.path}")
    elif step.ids:
        st.text("ids: " + ", ".join(step.ids[:50]) + (" …" if len(step.ids) > 50 else ""))
    elif step.rid:
        st.text(f"BLAST's request id: {step.rid}")
    else:
        st.text("No record was read.")
    for record, field in step.used:
        st.text(f"★ {record}: {field}")
    for why, records in _dropped(step).items():
        st.text(f"not used: {', '.join(records[:8])}{' …' if len(records) > 8 else ''}: {why}")


def _table(step: trace.AnswerStep) -> object:
    """A row a record; the fields of the answer come first, and their cells are marked."""
    used = set(step.used)
    marked = [
        (row, name)
        for row, record in enumerate(step.records)
        for name, pointer in record.pointers.items()
        if (record.id, pointer) in used
    ]
    names = dict.fromkeys([name for _, name in marked])
    names |= dict.fromkeys(
        name for record in step.records for name in record.values if name != "gene_records"
    )
    frame = pd.DataFrame(
        [
            {"record": record.id, **{name: record.text(name)[:300] for name in names}}
            for record in step.records
        ]
    )
    frame.insert(
        0, "★", ["★" if row in {at for at, _ in marked} else "" for row in range(len(frame))]
    )
    colours = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for row, name in marked:
        colours.loc[row, name] = USED
    return frame.style.apply(lambda _: colours, axis=None) if marked else frame


def _dropped(step: trace.AnswerStep) -> dict[str, list[str]]:
    """Records that were not used, by why; one that gave the answer in another role is not among
    them.
    """
    used, records_by_reason = {record for record, _ in step.used}, dict[str, list[str]]()
    for dropped in step.dropped:
        if dropped.record not in used:
            records_by_reason.setdefault(dropped.why, []).append(dropped.record)
    return records_by_reason


def _raw(detail: trace.StepDetail | None) -> None:
    st.caption("Raw answer")
    if detail is None:
        st.text("Nothing was sent.")
        return
    for field, place in detail.used[:5]:
        text, at = excerpt(detail.body, place, 70)
        mark = MarkedWords(Span(place.start - at, place.end - at), title=field, state="quote")
        st.html(f'<div class="gw-raw">… {highlighted_html(text, [mark])} …</div>')
    body = detail.body[:SHOWN_BODY]
    st.code(body, language=None, height=260 if len(body) > 400 else "content", wrap_lines=True)
    if len(detail.body) > SHOWN_BODY:
        st.caption(
            f"The first {SHOWN_BODY:,} of {len(detail.body):,} characters are shown; the export has"
            " the rest."
        )


def _edit(desk: Desk, number: int, step: trace.AnswerStep, run: str) -> None:
    key = f"gene·edit·{run}·{number}"
    if st.button("Change and run from here", key=key, icon=":material/edit:"):
        _change(desk, step, run, key)


@st.dialog("Change this step and run from there")
def _change(desk: Desk, step: trace.AnswerStep, run: str, key: str) -> None:
    st.caption(
        f"Arguments of {step.tool}. Earlier steps answer from the record; the run that you see"
        " stays as it is."
    )
    arguments: dict[str, Json] = {}
    for name, value in step.arguments.items():
        field = st.text_area if len(str(value)) > 80 else st.text_input
        arguments[name] = _typed(field(name, str(value), key=f"{key}·{name}"), value)
    if not st.button(
        "Run from here", key=f"{key}·go", type="primary", icon=":material/play_arrow:"
    ):
        return
    try:
        options = genes.edited_options(desk, run, step.path, step.tool, arguments=arguments)
    except GroundworkError as error:
        show_error(error)
        return
    ask_in_background(desk, genes.question_of(desk, run), options, against=run)
    st.rerun()


def _typed(typed: object, before: Json) -> Json:
    """What was typed, as a number where a number stood."""
    text = str(typed).strip()
    return int(text) if isinstance(before, int) and text.isdecimal() else text
