"""What costs seconds on a large project and is worked out once for each state of it, for all
sessions alike.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.asking import question
from core.services.asking.question import QueryAnswer
from core.services.graph import knowledge_base
from core.services.graph.gate_memory import GateMemory
from core.services.graph.knowledge_base import Exported, GateReport, Graph
from core.services.learning import quality
from core.services.learning.quality import EngineQuality


def passage(desk: Desk) -> GateReport:
    """Every statement of the project through the gate."""
    return _passage(str(desk.folder), knowledge_base.gate_stamp(desk), desk)


def graph(desk: Desk, values: bool = True) -> Graph:
    """The graph of what is approved; without `values`, these are notes of their things."""
    stamp = knowledge_base.content_stamp(desk)
    folder = str(desk.folder)
    return _graph(folder, stamp, desk) if values else _folded(folder, stamp, desk)


def relations(desk: Desk) -> list[tuple[str, int]]:
    """The relations of what is approved, with their statements counted."""
    return _relations(str(desk.folder), knowledge_base.content_stamp(desk), desk)


def answered(desk: Desk, query: str) -> QueryAnswer:
    """What a query gives. Raises GroundworkError for one that cannot be answered."""
    return _answered(str(desk.folder), knowledge_base.gate_stamp(desk), query, desk)


def exported(desk: Desk, name: str) -> Exported:
    """What passed the gate, as a file. Raises GroundworkError for what cannot be written."""
    return _exported(str(desk.folder), knowledge_base.gate_stamp(desk), name, desk)


def engine_quality(desk: Desk) -> EngineQuality:
    """How good the engines proved, by the decisions made."""
    return _engine_quality(str(desk.folder), quality.stamp(desk), desk)


@st.cache_resource(max_entries=4, show_spinner="Counting decisions…")
def _engine_quality(folder: str, stamp: str, _desk: Desk) -> EngineQuality:
    return quality.engine_quality(_desk)


@st.cache_resource(max_entries=4, show_spinner="Checking statements…")
def _passage(folder: str, stamp: str, _desk: Desk) -> GateReport:
    return knowledge_base.gate_passage(_desk, _memory(folder))


@st.cache_resource(max_entries=4, show_spinner=False)
def _memory(folder: str) -> GateMemory:
    return GateMemory()


@st.cache_resource(max_entries=4, show_spinner="Drawing the graph…")
def _graph(folder: str, stamp: str, _desk: Desk) -> Graph:
    return knowledge_base.approved(_desk)


@st.cache_resource(max_entries=4, show_spinner=False)
def _relations(folder: str, stamp: str, _desk: Desk) -> list[tuple[str, int]]:
    return knowledge_base.relations(_graph(folder, stamp, _desk))


@st.cache_resource(max_entries=4, show_spinner=False)
def _folded(folder: str, stamp: str, _desk: Desk) -> Graph:
    return knowledge_base.without_values(_graph(folder, stamp, _desk))


@st.cache_resource(max_entries=20, show_spinner=False)
def _answered(folder: str, stamp: str, query: str, _desk: Desk) -> QueryAnswer:
    return question.ask(_desk, query, _passage(folder, stamp, _desk))


@st.cache_resource(max_entries=8, show_spinner=False)  # also called where nothing can be shown
def _exported(folder: str, stamp: str, name: str, _desk: Desk) -> Exported:
    return knowledge_base.export(_desk, name, _passage(folder, stamp, _desk))
