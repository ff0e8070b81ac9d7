"""What costs seconds on a large project and is worked out once for each state of it, for all
sessions alike.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.model import Problem
from core.services.extract import schemas
from core.services.extract.schemas import SchemaDraft
from core.services.graph import explore, gate_memory, knowledge_base, question
from core.services.graph.explore import Drawing, ThingIndex
from core.services.graph.explore_memory import ExploreMemory
from core.services.graph.gate_memory import GateMemory, rule_stamp
from core.services.graph.knowledge_base import ExportedFile, GateReport, Graph, SchemaMismatch
from core.services.graph.question import QueryAnswer
from core.services.graph.view_request import ViewRequest
from core.services.releases import catalogue, export_job, making
from core.services.releases.export_job import ExportRequest
from core.services.releases.making import ReleasePreview
from pages.components.shared import page


def gate_report(desk: Desk) -> GateReport:
    """Every statement of the project through the gate."""
    stamp = knowledge_base.gate_stamp(desk)
    return _passage(str(desk.folder), stamp, page.may_change(desk), desk)


def cached_graph(desk: Desk) -> Graph:
    """The graph of what is approved."""
    return _graph(str(desk.folder), knowledge_base.content_stamp(desk), desk)


def approved_names(desk: Desk) -> ThingIndex:
    """The names of what is approved, to search in."""
    return _things(str(desk.folder), knowledge_base.content_stamp(desk), desk)


def cached_drawing(desk: Desk, request: ViewRequest) -> Drawing:
    """A view of what is approved."""
    return _drawing(str(desk.folder), knowledge_base.content_stamp(desk), request, desk)


def cached_kinds(desk: Desk) -> list[tuple[str, int]]:
    """The categories of what is approved, with their things counted."""
    return _kinds(str(desk.folder), knowledge_base.content_stamp(desk), desk)


def cached_relations(desk: Desk) -> list[tuple[str, int]]:
    """The relations of what is approved, with their statements counted."""
    return _relations(str(desk.folder), knowledge_base.content_stamp(desk), desk)


def query_answer(desk: Desk, query: str) -> QueryAnswer:
    """What a query gives. Raises GroundworkError for one that cannot be answered."""
    return _answered(str(desk.folder), knowledge_base.gate_stamp(desk), query, desk)


def exported_file(desk: Desk, request: ExportRequest) -> ExportedFile:
    """What passed the gate, as a file. Raises GroundworkError for what cannot be written."""
    return _exported(str(desk.folder), knowledge_base.gate_stamp(desk), request, desk)


def remarks_on(desk: Desk, name: str) -> tuple[Problem, ...]:
    """What of what passed the gate a format cannot say."""
    return _remarks_on(str(desk.folder), knowledge_base.gate_stamp(desk), name, desk)


def left_unjudged(desk: Desk) -> int:
    """How many statements an export calls not judged."""
    return _left_unjudged(str(desk.folder), knowledge_base.gate_stamp(desk), desk)


def schema_mismatches(desk: Desk) -> list[SchemaMismatch]:
    """What passed the gate and does not keep what a schema asks."""
    return _schema_mismatches(str(desk.folder), knowledge_base.gate_stamp(desk), desk)


def schema_draft(desk: Desk, text: str) -> SchemaDraft:
    """A schema that is being written, with what is wrong with it."""
    return _schema_draft(str(desk.folder), rule_stamp(desk), text, desk)


def release_remarks(desk: Desk, number: str, name: str) -> tuple[Problem, ...]:
    """What of a release a format cannot say."""
    return _release_remarks(str(desk.folder), number, name, desk)


def release_preview(desk: Desk) -> ReleasePreview:
    """What a release would be if it were made now."""
    newest = catalogue.newest_release(desk)
    stamp = f"{knowledge_base.gate_stamp(desk)} {newest.number if newest else ''}"
    return _release_preview(str(desk.folder), stamp, desk)


@st.cache_resource(max_entries=2, show_spinner="Comparing with the last release…")
def _release_preview(folder: str, stamp: str, _desk: Desk) -> ReleasePreview:
    return making.preview_release(_desk, gate_report(_desk))


@st.cache_resource(max_entries=4, show_spinner="Checking statements…")
def _passage(folder: str, stamp: str, kept: bool, _desk: Desk) -> GateReport:
    if kept:
        gate_memory.check_ahead(_desk)
    return knowledge_base.gate_passage(_desk, _memory(folder, kept))


@st.cache_resource(max_entries=4, show_spinner=False)
def _memory(folder: str, kept: bool) -> GateMemory:
    return GateMemory(kept)


@st.cache_resource(max_entries=4, show_spinner="Drawing the graph…")
def _graph(folder: str, stamp: str, _desk: Desk) -> Graph:
    return _explore_memory(folder).graph(_desk)


@st.cache_resource(max_entries=4, show_spinner=False)
def _explore_memory(folder: str) -> ExploreMemory:
    return ExploreMemory()


@st.cache_resource(max_entries=4, show_spinner=False)
def _relations(folder: str, stamp: str, _desk: Desk) -> list[tuple[str, int]]:
    return explore.relation_counts(_graph(folder, stamp, _desk))


@st.cache_resource(max_entries=4, show_spinner=False)
def _kinds(folder: str, stamp: str, _desk: Desk) -> list[tuple[str, int]]:
    return explore.kind_counts(_graph(folder, stamp, _desk))


@st.cache_resource(max_entries=4, show_spinner=False)
def _things(folder: str, stamp: str, _desk: Desk) -> ThingIndex:
    return ThingIndex(_graph(folder, stamp, _desk))


@st.cache_resource(max_entries=40, show_spinner=False)
def _drawing(folder: str, stamp: str, request: ViewRequest, _desk: Desk) -> Drawing:
    return explore.drawing_of_view(_desk, _graph(folder, stamp, _desk), request)


@st.cache_resource(max_entries=20, show_spinner=False)
def _answered(folder: str, stamp: str, query: str, _desk: Desk) -> QueryAnswer:
    return question.run_query(_desk, query, gate_report(_desk))


@st.cache_resource(max_entries=4, show_spinner=False)  # also called where nothing can be shown
def _exported(folder: str, stamp: str, request: ExportRequest, _desk: Desk) -> ExportedFile:
    key = export_job.signing_key(_desk, request)
    report = gate_report(_desk)
    return knowledge_base.export_approved(_desk, request.format, report, signing_key=key)


@st.cache_resource(max_entries=4, show_spinner="Checking with SHACL …")
def _schema_mismatches(folder: str, stamp: str, _desk: Desk) -> list[SchemaMismatch]:
    return list(knowledge_base.mismatches(_desk, gate_report(_desk)))


@st.cache_resource(max_entries=20, show_spinner="Reading the schema…")
def _schema_draft(folder: str, stamp: str, text: str, _desk: Desk) -> SchemaDraft:
    return schemas.checked_schema(_desk, text)


@st.cache_resource(max_entries=8, show_spinner="Looking for what this format leaves out …")
def _release_remarks(folder: str, number: str, name: str, _desk: Desk) -> tuple[Problem, ...]:
    return catalogue.release_remarks(_desk, number, name)


@st.cache_resource(max_entries=8, show_spinner=False)
def _left_unjudged(folder: str, stamp: str, _desk: Desk) -> int:
    return knowledge_base.left_unjudged(_desk, gate_report(_desk).entries)


@st.cache_resource(max_entries=8, show_spinner="Looking for what this format leaves out …")
def _remarks_on(folder: str, stamp: str, name: str, _desk: Desk) -> tuple[Problem, ...]:
    return knowledge_base.export_remarks(_desk, name, gate_report(_desk))
