"""From an unsupported statement on Review to passages that prove it, and back with evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Evidence, TextGround
from core.services.literature import namespaces
from tests import reviewing
from tests.reviewing import ANNA, RELIEVES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "p"))
    desk = reviewing.empty(tmp_path / "p")
    desk.store.statements.propose([(RELIEVES, [])], "", ANNA.orcid)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        json.dumps({"id": "PMID:8", "title": "Pain", "text": "Old is it. Aspirin treats headache."})
    )
    namespaces.create_namespace(desk, "pain")
    namespaces.add_files(desk, "pain", [rows])
    return desk


def opened(page: str, **address: str) -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    at.session_state["_curator"] = ANNA
    at.switch_page(f"pages/{page}.py")
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def links(at: AppTest) -> dict[str, str]:
    return {
        page_link.proto.label: page_link.proto.query_string for page_link in at.get("page_link")
    }


def shown(at: AppTest) -> dict:
    """The statement in view, as the browser was given it."""
    (list_view,) = at.get("bidi_component")
    view = json.loads(list_view.proto.json)
    return next(card for card in view["cards"] if card["id"] == RELIEVES.id)


def test_an_unsupported_statement_leads_to_passages_and_back_with_evidence(desk):
    assert shown(opened("3_Review", id=RELIEVES.id))["unsupported"]  # it offers *Find evidence*
    at = opened("6_Literature", statement=RELIEVES.id)
    at.button(key="add·0").click().run()
    assert not at.exception
    (piece,) = desk.store.statements.get(RELIEVES.id).evidence
    assert isinstance(piece, Evidence) and isinstance(piece.ground, TextGround)
    assert (piece.ground.document, piece.ground.quote) == ("PMID:8", "Aspirin treats headache.")
    back = opened(
        "3_Review", **dict(part.split("=") for part in links(at)["Back to Review"].split("&"))
    )
    card = shown(back)
    (passage,) = card["passages"]
    assert "Aspirin treats headache." in "".join(words for words, *_ in passage["parts"])
    assert not card["unsupported"]
