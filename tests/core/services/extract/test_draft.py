"""Drafts of an extraction: files of their kind, that say undecided, that hold hostile words, and
that come back.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import rdflib
import yaml

from core.desk import Desk, open_desk
from core.errors import InputError
from core.model import State
from core.services.extract import draft, result
from core.services.extract.result import ExtractionView
from core.services.extract.run import start_run
from core.services.graph import knowledge_base, statement_import
from core.services.review import decision
from core.settings import Secret, Settings
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import TEXT, project

HOSTILE = [
    '=HYPERLINK("http://evil.example","x")',
    "+1+1",
    "@SUM(A1)",
    "-2+3",
    "<script>alert(1)</script>",
    "![x](http://evil.example/a.png)",
    "a | b",
    "[link](javascript:alert(1))",
    '"quoted", with commas',
    "line\u2028break",
    "a: b # c",
    "\\ and \\u0041",
    "</pre><img src=x onerror=alert(1)>",
]
KNOWN_TAGS = "html head meta title style body h1 h2 p strong table tr th td ul li code pre"
TAGS = frozenset(KNOWN_TAGS.split())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, _ = project(tmp_path / "one")
    yield desk
    desk.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Desk]:
    other_desk, _ = project(tmp_path / "two")
    yield other_desk
    other_desk.close()


def run(desk: Desk, text: str = TEXT) -> ExtractionView:
    return result.wait_for_job(desk, start_run(desk, "trial", text, source="PMID:1"))


def hostile(desk: Desk, words: str) -> ExtractionView:
    """An extraction in which the model gave these words for a term, and for the relation."""
    nested = f"subject: {words}\npredicate: TREATS\nobject: {words}"
    desk._parts["completer"] = RuleModel({"hurts": "triples: x y z", "x y z": nested})
    view = run(desk, f"It hurts. {words}")
    claim, evidence = view.statements[0]
    worse = replace(
        claim,
        subject=replace(claim.subject, label=words),
        object=replace(claim.object, label=words),
    )  # type: ignore[type-var, arg-type]
    return replace(
        view, statements=((worse, [replace(piece, statement=worse.id) for piece in evidence]),)
    )


class Page(HTMLParser):
    """The tags of a page, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_words_in_every_format(desk: Desk, words: str) -> None:
    view = hostile(desk, words)
    drafts = {name: draft.render_run(desk, view, name) for name in draft.FORMATS}
    whole = json.loads(drafts["json"])
    assert whole["statements"][0]["subject"]["label"] == words
    assert yaml.safe_load(drafts["yaml"]) == whole
    assert [
        json.loads(line)["object"]["label"] for line in drafts["jsonl"].split("\n") if line
    ] == [words]
    page = Page(drafts["html"])
    assert set(page.tags) <= TAGS
    assert words in page.words
    assert (
        len([line for line in drafts["md"].split("\n") if line.startswith("| ")]) == 3
    )  # head, rule, row
    assert "](" not in drafts["md"]
    for name in ("ttl", "owl"):
        labels = set(
            rdflib.Graph()
            .parse(data=drafts[name], format="turtle")
            .objects(None, rdflib.RDFS.label)
        )
        assert rdflib.Literal(words) in labels


@pytest.mark.parametrize("words", HOSTILE)
def test_no_cell_of_a_table_is_a_formula(desk: Desk, words: str) -> None:
    (row,) = csv.DictReader(io.StringIO(draft.render_run(desk, hostile(desk, words), "csv")))
    assert row["subject"].removeprefix("'") == words.removeprefix("'")
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
    assert None not in row


def test_every_draft_says_undecided_and_is_the_same_again(desk: Desk) -> None:
    view = run(desk)
    for name in draft.FORMATS:
        text = draft.render_run(desk, view, name)
        assert "undecided" in text
        assert text == draft.export_run(desk, view.run.id, name)


