"""The Literature page in its conditions: empty, filled, no endpoint, hostile labels; and what its
buttons do.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.desk import Desk, open_desk
from core.literature.query.keyword import LiteratureQuery
from core.model import (
    Category,
    Curator,
    Evidence,
    JobState,
    ReferenceGround,
    Statement,
    Term,
)
from core.services.literature import answer, namespaces, searching, triage
from core.settings import load_settings
from tests.endpoint import wait_for

PAGE = Path(__file__).resolve().parents[2] / "pages" / "6_Literature.py"
ANNA = Curator("0000-0002-1825-0097", "Anna")
STATEMENT = Statement(
    Term("X:1", "kinase Q", Category.GENE),
    Term("x:phos", "phosphorylates"),
    Term("X:2", "tau", Category.GENE),
)
PAPERS = (
    (
        "PMID:1",
        "Tau is phosphorylated by kinase Q",
        "The kinase Q phosphorylates tau in neurons. Mice lacking it are well.",
    ),
    (
        "PMID:2",
        "A survey of kinases",
        "Many kinases are known. None of them was seen near tau in this survey.",
    ),
    ("PMID:3", "Bread", "Bread is baked from flour, water and salt."),
)


def filled(project: Path, papers=PAPERS):
    desk = open_desk(load_settings(project))
    rows = project.parent / "rows.jsonl"
    rows.write_text(
        "\n".join(json.dumps({"id": i, "title": t, "text": x}) for i, t, x in papers), "utf-8"
    )
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [rows])
    return desk


def opened(**address: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=30)
    at.session_state["_curator"] = ANNA
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


def ended(desk: Desk, job_id: str) -> None:
    """Wait for work that the page began: its own runner does it, of which this desk's knows only
    what is stored.
    """
    wait_for(lambda: desk.runner.job(job_id).state is JobState.DONE, 60)


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def listed(at: AppTest) -> dict:
    """What the list to judge was given; the browser tests press its keys."""
    (list_view,) = at.get("bidi_component")
    return json.loads(list_view.proto.json)


def said(at: AppTest) -> str:
    return "\n".join(
        element.value for kind in (at.text, at.caption, at.markdown, at.code) for element in kind
    )


def test_an_empty_project_says_what_to_do():
    assert "No literature yet" in said(opened())


def test_a_question_shows_its_best_chunk_with_the_hits_marked(project):
    filled(project)
    first = listed(opened(ns="tau", q="Which kinase phosphorylates tau?"))["rows"][0]
    assert (first["title"], first["document"]) == ("Tau is phosphorylated by kinase Q", "PMID:1")
    marked = re.compile(r'gw-mark [^>]* title="(\w+)"')
    assert marked.findall(first["head"]) == ["tau", "phosphorylates", "kinase"]
    assert marked.findall(first["html"]) == ["kinase", "phosphorylates", "tau"]
    assert first["counts"][0] == ["kinase", 2, "chemical"]
    assert "Tau is" not in first["html"] and "Mice lacking it" in first["html"]


def test_an_address_may_name_its_namespace_in_words_or_leave_out_the_only_one(project):
    filled(project)
    for address in ({"namespace": "other, tau"}, {}):
        assert listed(opened(q="Which kinase phosphorylates tau?", **address))["rows"]


def test_verdicts_stand_in_the_list_and_count_for_precision(project):
    desk = filled(project)
    triage.judge_paper(desk, "tau", "PMID:1", "include")
    at = opened(ns="tau", q="Which kinase phosphorylates tau?")
    assert listed(at)["verdicts"] == {"PMID:1": "include"}
    assert "1 of 2 judged · Precision@10 of 1 judged: 1.00" in listed(at)["precision"]
    assert "1 paper judged in tau" in said(at)


def test_without_a_curator_the_keys_are_off(project):
    filled(project)
    at = opened(ns="tau", q="tau kinase")
    assert not listed(at)["off"]
    del at.session_state["_curator"]
    assert listed(at.run())["off"] and "carry a name" in said(at)


def test_without_a_model_the_answer_is_extractive_and_proven(project):
    filled(project)
    at = press(opened(ns="tau", q="Which kinase phosphorylates tau?"), "do·Answer")
    assert "kinase Q phosphorylates tau in neurons" in said(at)
    assert "✓ exact" in html(at) and "No model was" in said(at)


def test_a_cut_answer_says_so_before_its_words(project, monkeypatch):
    desk = filled(project)
    question = "Which kinase phosphorylates tau?"
    results = searching.search_namespaces(desk, ["tau"], LiteratureQuery(question)).results
    run = answer.begin_answer(desk, question, [result.chunk for result in results])
    whole = answer.answer_run(desk, run)
    part = replace(whole.answers[0], cut=True)
    monkeypatch.setattr(answer, "kept_answer", lambda desk, run: replace(whole, answers=(part,)))
    at = opened(ns="tau", q="Which kinase phosphorylates tau?", answer=run)
    assert "end is missing" in at.warning[0].value


def test_a_mode_that_needs_an_endpoint_says_so(project):
    filled(project)
    assert "no embedding model" in said(opened(ns="tau", q="tau kinase", mode="pes1"))


def test_embedding_says_which_model_and_host_get_the_passages(project, monkeypatch):
    filled(project)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9/v1")
    monkeypatch.setenv("GROUNDWORK_EMBEDDING_MODEL", "embed-small")
    page_words = said(opened(view="Namespaces"))
    assert "embed\\-small at localhost" in page_words


def test_query_of_stop_words_is_reported(project):
    filled(project)
    assert "only stop words" in said(opened(ns="tau", q="what is it of the"))


def test_a_namespace_that_is_gone_asks_for_another(project):
    desk = filled(project)
    namespaces.delete_namespace(desk, "tau")
    assert "No literature yet" in said(opened(ns="tau", q="tau"))


def test_hostile_text_is_shown_as_text(project):
    bad = "<script>alert(1)</script> ![x](http://evil.example/a.png) tau"
    filled(project, (("PMID:9", bad, bad), *PAPERS))
    at = opened(ns="tau", q="tau script alert")
    assert "<script>alert" not in html(at) + "".join(
        row["head"] + row["html"] for row in listed(at)["rows"]
    )
    assert not any("evil.example" in markdown.value for markdown in at.markdown)


def test_evidence_for_a_statement_is_found_and_added(project):
    desk = filled(project)
    desk.store.statements.propose(
        [(STATEMENT, [Evidence(STATEMENT.id, ReferenceGround("PMID:7"))])], "", ANNA.orcid
    )
    at = opened(statement=STATEMENT.id)
    assert "in one sentence" in said(at)
    press(at, "add·0")
    assert len(desk.store.statements.get(STATEMENT.id).evidence) == 2


def test_words_of_the_chunk_in_view_become_evidence_of_a_chosen_statement(project):
    desk = filled(project)
    desk.store.statements.propose(
        [(STATEMENT, [Evidence(STATEMENT.id, ReferenceGround("PMID:7"))])], "", ANNA.orcid
    )
    at = opened(ns="tau", q="Which kinase phosphorylates tau?")
    at.toggle(key="as-evidence").set_value(True).run()
    at.selectbox(key="evidence-statement").set_value(STATEMENT.id).run()
    chunk = listed(at)["rows"][0]["id"]
    words = at.text_area(key=f"evidence-words·{STATEMENT.id}·{chunk}")
    assert words.value == "Tau is phosphorylated by kinase Q"
    press(at, f"do·Evidence·{chunk}")
    ground = desk.store.statements.get(STATEMENT.id).evidence[-1].ground
    assert (
        ground.span.quote(desk.store.documents.text(ground.version, "PMID:1").text)
        == ground.quote
        == words.value
    )


def test_words_that_are_not_in_the_chunk_are_no_evidence(project):
    desk = filled(project)
    desk.store.statements.propose(
        [(STATEMENT, [Evidence(STATEMENT.id, ReferenceGround("PMID:7"))])], "", ANNA.orcid
    )
    at = opened(ns="tau", q="Which kinase phosphorylates tau?")
    at.toggle(key="as-evidence").set_value(True).run()
    at.selectbox(key="evidence-statement").set_value(STATEMENT.id).run()
    chunk = listed(at)["rows"][0]["id"]
    at.text_area(key=f"evidence-words·{STATEMENT.id}·{chunk}").set_value("Tau is blue.").run()
    press(at, f"do·Evidence·{chunk}")
    assert any("copy them from" in error.value for error in at.error)
    assert len(desk.store.statements.get(STATEMENT.id).evidence) == 1


def test_recommendations_come_with_a_citation(project):
    filled(project)
    at = opened(view="Recommend")
    at.text_area(key="paragraph").set_value("We study how a kinase changes tau in neurons.").run()
    assert not at.exception
    assert "Tau is phosphorylated by kinase Q" in said(at)


def test_recommendations_for_each_sentence_are_a_table(project):
    filled(project)
    at = opened(view="Recommend")
    words = "A kinase phosphorylates tau in neurons. Bread is baked from flour."
    at.text_area(key="paragraph").set_value(words).run()
    at.toggle(key="recommend-by-sentence").set_value(True).run()
    assert not at.exception
    table = at.dataframe[0].value
    best = table.groupby("part", sort=False).first()["document"].tolist()
    assert best == ["PMID:1", "PMID:3"]
    assert table["held"].between(0, 1).all()
    assert table["link"][0] == "https://pubmed.ncbi.nlm.nih.gov/1/"


def test_chosen_recommendations_are_summarised_with_citations(project):
    desk = filled(project)
    at = opened(view="Recommend")
    at.text_area(key="paragraph").set_value("We study how a kinase changes tau in neurons.").run()
    press(at, "do·Summarise")
    ended(desk, at.query_params["summary_job"])
    at.run()
    assert "✓ exact" in html(at) and "No model was" in said(at)


def test_a_retracted_paper_is_struck_through(project):
    from dataclasses import replace

    desk = filled(project)
    member = next(
        member for member in desk.store.namespaces.members("tau") if member.document.id == "PMID:1"
    )
    desk.store.namespaces.add_members(
        "tau", [replace(member, body=member.body | {"flags": ["retracted"]})]
    )
    first = listed(opened(ns="tau", q="Which kinase phosphorylates tau?"))["rows"][0]
    assert first["withdrawn"] and first["flags"] == ["retracted"]


def test_a_namespace_deleted_while_its_results_are_judged_is_reported(project):
    desk = filled(project)
    at = opened(ns="tau", q="tau kinase")
    namespaces.delete_namespace(desk, "tau")
    assert "No literature yet" in said(press(at, "do·Answer"))


def test_an_upload_shows_what_became_of_each_file(project):
    from core.services.literature import upload

    desk = filled(project)
    files = [
        ("a.jsonl", b'{"id": "PMID:8", "title": "T", "text": "Words."}'),
        ("b.pdf", b"%PDF-1.4 broken"),
    ]
    job = upload.start_upload(desk, "tau", files)
    desk.runner.wait(job.id, 30)
    page_words = said(opened(view="Namespaces", **{"add-tau": job.id}))
    assert (
        "✓ a.jsonl: 1 paper read: 1 new" in page_words
        and "⛔ b.pdf: b.pdf is damaged" in page_words
    )
    desk.close()


def test_adding_nothing_or_odd_pages_is_reported(project):
    filled(project)
    at = press(opened(view="Namespaces"), "add·tau")
    assert "Choose 1 to" in "".join(
        element.value for element in (*at.error, *at.text, *at.markdown)
    )


def test_extractions_of_chunks_are_linked_with_their_run(project):
    filled(project)
    at = AppTest.from_file(PAGE.parents[1] / "app.py", default_timeout=30)
    at.session_state["_curator"] = ANNA
    at.switch_page("pages/6_Literature.py")
    at.query_params["ns"], at.query_params["q"] = "tau", "tau kinase"
    at.run()
    press(at, "do·Extract")
    addresses = {
        page_link.proto.label: page_link.proto.query_string
        for page_link in at.get("page_link")
        if "extraction" in page_link.proto.label
    }
    assert len(addresses) == 2 and all(
        "run=" in address and "job=" in address for address in addresses.values()
    )


def test_a_question_that_is_too_long_is_cut_and_reported(project):
    filled(project)
    at = opened()
    at.text_input(key="q·").set_value("tau kinase " * 10_000)

    next(button for button in at.button if button.label == "Search").click().run()
    assert not at.exception
    assert any("its first 2,000 are asked" in warning.value for warning in at.warning)
    assert listed(at)["rows"][0]["document"] == "PMID:1"


def test_a_long_list_is_read_onwards_page_by_page_and_a_new_option_begins_at_the_first(project):
    filled(
        project,
        [(f"PMID:{n}", f"Kinase {n}", "The kinase phosphorylates tau.") for n in range(1, 251)],
    )
    at = opened(ns="tau", q="tau kinase")
    assert "Passages 1–100 of 250, best first" in said(at)
    at = press(press(at, "page·Next"), "page·Next")
    assert (listed(at)["skipped"], listed(at)["total"], len(listed(at)["rows"])) == (200, 250, 50)
    assert at.button(key="page·Next").disabled and at.query_params["page"] == "3"
    at.toggle(key="option·case·False").set_value(True).run()
    assert listed(at)["skipped"] == 0 and "page" not in at.query_params


def test_an_address_beyond_the_last_page_shows_the_last_one(project):
    filled(
        project,
        [(f"PMID:{n}", f"Kinase {n}", "The kinase phosphorylates tau.") for n in range(1, 151)],
    )
    assert listed(opened(ns="tau", q="tau kinase", page="999999"))["skipped"] == 100


def test_keywords_fixed_by_syntax_stay_fixed_when_other_chips_change(project):
    filled(project)
    at = opened(ns="tau", q="#**tau** *kinase* *neurons*")
    chips = next(box for box in at.multiselect if box.label == "Keywords")
    chips.set_value(["tau", "kinase"]).run()
    assert at.query_params["fixed"] == "tau"
    next(box for box in at.multiselect if box.label == "Names of one thing").set_value(
        ["tau", "kinase"]
    ).run()
    next(button for button in at.button if button.label == "Merge these").click().run()
    assert (at.query_params["fixed"], at.query_params["merged"]) == ("tau", "tau|kinase")


def test_required_keyword_without_a_passage_is_reported(project):
    filled(project)
    at = opened(ns="tau", q="##**tau** **insulin**")
    assert "keywords: tau, insulin." in said(at)
    assert at.expander[0].proto.expanded


def test_ticked_papers_stay_ticked_on_the_next_page(project):
    filled(
        project,
        [(f"PMID:{n}", f"Kinase {n}", "The kinase phosphorylates tau.") for n in range(1, 151)],
    )
    at = opened(ns="tau", q="tau kinase")
    at.session_state["_ticked"] = frozenset({listed(at)["rows"][0]["id"]})
    at = press(at, "page·Next")
    assert at.button(key="do·Answer").label == "Answer from 1 ticked"


def test_an_empty_project_is_tried_with_one_click(project):
    at = AppTest.from_file(PAGE, default_timeout=60).run()
    next(b for b in at.button if b.label == "Try it with the example texts").click()
    at.run()
    assert not at.exception
    page_json = " ".join(bidi_component.proto.json for bidi_component in at.get("bidi_component"))
    assert "liver failure" in page_json


def test_screening_lists_papers_in_learned_order_and_estimates_what_is_left(project):
    desk = filled(project)
    triage.judge_paper(desk, "tau", "PMID:1", "include", curator=ANNA.orcid)
    triage.judge_paper(desk, "tau", "PMID:3", "exclude", reason="wrong topic", curator=ANNA.orcid)
    at = opened(view="Screen", ns="tau", q="kinase")
    assert [row["document"] for row in listed(at)["rows"]] == ["PMID:2"]
    assert "2 verdicts show" in said(at)
    assert [metric.value for metric in at.metric][:2] == ["2 of 3", "1"]
    assert "wrong topic" in at.dataframe[0].value["what"].tolist()


def test_screening_follows_the_filter_of_the_address(project):
    filled(project)
    at = opened(view="Screen", ns="tau", verdict="include")
    assert "No paper passes" in said(at)
    press(at, "filter·clear")
    assert len(listed(at)["rows"]) == 3


def test_a_table_over_papers_is_filled_and_its_cells_show_their_passages(project):
    desk = filled(project)
    at = opened(view="Table", ns="tau")
    at.text_area(key="table-questions").set_value("Which kinase phosphorylates tau?").run()
    assert "3 papers × 1 question" in said(at)
    press(at, "do·Table")
    ended(desk, at.query_params["filling"])
    at.run()
    rows = at.dataframe[0].value
    assert rows["paper"][0] == "Tau is phosphorylated by kinase Q"
    assert "kinase Q phosphorylates tau in neurons" in rows["q0"][0]
    assert rows["q0"][2] == "not stated"
    again = opened(view="Table", ns="tau", table=at.query_params["table"])
    assert "Select a row" in said(again)


def test_single_sentences_are_listed_in_place_of_passages(project):
    filled(project)
    at = opened(ns="tau", q="Which kinase phosphorylates tau?", sentences="1")
    rows = listed(at)["rows"]
    sentences = [re.sub("<[^>]*>", "", row["html"]) for row in rows]
    assert "The kinase Q phosphorylates tau in neurons." in sentences
    assert not any("Mice lacking it" in row["html"] for row in rows)
