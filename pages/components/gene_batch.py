"""Many questions from a file: a batch in the background, and its table."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import gene_questions as genes
from pages.components import page, state
from pages.components.job import ACTIVE, job_panel


def batch(desk: Desk) -> None:
    given = st.text_area("Questions, one a line", key="gene·many", height=150, placeholder="One question a line")
    st.file_uploader("or a text file", type=["txt", "jsonl"], key="gene·file")
    st.caption("The names and sequences in them will be sent to NCBI.")
    del given
    st.button("Ask all", on_click=_start, args=(desk,), icon=":material/playlist_play:")
    if not (job := state.url("batch")):
        return
    found = job_panel(desk, job, "Asking")
    if found is None or found.state in ACTIVE or not found.result:
        return
    rows = found.result["rows"]
    shown = [
        {
            "question": one["question"],
            "answer": ", ".join(one["answer"]) if isinstance(one["answer"], list) else one["answer"],
            "status": one["status"],
            "calls": one["calls"],
            "open": f"?run={one['run']}",
        }
        for one in rows
    ]
    st.dataframe(
        pd.DataFrame(shown), hide_index=True, column_config={"open": st.column_config.LinkColumn(display_text="open")}
    )
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    st.download_button("All answers as JSON lines", lines, "gene-answers.jsonl", "application/jsonl")


def _start(desk: Desk) -> None:
    file, found = state.get("gene·file"), page.curator()
    try:
        text = genes.decoded(file.getvalue()) if file is not None else str(state.get("gene·many", ""))
        job = genes.start_batch(desk, genes.questions_of(text), curator=found.orcid if found else "")
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.set_url(batch=job.id)
