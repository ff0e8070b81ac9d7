"""A queue of statements that wait in Review, and what a browser test reads there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from core.desk import Desk
from core.model import Category, Evidence, ReferenceGround, State, Statement, Term
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready

COUNT, FAST = 12, 120  # statements, milliseconds between keys


def statement(number: int) -> Statement:
    drug = Term(f"X:{number}", f"drug {number}", Category.CHEMICAL)
    return Statement(
        drug,
        Term("biolink:treats", "treats"),
        Term(f"Y:{number}", f"pain {number}", Category.DISEASE),
    )


def waiting_project(folder: Path) -> Path:
    """A project in which a dozen statements wait, and two more."""
    desk = reviewing.empty(folder)
    propose(desk, range(COUNT + 2))
    desk.close()
    return folder


def propose(desk: Desk, numbers: range) -> None:
    claims = [statement(number) for number in numbers]
    desk.store.statements.propose(
        [(claim, [Evidence(claim.id, ReferenceGround("PMID:7"))]) for claim in claims], "", ""
    )


def stored(server: Server) -> dict[str, State]:
    """The drugs of the statements that are decided, each with its state."""
    desk = reviewing.empty(server.project)
    claims = [statement(number) for number in range(COUNT + 2)]
    records = desk.store.statements.of_ids([claim.id for claim in claims])
    desk.close()
    return {
        record.statement.subject.label: record.state
        for record in records
        if record.state is not State.PROPOSED
    }


def opened(page: Page, server: Server, **query: str) -> Page:
    page.goto(server.address("Review", **query))
    ready(page)
    introduce(page)
    page.locator(".gr-statement").wait_for()
    return page


def in_view(page: Page) -> str:
    return page.locator(".gr-statement .gw-term").first.inner_text()


def saved(page: Page) -> None:
    expect(page.get_by_text("✓ saved")).to_be_visible()
