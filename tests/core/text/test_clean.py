"""Text at entry."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.text.clean import MAX_TEXT, clean_text, text_version, without_deceptive_signs


def test_line_ends_become_lf() -> None:
    assert clean_text("a\r\nb\rc") == "a\nb\nc"


def test_a_byte_order_mark_is_dropped() -> None:
    assert clean_text("\ufeffgene".encode()) == "gene"


def test_latin_1_is_read() -> None:
    assert clean_text("Sjögren".encode("latin-1")) == "Sjögren"


def test_windows_quotes_are_read() -> None:
    assert clean_text(b"\x93quoted\x94") == "“quoted”"


def test_utf_16_with_a_mark_is_read() -> None:
    assert clean_text("α".encode("utf-16")) == "α"


@pytest.mark.parametrize("raw", ["", " \n\t", b""])
def test_empty_is_refused(raw: str | bytes) -> None:
    with pytest.raises(InputError, match="empty"):
        clean_text(raw)


@pytest.mark.parametrize("raw", ["a\0b", b"a\0b"])
def test_nul_is_refused(raw: str | bytes) -> None:
    with pytest.raises(InputError, match="NUL"):
        clean_text(raw)


@pytest.mark.parametrize("raw", [b"%PDF-1.7 x", b"PK\x03\x04zip", bytes(range(1, 32)) * 10])
def test_binary_is_refused(raw: bytes) -> None:
    with pytest.raises(InputError, match="binary"):
        clean_text(raw)


@pytest.mark.parametrize("raw", ["x" * 5_000_000, b"x" * 5_000_000, "x" * (MAX_TEXT + 1)])
def test_too_much_is_refused_with_the_size(raw: str | bytes) -> None:
    with pytest.raises(InputError, match="2,000,000"):
        clean_text(raw)


def test_lone_surrogates_do_not_survive() -> None:
    assert clean_text("a\ud800b") == "a\ufffdb"


def test_a_version_is_named_by_its_digest() -> None:
    version = text_version("doc:1", "one\r\ntwo")
    assert version.text == "one\ntwo"
    assert version.sha == text_version("doc:2", "one\ntwo").sha


def test_signs_that_deceive_the_eye_are_left_out_of_texts_and_names():
    assert clean_text("as\u200bthma \u202egnitset\u202c x\u2060y") == "asthma gnitset xy"
    assert without_deceptive_signs("Ann\u2066a\u2069\ud800\0") == "Anna\ufffd\ufffd"
    assert without_deceptive_signs("क्‍ष 👩‍🔬") == "क्‍ष 👩‍🔬"  # joiners carry meaning
