"""What comes of vectors: PES1's calls are on record, article vectors are imported, recommendations
are summarised.
"""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, SettingsError
from core.literature.query.keyword import LiteratureQuery
from core.llm.completer import Reply
from core.llm.connection import Connection
from core.services.literature import (
    answer,
    article_vectors,
    curation,
    embedding,
    namespaces,
    searching,
)
from core.settings import Settings
from tests.core.services.literature.test_namespaces import rows


class Embedder:
    model = "letters"

    def __init__(self):
        self.asked = 0

    def embed(self, texts):
        self.asked += 1
        return [[float(text.casefold().count(letter)) for letter in "abdkqtu"] for text in texts]


@pytest.fixture
def desk(tmp_path) -> Desk:
    desk = open_desk(Settings(project=tmp_path / "p"))
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [rows(tmp_path)])
    return desk


def vectors(*pmids: int) -> list[tuple[str, bytes]]:
    file = io.BytesIO()
    np.save(file, np.eye(len(pmids), 4, dtype=np.float32))
    return [
        ("embeds_chunk_0.npy", file.getvalue()),
        ("pmids_chunk_0.json", json.dumps([str(p) for p in pmids]).encode()),
    ]


def test_embedding_calls_are_recorded_and_not_asked_twice(desk, monkeypatch):
    embedder = Embedder()
    monkeypatch.setattr(Desk, "embedder", lambda self: embedder)
    for _ in range(2):
        results = searching.search_namespaces(desk, ["tau"], LiteratureQuery("bread"), mode="pes1")
    runs = desk.store.runs.find("embedding")
    calls = [call for run in runs for call in desk.store.calls.of_run(run.id)]
    assert results.results and embedder.asked == 2  # the question and the chunks, once
    assert len(calls) == 3 and all(call.request["model"] == "letters" for call in calls)


def test_keyword_ranking_makes_no_embedding_run(desk, monkeypatch):
    monkeypatch.setattr(Desk, "embedder", lambda self: Embedder())
    searching.search_namespaces(desk, ["tau"], LiteratureQuery("bread"))
    assert desk.store.runs.find("embedding") == []


def test_uploaded_article_vectors_count_in_recommendations(desk):
    assert article_vectors.upload_vectors(desk, "tau", vectors(1, 2, 77)) == 2
    recommended = curation.recommended_articles(desk, ["tau"], "Kinase Q phosphorylates tau.")
    assert {paper.document: paper.by_vector is not None for paper in recommended} == {
        "PMID:1": True,
        "PMID:2": True,
    }


def test_article_vectors_laid_in_the_project_folder_are_imported(desk):
    assert article_vectors.left_vectors(desk) == []
    article_vectors.vectors_folder(desk).mkdir()
    for name, raw in vectors(1, 2):
        (article_vectors.vectors_folder(desk) / name).write_bytes(raw)
    assert article_vectors.import_vectors(desk, "tau", article_vectors.left_vectors(desk)) == 2


@pytest.mark.parametrize(
    "uploaded", [[], vectors(1)[:1], [("x.npy", b"no numpy"), ("x.json", b"[1]")], vectors(88)]
)
def test_article_vectors_that_cannot_be_used_are_refused(desk, uploaded):
    with pytest.raises(InputError):
        article_vectors.upload_vectors(desk, "tau", uploaded)


def test_pickled_vectors_are_not_run(desk):
    file = io.BytesIO()
    np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError):
        article_vectors.upload_vectors(
            desk, "tau", [("embeds.npy", file.getvalue()), ("pmids.json", b'["1"]')]
        )


def test_too_many_bytes_are_sent_to_the_command_line(desk, monkeypatch):
    monkeypatch.setattr(article_vectors, "MOST_VECTORS", 10)
    with pytest.raises(InputError, match="namespace vectors"):
        article_vectors.upload_vectors(desk, "tau", vectors(1))


def test_chosen_articles_are_summarised_from_their_own_sentences(desk):
    paragraph = "Kinase Q phosphorylates tau in neurons."
    recommended = curation.recommended_articles(desk, ["tau"], paragraph)
    summary = curation.summarise_articles(desk, paragraph, recommended[:1])
    assert summary.engine == "extractive" and "Kinase Q phosphorylates tau" in summary.text
    assert [quote.proof for s in summary.answers[0].sentences for quote in s.quotes] == [
        "exact"
    ] * len(summary.answers[0].sentences)


def test_a_model_summarises_when_there_is_one_and_its_quotes_are_checked(desk, monkeypatch):
    class Model:
        model = "m"

        def complete(self, request, on_text=None):
            return Reply(
                'Tau is a target, "phosphorylates tau in neurons" [1]. Bees fly, "bees fly at'
                ' night" [1].'
            )

    monkeypatch.setattr(Desk, "completer", lambda *_, **__: Model())
    recommended = curation.recommended_articles(desk, ["tau"], "Kinase Q phosphorylates tau.")
    summary = curation.summarise_articles(desk, "Kinase Q phosphorylates tau.", recommended[:1])
    proofs = [quote.proof for s in summary.answers[0].sentences for quote in s.quotes]
    assert (
        proofs == ["exact", "not found"]
        and len(answer.literature_answer_calls(desk, summary.run)) == 1
    )


