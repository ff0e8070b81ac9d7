"""GROBID behind the Fetcher protocol: what is sent, and what becomes of its TEI."""

from __future__ import annotations

import pytest

from core.errors import BadAnswer
from core.literature.source import grobid
from core.web import Fetch, Fetched

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>A study</title></titleStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename>Ann</forename><surname>Roe</surname></persName></author>
</analytic><monogr><imprint><date type="published" when="2015-02"/></imprint></monogr><idno type="DOI">10.1/AB</idno>
</biblStruct></sourceDesc></fileDesc><profileDesc><abstract><p>In short.</p></abstract></profileDesc></teiHeader>
<text><body><div><head>Results</head><p>Tau <ref>[1]</ref> fell.</p></div></body></text></TEI>"""


class Service:
    def __init__(self, text: str):
        self.text, self.asked = text, []

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request)
        return Fetched(200, self.text)


def test_tei_becomes_a_paper_with_sections():
    service = Service(TEI)
    paper = grobid.read_pdf(b"%PDF-1.4", "http://127.0.0.1:8070", service, "doc:1")
    assert (paper.id, paper.title, paper.year, paper.authors) == ("doc:1", "A study", "2015", ("Roe A",))
    assert [(s.name, s.text) for s in paper.sections] == [("Abstract", "In short."), ("Results", "Tau [1] fell.")]
    assert service.asked[0].url == "http://127.0.0.1:8070/api/processFulltextDocument"


def test_an_answer_that_is_no_tei_is_told():
    with pytest.raises(BadAnswer):
        grobid.read_pdf(b"%PDF-1.4", "http://127.0.0.1:8070", Service("no XML"), "doc:1")
