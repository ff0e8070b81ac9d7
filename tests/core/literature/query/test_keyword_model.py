"""Keywords that a model names."""

from __future__ import annotations

import pytest

from core.literature.query.keyword_model import ask_keywords, read_keywords
from core.llm.completer import Reply

QUESTION = "Does IL-10 calm macrophages in acute renal failure?"


@pytest.mark.parametrize(
    "text",
    [
        '["acute renal failure", "IL-10", "macrophages"]',
        "biomedical_keywords = ['IL-10', 'macrophages', 'acute renal failure']",
        'Here they are:\n```json\n["IL10", "macrophages", "acute renal failure", "zebrafish"]\n```',
    ],
)
def test_keywords_that_the_question_holds_are_kept_in_its_order(text):
    assert [k.text.replace("-", "") for k in read_keywords(text, QUESTION)] == [
        "IL10",
        "macrophages",
        "acute renal failure",
    ]


@pytest.mark.parametrize("text", ["", "I cannot.", "[1, 2", "<script>", "[" * 5000, '["of the"]'])
def test_strange_answers_name_nothing(text):
    assert read_keywords(text, QUESTION) == ()


def test_a_model_is_asked_once():
    class Says:
        model = "stand-in"

        def complete(self, request, on_text=None):
            assert request.messages[1].content == QUESTION
            return Reply('["IL-10"]')

    assert [k.text for k in ask_keywords(Says(), QUESTION)[0]] == ["IL-10"]