def test_summary_of_no_chosen_articles_is_refused(desk):
    with pytest.raises(InputError):
        curation.summarise_articles(desk, "x", [])


def test_passages_are_embedded_ahead_of_the_first_search(desk, monkeypatch):
    embedder = Embedder()
    monkeypatch.setattr(Desk, "embedder", lambda self: embedder)
    assert embedding.make_vectors(desk, "tau") > 0
    asked = embedder.asked
    searching.search_namespaces(desk, ["tau"], LiteratureQuery("bread"), mode="hybrid")
    assert embedder.asked == asked + 1  # the question alone


def test_embedding_without_a_model_says_what_it_needs(desk):
    with pytest.raises(SettingsError, match="No embedding model"):
        embedding.start_embedding(desk, "tau")


FAR = [("PMID:1", [1.0, 0, 0]), ("PMID:77", [0.9, 0.1, 0]), ("PMID:88", [0, 0, 1.0])]


def far_files(folder, rows=FAR) -> list:
    folder.mkdir(exist_ok=True)
    np.save(folder / "embeds_chunk_0.npy", np.array([row for _, row in rows], dtype=np.float32))
    ids = json.dumps([id.removeprefix("PMID:") for id, _ in rows])
    (folder / "pmids_chunk_0.json").write_text(ids)
    return sorted(folder.iterdir())


def test_articles_beyond_the_namespace_are_those_nearest_to_what_the_words_find(desk, tmp_path):
    text = "Kinase Q phosphorylates tau."
    known = curation.recommended_articles(desk, ["tau"], text)
    assert article_vectors.nearest_articles(desk, ["tau"], text, known) is None
    assert article_vectors.import_vectors(desk, "", far_files(tmp_path / "v")) == 3
    nearest = article_vectors.nearest_articles(desk, ["tau"], text, known, k=1)
    assert [article.document for article in nearest.articles] == ["PMID:77"]
    assert nearest.anchors == ("PMID:1",) and nearest.model == ""


def test_a_query_is_embedded_by_the_vectors_own_model_alone(desk, tmp_path, monkeypatch):
    class Third(Embedder):
        def embed(self, texts):
            return [[0.0, 0.0, 1.0] for _ in texts]

    monkeypatch.setattr(Desk, "embedder", lambda self: Third())
    files = far_files(tmp_path / "v")
    for model, nearest, asked_model in (
        ("another", "PMID:77", ""),
        ("letters", "PMID:88", "letters"),
    ):
        article_vectors.import_vectors(desk, "", files, model)
        known = curation.recommended_articles(desk, ["tau"], "Kinase Q phosphorylates tau.")
        nearby = article_vectors.nearest_articles(desk, ["tau"], "Kinase Q", known, k=1)
        assert (nearby.articles[0].document, nearby.model) == (nearest, asked_model)


def test_where_a_paragraph_goes_is_known_before_it_is_sent(desk, tmp_path, monkeypatch):
    there = {"there": Connection("there", "http://127.0.0.1:9/v1")}
    desk.settings = replace(desk.settings, embedding_model="letters@there", endpoints=there)
    assert article_vectors.paragraph_goes_to(desk) == ""  # no vectors to compare it with
    monkeypatch.setattr(Desk, "embedder", lambda self: Embedder())
    for model, destination in (
        ("another", ""),
        ("letters", "the model letters@there at 127.0.0.1"),
    ):
        article_vectors.import_vectors(desk, "", far_files(tmp_path / "v"), model)
        assert article_vectors.paragraph_goes_to(desk) == destination


def test_a_second_import_replaces_what_it_brings_and_keeps_the_rest(desk, tmp_path):
    article_vectors.import_vectors(desk, "", far_files(tmp_path / "v"))
    again = [("PMID:88", [0, 1.0, 0]), ("PMID:99", [0, 0, 1.0])]
    assert article_vectors.import_vectors(desk, "", far_files(tmp_path / "w", again)) == 4
    kept = article_vectors.kept_vectors(desk)
    assert kept.of("PMID:88").tolist() == [0, 1, 0] and kept.of("PMID:77") is not None


def test_a_job_that_goes_on_counts_what_was_embedded_before(desk, monkeypatch):
    monkeypatch.setattr(Desk, "embedder", lambda self: Embedder())
    monkeypatch.setattr("core.literature.ranking.vectors.BATCH", 1)
    steps: list[tuple[int, int]] = []

    def stopped_after_two(done: int, total: int, words: str = "") -> None:
        if done == 2:
            raise InputError("stopped")

    with pytest.raises(InputError):
        embedding.make_vectors(desk, "tau", stopped_after_two)
    embedding.make_vectors(desk, "tau", lambda done, total, _="": steps.append((done, total)))
    embedded = [step for step in steps if step[1] > 2]
    assert embedded[0][0] == 2 and embedded[-1] == (embedded[0][1], embedded[0][1])
