"""A retracted paper followed through the pages: where its title or its words stand, its status
stands, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.services.documents import overview
from core.services.literature import namespaces
from tests import reviewing
from tests.reviewing import ANNA, DOCUMENT, RELIEVES

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
ASKED = "What relieves headache in adults?"
ITS_OWN = ("A note on willow bark", "Willow bark was brewed", "relieves headache in most adults")
ADDRESSES = {
    "2_Documents": ({}, {"document": DOCUMENT}, {"same": "merged"}),
    "3_Review": ({}, {"state": "approved"}, {"statement": RELIEVES.id}),
    "6_Literature": ({}, {"namespace": "ns", "q": ASKED}),
}  # fmt: skip
WALKS = [(page, address) for page in PAGES for address in ADDRESSES.get(page.stem, ({},))]


def shown(node) -> Iterator[str]:
    """All that a page holds, tables as text."""
    for child in getattr(node, "children", {}).values():
        yield from shown(child)
    if type(node).__name__ == "Dataframe":
        yield node.value.to_csv()
    elif getattr(node, "proto", None) is not None:
        yield str(node.proto)


@pytest.mark.parametrize(
    "page, address", WALKS, ids=[f"{page.stem} {sorted(address)}" for page, address in WALKS]
)
def test_what_shows_the_paper_shows_that_it_was_retracted(project, page, address) -> None:
    desk = reviewing.filled(project)
    desk.store.namespaces.add("ns")
    namespaces.add_project_documents(desk, "ns", ANNA.orcid)
    overview.mark_withdrawn(desk, DOCUMENT, "its images were made up", ANNA)
    at = AppTest.from_file(page, default_timeout=60)
    at.session_state["_curator"] = ANNA
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    words = "\n".join(shown(at._tree))
    assert not any(own in words for own in ITS_OWN) or "retracted" in words.casefold(), words[:3000]
