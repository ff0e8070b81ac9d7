"""The verbs answer, recommend, triage and evidence."""

from __future__ import annotations

import argparse
import json

import pytest

from core.cli import literature, literature_answers, review
from core.desk import open_desk
from core.settings import Settings

ORCID = "0000-0002-1825-0097"
ROWS = (
    {"id": "PMID:1", "title": "Tau", "text": "Kinase Q phosphorylates tau. It rains in Peru."},
    {"id": "PMID:2", "title": "Bread", "text": "Bread is baked. Kinase R is not baked."},
    *({"id": f"PMID:{n}", "title": f"Note {n}", "text": f"Stone {n} lies."} for n in range(3, 40)),
)


@pytest.fixture
def run(tmp_path, capsys):
    desk = open_desk(Settings(project=tmp_path / "p"))
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for verb in (*literature.VERBS, *literature_answers.VERBS, *review.VERBS):
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


def test_an_answer_cites_and_proves_each_sentence(run):
    (row,) = run("answer", "tau", "Which kinase phosphorylates tau?", "--format", "jsonl")
    assert row["status"] == "answered" and row["answer"].startswith("Kinase Q phosphorylates tau.")
    assert row["sentences"] == [
        {
            "text": "Kinase Q phosphorylates tau.",
            "chunk": "PMID:1@0",
            "document": "PMID:1",
            "proof": "exact",
        }
    ]


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


def test_articles_are_recommended_for_each_sentence(run):
    words = "Tau is phosphorylated by a kinase. Bread is baked."
    rows = run("recommend", "tau", words, "--by", "sentence", "--format", "jsonl", "-k", "1")
    assert [row["results"][0]["document"] for row in rows] == ["PMID:1", "PMID:2"]


def test_papers_are_judged_and_exported(run, tmp_path):
    verdicts = tmp_path / "v.jsonl"
    rows = [{"document": "PMID:1", "verdict": "include"}, {"document": "X", "verdict": "include"}]
    verdicts.write_text("\n".join(map(json.dumps, rows)))
    said = run("triage", "tau", "judge", "--input", str(verdicts), "--curator", ORCID, status=1)
    assert [row["status"] for row in said] == ["kept", "refused"]
    assert run("triage", "tau", "counts")[0] == {"papers": 39, "judged": 1, "include": 1}
    assert "PMID:1,Tau" in run("triage", "tau", "export")


def test_evidence_for_a_statement_is_found_and_added(run):
    things = ("--subject", "EX:1", "--subject-label", "Kinase Q", "--object", "EX:2")
    ground = ("--document", "PMID:1", "--quote", "Kinase Q phosphorylates tau.")
    more = ("--object-label", "tau", "--predicate", "biolink:affects", "--curator", ORCID)
    (made,) = run("propose", *things, *ground, *more)
    found = run("evidence", made["id"], "--namespace", "tau")
    assert found[0]["sentence"] == "Kinase Q phosphorylates tau." and found[0]["together"]
    added = run(
        "evidence", made["id"], "--namespace", "tau", "--add", "PMID:1@0", "--curator", ORCID
    )
    assert added == [{"chunk": "PMID:1@0", "status": "kept"}]
