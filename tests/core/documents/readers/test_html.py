"""Web pages of papers."""

from __future__ import annotations

import pytest

from core.documents.paper import REFERENCES
from core.documents.read_document import only_paper, papers_of, read_as
from core.errors import InputError

PAGE = b"""<!doctype html><html><head><title>Site</title>
<meta name="citation_title" content="Tau in &lt;i&gt;mice&lt;/i&gt;">
<meta name="citation_doi" content="10.1000/ABC">
<script>var aspirin = "treats headache";</script></head><body><nav>Menu of the site</nav>
<h1>Tau in mice</h1><h2>Results</h2><p>We saw 10<sup>6</sup> cells &amp; CO<sub>2</sub>.
<p hidden>Hidden words<p>Tau fell.<table><tr><td>a<td>b<tr><td>c</table>
<h2>References</h2><p>1. Roe A. Old.</p></body></html>"""


def test_a_page_is_its_words_without_scripts_menus_and_hidden_parts() -> None:
    document = read_as(only_paper(papers_of(PAGE, "a.html"), "a.html"))
    assert document.ids == ("DOI:10.1000/abc",)
    assert document.text == (
        "Tau in mice\n\nResults\n\nWe saw 10^6 cells & CO2.\n\nTau fell.\n\nTable\n\na – b\n\nc"
    )


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("<p>doi: 10.1000/ABC</p>", "DOI:10.1000/abc"),
        ("<p><a href='x'>https://doi.org/10.1000/ABC</a></p>", "DOI:10.1000/abc"),
        ("<p>As in doi: 10.1000/ABC, tau fell.</p>", "doc:"),
        ("<h2>Results</h2><p>10.1000/ABC</p>", "doc:"),
    ],
)
def test_a_doi_on_a_line_of_its_own_before_the_first_heading_is_the_pages(line, id) -> None:
    page = f"<html><body><h1>Tau in mice</h1>{line}<p>It fell.</p></body></html>"
    assert only_paper(papers_of(page.encode(), "a.html"), "a.html").id.startswith(id)


def test_references_of_a_page_are_read_only_when_asked_for() -> None:
    document = read_as(only_paper(papers_of(PAGE, "a.html"), "a.html"), references=True)
    (references,) = [part for part in document.sections if part.kind == REFERENCES]
    assert document.text[references.start : references.end].endswith("1. Roe A. Old.")


def test_a_page_without_words_is_refused() -> None:
    with pytest.raises(InputError, match="shows no text"):
        papers_of(b"<html><body><script>x()</script></body></html>", "a.html")
