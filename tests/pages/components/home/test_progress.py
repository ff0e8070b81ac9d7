"""The picture of progress on Home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from core.services.home.project_day import WeekCount
from pages.components.home.progress import ENGINES, picture

WEEK = "2026-11-16"
COUNTS = [
    WeekCount(WEEK, "approved", "Anna", 30),
    WeekCount(WEEK, "decided", "Anna", 40),
    WeekCount(WEEK, "decided", "Bert", 10),
    WeekCount(WEEK, "proposed", "", 200),
    WeekCount("2026-11-09", "proposed", "", 50),
]


def test_every_bar_says_what_it_stands_for_and_is_as_high_as_its_count() -> None:
    bars = dict(re.findall(r'height:([\d.]+)%[^>]*title="([^"]+)"', picture(COUNTS)))
    assert {words: float(height) for height, words in bars.items()} == {
        "week from 2026-11-09: 50 proposed by engines": 25,
        "week from 2026-11-16: 200 proposed by engines": 100,
        "week from 2026-11-16: 40 decided by Anna": 20,
        "week from 2026-11-16: 10 decided by Bert": 5,
        "week from 2026-11-16: 30 approved by Anna": 15,
    }


def test_weeks_stand_in_order_and_people_in_the_key() -> None:
    drawn = picture(COUNTS)
    assert drawn.index("9 Nov") < drawn.index("16 Nov")
    for name in ("Anna", "Bert", ENGINES):
        assert f"</i>{name}</span>" in drawn


def test_a_name_that_is_markup_is_shown_as_words() -> None:
    drawn = picture([WeekCount(WEEK, "decided", '"><img src=x>', 1)])
    assert "<img" not in drawn
    assert "&quot;&gt;&lt;img" in drawn


def test_lines_of_the_scale_are_few_and_reach_what_is_highest() -> None:
    for highest in (1, 3, 7, 49, 50, 51, 999, 123_456):
        lines = re.findall(r"<s>([\d,]+)</s>", picture([WeekCount(WEEK, "proposed", "", highest)]))
        assert 2 <= len(lines) <= 6, highest
        assert int(lines[-1].replace(",", "")) <= highest


def test_home_imports_no_library_that_draws_or_computes_tables(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[4]
    program = (
        "import runpy, sys, contextlib\n"
        "with contextlib.suppress(SystemExit):\n"
        "    runpy.run_path('app.py')\n"
        "heavy = {'pandas', 'altair', 'pyarrow', 'rdflib', 'scipy', 'networkx', 'openai',"
        " 'sklearn', 'pypdf', 'lxml'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    own = os.environ | {"GROUNDWORK_PROJECT": str(tmp_path), "GROUNDWORK_BASE_SET": "off"}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root, env=own, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.strip() == "[]", ran.stderr[-500:]
