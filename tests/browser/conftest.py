"""The app over a fresh project for each test, and a headless Chromium that looks at it.

In CI a missing browser is a failure; elsewhere the tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import reviewing

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
]
PATIENCE = 60_000  # milliseconds: a cold page on a busy machine
MINE = ("GROUNDWORK_", "OPENAI_", "NCBI_")
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs a browser. A journey that fails is walked once more: a starved machine
    loses a click now and then, a defect fails both times. The report names what was walked twice.
    """
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`streamlit run app.py` over one project folder, in `environment`; it can be killed and
    started again.
    """

    def __init__(
        self,
        project: Path,
        environment: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ):
        self.project, self.port, self.options = project, free_port(), options
        self.environment = dict(environment or {})
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def address(self, page: str = "", **query: str) -> str:
        """A page of this project: the app may serve others beside it."""
        return f"{self.url}/{page}?{urlencode({'project': self.project.name} | query)}"

    def over(self, project: Path) -> Server:
        """The same app over a project beside its own."""
        other = Server(project, self.environment, self.options)
        other.port = self.port
        return other

    def start(self) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(MINE)}
        # the small starters alone, so that an example says the same on every machine
        environment |= {"GROUNDWORK_PROJECT": str(self.project), "GROUNDWORK_BASE_SET": "off"}
        environment |= self.environment
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "app.py",
            "--server.port",
            str(self.port),
            *self.options,
        ]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def _wait(self, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while True:
            try:
                with urlopen(f"{self.url}/_stcore/health", timeout=1):
                    return
            except (URLError, OSError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)  # a server is starting: there is nothing to be told by

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One app for all tests that need none of their own: each opens a project beside its own."""
    app = Server(tmp_path_factory.mktemp("desks") / "configured")
    app.start()
    yield app
    app.kill()


@pytest.fixture
def folder(warm: Server, tmp_path: Path) -> Path:
    """Where the test's project is to be: beside that of the warm app."""
    return warm.project.with_name(tmp_path.name)


@pytest.fixture
def project(folder: Path) -> Path:
    """The project's folder; a module whose tests need one that holds something overrides this."""
    desk = reviewing.empty(folder)
    desk.store.project.set("name", "A project of a test")  # what makes it one
    desk.close()
    return folder


@pytest.fixture
def server(warm: Server, project: Path) -> Server:
    """The warm app over the test's project."""
    return warm.over(project)


@pytest.fixture
def mortal(project: Path, tmp_path: Path) -> Iterator[Server]:
    """An app of the test's own over a copy of its project, which it may kill; no other project
    stands beside it, so the example project that it opens is its own.
    """
    app = Server(Path(shutil.copytree(project, tmp_path / "project")))
    app.start()
    yield app
    app.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: apt-get install chromium")
        pytest.skip("Chromium is not installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()
