"""GROBID behind the Fetcher protocol and as a server: what is sent, and what becomes of its TEI."""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.documents.readers import grobid
from core.errors import BadAnswer
from core.services.literature import namespaces, upload
from core.settings import Settings
from core.web import Fetch, Fetched
from tests.core.documents.test_files import pdf
from tests.core.literature.loopback import Asked, serving

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>A study</title></titleStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename>Ann</forename><surname>Roe</surname></persName></author>
</analytic><monogr><imprint><date type="published" when="2015-02"/></imprint></monogr>
<idno type="DOI">10.1/AB</idno>
</biblStruct></sourceDesc></fileDesc><profileDesc><abstract><p>In short.</p></abstract>
</profileDesc></teiHeader>
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
    assert (paper.id, paper.title, paper.year, paper.authors) == (
        "doc:1",
        "A study",
        "2015",
        ("Roe A",),
    )
    assert [(s.name, s.text) for s in paper.sections] == [
        ("Abstract", "In short."),
        ("Results", "Tau [1] fell."),
    ]
    assert service.asked[0].url == "http://127.0.0.1:8070/api/processFulltextDocument"


def test_an_answer_that_is_not_tei_is_reported():
    with pytest.raises(BadAnswer):
        grobid.read_pdf(b"%PDF-1.4", "http://127.0.0.1:8070", Service("no XML"), "doc:1")


def test_figures_notes_and_end_matter_are_kept_and_references_are_not():
    more = (
        "<div><p>It goes on.</p></div><div><head"
        ' n="2">Methods</head><p><s>One.</s><s>Two.</s></p><formula>a = b'
        "<label>(1)</label></formula></div><figure><head>Fig. 1 .</head><label>1</label><figDesc>A"
        " legend.</figDesc>"
        "</figure><figure type='table'><head>Table 1</head><table>"
        "<row><cell>a</cell><cell>b</cell></row></table></figure>"
        '<note place="foot">A note.</note></body><back><div'
        ' type="acknowledgement"><div><head>Thanks</head><p>All.</p>'
        "</div></div><div"
        ' type="references"><listBibl><biblStruct><analytic><title>Old</title></analytic>'
        "</biblStruct>"
        "</listBibl></div></back>"
    )
    paper = grobid.read_pdf(
        b"%PDF-1.4", "http://127.0.0.1:8070", Service(TEI.replace("</body>", more)), ""
    )
    assert [(section.name, section.text) for section in paper.sections] == [
        ("Abstract", "In short."),
        ("Results", "Tau [1] fell.\n\nIt goes on."),
        ("Methods", "One. Two.\n\na = b"),
        ("Figures", "Fig. 1 .\n\nA legend."),
        ("Table 1", "a – b"),
        ("Footnotes", "A note."),
        ("Thanks", "All."),
    ]
    assert [section.kind for section in paper.sections[3:5]] == ["caption", "table"]
    assert paper.id == "DOI:10.1/ab"


PDF = pdf("Tau is found in many neurons here and there.")


@pytest.mark.parametrize(
    ("status", "answer", "read_as", "problem_codes"),
    [
        (200, TEI.encode(), "Tau [1] fell.", []),
        (503, b"busy", "Tau is found in many neurons", ["grobid-failed"]),
        (500, b"[GENERAL] An exception", "Tau is found in many neurons", ["grobid-failed"]),
        (204, b"", "Tau is found in many neurons", ["grobid-failed"]),
        (200, b"<html>down</html>", "Tau is found in many neurons", ["grobid-failed"]),
        (200, TEI.encode()[:300], "Tau is found in many neurons", ["grobid-failed"]),
        (-200, TEI.encode(), "Tau is found in many neurons", ["grobid-failed"]),
    ],
)
def test_a_server_is_trusted_when_it_answers_and_reported_when_it_fails(
    tmp_path, status, answer, read_as, problem_codes
):
    asked: list[Asked] = []

    def grobid_(request: Asked):
        asked.append(request)
        return status, answer

    with serving(grobid_) as address:
        desk = open_desk(Settings(project=tmp_path / "p", grobid_url=address))
        desk._once("web grobid []", lambda: _hasty(desk))
        namespaces.create_namespace(desk, "pdfs")
        added = upload.add_pdf(desk, "pdfs", "x.pdf", PDF)
        (member,) = desk.store.namespaces.members("pdfs")
        desk.close()
    assert (
        read_as in member.text.text
        and [problem.code for problem in added.problems] == problem_codes
    )
    assert asked[0].path == "/api/processFulltextDocument" and PDF in asked[0].body


def _hasty(desk):
    """The desk's way to GROBID, without the waits between tries."""
    client = desk._open_web("grobid", ())
    client.sleep = lambda seconds: None
    return client
