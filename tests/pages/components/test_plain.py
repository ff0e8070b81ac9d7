from __future__ import annotations

from pages.components.plain import plain


def test_an_image_link_is_only_words() -> None:
    assert "![" not in plain("![x](https://example.org/a.png)")


def test_words_stay_on_one_line() -> None:
    assert plain("a\n\n# b") == r"a \# b"


def test_long_words_are_cut() -> None:
    assert plain("a" * 500, 10) == "a" * 9 + "…"
