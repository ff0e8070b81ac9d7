"""A small namespace to try Literature on: the example texts of the shipped schemas."""

from __future__ import annotations

from core.desk_parts import HasProject
from core.documents.paper import TEXT, Paper, PaperSection
from core.services.literature import namespaces
from core.settings import CODE
from core.store import Namespace

NAME = "examples"
QUESTION = "What causes liver failure?"
TEXTS = CODE / "schemas" / "examples"


def make_example(desk: HasProject, curator: str | None = None) -> Namespace:
    """Make the namespace, or bring it up to date. The texts are the project's own words, shipped
    with the app; the first line of each is its title.
    """
    namespace = namespaces.create_namespace(desk, NAME, curator=curator)
    papers: dict[str, Paper] = {}
    for path in sorted(TEXTS.glob("*.txt")):
        title, _, text = path.read_text(encoding="utf-8").strip().partition("\n")
        name = f"doc:example-{path.stem.replace('_', '-')}"
        papers.setdefault(text, Paper(name, title, (PaperSection("", text),), TEXT))
    namespaces.add_papers(desk, NAME, papers.values())
    namespaces.open_index_of(desk, NAME)
    return namespace
