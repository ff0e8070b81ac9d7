"""Services name the parts of the desk that they use, and work with these parts alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core import desk_parts
from core.desk import Desk
from core.desk_parts import HasFolder, HasStore
from core.model import Document, Role, State, TextVersion, Verdict
from core.services.documents import overview
from core.services.extract import schemas
from core.services.people import roles
from core.services.review import queue
from core.services.review.decision import Judgement, decide
from core.services.review.undo import undo_decision
from core.settings import CODE, Settings
from core.store import Store
from tests.reviewing import ANNA, BEN, DOCUMENT, PROPOSED, RELIEVES, SHA, TEXT

ROOT = Path(__file__).resolve().parents[2]
# services that may take the whole desk; lower it, never raise it (eight are of evaluations, which
# measure the whole product, and one is the doctor, who examines it)
WHOLE_DESK = 9


def parameters(path: Path) -> Iterator[tuple[str, str]]:
    """Each function of a file with the annotations of its parameters and variables: a job takes its
    desk from the context.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if argument.annotation is not None:
                    yield f"{path.name}:{node.name}", ast.unparse(argument.annotation)
            for part in ast.walk(node):
                if isinstance(part, ast.AnnAssign):
                    yield f"{path.name}:{node.name}", ast.unparse(part.annotation)


def test_few_services_take_the_whole_desk() -> None:
    annotated = [
        pair for path in (ROOT / "core/services").rglob("*.py") for pair in parameters(path)
    ]
    whole = [name for name, annotation in annotated if annotation == "Desk"]
    named = [name for name, annotation in annotated if annotation in vars(desk_parts)]
    assert len(whole) <= WHOLE_DESK, (
        f"Take the part that is used (core/desk_parts.py) instead of Desk: {sorted(whole)}"
    )
    assert len(named) > 10 * len(whole)


@pytest.mark.parametrize(
    "part", [part for name, part in vars(desk_parts).items() if name.startswith("Has")]
)
def test_the_desk_has_every_part(part: Any, tmp_path: Path) -> None:
    names = {name for base in part.__mro__ for name in vars(base) if not name.startswith("_")}
    desk = Desk(Settings(project=tmp_path / "project"))
    assert names and names <= set(dir(desk))


@dataclass
class DatabaseAlone:
    """A database and nothing else: no folder, no settings, no vocabularies, no network."""

    store: Store
    base_iri: str = "https://kb.test/"

    def __post_init__(self) -> None:
        numbers = count(1)
        self.new_id = lambda: f"id{next(numbers)}"
        self.clock = lambda: "2026-01-01T00:00:00+00:00"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[DatabaseAlone]:
    store = Store(f"sqlite:///{tmp_path}/groundwork.db", clock=lambda: "2026-01-01T00:00:00+00:00")
    store.documents.add(Document(DOCUMENT, "A note on willow bark"))
    store.documents.add_text(TextVersion(SHA, DOCUMENT, TEXT))
    store.statements.propose(PROPOSED, "", ANNA.orcid)
    yield DatabaseAlone(store)
    store.close()


def test_statements_are_decided_and_undone_with_a_database_alone(database: DatabaseAlone) -> None:
    desk: HasStore = database
    version = desk.store.statements.get(RELIEVES.id).version
    decided = decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), curator=BEN)
    assert decided.record.state is State.APPROVED
    assert undo_decision(desk, decided.decisions[0].id, BEN).record.state is State.PROPOSED
    assert queue.queue_tally(desk)


def test_people_and_documents_are_kept_with_a_database_alone(database: DatabaseAlone) -> None:
    roles.add_person(database, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    assert overview.set_tags(database, DOCUMENT, ["pain"], ANNA) == ("pain",)
    assert overview.document_row(database, DOCUMENT).tags == ("pain",)
    assert [person.role for person in roles.list_people(database)] == [Role.OWNER]


@dataclass
class FolderAlone:
    settings: Settings

    def __post_init__(self) -> None:
        self.folder = self.settings.project
        self.schemas = (self.folder / "schemas", CODE / "schemas")
        self.schema_cache_folder = self.folder / "cache"
        self.vocabularies = self.folder / "vocabularies"
        self.indexes = self.folder / "indexes"


def test_schemas_are_listed_with_a_folder_alone(tmp_path: Path) -> None:
    desk: HasFolder = FolderAlone(Settings(project=tmp_path))
    assert schemas.schema_choices(desk)
