"""What can be exported, what is held back and why, and the files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core import COMMAND
from core.desk import Desk
from core.errors import GroundworkError, StoreError
from core.services.graph import knowledge_base, next_problem
from core.services.graph.knowledge_base import (
    FORMATS,
    HINTS,
    ExportRejection,
    GateReport,
    format_named,
)
from core.services.releases import export_job
from core.services.releases.export_job import ExportRequest
from pages.components.graph.export_file import (
    AT_ONCE,
    file_at_once,
    file_by_job,
    signing_choice,
)
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.problem import show_error, show_problems
from pages.components.shared.term import statement_label

HELD_SHOWN = 500
CHECKED_AT_ONCE = 5_000  # statements: some seconds
LOOKED = 20_000  # characters of a file that are shown


def export_tab(desk: Desk) -> None:
    """The file; then what will not be in it, and why."""
    try:
        passage = cached.gate_report(desk)
    except GroundworkError as error:
        show_error(error)
        return
    held_back = {
        rejection.statement.id for rejection in passage.rejections if not rejection.evidence
    }
    left, right = st.columns(2)
    left.metric("Pass the checks", f"{len(passage.entries):,}")
    right.metric("Held back", f"{len(held_back):,}")
    _download(desk, passage)
    _rejections(passage)
    _schema_check(desk, passage)


def _rejections(passage: GateReport) -> None:
    if not passage.rejections:
        return
    st.markdown("**What will not be exported, and why**")
    summary = [
        {"count": count, "why": str(why), "what to do": HINTS[why]}
        for why, count in knowledge_base.held_summary(passage.rejections)
    ]
    st.dataframe(pd.DataFrame(summary), hide_index=True, key="held-summary")
    _next_problem(passage)
    with st.expander(f"All {len(passage.rejections):,}, one by one"):
        st.caption("Click a row to open it on Review.")
        rows = [
            {
                "statement": statement_label(rejection.statement),
                "why": str(rejection.why),
                "detail": rejection.detail,
                "id": rejection.statement.id,
            }
            for rejection in passage.rejections[:HELD_SHOWN]
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            height=360,
            key="held-each",
            on_select="rerun",
            selection_mode="single-cell",
        )
        number = state.selected_cell_row("held-each")
        if number is not None and number < len(rows):
            _open(passage.rejections[number])
        if len(passage.rejections) > HELD_SHOWN:
            st.caption(f"The first {HELD_SHOWN} are shown; `{COMMAND} export --held` lists all.")


def _next_problem(passage: GateReport) -> None:
    """One press to the first record that can be settled; Review goes on to those like it."""
    rejection = next_problem.first_problem(passage.rejections)
    if rejection is None:
        st.caption("All of these are settled: there is nothing left to do.")
        return
    if st.button(
        "Next problem",
        key="next-problem",
        icon=":material/arrow_forward:",
        help=f"Opens the first of this reason on Review; the others follow: {rejection.why}.",
    ):
        st.switch_page("pages/3_Review.py", query_params=next_problem.queue_address(rejection))


def _schema_check(desk: Desk, passage: GateReport) -> None:
    """What the gate lets pass and a schema asks otherwise: it is exported, and worth a look."""
    if not passage.entries:
        return
    with st.expander("Does it meet the schemas' requirements?"):
        if len(passage.entries) > CHECKED_AT_ONCE:
            st.caption(
                f"More than {CHECKED_AT_ONCE:,} statements are checked with `{COMMAND} check`."
            )
            return
        if not st.toggle("Check it", key="schema-check"):
            st.caption("Values that are missing or too many, and terms of other vocabularies.")
            return
        mismatches = cached.schema_mismatches(desk)
        if not mismatches:
            st.success("Every statement meets its schema's requirements.", icon=":material/check:")
            return
        st.caption("These are exported all the same. Click a row to open it on Review.")
        rows = [
            {
                "statement": statement_label(mismatch.statement),
                "what the schema requires": mismatch.message,
            }
            for mismatch in mismatches[:HELD_SHOWN]
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key="schema-mismatches",
            on_select="rerun",
            selection_mode="single-cell",
        )
        number = state.selected_cell_row("schema-mismatches")
        if number is not None and number < len(rows):
            address = knowledge_base.review_address(mismatches[number])
            st.switch_page("pages/3_Review.py", query_params=address)


def _open(rejection: ExportRejection) -> None:
    st.switch_page("pages/3_Review.py", query_params=next_problem.review_address(rejection))


def _download(desk: Desk, passage: GateReport) -> None:
    if not passage.entries:
        empty_state(
            "There is nothing to export yet.",
            "Approve statements on **Review**; the list below says why others are held back.",
        )
        return
    chosen = st.segmented_control(
        "Format",
        list(FORMATS),
        default="ttl",
        required=True,
        format_func=lambda n: _titles()[n],
        key="format",
    )
    name = chosen or "ttl"
    export_format = format_named(name)
    request = ExportRequest(export_format.name, is_signed=signing_choice(desk, name, "export"))
    if len(passage.entries) > AT_ONCE:
        file_by_job(desk, request, "export-job")
    else:
        file_at_once(desk, request, lambda: cached.exported_file(desk, request).content)
    remarks = cached.remarks_on(desk, export_format.name)
    show_problems(
        remarks, "thing that this format leaves out", "things that this format leaves out"
    )
    if left := cached.left_unjudged(desk):
        st.caption(knowledge_base.unjudged_words(left))
    if export_format.text and st.toggle("Look at it", key="look"):
        _look(desk, request, len(passage.entries) > AT_ONCE)


def _look(desk: Desk, request: ExportRequest, is_large: bool) -> None:
    try:
        text = _beginning(desk, request, is_large)
    except (GroundworkError, OSError) as error:
        show_error(error if isinstance(error, GroundworkError) else StoreError(str(error)))
        return
    st.code(text[:LOOKED], language="turtle" if request.format == "ttl" else None, height=420)
    if len(text) > LOOKED:
        st.caption("Only the beginning is shown.")


def _beginning(desk: Desk, request: ExportRequest, is_large: bool) -> str:
    """The first characters of the file; "" where it is not made yet."""
    if not is_large:
        with st.spinner("Writing the file …"):
            return cached.exported_file(desk, request).content[: 4 * LOOKED].decode(errors="ignore")
    latest = export_job.latest_export(desk, request)
    if latest is None:
        st.caption("Make the file first.")
        return ""
    with latest.path.open("rb") as file:
        return file.read(4 * LOOKED).decode(errors="ignore")


def _titles() -> dict[str, str]:
    return {export_format.name: export_format.title for export_format in FORMATS.values()}
