"""Documents: every text of the project with what is known of it; bring some in, open one to read
and mark it. Wiring only.
"""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.services.documents import overview
from pages.components.documents.adding_documents import bring_in, intake_panel, interrupted_jobs
from pages.components.documents.listing import document_list
from pages.components.documents.one_document import one_document
from pages.components.documents.same_papers import same_papers_desk
from pages.components.shared import state
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error

desk = begin_page("Documents")
try:
    if state.url_value("document"):
        one_document(desk, state.url_value("document"))
    elif state.url_value("batch"):  # documents that are being read: that is Extract's page
        st.switch_page("pages/1_Extract.py", query_params={"batch": state.url_value("batch")})
    elif state.url_value("intake"):
        intake_panel(desk, state.url_value("intake"))
    else:
        interrupted_jobs(desk)
        bring_in(desk, opened=not overview.count_documents(desk))
        same_papers_desk(desk)
        document_list(desk)
except GroundworkError as error:
    show_error(error)
