"""A text whose source was not read whole is looked at by a person before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk
from core.documents.ledger import SourcePiece, heading_problems
from core.documents.paper import Paper, PaperSection, with_ledger
from core.errors import InputError
from core.services.documents import text_reading, upload
from core.services.extract import result
from core.services.extract.completeness import gaps_of
from core.services.extract.run import start_run
from core.text.clean import text_version
from tests.core.services.extracting import CURATOR, TEXT, project

LOST = SourcePiece("Nobody reads this sentence, which the reader lost on its way.")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened, _ = project(tmp_path)
    yield opened
    opened.close()


def gappy(text: str = TEXT) -> Paper:
    paper = Paper("PMID:1", "", (PaperSection("", text),))
    return with_ledger(paper, [SourcePiece(text), LOST, LOST])


def sent_of(desk: Desk, **options: bool) -> result.SendResult:
    view = result.wait_for_job(desk, start_run(desk, "trial", TEXT, source="PMID:1"))
    return result.send_to_review(desk, view.run.id, CURATOR, **options)


def test_what_was_read_of_a_source_is_kept_with_its_text(desk: Desk) -> None:
    upload.store_papers(desk, [gappy()])
    (version,) = desk.store.documents.texts("PMID:1")
    reading = text_reading.text_reading(desk, version.sha)
    assert reading is not None and reading.is_blocking
    assert "Nobody reads this" in reading.warnings[0]
    assert dict(text_reading.shares_of(reading.ledger))["missing"] > 0.05


def test_nothing_is_sent_before_somebody_looked(desk: Desk) -> None:
    upload.store_papers(desk, [gappy()])
    with pytest.raises(InputError, match="Nobody reads this"):
        sent_of(desk)
    text_reading.look_at_reading(desk, "PMID:1", CURATOR)
    assert sent_of(desk).new


def test_who_sends_may_say_that_they_looked(desk: Desk) -> None:
    upload.store_papers(desk, [gappy()])
    assert sent_of(desk, looked=True).new
    (version,) = desk.store.documents.texts("PMID:1")
    reading = text_reading.text_reading(desk, version.sha)
    assert reading is not None and (reading.looked_by, reading.is_blocking) == (CURATOR, False)


def test_a_result_of_such_a_text_is_incomplete(desk: Desk) -> None:
    upload.store_papers(desk, [gappy()])
    view = result.wait_for_job(desk, start_run(desk, "trial", TEXT, source="PMID:1"))
    assert any(gap.lost and "Nobody reads this" in gap.says for gap in gaps_of(view))


def test_a_text_that_is_read_again_with_another_gap_is_looked_at_again(desk: Desk) -> None:
    sha = text_version("", TEXT).sha
    first, second = text_reading.reading_of_paper(gappy()), gappy()
    text_reading.keep_readings(desk, [(sha, first)])
    desk.store.text_readings.look_at([sha], CURATOR)
    text_reading.keep_readings(desk, [(sha, text_reading.reading_of_paper(second))])
    assert not desk.store.text_readings.of_texts([sha])[sha].is_blocking
    other = with_ledger(second, [SourcePiece("Quite other words that are lost, too."), LOST, LOST])
    text_reading.keep_readings(desk, [(sha, text_reading.reading_of_paper(other))])
    assert desk.store.text_readings.of_texts([sha])[sha].is_blocking


def test_a_whole_text_needs_nobody(desk: Desk) -> None:
    paper = Paper("PMID:1", "", (PaperSection("", TEXT),))
    upload.store_papers(desk, [with_ledger(paper, [SourcePiece(TEXT)])])
    with pytest.raises(InputError, match="PMID:1"):
        text_reading.look_at_reading(desk, "PMID:1", CURATOR)
    assert sent_of(desk).new


def test_a_heading_of_references_that_takes_a_page_is_told() -> None:
    prose = "The level of tau rose in all mice that were kept in the dark.\n" * 60
    entries = "Roe A, Doe B. Tau in mice and men. Brain 2001;4:5-9.\n" * 60
    (problem,) = heading_problems("References", entries + prose, "PMID:1")
    assert problem.code == "heading-takes-page" and "“References”" in problem.message
    assert not heading_problems("References", entries, "PMID:1")


def test_the_command_line_takes_the_word_of_a_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, _ = project(tmp_path)
    upload.store_papers(opened, [gappy()])
    folder = str(opened.folder)
    opened.close()
    looked = ["--project", folder, "documents", "looked", "PMID:1", "--curator", CURATOR]
    assert main(looked) == 0
    assert "Nobody reads" in json.loads(capsys.readouterr().out)["looked_at"][0]
