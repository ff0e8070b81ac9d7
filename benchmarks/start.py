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

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: E402
from streamlit.proto.ClientState_pb2 import ClientState  # noqa: E402
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg  # noqa: E402
from websockets import Subprotocol  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from pages import filled, judged  # type: ignore[attr-defined]  # noqa: E402

LAST_LINE = "Services"  # of Home, whatever the project holds
TICKS = os.sysconf("SC_CLK_TCK")


Ask = Callable[[str], None]  # for Home, at an address, until it is whole


def by_socket(address: str) -> None:
    """Home by the web socket: until its script has run to its end, without an error."""
    query = BackMsg(rerun_script=ClientState(query_string=""))
    url = address.replace("http", "ws") + "/_stcore/stream"
    with connect(url, subprotocols=[Subprotocol("streamlit")], max_size=None) as socket:
        socket.send(query.SerializeToString())
        while True:
            message = ForwardMsg.FromString(socket.recv(60))
            assert message.delta.new_element.WhichOneof("type") != "exception", message
            if message.WhichOneof("type") == "script_finished":
                assert message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                return


def by_browser(browser: Any) -> Ask:
    """Home in a browser that is open already: until its last line is drawn."""

    def ask(address: str) -> None:
        page = browser.new_page()
        page.goto(address, wait_until="commit")
        page.get_by_text(LAST_LINE, exact=True).wait_for(timeout=60_000)
        page.close()

    return ask


def first_page(ask: Ask, project: Path) -> tuple[float, float]:
    """Seconds by the clock, and of the server's processor, until Home is whole."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"GROUNDWORK_PROJECT": str(project), "GROUNDWORK_BASE_SET": "off"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    began = time.perf_counter()
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        while True:
            with suppress(OSError):
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=5).close()
                break
            time.sleep(0.02)
        ask(address)
        seconds = time.perf_counter() - began
        fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        return seconds, (int(fields[11]) + int(fields[12])) / TICKS
    finally:
        server.kill()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--statements", type=int, default=2_000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--browser", action="store_true", help="by a Chromium")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ask: Ask = by_socket
        if given.browser:
            from playwright.sync_api import sync_playwright

            playwright = stack.enter_context(sync_playwright())
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            stack.callback(browser.close)
            ask = by_browser(browser)
        projects = {"empty": Path(folder) / "empty"}
        if given.statements:
            desk = filled(Path(folder) / "filled", given.statements, given.statements // 10)
            judged(desk)
            desk.close()
            projects[f"of {given.statements:,} statements"] = Path(folder) / "filled"
        for name, project in projects.items():
            first_page(ask, project)  # files are warm from here on
            runs = [first_page(ask, project) for _ in range(given.times)]
            seconds, processor = (min(figures) for figures in zip(*runs, strict=True))
            print(
                f"a project that is {name}" if name == "empty" else f"a project {name}",
                f"{seconds:.2f} s by the clock, {processor:.2f} s of the server's processor",
                sep=": ",
                flush=True,
            )


if __name__ == "__main__":
    main()
