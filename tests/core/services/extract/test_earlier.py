"""Earlier extractions in a list, and the reasons why documents of a batch failed."""

from __future__ import annotations

import re
from pathlib import Path

from core.model import Job
from core.services.extract import batch
from core.services.extract import result as extraction
from core.services.extract.earlier import recent_batches, recent_extractions
from core.services.extract.run import keep_text, new_run, start_run
from core.services.extract.run_options import RunOptions
from core.store.unit import JobUnit, UnitState
from tests.core.services.extracting import RULES, TEXT, project


def test_extractions_of_one_text_are_distinguished(tmp_path: Path) -> None:
    desk, _ = project(tmp_path)
    ways = [("builtin", 0), ("spires", 0), ("spires", 1)]
    for engine, calls in ways:
        options = RunOptions(calls=calls, reuse=False)
        job = start_run(desk, "trial", TEXT, source="PMID:7", engine=engine, options=options)
        extraction.wait_for_job(desk, job)
    new_run(desk, keep_text(desk, "trial", TEXT), "spires", curator="", options=options)
    unfinished, cut, whole, builtin = [earlier.label for earlier in recent_extractions(desk, 8)]
    desk.close()
    labels = (unfinished, cut, whole, builtin)
    assert all(re.match(r"20\d\d-.* · Trial · ", label) for label in labels)
    assert "SPIRES · rules · not finished · Aspirin relieves" in unfinished
    assert "SPIRES · rules · 0 mentions, incomplete · PMID:7: Aspirin" in cut
    assert "SPIRES · rules · 6 mentions · PMID:7" in whole
    assert "mentions · PMID:7" in builtin and "rules" not in builtin
    assert len({label[19:] for label in labels}) == 4


def test_a_batch_is_found_again_with_what_is_missing_in_it(tmp_path: Path) -> None:
    desk, _ = project(tmp_path, {TEXT: RULES[TEXT]})  # no answer about any other text
    desk.runner.wait(
        batch.start_batch(desk, "trial", [("PMID:1", TEXT), ("PMID:2", "No.")], engine="spires").id
    )
    desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:1", TEXT)], engine="builtin").id)
    whole, partly = [row.label for row in recent_batches(desk, 5)]
    assert [row.schema for row in recent_batches(desk, 1)] == ["Trial"]
    desk.close()
    assert whole.endswith("· Trial · 1 document · done")
    assert partly.endswith("· 2 documents · done, 2 without a whole result")


def test_reasons_of_a_batch_are_counted_whatever_words_they_are_about(tmp_path: Path) -> None:
    desk, _ = project(tmp_path)
    messages = [
        f"{n} of its questions failed: No answer about “drug {n}”: It was busy." for n in (1, 2)
    ]
    messages += [f"“term {n}” cannot be used." for n in range(3)] + [
        f"Fault {n}." for n in range(9)
    ]
    job = desk.store.jobs.add(Job("j", batch.JOB, {}))
    desk.store.units.add(
        [
            JobUnit("j", n, "x", state=UnitState.FAILED, message=message)
            for n, message in enumerate(messages)
        ]
    )
    rows = batch.unread_reasons(desk, job.id, 3)
    desk.close()
    assert rows[:2] == [("… cannot be used.", 3), ("Some questions failed: It was busy.", 2)]
    assert rows[-1][0].startswith("other reasons") and rows[-1][1] == 8
    assert sum(number for _, number in rows) == len(messages)
