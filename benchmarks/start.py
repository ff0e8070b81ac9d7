"""From the start of the app to its first page, with warm files.

    python benchmarks/start.py [--statements 2000] [--times 3] [--browser]

`streamlit run app.py` is started on an empty project, and on one with statements, and asked for
Home over its web socket, as a browser asks, as soon as it answers. Printed, the best of `--times`:
seconds by the clock until the script of Home has run to its end, and the processor's time that the
server took until then, which a busy machine changes little. With `--browser` a Chromium that is
open already asks, and seconds count until Home is drawn to its last line: what a browser needs to
load Streamlit's own scripts is in them.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: E402
from streamlit.proto.ClientState_pb2 import ClientState  # noqa: E402
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg  # noqa: E402
from websockets import Subprotocol  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from benchmarks.pages import filled, judged  # noqa: E402
from core.model import Curator  # noqa: E402

LAST_LINE = "Services"  # of Home, whatever the project holds
TICKS = os.sysconf("SC_CLK_TCK")


def processor(process: int) -> float:
    """Seconds of the processor that this process has taken, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server:
    """`streamlit run app.py` over one project, until the `with` block ends."""

    def __init__(self, project: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        own = os.environ | {"GROUNDWORK_PROJECT": str(project), "GROUNDWORK_BASE_SET": "off"}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Server:
        while True:
            with suppress(OSError):
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5).close()
                return self
            time.sleep(0.02)

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()

    def run_page(self, name: str = "", curator: Curator | None = None) -> int:
        """Ask for a page by the web socket until its script has run to its end, without an error;
        how many elements it sent.
        """
        query = BackMsg(rerun_script=ClientState(query_string="", page_name=name))
        url = self.address.replace("http", "ws") + "/_stcore/stream"
        who = quote(f"{curator.orcid}|{curator.name}") if curator else ""
        cookie = {"Cookie": f"groundwork_curator={who}"}
        protocol, elements = [Subprotocol("streamlit")], 0
        with connect(url, subprotocols=protocol, max_size=None, additional_headers=cookie) as page:
            page.send(query.SerializeToString())
            while True:
                message = ForwardMsg.FromString(page.recv(120))
                kind = message.delta.new_element.WhichOneof("type")
                assert kind != "exception", message
                elements += kind is not None
                if message.WhichOneof("type") == "script_finished":
                    assert message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                    return elements

    def processor(self) -> float:
        return processor(self._process.pid)

    def memory(self) -> float:
        """The most memory that the server has held, in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


Ask = Callable[[Server], object]  # for Home, until it is whole


def by_browser(browser: Any) -> Ask:
    """Home in a browser that is open already: until its last line is drawn."""

    def ask(server: Server) -> None:
        page = browser.new_page()
        page.goto(server.address, wait_until="commit")
        page.get_by_text(LAST_LINE, exact=True).wait_for(timeout=60_000)
        page.close()

    return ask


def first_page(ask: Ask, project: Path) -> tuple[float, float]:
    """Seconds by the clock, and of the server's processor, until Home is whole."""
    with Server(project) as server:
        ask(server)
        return time.perf_counter() - server.began, server.processor()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--statements", type=int, default=2_000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--browser", action="store_true", help="by a Chromium")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ask: Ask = Server.run_page
        if options.browser:
            from playwright.sync_api import sync_playwright

            playwright = stack.enter_context(sync_playwright())
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            stack.callback(browser.close)
            ask = by_browser(browser)
        projects = {"empty": Path(folder) / "empty"}
        if options.statements:
            desk = filled(Path(folder) / "filled", options.statements, options.statements // 10)
            judged(desk)
            desk.close()
            projects[f"of {options.statements:,} statements"] = Path(folder) / "filled"
        for name, project in projects.items():
            first_page(ask, project)  # files are warm from here on
            runs = [first_page(ask, project) for _ in range(options.times)]
            seconds, processor = (min(figures) for figures in zip(*runs, strict=True))
            print(
                f"a project that is {name}" if name == "empty" else f"a project {name}",
                f"{seconds:.2f} s by the clock, {processor:.2f} s of the server's processor",
                sep=": ",
                flush=True,
            )


if __name__ == "__main__":
    main()
