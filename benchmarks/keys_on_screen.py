"""From a key on Review to the next statement on screen, with 17, 2,700 and 100,000 that wait.

Run: `python benchmarks/keys_on_screen.py [SIZE …] [--slow 4]`. A real Chromium presses a key every
100 ms and takes the time itself, from the key to the frame on which the next statement stands.
Printed for each size: how many were decided, of them stored; the median, the 95th percentile and
the slowest in milliseconds; how often the next statement was not there yet; and the processor's
time of the server for one decision, with the counts that it draws anew. `review.py` tells what the
services take of it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from day import ANNA, Day, decide  # noqa: E402
from review import SIZES, filled  # noqa: E402
from start import processor  # noqa: E402

from core.model import State  # noqa: E402
from core.services.learning import ranking  # noqa: E402
from tests.browser.conftest import FLAGS, PATIENCE, Server  # noqa: E402

MOST = 300  # decisions at each size
HEAD = "statements  decided  stored  median ms  p95 ms  slowest ms  not there  server ms a decision"


def measured(browser: Browser, folder: Path, size: int, slow: float) -> str:
    desk = filled(folder, size)
    desk.store.project.set("name", "Keys")
    ranking.make_ranking(desk)  # as the app does after an import
    desk.close()
    server = Server(folder)
    server.start()
    try:
        day = Day(browser, server, slow, None)
        page, wanted = day.page_of(ANNA), min(MOST, size - 1)
        day.go(page, "Review")
        before = processor(server.process.pid)  # type: ignore[union-attr]
        meter = decide(page, wanted)
        expect(page.get_by_text("✓ saved")).to_be_visible()
        took = processor(server.process.pid) - before  # type: ignore[union-attr]
        page.context.close()
        stored = size - day.states()[State.PROPOSED]
    finally:
        server.kill()
    painted = sorted(meter["painted"])
    return (
        f"{size:>10,}  {wanted:>7}  {stored:>6}  {painted[wanted // 2]:>9.0f}"
        f"  {painted[wanted * 95 // 100]:>6.0f}  {painted[-1]:>10.0f}  {meter['loading']:>9}"
        f"  {took / wanted * 1e3:>20.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--slow", type=float, default=1)
    args = parser.parse_args()
    expect.set_options(timeout=PATIENCE)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        print(HEAD, flush=True)
        for size in args.sizes or SIZES:
            print(measured(browser, Path(folder) / f"size-{size}", size, args.slow), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
