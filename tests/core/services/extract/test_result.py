"""A text becomes a job, a run, a view with choices, and statements in the queue."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib
import yaml

from core.desk import Desk
from core.errors import GroundworkError, InputError, NotFound, RateLimited, SettingsError
from core.model import CallState, JobState, MatchKind, Outcome, State, Verdict
from core.services.extract import batch, difference, draft, mention_choice, pasting
from core.services.extract import result as extraction
from core.services.extract.budget import estimate_preview, preview_many
from core.services.extract.engines import resolve_engine
from core.services.extract.result import ExtractionView
from core.services.extract.run import extract_and_keep, start_run
from core.services.extract.run_options import RunOptions
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, FIRST, RULES, TEXT, project


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Desk, RuleModel]]:
    desk, model = project(tmp_path)
    yield desk, model
    desk.close()


@pytest.fixture
def desk(opened: tuple[Desk, RuleModel]) -> Desk:
    return opened[0]


def run(desk: Desk, text: str = TEXT, **options: object) -> ExtractionView:
    return extraction.wait_for_job(desk, start_run(desk, "trial", text, source="PMID:1", **options))  # type: ignore[arg-type]


def test_a_run_is_kept_with_everything_to_repeat_it(desk: Desk) -> None:
    view = run(desk)
    assert (view.run.engine, view.run.schema, view.document.id) == ("spires", "trial", "PMID:1")
    assert "TextWithTriples" in view.run.schema_text
    assert set(view.run.vocabularies) >= {"chebi", "mondo"}
    assert [call.path for call in view.calls if call.state is CallState.DONE] == [
        "",
        "triples[0]",
        "triples[1]",
    ]


def test_statements_follow_from_the_tree(desk: Desk) -> None:
    first, second = [statement for statement, _ in run(desk).statements]
    assert (first.subject.id, first.object.id, first.negated) == (
        "CHEBI:15365",
        "MONDO:0005277",
        False,
    )
    assert (second.subject.id, second.object.id, second.negated) == ("CHEBI:5855", "", True)


LISTED = "\n\nReferences\n1. Roe J. Aspirin and gout. Ear 2001;4:5.\n2. Doe K. Tau. Ear 2003;1:2.\n"


def test_the_references_at_the_end_of_a_text_are_kept_and_not_read(
    opened: tuple[Desk, RuleModel],
) -> None:
    desk, model = opened
    read = run(desk, TEXT + LISTED)
    (item,) = batch.batch_items(
        desk, desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:2", TEXT + LISTED)]).id)
    )
    assert read.text.text.endswith("Ear 2003;1:2.\n")
    assert [p.code for p in read.extraction.problems] == ["references-apart"]
    assert item.message == "6 mentions, 2 statements"
    assert not any("gout" in str(request) for request in model.asked)


def test_a_schema_that_changes_later_leaves_the_run_as_it_was(desk: Desk) -> None:
    view = run(desk)
    (desk.folder / "schemas" / "trial.yaml").write_text("nothing", "utf-8")
    assert extraction.result_of_run(desk, view.run.id).statements == view.statements


def test_a_typed_id_is_proven_and_remembered(desk: Desk) -> None:
    view = run(desk)
    slot = "triples[1].object"
    extraction.choose_term(desk, view.run.id, slot, CURATOR, term_id="MONDO:0005277")
    mention = next(
        m for m in extraction.result_of_run(desk, view.run.id).extraction.mentions if m.slot == slot
    )
    assert (mention.chosen and mention.chosen.label, mention.chosen_by) == ("migraine", CURATOR)
    again = next(m for m in run(desk).extraction.mentions if m.slot == slot)
    assert (again.outcome, again.candidates[0].match) == (Outcome.GROUNDED, MatchKind.PROJECT)


def test_a_choice_for_this_text_only_is_not_remembered(desk: Desk) -> None:
    view = run(desk)
    slot = "triples[1].object"
    extraction.choose_term(
        desk, view.run.id, slot, CURATOR, term_id="MONDO:0005277", remember=False
    )
    mentions = extraction.result_of_run(desk, view.run.id).extraction.mentions
    assert next(m for m in mentions if m.slot == slot).chosen_by == CURATOR
    assert desk.store.synonyms.all() == []


def test_terms_refused_by_no_term_fits_are_not_chosen_again(desk: Desk) -> None:
    view = run(desk)
    slot = "triples[0].object"
    engine = next(m for m in view.extraction.mentions if m.slot == slot)
    assert engine.chosen
    extraction.choose_term(
        desk, view.run.id, slot, CURATOR, outcome=Outcome.NO_TERM_FITS, remember=False
    )
    assert next(m for m in run(desk).extraction.mentions if m.slot == slot).chosen == engine.chosen
    extraction.choose_term(
        desk, view.run.id, slot, CURATOR, term_id=engine.chosen.id, remember=False
    )
    extraction.choose_term(desk, view.run.id, slot, CURATOR, outcome=Outcome.NO_TERM_FITS)
    again = next((m for m in run(desk).extraction.mentions if m.slot == slot), None)
    assert again is None or again.chosen is None
    mention_choice.take_back_choice(desk, view.run.id, slot)
    assert not desk.store.link_rules.all()
    assert next(m for m in run(desk).extraction.mentions if m.slot == slot).chosen == engine.chosen


@pytest.mark.parametrize("typed", ["", "nonsense", "MONDO:9999999", "CHEBI:15365"])
def test_an_id_that_cannot_stand_there_is_refused(desk: Desk, typed: str) -> None:
    view = run(desk)
    with pytest.raises(InputError):
        extraction.choose_term(desk, view.run.id, "triples[1].object", CURATOR, term_id=typed)


def test_chosen_term_can_apply_to_all_equal_mentions(desk: Desk) -> None:
    rules = {"sore": "triples: a; b", "a": REL.format("aspirin"), "b": REL.format("ibuprofen")}
    desk._parts["completer"] = RuleModel(rules)
    view = run(desk, "Aspirin and ibuprofen treat sore heads.")
    choice = extraction.choose_term(
        desk, view.run.id, "triples[0].object", CURATOR, term_id="MONDO:0005277", everywhere=True
    )
    assert choice.slots == ("triples[0].object", "triples[1].object")


REL = "subject: {}\npredicate: TREATS\nobject: sore heads"


def test_sending_holds_back_ungrounded_statements_by_name(desk: Desk) -> None:
    view = run(desk)
    sent = extraction.send_to_review(desk, view.run.id, CURATOR)
    assert (len(sent.new), len(sent.held_back)) == (1, 1)
    assert "sore heads" in sent.held_back[0][1]
    assert (
        len(extraction.send_to_review(desk, view.run.id, CURATOR, include_ungrounded=True).new) == 1
    )


def test_statement_marked_as_without_a_term_can_be_sent(desk: Desk) -> None:
    view = run(desk)
    extraction.choose_term(
        desk, view.run.id, "triples[1].object", CURATOR, outcome=Outcome.NO_TERM_FITS
    )
    assert extraction.send_to_review(desk, view.run.id, CURATOR).held_back == ()


def test_sending_twice_adds_nothing(desk: Desk) -> None:
    view = run(desk)
    extraction.send_to_review(desk, view.run.id, CURATOR)
    again = extraction.send_to_review(desk, view.run.id, CURATOR)
    assert (again.new, len(again.already_known)) == ((), 1)


def test_a_second_run_asks_nothing_again(opened: tuple[Desk, RuleModel]) -> None:
    desk, model = opened
    run(desk)
    view = run(desk)
    assert len(model.asked) == 3
    assert draft.run_usage(view)["reused"] == 3


def test_a_failed_first_call_is_a_failed_job_with_its_reason(desk: Desk) -> None:
    desk._parts["completer"] = RuleModel({TEXT: RateLimited("The endpoint asks to wait.")})
    job = start_run(desk, "trial", TEXT, source="PMID:1")
    with pytest.raises(GroundworkError, match="asks to wait"):
        extraction.wait_for_job(desk, job)
    assert desk.store.jobs.get(job.id).state is JobState.FAILED


def test_a_resumed_job_asks_only_what_was_not_answered(opened: tuple[Desk, RuleModel]) -> None:
    desk, model = opened
    model.rules = {**RULES, "ibuprofen NOT": RateLimited("Wait.")}
    view = run(desk, options=RunOptions(reuse=False))
    assert view.failed
    model.rules = RULES
    extract_and_keep(desk, view.run)
    assert not extraction.result_of_run(desk, view.run.id).failed
    assert len(model.asked) == 4


def test_a_run_replays_without_a_model(desk: Desk) -> None:
    view = run(desk)
    desk._parts["completer"] = RuleModel({})
    again = run(desk, options=RunOptions(replay=view.run.id))
    assert again.statements[0][0].id == view.statements[0][0].id


def test_without_a_model_the_built_in_engine_is_meant(tmp_path: Path) -> None:
    desk, _ = project(tmp_path, None)
    assert resolve_engine(desk, "auto") == "builtin"
    view = run(desk)
    assert {m.chosen.id for m in view.extraction.mentions if m.chosen} >= {
        "CHEBI:15365",
        "MONDO:0005277",
    }
    with pytest.raises(SettingsError, match="GROUNDWORK_MODEL"):
        run(desk, engine="spires")
    desk.close()


@pytest.mark.parametrize(
    ("text", "cls"), [("", ""), ("a\x00b", ""), ("fine", "Nothing"), (b"\x89PNG\x00\x01", "")]
)
def test_run_on_unreadable_text_or_unknown_class_is_refused(
    desk: Desk, text: str | bytes, cls: str
) -> None:
    with pytest.raises(InputError):
        start_run(desk, "trial", text, cls=cls)


def test_a_budget_is_shown_before_the_start(desk: Desk) -> None:
    budget = estimate_preview(desk, "trial", TEXT)
    assert budget.engine == "spires"
    assert 1 == budget.least <= budget.calls < budget.most  # it may state nothing
    assert budget.tokens_least < budget.tokens < budget.tokens_most


def test_a_budget_of_many_texts_is_their_sum(desk: Desk) -> None:
    single = estimate_preview(desk, "trial", TEXT)
    many = preview_many(desk, "trial", [TEXT, TEXT, b"\x89PNG\x00\x01"])
    assert many.calls == round(2 * single.mean_calls)  # the mean, not what is most likely of one
    assert many.tokens == 2 * (single.mean_in + single.mean_out)
    assert 2 * single.least <= many.least < many.most <= 2 * single.most


def test_a_budget_says_when_the_limit_may_end_the_run(desk: Desk) -> None:
    assert estimate_preview(desk, "trial", TEXT, options=RunOptions(calls=2)).limited
    assert not estimate_preview(desk, "trial", TEXT).limited


# ------------------------------------------------------------------ without an endpoint


def test_answers_may_be_pasted(desk: Desk) -> None:
    pasted = pasting.begin_pasting(desk, "trial", TEXT, source="PMID:1")
    ((root,),) = [pasted.waiting]
    assert TEXT in root.prompt
    pasted = pasting.paste_answer(desk, pasted.run, "", FIRST)
    assert [waiting_question.path for waiting_question in pasted.waiting] == [
        "triples[0]",
        "triples[1]",
    ]
    for path, words in (("triples[0]", "aspirin TREATS migraine"), ("triples[1]", "ibuprofen NOT")):
        pasted = pasting.paste_answer(desk, pasted.run, path, str(RULES[words]))
    assert pasted.done
    view = extraction.result_of_run(desk, pasted.run)
    assert len(view.statements) == 2
    assert not view.failed
    assert len(view.calls) == 3


def test_pasted_answer_can_be_undone_and_replaced(desk: Desk) -> None:
    pasted = pasting.begin_pasting(desk, "trial", TEXT, source="PMID:1")
    pasting.paste_answer(desk, pasted.run, "", "triples: N/A")
    assert not extraction.result_of_run(desk, pasted.run).statements
    asked, words = pasting.take_back_answer(desk, pasted.run)
    assert (asked.path, words) == ("", "triples: N/A")
    with pytest.raises(NotFound):
        extraction.result_of_run(desk, pasted.run)
    pasted = pasting.paste_answer(desk, pasted.run, "", FIRST)
    assert len(pasted.waiting) == 2
    assert [str(call.state) for call in desk.store.calls.of_run(pasted.run)] == ["failed", "done"]


def test_undo_of_a_pasted_answer_keeps_the_earlier_answers(desk: Desk) -> None:
    run = pasting.begin_pasting(desk, "trial", TEXT, source="PMID:1").run
    with pytest.raises(InputError, match="been pasted"):
        pasting.take_back_answer(desk, run)
    pasting.paste_answer(desk, run, "", FIRST)
    pasting.paste_answer(desk, run, "triples[0]", str(RULES["aspirin TREATS migraine"]))
    pasting.take_back_answer(desk, run)
    pasted = pasting.pasting_state(desk, run)
    assert [waiting_question.path for waiting_question in pasted.waiting] == [
        "triples[0]",
        "triples[1]",
    ]
    assert pasted.answered == 1


def test_an_empty_or_unasked_answer_is_refused(desk: Desk) -> None:
    pasted = pasting.begin_pasting(desk, "trial", TEXT, source="PMID:1")
    with pytest.raises(InputError):
        pasting.paste_answer(desk, pasted.run, "", "  ")
    with pytest.raises(NotFound):
        pasting.paste_answer(desk, pasted.run, "elsewhere", "words")


# ------------------------------------------------------------------ several documents


def test_one_document_that_fails_does_not_end_the_others(desk: Desk) -> None:
    desk._parts["completer"] = RuleModel({**RULES, "bad": RateLimited("Wait.")})
    job = batch.start_batch(
        desk, "trial", [("PMID:1", TEXT), ("PMID:2", "bad text"), ("PMID:3", "")]
    )
    ended = desk.runner.wait(job.id)
    assert [str(item.state) for item in batch.batch_items(desk, ended)] == [
        "done",
        "failed",
        "refused",
    ]


def test_a_batch_says_how_many_mentions_and_statements_a_document_gave(desk: Desk) -> None:
    job = batch.start_batch(desk, "trial", [("PMID:1", TEXT)])
    (item,) = batch.batch_items(desk, desk.runner.wait(job.id))
    read = extraction.result_of_run(desk, item.run)
    mentions, statements = len(read.extraction.mentions), len(read.statements)
    assert (mentions, statements) == (6, 2)
    assert item.message == "6 mentions, 2 statements"


def test_a_resumed_batch_reads_only_what_is_missing(opened: tuple[Desk, RuleModel]) -> None:
    desk, model = opened
    model.rules = {**RULES, "bad": RateLimited("Wait.")}
    job = batch.start_batch(desk, "trial", [("PMID:1", TEXT), ("PMID:2", "bad text")])
    desk.runner.wait(job.id)
    asked = len(model.asked)
    model.rules = {"bad": "triples: N/A"}
    ended = desk.runner.wait(batch.retry_batch(desk, job.id).id)
    assert [str(item.state) for item in batch.batch_items(desk, ended)] == ["done", "done"]
    assert len(model.asked) == asked + 1


# ------------------------------------------------------------------ beside what was before


def test_a_later_run_shows_what_is_new_gone_and_changed(desk: Desk) -> None:
    before = run(desk)
    extraction.send_to_review(desk, before.run.id, CURATOR, include_ungrounded=True)
    desk._parts["completer"] = RuleModel(
        {**RULES, TEXT: "triples: ibuprofen NOT TREATS sore heads"}
    )
    after = run(desk, options=RunOptions(reuse=False))
    extraction.choose_term(
        desk, after.run.id, "triples[0].object", CURATOR, term_id="MONDO:0005277"
    )
    compared = difference.compare_with_queue(desk, after.run.id)
    assert [s.subject.label for s in compared.gone] == ["aspirin"]
    ((old, new),) = compared.changed
    assert (old.object.label, new.object.label) == ("sore heads", "migraine")  # type: ignore[union-attr]


def test_a_decision_stands_whatever_a_run_says(desk: Desk) -> None:
    from core.model import Curator
    from core.services.review import decision
    from core.services.review.decision import Judgement

    view = run(desk)
    (new,) = extraction.send_to_review(desk, view.run.id, CURATOR).new
    version = desk.store.statements.get(new).version
    decision.decide(desk, new, version, Judgement(Verdict.APPROVE), curator=Curator(CURATOR))
    extraction.send_to_review(desk, run(desk, options=RunOptions(reuse=False)).run.id, CURATOR)
    assert desk.store.statements.get(new).state is State.APPROVED


# ------------------------------------------------------------------ drafts


def test_every_format_is_a_valid_file_of_its_kind(desk: Desk) -> None:
    view = run(desk)
    drafts = {name: draft.export_run(desk, view.run.id, name) for name in draft.FORMATS}
    assert all("ndecided" in text for text in drafts.values())
    whole = json.loads(drafts["json"])
    assert yaml.safe_load(drafts["yaml"]) == whole
    assert [json.loads(line)["id"] for line in drafts["jsonl"].splitlines()] == [
        s["id"] for s in whole["statements"]
    ]
    assert len(list(csv.reader(io.StringIO(drafts["csv"])))) == 3
    assert len(rdflib.Graph().parse(data=drafts["ttl"], format="turtle")) > 10
    assert "<script" not in drafts["html"]


def test_the_object_is_nested_and_names_ids(desk: Desk) -> None:
    whole = json.loads(draft.export_run(desk, run(desk).run.id))
    assert whole["object"]["triples"][0]["subject"] == {"id": "CHEBI:15365", "label": "aspirin"}
    assert whole["object"]["triples"][1]["object"] == {"id": None, "label": "sore heads"}
    assert {"text", "start", "end", "slot", "id", "label", "match", "score", "candidates"} <= set(
        whole["mentions"][0]
    )


def test_hostile_words_stay_words_in_every_draft(desk: Desk) -> None:
    words = "<script>alert(1)</script>"
    nested = f"subject: =1+1\npredicate: TREATS\nobject: {words}"
    desk._parts["completer"] = RuleModel({"hurts": "triples: x y z", "x y z": nested})
    view = run(desk, "It hurts.")
    assert words not in draft.export_run(desk, view.run.id, "html")
    assert words not in draft.export_run(desk, view.run.id, "md")
    assert ",'=1+1," in draft.export_run(desk, view.run.id, "csv")


def test_an_unknown_format_is_refused(desk: Desk) -> None:
    view = run(desk)
    with pytest.raises(InputError):
        draft.render_run(desk, replace(view), "docx")


# ------------------------------------------------------------------ a process that dies

KILLED = """
import sys, threading
from pathlib import Path
from core.services.extract.run import start_run
from tests.core.services.extracting import TEXT, project

desk, model = project(Path(sys.argv[1]))
waiting = threading.Event()

def wait():
    if len(model.asked) > 1:
        print(job.id, flush=True)
        waiting.wait()

model.wait = wait
job = start_run(desk, "trial", TEXT, source="PMID:1")
desk.runner.wait(job.id)
"""


def test_a_killed_process_loses_no_finished_call(tmp_path: Path) -> None:
    home = Path(__file__).resolve().parents[4]
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=home) as process:
        assert process.stdout is not None
        job_id = process.stdout.readline().strip()[:32]  # both calls may say it
        process.kill()
    desk, model = project(tmp_path)
    run_id = desk.store.jobs.get(job_id).arguments["run"]
    extract_and_keep(desk, desk.store.runs.get(run_id))
    assert sorted(request.path for request in model.asked) == ["triples[0]", "triples[1]"]
    assert len(extraction.result_of_run(desk, run_id).statements) == 2
    desk.close()
