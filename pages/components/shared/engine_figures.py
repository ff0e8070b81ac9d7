"""How good the engines proved: worked out once for each state of the project, for all sessions
alike. Apart from `cached`, which imports what draws graphs: Home shows these figures too.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.learning import quality
from core.services.learning.quality import EngineQuality


def engine_quality(desk: Desk) -> EngineQuality:
    """How good the engines proved, by the decisions made."""
    return _engine_quality(str(desk.folder), quality.decisions_stamp(desk), desk)


@st.cache_resource(max_entries=4, show_spinner="Counting decisions…")
def _engine_quality(folder: str, stamp: str, _desk: Desk) -> EngineQuality:
    return quality.engine_quality(_desk)
