"""Superscripts and subscripts on one line."""

from __future__ import annotations

import pytest

from core.text.script import (
    lowered_mark,
    marks_written_out,
    raised_mark,
    spell_out_scripts,
    write_out_tags,
)


@pytest.mark.parametrize(
    ("tagged", "line"),
    [
        ("10<sup>6</sup> cells", "10^6 cells"),
        ("10<sup>-6</sup> M", "10^-6 M"),
        ("10<sup>− 9</sup> M", "10^−9 M"),
        ("5 mg/m<sup>2</sup>.", "5 mg/m^2."),
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        (
            "Ca<sup>2+</sup>, Mg<sup>2 +</sup>, Na<sup>+</sup>, Cl<sup>−</sup>",
            "Ca2+, Mg2+, Na+, Cl−",
        ),
        ("SO<sub>4</sub><sup>2−</sup>", "SO4^2−"),
        ("<sup>14</sup>C and [<sup>3</sup>H]", "14C and [3H]"),
        (
            "the 1<sup>st</sup>, Trp53<sup>-/-</sup> and CD4<sup>+</sup>",
            "the 1st, Trp53-/- and CD4+",
        ),
        ("log<sub>2</sub>4 of 10<sub>2</sub>", "log2 4 of 10_2"),
        ("10<sup>6</sup>5", "10^6 5"),
        ("(x+1)<sup>2</sup>", "(x+1)^2"),
        ("a < b > c", "a < b > c"),
    ],
)
def test_scripts_are_written_so_that_no_number_changes(tagged: str, line: str) -> None:
    assert write_out_tags(tagged) == line


def test_scripts_inside_scripts_are_written_out() -> None:
    assert marks_written_out("e" + raised_mark("2x" + raised_mark("2"))) == "e^2x^2"


def test_an_unclosed_mark_loses_no_word() -> None:
    assert marks_written_out("a" + lowered_mark("2") + "b\x01c") == "a2bc"


@pytest.mark.parametrize(
    ("unicode", "line"), [("10⁶", "10^6"), ("10⁻⁶", "10^-6"), ("Ca²⁺", "Ca2+"), ("CO₂", "CO2")]
)
def test_unicode_scripts_are_spelled_like_others(unicode: str, line: str) -> None:
    assert spell_out_scripts(unicode) == line
