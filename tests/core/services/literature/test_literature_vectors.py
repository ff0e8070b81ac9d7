"""What comes of vectors: PES1's calls are on record, article vectors are imported, recommendations
are summarised.
"""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from core.desk import Desk, open_desk
from core.errors import InputError
from core.literature.query.keyword import LiteratureQuery
from core.llm.completer import Reply
from core.services.literature import answer, curation, namespaces
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
    namespaces.create(desk, "tau")
    namespaces.add_files(desk, "tau", [rows(tmp_path)])
    return desk


def vectors(*pmids: int) -> list[tuple[str, bytes]]:
    out = io.BytesIO()
    np.save(out, np.eye(len(pmids), 4, dtype=np.float32))
    return [
        ("embeds_chunk_0.npy", out.getvalue()),
        ("pmids_chunk_0.json", json.dumps([str(p) for p in pmids]).encode()),
    ]


def test_embedding_calls_are_recorded_and_not_asked_twice(desk, monkeypatch):
    embedder = Embedder()
    monkeypatch.setattr(Desk, "embedder", lambda self: embedder)
    for _ in range(2):
        found = namespaces.search(desk, ["tau"], LiteratureQuery("bread"), "pes1")
    runs = desk.store.runs.find("embedding")
    calls = [call for run in runs for call in desk.store.calls.of_run(run.id)]
    assert found.results and embedder.asked == 2  # the question and the chunks, once
    assert len(calls) == 3 and all(call.request["model"] == "letters" for call in calls)


def test_another_mode_makes_no_embedding_run(desk, monkeypatch):
    monkeypatch.setattr(Desk, "embedder", lambda self: Embedder())
    namespaces.search(desk, ["tau"], LiteratureQuery("bread"))
    assert desk.store.runs.find("embedding") == []


def test_uploaded_article_vectors_count_in_recommendations(desk):
    assert curation.upload_vectors(desk, "tau", vectors(1, 2, 77)) == 2
    found = curation.recommended(desk, ["tau"], "Kinase Q phosphorylates tau.")
    assert {one.document: one.by_vector is not None for one in found} == {
        "PMID:1": True,
        "PMID:2": True,
    }


def test_article_vectors_laid_in_the_project_folder_are_imported(desk):
    assert curation.left_vectors(desk) == []
    curation.vectors_folder(desk).mkdir()
    for name, raw in vectors(1, 2):
        (curation.vectors_folder(desk) / name).write_bytes(raw)
    assert curation.import_vectors(desk, "tau", curation.left_vectors(desk)) == 2


@pytest.mark.parametrize(
    "given", [[], vectors(1)[:1], [("x.npy", b"no numpy"), ("x.json", b"[1]")], vectors(88)]
)
def test_article_vectors_that_cannot_be_used_are_refused(desk, given):
    with pytest.raises(InputError):
        curation.upload_vectors(desk, "tau", given)


def test_pickled_vectors_are_not_run(desk):
    out = io.BytesIO()
    np.save(out, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError):
        curation.upload_vectors(
            desk, "tau", [("embeds.npy", out.getvalue()), ("pmids.json", b'["1"]')]
        )


def test_too_many_bytes_are_sent_to_the_command_line(desk, monkeypatch):
    monkeypatch.setattr(curation, "MOST_VECTORS", 10)
    with pytest.raises(InputError, match="namespace vectors"):
        curation.upload_vectors(desk, "tau", vectors(1))


def test_chosen_articles_are_summarised_from_their_own_sentences(desk):
    paragraph = "Kinase Q phosphorylates tau in neurons."
    found = curation.recommended(desk, ["tau"], paragraph)
    given = curation.summarise(desk, paragraph, found[:1])
    assert given.engine == "extractive" and "Kinase Q phosphorylates tau" in given.text
    assert [quote.proof for s in given.answers[0].sentences for quote in s.quotes] == [
        "exact"
    ] * len(given.answers[0].sentences)


def test_a_model_summarises_when_there_is_one_and_its_quotes_are_checked(desk, monkeypatch):
    class Model:
        model = "m"

        def complete(self, request, on_text=None):
            return Reply(
                'Tau is a target, "phosphorylates tau in neurons" [1]. Bees fly, "bees fly at'
                ' night" [1].'
            )

    monkeypatch.setattr(Desk, "completer", lambda *_, **__: Model())
    found = curation.recommended(desk, ["tau"], "Kinase Q phosphorylates tau.")
    given = curation.summarise(desk, "Kinase Q phosphorylates tau.", found[:1])
    proofs = [quote.proof for s in given.answers[0].sentences for quote in s.quotes]
    assert proofs == ["exact", "not found"] and len(answer.calls(desk, given.run)) == 1


def test_nothing_chosen_is_told(desk):
    with pytest.raises(InputError):
        curation.summarise(desk, "x", [])
