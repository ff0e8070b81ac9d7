from __future__ import annotations

import pytest

from pages.components.shared.markdown_escape import JOINER, escaped


def test_an_image_link_is_only_words() -> None:
    assert "![" not in escaped("![x](https://example.org/a.png)")


def test_words_stay_on_one_line() -> None:
    assert escaped("a\n\n# b") == r"a \# b"


def test_long_words_are_cut() -> None:
    assert escaped("a" * 500, 10) == "a" * 9 + "…"


@pytest.mark.parametrize(
    "words",
    [
        "http://evil.example/x",
        "https://evil.example",
        "www.evil.example",
        "a@b.example",
        ":material/delete:",
        ":streamlit:",
    ],
)
def test_no_address_becomes_a_link_and_no_name_an_icon(words: str) -> None:
    visible = escaped(words).replace("\\", "")
    assert visible.replace(JOINER, "") == words
    assert not any(
        start in visible for start in ("://", "www.", "a@b", ":material/", ":streamlit:")
    )
