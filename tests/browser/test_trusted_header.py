"""Sign-in by the header of a proxy: what a browser sends in its place is not believed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from core.model import State
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import ready
from tests.reviewing import ANNA, BEN, RELIEVES

HEADER = "X-Forwarded-User"
END_OF_HEAD = b"\r\n\r\n"


class Proxy:
    """Passes every connection on, WebSocket or not, as one of `user`: it takes the header out of
    what a browser sends and puts its own in. Without a user it passes on what comes.
    """

    def __init__(self, port: int, user: str):
        self.target, self.user = port, user
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def close(self) -> None:
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:  # it was closed
                return
            threading.Thread(target=self._serve, args=(browser,), daemon=True).start()

    def _serve(self, browser: socket.socket) -> None:
        head = b""
        while END_OF_HEAD not in head:
            part = browser.recv(65_536)
            if not part:
                browser.close()
                return
            head += part
        head, body = head.split(END_OF_HEAD, 1)
        app = socket.create_connection(("127.0.0.1", self.target))
        app.sendall(self._rewritten(head) + END_OF_HEAD + body)
        threading.Thread(target=_pass_on, args=(browser, app), daemon=True).start()
        _pass_on(app, browser)

    def _rewritten(self, head: bytes) -> bytes:
        lines = head.split(b"\r\n")
        if self.user:
            own = HEADER.lower().encode() + b":"
            lines = [line for line in lines if not line.lower().startswith(own)]
            lines.append(f"{HEADER}: {self.user}".encode())
        if not any(line.lower().startswith(b"upgrade:") for line in lines):
            lines = [line for line in lines if not line.lower().startswith(b"connection:")]
            lines.append(b"Connection: close")  # one request, one head to rewrite
        return b"\r\n".join(lines)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):  # the other side has gone
        while part := source.recv(65_536):
            target.sendall(part)
    for end in (source, target):
        with suppress(OSError):  # it is closed already
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Server]:
    """The app that believes a proxy's header."""
    reviewing.filled(tmp_path / "behind").close()
    server = Server(tmp_path / "behind", {"GROUNDWORK_TRUSTED_HEADER": HEADER})
    server.start()
    yield server
    server.kill()


def forging(browser: Browser, url: str) -> Page:
    """A browser that says in a header and in a cookie that it is Ben."""
    context = browser.new_context(extra_http_headers={HEADER: BEN.orcid})
    cookie = quote(f"{BEN.orcid}|Ben", safe="")
    context.add_cookies([{"name": "groundwork_curator", "value": cookie, "url": url}])
    return context.new_page()


def test_the_proxys_user_decides_whatever_header_or_cookie_the_browser_sends(
    browser: Browser, behind: Server
) -> None:
    proxy = Proxy(behind.port, ANNA.orcid)
    page = forging(browser, proxy.url)
    page.goto(f"{proxy.url}/Review?id={RELIEVES.id}")
    ready(page)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("Anna")).to_be_visible()
    expect(sidebar.get_by_text("Ben")).to_have_count(0)
    expect(page.get_by_label("Your ORCID iD")).to_have_count(0)
    page.locator(".gr-statement").wait_for()
    page.wait_for_timeout(1_000)
    page.keyboard.press("a")
    expect(page.get_by_text("✓ saved")).to_be_visible()
    desk = reviewing.empty(behind.project)
    record = desk.store.statements.get(RELIEVES.id)
    desk.close()
    assert record.state is State.APPROVED
    assert [decision.curator for decision in record.decisions] == [ANNA.orcid]
    proxy.close()
    page.context.close()


def test_request_without_the_proxys_header_sees_nothing(page: Page, behind: Server) -> None:
    page.goto(f"{behind.url}/Review?id={RELIEVES.id}")
    expect(page.get_by_text("The sign-in proxy sent no user name.")).to_be_visible()
    expect(page.locator(".gr-statement")).to_have_count(0)


def test_a_name_that_is_not_an_orcid_is_connected_before_it_decides(
    browser: Browser, behind: Server
) -> None:
    proxy = Proxy(behind.port, "anna@example.org")
    page = forging(browser, proxy.url)
    page.goto(f"{proxy.url}/Review?id={RELIEVES.id}")
    expect(page.get_by_text("You are signed in as anna@example.org.")).to_be_visible()
    expect(page.locator(".gr-statement")).to_have_count(0)
    proxy.close()
    page.context.close()
