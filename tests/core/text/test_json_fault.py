"""Why JSON cannot be read, as a person is told."""

from __future__ import annotations

import json

import pytest

from core.errors import InputError
from core.kb.read.draft import read_draft
from core.text.json_fault import json_fault

DEEP, DIGITS = "[" * 100_000, "1" * 5_000
WORDS = {
    DEEP: "its parts are nested too deeply",
    DIGITS: "a number with more than 4,300 digits",
    '{"a": 1,\n x}': "line 2, column 2",
}


@pytest.mark.parametrize("text", WORDS, ids=["deep", "digits", "a letter"])
def test_json_fault_is_explained_without_developer_words(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)) as failure:
        json.loads(text)
    fault = json_fault(failure.value)
    assert WORDS[text] in fault
    assert "sys." not in fault and "recursion" not in fault


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("text", [DEEP, DIGITS], ids=["deep", "digits"])
def test_a_draft_that_cannot_be_read_is_told_so(text: str, suffix: str) -> None:
    with pytest.raises(InputError, match=WORDS[text]) as failure:
        read_draft(text.encode(), suffix)
    assert failure.value.hint
