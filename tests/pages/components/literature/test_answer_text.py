"""An answer on the page: in the form that was asked for, every word escaped, each quote with its
badge.
"""

from __future__ import annotations

from dataclasses import replace

from core.literature.answers.answer import AnswerTemplate, CitedAnswer, read_answer
from core.literature.answers.extractive import extract_sentences
from core.literature.chunk import Chunk
from core.services.literature.answer import StoredAnswer
from pages.components.literature.answer_text import answer_html

ONE = Chunk("PMID:1@0", "PMID:1", "Kinase Q phosphorylates tau in neurons.", title="Kinase <Q>")
TWO = Chunk("PMID:2@0", "PMID:2", "TNF-α rises after injury.")
CHUNKS = (ONE, TWO)
SAID = (
    'It acts, "phosphorylates tau" [1]. It rises, "TNF-alpha rises" [2]. It glows, "like a'
    ' <b>lamp</b>" [2]. Odd.'
)


def given(text: str, template: AnswerTemplate = AnswerTemplate.PARAGRAPH) -> StoredAnswer:
    return StoredAnswer("r", (read_answer(text, CHUNKS),), CHUNKS, template, "model")


def test_each_quote_has_its_badge_and_each_sentence_its_chunks() -> None:
    html = answer_html(given(SAID))
    assert [
        html.count(badge) for badge in ("✓ exact", "≈ normalised", "✗ not found", "[no passage]")
    ] == [1, 1, 1, 1]
    assert html.count('data-passage="PMID:2@0"') == 2
    assert 'data-words="TNF-alpha rises">2</a>' in html


def test_the_form_is_the_one_that_was_asked_for() -> None:
    assert answer_html(given(SAID)).count("<p>") == 1
    assert answer_html(given(SAID, AnswerTemplate.BULLETS)).count("<li>") == 4
    assert answer_html(given(SAID, AnswerTemplate.TABLE)).count("<tr>") == 5


def test_markup_in_a_models_answer_is_shown_as_text() -> None:
    for template in AnswerTemplate:
        html = answer_html(
            given("<img src=x onerror=alert(1)> ![x](http://e.example/a) [1]." + SAID, template)
        )
        assert "<img" not in html and "<b>lamp" not in html


def test_extractive_sentence_is_not_repeated() -> None:
    answer = StoredAnswer(
        "r",
        (extract_sentences("Which kinase phosphorylates tau?", CHUNKS),),
        CHUNKS,
        AnswerTemplate.PARAGRAPH,
        "extractive",
    )
    assert answer_html(answer).count(">Kinase Q phosphorylates tau in neurons") == 1


def test_answers_of_single_papers_are_headed_and_not_knowing_is_reported() -> None:
    first_paper = replace(read_answer(SAID, CHUNKS), document="PMID:1")
    two = replace(read_answer("I don't know.", CHUNKS), document="PMID:2")
    html = answer_html(
        StoredAnswer("r", (first_paper, two), CHUNKS, AnswerTemplate.PARAGRAPH, "model")
    )
    assert "<h4>Kinase &lt;Q&gt; · PMID:1</h4>" in html and "<p>I don’t know.</p>" in html


def test_the_nearest_sentences_are_called_that() -> None:
    answer = StoredAnswer(
        "r",
        (extract_sentences("Does a zebrafish fin in Peru hold tau?", CHUNKS),),
        CHUNKS,
        AnswerTemplate.PARAGRAPH,
        "extractive",
    )
    html = answer_html(answer)
    assert "are the nearest" in html and "Kinase Q phosphorylates tau" in html


def test_a_probable_answer_and_no_answer_are_distinguished_from_an_answer() -> None:
    sure = replace(
        extract_sentences("Does kinase Q phosphorylate tau?", CHUNKS, always=True), probable=False
    )

    def html(answer: CitedAnswer) -> str:
        return answer_html(StoredAnswer("r", (answer,), CHUNKS, AnswerTemplate.PARAGRAPH, ""))

    assert html(replace(sure, probable=True)).count("Probably an answer") == 1
    assert html(replace(sure, unknown=True)).count("not an answer") == 1
    assert "Probably" not in html(sure) and "not an answer" not in html(sure)
