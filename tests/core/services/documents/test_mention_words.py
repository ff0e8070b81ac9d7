"""The words of a mention, corrected by hand, and what they teach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk
from core.errors import InputError
from core.model import Document, Outcome, Span, Term
from core.services.documents import marking_row
from core.services.documents.annotated import annotated_document
from core.services.documents.marking_row import correct_span
from core.services.vocabularies import memory
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, NAUSEA

TEXT = "🧪 Aspirin did not relieve nausēa in naïve mice. Being sick to the stomach was rare."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = reviewing.filled(tmp_path / "p")
    desk.store.documents.add(Document("PMID:5", "Signs"))
    desk.store.documents.add_text(text_version("PMID:5", TEXT))
    yield desk
    desk.close()


def spanned(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words))


def test_a_corrected_mention_takes_the_place_of_those_it_overlaps(desk: Desk) -> None:
    """Also where it is the shorter one."""
    text = text_version("PMID:5", TEXT)
    longer = spanned("Aspirin did not relieve nausēa")
    correct_span(desk, "PMID:5", text.sha, longer, term=ASPIRIN, curator=ANNA)
    mention = correct_span(
        desk, "PMID:5", text.sha, spanned("Aspirin"), term=ASPIRIN, curator=ANNA
    ).mention
    assert (mention.text, mention.chosen, mention.chosen_by) == ("Aspirin", ASPIRIN, ANNA.orcid)
    marks = annotated_document(desk, "PMID:5").marks
    by_hand = [mark for mark in marks if mark.origin == "curator"]
    assert [(mark.span, mark.term) for mark in by_hand] == [(spanned("Aspirin"), ASPIRIN)]


def test_words_corrected_without_a_term_do_not_say_that_no_term_fits(desk: Desk) -> None:
    text = text_version("PMID:5", TEXT)
    words = Term("", "naïve mice")
    mention = correct_span(
        desk, "PMID:5", text.sha, spanned("naïve mice"), term=words, curator=ANNA
    ).mention
    assert (mention.outcome, mention.chosen) == (Outcome.UNGROUNDED, None)


@pytest.mark.parametrize("span", [Span(3, 3), Span(0, 10_000), Span(-2, 4)])
def test_a_mention_is_not_corrected_to_no_words(desk: Desk, span: Span) -> None:
    text = text_version("PMID:5", TEXT)
    with pytest.raises(InputError):
        correct_span(desk, "PMID:5", text.sha, span, term=ASPIRIN, curator=ANNA)


def test_words_that_the_project_takes_for_the_term_already_teach_nothing(desk: Desk) -> None:
    text = text_version("PMID:5", TEXT)
    assert not correct_span(
        desk, "PMID:5", text.sha, spanned("Aspirin"), term=ASPIRIN, curator=ANNA
    ).teaches


def test_words_that_are_remembered_mean_the_term_in_the_next_text(desk: Desk) -> None:
    text = text_version("PMID:5", TEXT)
    sick = "sick to the stomach"
    corrected = correct_span(desk, "PMID:5", text.sha, spanned(sick), term=NAUSEA, curator=ANNA)
    assert corrected.teaches and memory.remembered_names(desk) == []  # nothing without being asked
    marking_row.remember_words(desk, sick, NAUSEA, ANNA)
    (name,) = memory.remembered_names(desk)
    assert (name.words, name.id, name.curator) == (sick, NAUSEA.id, ANNA.orcid)
    desk.store.documents.add(Document("PMID:6", "Next"))
    desk.store.documents.add_text(text_version("PMID:6", f"Many were {sick}."))
    assert [mark.term.id for mark in annotated_document(desk, "PMID:6").marks] == [NAUSEA.id]
    assert not correct_span(
        desk, "PMID:5", text.sha, spanned(sick), term=NAUSEA, curator=ANNA
    ).teaches


def corrected_by_command(
    folder: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> dict[str, object]:
    arguments = ["documents", "mention", "PMID:5", "--quote", "sick to the stomach"]
    arguments += ["--term", NAUSEA.id, "--curator", ANNA.orcid, *more]
    assert main(["--project", str(folder), *arguments]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_the_command_line_corrects_and_teaches(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corrected = corrected_by_command(tmp_path / "p", capsys)
    start = TEXT.index("sick to")
    assert (corrected["start"], corrected["end"]) == (start, start + len("sick to the stomach"))
    assert corrected["remembered"] is False
    (mark,) = [
        mark for mark in annotated_document(desk, "PMID:5").marks if mark.origin == "curator"
    ]
    assert (mark.span, mark.term.id) == (spanned("sick to the stomach"), NAUSEA.id)
    assert corrected_by_command(tmp_path / "p", capsys, "--remember")["remembered"] is True
    assert [name.words for name in memory.remembered_names(desk)] == ["sick to the stomach"]
