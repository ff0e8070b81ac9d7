"""The page's address and clicks that follow each other quickly."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared import state


def script() -> None:
    import streamlit as st

    from pages.components.shared import state

    state.keep_url(st.session_state.get("page of the test", "Review"))
    st.button("narrow", on_click=state.set_url, kwargs={"predicate": "treats"})
    st.button("sort", on_click=state.set_url, kwargs={"order": "newest"})
    st.text(f"{state.url_value('predicate')}-{state.url_value('order')}")


@pytest.fixture
def narrowed() -> AppTest:
    """A page that was narrowed a moment ago; the browser has not heard of its new address yet."""
    at = AppTest.from_function(script, default_timeout=30).run()
    at.button[0].click().run()
    assert at.text[0].value == "treats-"
    del at.query_params["predicate"]
    return at


def test_a_second_quick_click_does_not_take_back_the_first(narrowed: AppTest) -> None:
    narrowed.button[1].click().run()
    assert narrowed.text[0].value == "treats-newest"


def test_an_address_that_somebody_chose_counts(narrowed: AppTest) -> None:
    narrowed.query_params["predicate"] = "causes"
    assert narrowed.run().text[0].value == "causes-"


def test_state_of_one_page_is_not_given_to_another(narrowed: AppTest) -> None:
    narrowed.session_state["page of the test"] = "Documents"
    assert narrowed.run().text[0].value == "-"


def test_after_a_while_the_browser_is_believed(
    narrowed: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "LATE", 0.0)
    assert narrowed.run().text[0].value == "-"
