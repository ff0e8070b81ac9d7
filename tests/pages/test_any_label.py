"""Any JSON text as any label: no page and no export breaks, and a row that cannot be drawn shows as
such.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.desk import Desk
from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats.registry import FORMATS
from core.model import (
    Category,
    Curator,
    Decision,
    Document,
    Evidence,
    Literal,
    Modality,
    Qualifier,
    ReferenceGround,
    Run,
    Span,
    Statement,
    Term,
    TextGround,
    TextVersion,
    Verdict,
)
from core.services.documents import overview
from core.services.review import decision
from core.services.review.decision import Judgement
from core.store.statement_row import storable_proposal
from tests import reviewing
from tests.reviewing import ANNA, SHA, TREATS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
LABELS = 8
NASTY = [
    "</script><img src=x onerror=alert(1)>\"'`",
    "\ud83d half a sign \udc00",
    "\x00\x01\x1b[31m\x7f\ufeff",
    "\u202eright to left\u2028\u2029\r\n\t",
    "![x](http://evil.example/x.png) **b** $x$ :red[x] [[y]] | --- |",
    "=1+1 @prefix <http://a b> \\u0041 \\ {}%s{0}",
    "𝒜é́🧬" * 2_500,
    " ",
]
anything = st.lists(
    st.text(st.characters(exclude_categories=()), max_size=40), min_size=LABELS, max_size=LABELS
)
DRAWN = 4  # draws of labels beside the nasty ones; Review makes the cards of all of them ready


def draws() -> list[list[str]]:
    """The nasty labels, and labels that hypothesis draws, the same ones in every run."""
    drawn: list[list[str]] = []

    @settings(max_examples=2 * DRAWN, deadline=None, derandomize=True, database=None)
    @given(anything)
    def draw(labels: list[str]) -> None:
        drawn.append(labels)

    draw()
    telling = sorted(drawn, key=lambda labels: -len("".join(labels)))  # the first is often empty
    return [NASTY, *telling[: DRAWN - 1], [""] * LABELS]


def claims(number: int, labels: list[str]) -> list[Statement]:
    """Statements on a drug of this number that hold each label in another place."""
    one, two, three, four, five, six, seven, _ = labels
    drug = Term(f"CHEBI:{15365 + number}", one or "x", Category.CHEMICAL)
    return [
        Statement(drug, TREATS, Term("HP:0002315", two or "y", Category.PHENOTYPE)),
        Statement(drug, Term("", three or "z"), Term("", four or "w", Category.DISEASE)),
        Statement(
            drug,
            TREATS,
            Literal(five, "xsd:string", six),
            modality=Modality.HYPOTHESIS,
            qualifiers=(Qualifier(seven or "q", Literal(two)),),
        ),
    ]


def add(desk: Desk, number: int, labels: list[str]) -> None:
    """A document with these labels and its statements, of which one is approved."""
    name = f"PMID:{number}"
    desk.store.documents.add(Document(name, labels[7]))
    desk.store.documents.add_text(TextVersion(SHA, name, reviewing.TEXT, "abstract"))
    desk.store.runs.add(Run(f"r{number}", "extract", "dictionary", document=name, text_version=SHA))
    proposed = []
    for statement in claims(number, labels):
        quote = TextGround(name, SHA, Span(0, 11), reviewing.TEXT[:11])
        absent = TextGround(f"doc:{number}", "ef" * 32, Span(0, 3), labels[4])
        grounds = [
            Evidence(statement.id, quote, f"r{number}", labels[5], "builtin"),
            Evidence(statement.id, absent, f"r{number}", rule=labels[2][:60], cue=labels[3][:60]),
            Evidence(statement.id, ReferenceGround("PMID:7", labels[6], labels[7])),
        ]
        proposed.append(storable_proposal(statement, grounds))
    desk.store.statements.propose(proposed, f"r{number}")
    person = Curator(orcid(number), labels[0].strip() or "Anna")
    desk.store.curators.add(person)
    record = desk.store.statements.get(proposed[0][0].id)
    decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=person)
    if tag := " ".join(labels[1].split())[:30]:
        overview.set_tags(desk, name, [tag], person)


def orcid(number: int) -> str:
    """The nth ORCID iD, with its check digit (ISO 7064 MOD 11-2)."""
    digits, total = f"{number:015}", 0
    for digit in digits:
        total = (total + int(digit)) * 2
    whole = digits + "0123456789X"[(12 - total % 11) % 11]
    return "-".join(whole[at : at + 4] for at in range(0, 16, 4))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that holds every draw."""
    folder = tmp_path_factory.mktemp("hostile")
    desk = reviewing.empty(folder)
    for number, labels in enumerate(draws(), 1):
        add(desk, number, labels)
    desk.close()
    return folder


def test_the_drawn_labels_are_more_than_empty_ones() -> None:
    drawn = draws()[1:-1]
    assert len({"".join(labels) for labels in drawn}) == DRAWN - 1
    assert any(ord(sign) > 0xFF for labels in drawn for label in labels for sign in label)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_hostile_labels_break_no_page(page: Path, hostile: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(hostile))
    addresses: list[dict[str, str]] = [{}]
    if "Documents" in page.name:
        addresses = [{"document": f"PMID:{number}"} for number in (1, 2, DRAWN + 1)]
    if "Review" in page.name:
        addresses = [{"state": "all"}]
    for address in addresses:
        at = AppTest.from_file(page, default_timeout=60)
        at.session_state["_curator"] = ANNA
        for name, value in address.items():
            at.query_params[name] = value
        at.run()
        assert not at.exception, (address, at.exception)


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda format: format.name)
@settings(max_examples=10, deadline=None, derandomize=True)
@example(NASTY)
@given(anything)
def test_hostile_labels_break_no_export(format, labels):
    entries = []
    for claim in claims(0, labels):
        statement, _ = storable_proposal(claim, [])
        piece = Evidence(statement.id, ReferenceGround("PMID:1", labels[6][:20]))
        approval = Decision(
            "d1", statement.id, 1, Verdict.APPROVE, ANNA.orcid, "2026-01-02T03:04:05.000Z"
        )
        if all(term.id for term in (statement.subject, statement.predicate)):
            entries.append(ExportEntry(statement, (piece,), (approval,)))
    documents = {"PMID:1": Document("PMID:1", storable_words(labels[7]))}
    kb = KnowledgeBase("https://example.org/kb/", tuple(entries), documents=documents)
    assert isinstance(format.write(kb), bytes)


def storable_words(words: str) -> str:
    """A title as the store gives it back."""
    return words.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def test_a_row_that_cannot_be_drawn_says_so(project):
    """A statement that another program wrote into the database, half a character in its label."""
    desk = reviewing.filled(project)
    desk.close()
    database = sqlite3.connect(project / "groundwork.db")
    id, body = database.execute("SELECT id, body FROM statements LIMIT 1").fetchone()
    bad = json.loads(body)
    bad["subject"]["label"] = "half \ud83d"
    place = (json.dumps(bad), id)
    database.execute("UPDATE statements SET body = ? WHERE id = ?", place)
    database.commit()
    database.close()
    for page in ("3_Review", "2_Documents", "4_Knowledge_graph"):
        at = AppTest.from_file(ROOT / "pages" / f"{page}.py", default_timeout=60)
        at.session_state["_curator"] = ANNA
        if page == "2_Documents":
            at.query_params["document"] = reviewing.DOCUMENT
        at.run()
        assert not at.exception, page
