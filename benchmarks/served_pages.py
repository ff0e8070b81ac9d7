"""Home, Documents, Review and Knowledge graph of a large project, as the server gives them.

    python benchmarks/served_pages.py [STATEMENTS DOCUMENTS]

`streamlit run app.py` on a project of 100,000 statements in 10,000 documents, or as many as said,
is asked for each page over its web socket, as a browser asks, by a curator who has said who they
are. Printed: the processor's time of the server until the script of the page has run to its end,
the better of three (a busy machine changes it little), and the most memory that the server held.
The goals are 300 ms a page and 300 MB. `pages.py` tells what each step of a page takes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from benchmarks.pages import filled, judged  # noqa: E402
from benchmarks.review import ANNA  # noqa: E402
from benchmarks.start import Server  # noqa: E402
from core.services.learning import ranking  # noqa: E402

PAGES = {"Home": "", "Documents": "Documents", "Review": "Review", "Graph": "Knowledge_graph"}
ROUNDS = 3


def main(statements: int, documents: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = filled(Path(folder) / "project", statements, documents)
        judged(desk)
        ranking.make_ranking(desk)
        desk.close()
        with Server(Path(folder) / "project") as server:
            for page in PAGES.values():
                server.run_page(page, ANNA)
            for name, page in PAGES.items():
                seconds = []
                for _ in range(ROUNDS):
                    before = server.processor()
                    messages = server.run_page(page, ANNA)
                    seconds.append(server.processor() - before)
                print(f"{name:<10} {min(seconds) * 1e3:6.0f} ms, {messages} elements", flush=True)
            print(f"memory     {server.memory():6.0f} MB at most")


if __name__ == "__main__":
    main(*[int(number) for number in sys.argv[1:3]] or [100_000, 10_000])