@pytest.mark.parametrize("format", ["ttl", "json", "jsonl", "yaml"])
def test_a_draft_comes_back_as_proposals(desk: Desk, other: Desk, format: str) -> None:
    view = run(desk)
    content = draft.render_run(desk, view, format).encode()
    done = statement_import.import_file(other, f"draft.{format}", content)
    assert set(done.proposal.new) == {statement.id for statement, _ in view.statements}
    records = other.store.queue.records()
    assert {record.state for record in records} == {State.PROPOSED}
    assert {r.statement for r in records} == {statement for statement, _ in view.statements}
    quotes = {piece.id: piece.ground for record in records for piece in record.evidence}
    assert quotes == {
        piece.id: piece.ground for _, evidence in view.statements for piece in evidence
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", b"{"),
        ("x.json", b'{"answer": 1}'),
        ("x.json", b'{"statements": []}'),
        ("x.jsonl", b"nothing"),
        ("x.yaml", b"a: [b"),
        ("x.yaml", b"!!python/object/apply:os.system [ls]"),
        ("x.yaml", b"just words"),
        ("x.json", b"\xff\xfe"),
        ("x.json", b"[" * 100_000),
    ],
)
def test_file_that_is_not_a_draft_is_refused(desk: Desk, name: str, content: bytes) -> None:
    with pytest.raises(InputError):
        statement_import.import_file(desk, name, content)


def test_a_statement_that_was_changed_by_hand_is_left_out_and_named(
    desk: Desk, other: Desk
) -> None:
    whole = draft.as_json(run(desk))
    whole["statements"][1]["negated"] = False
    done = statement_import.import_file(other, "draft.json", json.dumps(whole).encode())
    assert len(done.proposal.new) == 1
    assert "changed by hand" in done.problems[0].message


# ------------------------------------------------------------------ OWL

PASTA = "Buttered pasta. Boil 200 g pasta in a pan. Add 2 tbsp melted butter."
RULES = {
    PASTA: (
        "label: Buttered pasta\ndescription: Buttered pasta\ningredients: 2 tbsp melted"
        " butter\nsteps: Boil pasta"
    ),
    "2 tbsp melted butter": "food_item: melted butter\nfood: butter\namount: 2\nunit: tbsp",
    "melted butter": "food: butter\nstate: melted",
    "Boil pasta": "action: Boil\ninputs: pasta",
    "pasta": "food: pasta",
}


def kitchen(folder: Path) -> Desk:
    desk = open_desk(Settings(folder, model="rules", openai_api_key=Secret("key")))
    desk._parts["completer"] = RuleModel(RULES)
    return desk


def defined(text: str) -> tuple[rdflib.Graph, list[rdflib.term.Node]]:
    """The draft, and the operands of the definition of the dish."""
    graph = rdflib.Graph().parse(data=text, format="turtle")
    (dish,) = graph.subjects(rdflib.RDFS.label, rdflib.Literal("Buttered pasta"))
    (whole,) = graph.objects(dish, rdflib.OWL.equivalentClass)
    (head,) = graph.objects(whole, rdflib.OWL.intersectionOf)
    return graph, list(graph.items(head))


@pytest.mark.parametrize("schema", ["recipe", "spires/templates/recipe.yaml"])
def test_a_recipe_is_a_class_defined_by_its_ingredients_and_steps(
    tmp_path: Path, request: pytest.FixtureRequest, schema: str
) -> None:
    """Ours by its annotations, the reference's by its template."""
    desk = kitchen(tmp_path)
    name = str(request.getfixturevalue("shared") / "data" / schema) if "/" in schema else schema
    finished = result.wait_for_job(desk, start_run(desk, name, PASTA, source="PMID:1"))
    graph, parts = defined(draft.render_run(desk, finished, "owl"))
    properties = {
        str(name) for part in parts for name in graph.objects(part, rdflib.OWL.onProperty)
    }
    assert "http://purl.obolibrary.org/obo/FOODON_00002420" in properties
    assert len(parts) == 3
    assert draft.draft_remarks(desk, finished, "owl") == ()
    desk.close()


def test_approved_draft_is_exported_with_its_class_definition(tmp_path: Path) -> None:
    desk = kitchen(tmp_path)
    finished = result.wait_for_job(desk, start_run(desk, "recipe", PASTA, source="PMID:1"))
    sent = result.send_to_review(
        desk, finished.run.id, "0000-0002-1825-0097", include_ungrounded=True
    )
    assert b"equivalentClass" not in knowledge_base.export_approved(desk, "owl").content
    who = decision.Curator("0000-0002-1825-0097", "Anna")
    for name in sent.new:
        version = desk.store.statements.get(name).version
        decision.decide(
            desk, name, version, decision.Judgement(decision.Verdict.APPROVE), curator=who
        )
    content = knowledge_base.export_approved(desk, "owl").content.decode()
    assert "undecided" not in content
    assert defined(content)[1]
    desk.close()
