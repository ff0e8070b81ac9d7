"""The app in a server of its own with a fresh project, and a headless Chromium that looks at it.

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
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
]
PATIENCE = 60_000  # milliseconds: a cold page on a busy machine
MINE = ("GROUNDWORK_", "OPENAI_", "NCBI_")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project's folder; a module whose tests need one that holds something overrides this."""
    return tmp_path / "project"


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    found = Server(project)
    found.start()
    yield found
    found.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: apt-get install chromium")
        pytest.skip("Chromium is not installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    yield found
    context.close()
