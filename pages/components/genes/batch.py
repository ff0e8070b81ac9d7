"""Many questions from a file: a batch in the background, and its table."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, Json
from core.services.genes import batch as gene_batch
from core.services.genes import strategy, trace
from core.services.genes.options import PLANNER, AskOptions
from pages.components.genes.ask import ICONS, choose_strategy, show_rows
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model
from pages.components.shared.problem import show_error

TEXT, FILE, WAY = "gene·many", "gene·file", "gene·many·way"
MODEL = "gene·many·model"


def question_file_tab(desk: Desk, in_view: bool = True) -> None:
    """The form, and while its tab is in view the batch that is open and those before it."""
    left, right = st.columns(2)
    left.text_area(
        "Questions, one per line", key=TEXT, height=140, placeholder="One question per line"
    )
    right.file_uploader(
        "or a file: text, JSON lines, or a table with the column question",
        type=["txt", "jsonl", "csv", "tsv"],
        key=FILE,
    )
    if desk.settings.has_model_for("interpretation"):
        way = choose_strategy(desk, right, WAY)
        if strategy.strategy_of(way).needs_model:
            choose_model(desk, "interpretation", MODEL, right)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Ask all",
            type="primary",
            on_click=_start,
            args=(desk,),
            icon=":material/playlist_play:",
        )
        way = str(state.get(WAY, PLANNER))
        leaves_machine = trace.what_leaves_machine(desk, "", way=way, model=_model(way))
        st.caption(escaped(leaves_machine, 300))
    if not in_view:
        return
    _file_holds()
    if job := state.url_value("batch"):
        _show_batch(desk, job)
    _earlier(desk, job)


def _file_holds() -> None:
    """How many questions the chosen file holds, and which of its columns are kept, before they are
    asked.
    """
    if (file := state.get(FILE)) is None:
        return
    try:
        listed = gene_batch.listed_questions(gene_batch.decoded_upload(file.getvalue()), file.name)
    except GroundworkError as error:
        show_error(error)
        return
    columns = list(dict.fromkeys(name for question in listed for name in question.columns))
    kept_columns = f" Saved with the answers: {', '.join(columns[:12])}." if columns else ""
    many = "1 question" if len(listed) == 1 else f"{len(listed):,} questions"
    st.caption(escaped(f"{file.name} holds {many}.{kept_columns}", 300))


def _model(way: str) -> str:
    """The model chosen for these questions, where the way asks one."""
    return str(state.get(MODEL) or "") if strategy.strategy_of(way).needs_model else ""


def _start(desk: Desk) -> None:
    file = state.get(FILE)
    try:
        text = (
            gene_batch.decoded_upload(file.getvalue())
            if file is not None
            else str(state.get(TEXT, ""))
        )
        questions = gene_batch.listed_questions(text, file.name if file is not None else "")
        way = str(state.get(WAY, PLANNER))
        options = AskOptions(way=way, model=_model(way))
        job = gene_batch.start_gene_batch(desk, questions, options, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id)


def _show_batch(desk: Desk, job_id: str) -> None:
    job = job_panel(desk, job_id, "Asking")
    if job is None:
        return
    if job.state in ACTIVE:
        _growing(desk, job_id)
        return
    rows = gene_batch.gene_batch_rows(desk, job)
    _table(job, rows)
    if rows:
        _actions(desk, job, rows)


@st.fragment(run_every=2.0)
def _growing(desk: Desk, job_id: str) -> None:
    job = desk.runner.job(job_id)
    _table(job, gene_batch.gene_batch_rows(desk, job))


def _table(job: Job, rows: list[Json]) -> None:
    height = (
        420 if job.state in ACTIVE else min(38 + 35 * len(rows), 420)
    )  # while rows come, nothing moves
    counts = Counter(row["status"] for row in rows)
    question_count = len(job.arguments["questions"])
    if not rows:
        st.caption(f"None of the {question_count} questions has been answered yet.")
        return
    st.caption(
        " · ".join(
            [
                f"{len(rows)} of {question_count} questions",
                *(f"{count} {name}" for name, count in counts.most_common()),
            ]
        )
        + ". Click a line to open it."
    )
    own = gene_batch.own_columns(rows)
    cells = [
        {
            **{
                heading: str((row.get("columns") or {}).get(name, ""))[:200]
                for name, heading in own.items()
            },
            "question": row["question"][:300],
            "answer": ", ".join(row["answer"])
            if isinstance(row["answer"], list)
            else row["answer"],
            "status": f"{ICONS[row['status']]} {row['status']}",
            "records": ", ".join(dict.fromkeys(evidence["record"] for evidence in row["evidence"])),
            "notes": " ".join(row.get("notes", []))[:300],
            "calls": row["calls"],
        }
        for row in rows
    ]
    show_rows(
        cells, [row["run"] for row in rows], state.key("gene·batch", job.id, len(rows)), height
    )


def _actions(desk: Desk, job: Job, rows: list[Json]) -> None:
    send, table, lines, again = st.columns([3, 2, 2, 3])
    answered = sum(row["status"] == "answered" for row in rows)
    send.button(
        f"Send {answered} {'answer' if answered == 1 else 'answers'} to review"
        if answered
        else "Nothing to send",
        type="primary",
        disabled=not answered,
        on_click=_send,
        args=(desk, rows),
        icon=":material/send:",
        width="stretch",
    )
    table.download_button(
        "CSV",
        lambda: gene_batch.as_csv(rows),
        "gene-answers.csv",
        "text/csv",
        on_click="ignore",
        width="stretch",
    )
    lines.download_button(
        "JSON lines",
        lambda: gene_batch.as_lines(rows),
        "gene-answers.jsonl",
        "application/jsonl",
        on_click="ignore",
        width="stretch",
    )
    if failed := sum(row["status"] == "failed" for row in rows):
        again.button(
            f"Retry {failed} failed",
            on_click=_again,
            args=(desk, job, rows),
            icon=":material/refresh:",
            width="stretch",
        )


def _again(desk: Desk, job: Job, rows: list[Json]) -> None:
    try:
        state.set_url(
            batch=gene_batch.ask_failed_again(desk, job, rows, page.acting_orcid(desk)).id
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _send(desk: Desk, rows: list[Json]) -> None:
    curator = page.current_curator()
    if curator is None:
        state.show_message(
            "Enter your name in the sidebar first: statements carry who sent them.", "info"
        )
        return
    try:
        counts = gene_batch.send_answers(desk, rows, curator.orcid)
    except GroundworkError as error:
        show_error(error)
        return
    rest_of_message = f"{counts.already_known} already known, {counts.held_back} values held back"
    state.show_message(f"Sent to review: {counts.new} new, {rest_of_message}.", "toast")


def _earlier(desk: Desk, open_job: str) -> None:
    earlier_batches = [job for job in gene_batch.recent_gene_batches(desk) if job.id != open_job]
    if not earlier_batches:
        return
    st.subheader("Earlier batches")
    for job in earlier_batches:
        when, question_count = job.created[:16].replace("T", " "), len(job.arguments["questions"])
        st.button(
            f"{question_count} {'question' if question_count == 1 else 'questions'} ·"
            f" {job.state} · {when} UTC",
            key=f"gene·batch·{job.id}",
            on_click=state.set_url,
            kwargs={"batch": job.id},
            type="tertiary",
        )
