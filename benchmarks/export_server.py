"""What exports leave in the memory of a running desk: the server makes every format by its job,
as the Export tab has it, one after the other.

python benchmarks/export_server.py [STATEMENTS]     a project of so many (39,000), all approved
python benchmarks/export_server.py PROJECT          a project that is there

Prints the server's memory (RSS) after each format, and the most it ever took (VmHWM), in MB. Linux;
needs Chromium for the one visit that each job is taken up by.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Page, sync_playwright

from benchmarks.gate import STATEMENTS, approved_project
from core.desk import Desk, open_desk
from core.kb.formats.registry import FORMATS
from core.model import Job, JobState
from core.services.releases.export_job import JOB, ExportRequest
from core.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]
BROWSER = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
ENDED = (JobState.DONE, JobState.FAILED, JobState.STOPPED)


@contextmanager
def server(folder: Path) -> Iterator[tuple[int, str]]:
    """A desk on a free port: its process and address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, f"--server.port={port}"],
        cwd=ROOT,
        env={**os.environ, "GROUNDWORK_PROJECT": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with suppress(OSError):
                urllib.request.urlopen(f"{address}/_stcore/health")
                break
            time.sleep(0.5)
        yield process.pid, address
    finally:
        process.terminate()
        process.wait()


def memory(process: int) -> tuple[int, int]:
    """RSS and the most there ever was, in MB."""
    lines = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines()
    )
    return tuple(int(lines[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))


def made(desk: Desk, page: Page, address: str, name: str) -> Job:
    """The job of a format, which waits until the server's page is opened on it."""
    job = Job(uuid.uuid4().hex, JOB, ExportRequest(name).arguments(), created=desk.clock())
    desk.store.jobs.add(job)
    page.goto(f"{address}/Knowledge_graph?tab=Export&export-job={job.id}")
    while (seen := desk.store.jobs.get(job.id)).state not in ENDED:
        time.sleep(0.5)
    return seen


def main(folder: Path) -> None:
    desk = open_desk(load_settings(folder, {}))
    with server(folder) as (process, address), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=BROWSER)
        page = browser.new_page()
        print(f"{'started':12} {memory(process)[0]:5} MB")
        for export_format in FORMATS.values():
            job = made(desk, page, address, export_format.name)
            now, most = memory(process)
            size = (job.result or {}).get("bytes", 0) / 1e6
            words = f"{export_format.name:12} {now:5} MB, {most} at the most"
            print(f"{words}; {job.state}, {size:.1f} MB {job.error}", flush=True)
        browser.close()
    desk.close()


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else str(STATEMENTS)
    if wanted.isdigit():
        with TemporaryDirectory() as made_folder:
            approved_project(Path(made_folder) / "project", int(wanted))
            main(Path(made_folder) / "project")
    else:
        main(Path(wanted))
