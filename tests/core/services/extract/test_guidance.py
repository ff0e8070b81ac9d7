"""What prompts say beside the schema: words of the project, and approved statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError
from core.extraction.guidance import Guidance
from core.model import Curator, Statement, Term, Verdict
from core.schema.definition import EnumDefinition, PermissibleValue, Schema
from core.services.extract import guidance
from core.services.extract import result as extraction
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.services.review import decision
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, RULES, TEXT, project

OTHER = "In this trial aspirin was given for a migraine."


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Desk, RuleModel]]:
    desk, model = project(tmp_path, {OTHER: "triples: none", **RULES})
    yield desk, model
    desk.close()


def read(desk: Desk, text: str, **options: object) -> extraction.ExtractionView:
    options_given = RunOptions(reuse=False, **options)  # type: ignore[arg-type]
    return extraction.wait_for_job(
        desk, start_run(desk, "trial", text, curator=CURATOR, options=options_given)
    )


def approved(desk: Desk) -> str:
    """An approved statement that rests on TEXT; its document."""
    run = read(desk, TEXT).run
    extraction.send_to_review(desk, run.id, CURATOR)
    (record,) = (r for r in desk.store.queue.records() if r.statement.subject.id == "CHEBI:15365")
    judgement = decision.Judgement(Verdict.APPROVE)
    decision.decide(desk, record.id, record.version, judgement, curator=Curator(CURATOR, "Anna"))
    return run.document


def first_prompt(model: RuleModel, text: str) -> str:
    return next(r.messages[0].content for r in model.asked[::-1] if text in r.messages[0].content)


def test_prompt_has_no_note_unless_one_is_set(opened: tuple[Desk, RuleModel]) -> None:
    desk, model = opened
    approved(desk)
    run = read(desk, OTHER).run
    assert "guidance" not in run.settings
    assert "approved" not in first_prompt(model, OTHER)


def test_examples_are_shown_and_kept_in_the_run(opened: tuple[Desk, RuleModel]) -> None:
    desk, model = opened
    document = approved(desk)
    run = read(desk, OTHER, examples=3).run
    (example,) = guidance.guidance_of(run).examples
    assert example.document == document
    assert example.states == "aspirin is substance that treats migraine"
    assert example.line in first_prompt(model, OTHER)


def test_text_that_is_read_is_never_its_own_example(opened: tuple[Desk, RuleModel]) -> None:
    desk, _ = opened
    document = approved(desk)
    assert not guidance.guidance_of(read(desk, TEXT, examples=3).run).examples
    examples = guidance.ApprovedStatements(desk, "trial")
    sha = desk.store.documents.texts(document)[0].sha
    assert examples.nearest(OTHER, "PMID:9", "another", 3)
    assert not examples.nearest(OTHER, "PMID:9", sha, 3)  # the same text under another name
    assert not examples.nearest(f"{TEXT.upper()} A line more.", "PMID:9", "another", 3)
    assert not examples.nearest(TEXT, document, "another", 3)


def test_text_that_shares_no_word_gets_no_example(opened: tuple[Desk, RuleModel]) -> None:
    desk, _ = opened
    approved(desk)
    assert guidance.examples_for(desk, "trial", "Zinc oxide sunscreen", source="", count=3) == []


def test_words_of_a_schema_have_versions_and_stand_in_every_prompt(
    opened: tuple[Desk, RuleModel],
) -> None:
    desk, model = opened
    guidance.set_note(desk, "trial", "Doses are no drugs.")
    run = read(desk, TEXT).run
    assert all("Doses are no drugs." in request.messages[0].content for request in model.asked)
    assert guidance.set_note(desk, "trial", "Name drugs by their INN.").version == 2
    assert guidance.guidance_of(desk.store.runs.get(run.id)).version == 1
    assert [note_version.version for note_version in guidance.note_versions(desk, "trial")] == [
        1,
        2,
    ]
    assert "INN" in guidance.preview_prompt(desk, "trial", "Name drugs by their INN.")


def test_saving_an_unchanged_note_makes_no_new_version(opened: tuple[Desk, RuleModel]) -> None:
    desk, _ = opened
    for _ in range(2):
        assert guidance.set_note(desk, "trial", " Doses are no drugs.\n").version == 1
    assert guidance.set_note(desk, "trial", "").version == 2


def test_too_many_words_are_refused(opened: tuple[Desk, RuleModel]) -> None:
    with pytest.raises(InputError, match="longer than"):
        guidance.set_note(opened[0], "trial", "x" * 5000)


def test_empty_guidance_adds_nothing_to_the_prompt() -> None:
    assert Guidance().first == Guidance().everywhere == ""
    assert replace(Guidance(), note="Short.").first == "Please note:\nShort.\n\n"


def test_relation_is_called_what_the_schema_calls_it() -> None:
    treats = PermissibleValue("TREATS", meaning="biolink:treats")
    schema = Schema("s", "", "", "", enums={"Verb": EnumDefinition("Verb", (treats,))})
    statement = Statement(Term("A:1", "aspirin"), Term("biolink:treats", "x"), Term("B:1", "pain"))
    words = guidance.statement_in_words(
        replace(statement, negated=True), guidance.relation_names(schema)
    )
    assert words == "aspirin NOT TREATS pain"
