"""Thoughts stay apart from answers, whatever way a model or an endpoint gives them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.reply_reader import AnswerStream, separate_thoughts

CASES = [
    ("Paris", "Paris", ""),
    ("<think>France?</think>Paris", "Paris", "France?"),
    ("<think>France?</think>\n\nParis", "Paris", "France?"),
    ("\n<THINKING>a < b</THINKING>Paris", "Paris", "a < b"),
    ("France?</think>Paris", "Paris", "France?"),
    ("<think>one</think><think>two</think>Paris", "Paris", "one\ntwo"),
    ("<think>never ended", "", "never ended"),
    ("```json\n{\"a\": 1}\n```", '{"a": 1}', ""),
    ("<think>x</think>\n```\nsubject: aspirin\n```\n", "subject: aspirin", "x"),
    ("Use ```a``` and\n```\nb\n```", "Use ```a``` and\n```\nb\n```", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer", "thoughts"), CASES)
def test_separate_gives_answer_and_thoughts(text: str, answer: str, thoughts: str) -> None:
    assert separate_thoughts(text) == (answer, thoughts)


@pytest.mark.parametrize(("text", "answer", "thoughts"), CASES[:6])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_stream_never_passes_on_tagged_thoughts(
    text: str, answer: str, thoughts: str, size: int
) -> None:
    heard: list[str] = []
    stream = AnswerStream(heard.append)
    for start in range(0, len(text), size):
        stream.add(text[start : start + size])
    stream.end()
    if text.lstrip().casefold().startswith("<"):
        assert "".join(heard).lstrip("\n") == answer
    else:
        assert "".join(heard) == text


@given(st.text(alphabet="ab<>/ \n", max_size=40))
def test_text_without_tags_passes_unchanged(text: str) -> None:
    heard: list[str] = []
    stream = AnswerStream(heard.append)
    for letter in text:
        stream.add(letter)
    stream.end()
    assert "".join(heard) == text
    assert separate_thoughts(text) == (text, "")
