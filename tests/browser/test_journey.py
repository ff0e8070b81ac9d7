"""From a pasted text to a Turtle file, as a curator goes: in a real browser, without a key and
without a network.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect
from rdflib import RDF, Graph, Literal, Namespace

from tests.browser.conftest import Server
from tests.browser.journey import extract, open_page, ready

BIOLINK = Namespace("https://w3id.org/biolink/vocab/")
PAGES = (
    "",
    "Extract",
    "Documents",
    "Gene_questions",
    "Literature",
    "Review",
    "Knowledge_graph",
    "Vocabularies",
    "Settings",
)
PARTS = (RDF.subject, RDF.predicate, RDF.object)


def type_id(page: Page, row: int, curie: str) -> None:
    """Type into the id cell of the grounding table, which is a canvas: by keyboard, from its first
    cell.
    """
    table = page.get_by_test_id("stDataFrame").first
    selected = table.locator("[role=gridcell][aria-selected=true]")
    for _ in range(5):  # a key is lost while the table is drawn anew
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box
        page.mouse.click(box["x"] + 100, box["y"] + 35 * (row + 1) + 17)
        ready(page)
        page.keyboard.press("ArrowRight")
        ready(page)
        if selected.get_attribute("aria-colindex") == "3":
            break
    expect(selected).to_have_attribute("aria-colindex", "3")
    page.keyboard.press("Enter")
    editor = page.locator("#portal textarea, #portal input").first
    editor.fill(curie)
    expect(editor).to_have_value(curie)
    page.wait_for_timeout(
        400
    )  # the table takes up what was typed a moment later, and nothing on the page tells
    page.keyboard.press("Enter")
    ready(page)


def test_from_a_pasted_text_to_a_turtle_file(page: Page, mortal: Server, tmp_path: Path) -> None:
    extract(page, mortal)
    type_id(page, 0, "MESH:D000082")
    expect(page.get_by_text("grounded by hand").first).to_be_attached()

    page.get_by_role("tab", name="Statements").click()
    page.get_by_role("button", name="to review").click()
    expect(page.get_by_text("are new in review").first).to_be_visible()

    open_page(page, "Review")
    page.locator(".gr-statement").wait_for()
    for _ in range(8):
        if page.get_by_text("Everything is decided.").count():
            break
        page.keyboard.press("a")
        ready(page)
    page.reload()
    ready(page)
    expect(page.get_by_text("Everything is decided.").first).to_be_visible()

    open_page(page, "Knowledge graph")
    page.get_by_role("tab", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").first.click()
    file = tmp_path / "export.ttl"
    download.value.save_as(file)
    graph = Graph().parse(file)
    associations = set(graph.subjects(RDF.type, BIOLINK.Association))
    assert any(
        str(graph.value(association, RDF.subject)).endswith("D000082")
        for association in associations
    )
    negated = [
        association
        for association in associations
        if graph.value(association, BIOLINK.negated) == Literal(True)
    ]
    assert negated
    assert not [
        statement_node
        for statement_node in negated
        if tuple(graph.value(statement_node, part) for part in PARTS) in graph
    ]


def test_nothing_is_lost_when_the_app_is_killed(page: Page, mortal: Server) -> None:
    extract(page, mortal)
    place = page.url
    mortal.kill()
    mortal.start()
    page.goto(place)
    expect(page.get_by_role("tab", name="Terms")).to_be_visible()


def test_no_page_asks_another_host(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        page.goto(server.address(name))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        ready(page)
    assert [
        url
        for url in asked
        if not url.startswith((server.url, server.url.replace("http", "ws"), "data:"))
    ] == []
