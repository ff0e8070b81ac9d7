"""Evidence for a statement, triage, citations, recommendations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.errors import InputError
from core.literature.answers.evidence import question_of, search_evidence
from core.literature.article_vectors import ArticleVectors, import_vectors
from core.literature.recommendation import recommend
from core.literature.triage.citation import Citation, bibtex, csv_text, ris
from core.literature.triage.verdict import precision
from core.model import Category, Statement, Term
from tests.core.literature.corpus import searcher

STATEMENT = Statement(
    Term("X:1", "ibuprofen", Category.CHEMICAL),
    Term("biolink:treats", "treats"),
    Term("X:2", "headache", Category.DISEASE),
)
TEXTS = (
    "Ibuprofen was bought. Nobody had a headache then.",
    "Advil relieves cephalalgia in adults. More is not better.",
    "Headache came after ibuprofen on some days.",
    "Ibuprofen alone is named here.",
    "Nothing of the kind.",
)
NAMES = {"X:1": ["Advil"], "X:2": ["cephalalgia"]}


def names(term: Term) -> list[str]:
    return NAMES.get(term.id, [])


def test_both_things_with_all_their_names_are_looked_for():
    question = question_of(STATEMENT, names)
    assert [(k.text, k.fixed) for k in question.keywords][:2] == [
        ("ibuprofen", True),
        ("headache", True),
    ]
    assert question.keywords[0].synonyms == ("Advil",)


def test_evidence_ranks_sentence_with_both_names_and_a_relation_word_first(tmp_path):
    evidence = search_evidence(searcher(tmp_path, TEXTS), STATEMENT, names)
    assert [piece.result.chunk.document for piece in evidence][:3] == ["D1", "D2", "D0"]
    assert [(piece.together, piece.cue) for piece in evidence][:3] == [
        (True, True),
        (True, False),
        (False, False),
    ]
    assert evidence[0].sentence.quote(TEXTS[1]) == "Advil relieves cephalalgia in adults."


def test_precision_counts_papers_that_were_judged():
    verdicts = {"a": "include", "b": "exclude", "c": "maybe"}
    interval = precision(["a", "a", "b", "c", "d"], verdicts)
    assert (interval.judged, interval.included, interval.value) == (2, 1, 0.5)
    assert precision(["d"], verdicts).value is None


ENTRY = Citation(
    "PMID:1",
    "=A title, {odd} & 50%",
    "2001",
    "J",
    ("Roe AB", "The Group"),
    "10.1/x",
    "include",
    "on topic",
)


def test_a_cell_is_never_a_formula():
    row = csv_text([ENTRY]).splitlines()[1]
    assert row.startswith("PMID:1,\"'=A title")


def test_ris_and_bibtex():
    assert (
        "TI  - =A title" in ris([ENTRY])
        and "AU  - Roe, A. B." in ris([ENTRY])
        and "AU  - The Group" in ris([ENTRY])
    )
    assert r"\{odd\} \& 50\%" in bibtex([ENTRY]) and bibtex([ENTRY]).startswith("@article{PMID1,")


def test_bibtex_keeps_groups_dois_and_unique_keys():
    entries = [
        Citation("PMID:1", "IL-10", authors=("Ants and Bees Group",), doi="10.1/a_b"),
        Citation("PMID 1", "Two"),
    ]
    entry = bibtex(entries)
    assert (
        "author = {{Ants and Bees Group}}" in entry
        and "doi = {10.1/a_b}" in entry
        and "title = {{IL-10}}" in entry
    )
    assert "@article{PMID1,\n" in entry and "@article{PMID1-2,\n" in entry


def test_recommended_articles_come_with_score_and_summary(tmp_path):
    recommended = recommend(
        searcher(tmp_path, TEXTS),
        "We give Advil for cephalalgia and wonder why it relieves adults.",
    )
    assert recommended[0].document == "D1" and recommended[0].score == 1.0
    assert recommended[0].summary == "Advil relieves cephalalgia in adults."


def test_article_vectors_are_imported_and_count(tmp_path):
    np.save(tmp_path / "embeds_chunk_1.npy", np.eye(3, dtype=np.float16))
    (tmp_path / "pmids_chunk_1.json").write_text(json.dumps(["D0:", "D1:", "9"]))
    assert (
        import_vectors(
            [tmp_path / "embeds_chunk_1.npy"], tmp_path / "v", frozenset({"D1:", "PMID:9"})
        )
        == 2
    )
    assert ArticleVectors(tmp_path / "v").of("PMID:9").tolist() == [0.0, 0.0, 1.0]


def test_vectors_that_do_not_fit_are_refused(tmp_path):
    np.save(tmp_path / "embeds_chunk_1.npy", np.eye(3))
    (tmp_path / "pmids_chunk_1.json").write_text("[1]")
    with pytest.raises(InputError, match="not belong together"):
        import_vectors([tmp_path / "embeds_chunk_1.npy"], tmp_path / "v")
