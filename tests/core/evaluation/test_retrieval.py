"""The table of retrieval: our modes beside other packages on the same passages."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from core.evaluation import retrieval, retrieval_peer
from core.evaluation.retrieval import topic_words
from core.evaluation.retrieval_peer import PEERS, RetrievalPeer
from core.literature.chunk import Chunk
from core.services.evaluation.stage import run_here

TEXTS = {
    "p1": "Tau kinases phosphorylate neurons.",
    "p2": "Bread flour rises in ovens.",
    "p3": "Cats sleep.",
}


def write(folder: Path, name: str, rows: list[str]) -> None:
    with gzip.open(folder / name, "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")


@pytest.fixture
def tiny_set(tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    rows = [json.dumps({"id": id, "title": "", "text": text}) for id, text in TEXTS.items()]
    write(folder, "corpus.jsonl.gz", rows)
    write(folder, "queries.jsonl.gz", [json.dumps({"id": "q", "text": "tau kinase of a neuron"})])
    write(folder, "qrels.tsv.gz", ["q\tp1\t1"])
    return folder


def measured(folder: Path):
    parser = ArgumentParser()
    retrieval.add_arguments(parser)
    args = parser.parse_args(["--data", str(folder), "--no-vocabularies"])
    return run_here(retrieval.stages(None, args))  # no vocabularies, so no desk


def lines_of(report) -> dict[str, list[str]]:
    rows = [line.split("\t") for line in report.text.splitlines()[1:]]
    return {row[1]: row for row in rows}


def ranker(name: str) -> RetrievalPeer:
    """A package that is always there and puts p2 before p1."""
    return RetrievalPeer(name, "reversed", lambda chunks: lambda question, k: ["p2", "p1"])


def test_installed_retrieval_package_is_compared_with_our_modes(tiny_set, monkeypatch):
    monkeypatch.setattr(retrieval_peer, "PEERS", (ranker("json"),))
    report = measured(tiny_set)
    lines = lines_of(report)
    assert [lines["coverage"][2], lines["json"][2]] == ["1.0000", "0.6309"]
    assert report.notes == "json: reversed."


def test_a_package_that_is_not_installed_is_named_and_left_out(tiny_set, monkeypatch):
    monkeypatch.setattr(retrieval_peer, "PEERS", (ranker("no_such_ranker"),))
    report = measured(tiny_set)
    assert "no_such_ranker" not in lines_of(report)
    assert "no_such_ranker is not installed" in report.notes
    assert "pip install no_such_ranker" in report.notes


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_package_finds_words_by_their_stems(peer):
    pytest.importorskip(peer.name)
    search = peer.build_search([Chunk(id, id, text) for id, text in TEXTS.items()])
    assert list(search("kinase neuron", 10)) == ["p1"]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_punctuation_of_a_question_is_not_query_syntax_for_the_package(peer):
    pytest.importorskip(peer.name)
    search = peer.build_search([Chunk(id, id, text) for id, text in TEXTS.items()])
    assert "p2" in search('What (is) "flour": a^2 [or] -not/ bread?', 10)


def test_a_short_topic_has_no_names_and_no_words_that_only_ask():
    asked = "What is the role of BRCA1 in hereditary breast cancer of young women, if any?"
    assert topic_words(asked) == ["hereditary", "breast", "cancer", "young", "women"]


def test_questions_cut_to_topics_are_ranked_by_the_default_and_by_bm25(tiny_set):
    lines = lines_of(measured(tiny_set))
    assert lines["coverage, short topics"][2] == lines["bm25, short topics"][2] == "1.0000"
