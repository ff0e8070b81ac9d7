"""BibTeX's TeX, as it is read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.readers.citation_files import without_tex


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"10\textsuperscript{6} cells, 10$^{-3}$ M, $10^6$", "10^6 cells, 10^-3 M, 10^6"),
        (r"CO$_2$, H\textsubscript{2}O, Ca$^{2+}$, {Na}$^+$", "CO2, H2O, Ca2+, Na+"),
        (r"TGF-$\beta$1 at 3$\times$10$^{9}$/L", "TGF-β1 at 3×10^9/L"),
        (
            r"{\O}stergaard, Garc{\'\i}a, \v{S}ime\v{c}ek, M{\"u}ller",
            "Østergaard, García, Šimeček, Müller",
        ),
        (r"{\ss}, {\L}uk, \c{c}, \~n", "ß, Łuk, ç, ñ"),
        (r"\emph{E. coli} at 37 \textdegree C, p $<$ 0.05", "E. coli at 37 °C, p < 0.05"),
        (r"5\% \& 50% of cells & $5 and $6, a\_b #1", "5% & 50% of cells & $5 and $6, a_b #1"),
        (r"5 \muM, 3~\mug/ml, \DeltaF508, \beta-catenin", "5 μM, 3 μg/ml, ΔF508, β-catenin"),
        (r"Roe \etal, 5\,mg, E.\ coli", r"Roe \etal, 5 mg, E. coli"),
        (r"\unknown{x} C:\textbackslash{}dir", r"\unknownx C:\dir"),
    ],
)
def test_tex_commands_are_read_and_other_signs_stay(written: str, read: str) -> None:
    assert without_tex(written) == read


@given(st.text(alphabet=r"ab 0123456789.,%&$^_{}\~<>", max_size=60))
def test_no_number_arises_that_the_field_does_not_show(field: str) -> None:
    one_digit_raised = re.sub(r"[_^]\d", r"\g<0> ", field)  # as TeX reads $^00$
    readings = (field, re.sub(r"[{}]", "", field), one_digit_raised)
    numbers = set(re.findall(r"[0-9]+", " ".join(readings)))
    assert set(re.findall(r"[0-9]+", without_tex(field))) <= numbers
