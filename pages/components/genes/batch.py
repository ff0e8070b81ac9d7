"""Many questions from a file: a batch in the background, and its table."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, Json
from core.services.genes import batch as gene_batch
from core.services.genes import trace
from core.services.genes.options import AskOptions
from pages.components.genes.ask import ICONS, choose_strategy, show_rows
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error

TEXT, FILE, WAY = "gene·many", "gene·file", "gene·many·way"


def batch(desk: Desk, in_view: bool = True) -> None:
    """The form, and while its tab is in view the batch that is open and those before it."""
    left, right = st.columns(2)
    left.text_area("Questions, one a line", key=TEXT, height=140, placeholder="One question a line")
    right.file_uploader(
        "or a file: text, JSON lines, or a table with the column question",
        type=["txt", "jsonl", "csv", "tsv"],
        key=FILE,
    )
    if desk.settings.has_model:
        choose_strategy(desk, right, WAY)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Ask all",
            type="primary",
            on_click=_start,
            args=(desk,),
            icon=":material/playlist_play:",
        )
        st.caption(escaped(trace.what_leaves_machine(desk, "", state.get(WAY, "planner")), 300))
    if not in_view:
        return
    if job := state.url_value("batch"):
        _shown(desk, job)
    _earlier(desk, job)


def _start(desk: Desk) -> None:
    file, found = state.get(FILE), page.curator()
    try:
        text = gene_batch.decoded(file.getvalue()) if file is not None else str(state.get(TEXT, ""))
        questions = gene_batch.listed_questions(text, file.name if file is not None else "")
        options = AskOptions(way=state.get(WAY, "planner"))
        job = gene_batch.start(desk, questions, options, found.orcid if found else "")
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id)


def _shown(desk: Desk, job_id: str) -> None:
    job = job_panel(desk, job_id, "Asking")
    if job is None:
        return
    if job.state in ACTIVE:
        _growing(desk, job_id)
        return
    rows = gene_batch.rows(desk, job)
    _table(job, rows)
    if rows:
        _actions(desk, job, rows)


@st.fragment(run_every=2.0)
def _growing(desk: Desk, job_id: str) -> None:
    job = desk.runner.job(job_id)
    _table(job, gene_batch.rows(desk, job))


def _table(job: Job, rows: list[Json]) -> None:
    height = (
        420 if job.state in ACTIVE else min(38 + 35 * len(rows), 420)
    )  # while rows come, nothing moves
    counts = Counter(row["status"] for row in rows)
    asked = len(job.arguments["questions"])
    if not rows:
        st.caption(f"None of {asked} questions is answered yet.")
        return
    st.caption(
        " · ".join(
            [
                f"{len(rows)} of {asked} questions",
                *(f"{count} {name}" for name, count in counts.most_common()),
            ]
        )
        + ". Click a line to open it."
    )
    own = gene_batch.own_columns(rows)
    shown = [
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
            "records": ", ".join(dict.fromkeys(one["record"] for one in row["evidence"])),
            "notes": " ".join(row.get("notes", []))[:300],
            "calls": row["calls"],
        }
        for row in rows
    ]
    show_rows(
        shown, [row["run"] for row in rows], state.key("gene·batch", job.id, len(rows)), height
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
            f"Ask {failed} failed again",
            on_click=_again,
            args=(desk, job, rows),
            icon=":material/refresh:",
            width="stretch",
        )


def _again(desk: Desk, job: Job, rows: list[Json]) -> None:
    found = page.curator()
    try:
        state.set_url(
            batch=gene_batch.ask_failed_again(desk, job, rows, found.orcid if found else "").id
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _send(desk: Desk, rows: list[Json]) -> None:
    found = page.curator()
    if found is None:
        state.show_message(
            "Say who you are in the sidebar first: statements carry who sent them.", "info"
        )
        return
    try:
        sent = gene_batch.send(desk, rows, found.orcid)
    except GroundworkError as error:
        show_error(error)
        return
    kept = f"{sent.known} were known; {sent.held} values were held back"
    state.show_message(f"{sent.new} new statements wait on the Review page; {kept}.", "toast")


def _earlier(desk: Desk, open_job: str) -> None:
    found = [job for job in gene_batch.recent(desk) if job.id != open_job]
    if not found:
        return
    st.subheader("Batches before")
    for job in found:
        when, asked = job.created[:16].replace("T", " "), len(job.arguments["questions"])
        st.button(
            f"{asked} {'question' if asked == 1 else 'questions'} · {job.state} · {when} UTC",
            key=f"gene·batch·{job.id}",
            on_click=state.set_url,
            kwargs={"batch": job.id},
            type="tertiary",
        )
