"""A module below 30 lines with a single importer goes home to that importer, unless it is one of a
family: one file a reader, a format, a kind, an API (docs/architecture.md, Size of modules).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = 30  # lines

# Folder: the one module that reads all members ("" where they are found by their file names), and
# why each member is a file of its own.
FAMILIES = {
    "core": ("", "`python -m core` runs __main__.py"),
    "core/model": ("core.model", "one file a noun; rooms import all nouns from core.model"),
    "core/apis": ("core.apis.registry", "one file a web API"),
    "core/cli": ("", "one file a group of verbs, found by name"),
    "core/documents/readers": ("core.documents.readers.registry", "one file a document format"),
    "core/extraction": ("core.extraction.registry", "one file an engine"),
    "core/genes/kinds": ("core.genes.kinds.registry", "one file a kind of gene question"),
    "core/genes/strategies": ("core.genes.strategies.registry", "one file a way to answer"),
    "core/grounding/readers": ("core.grounding.readers.registry", "one file a vocabulary format"),
    "core/grounding/remote": ("core.grounding.remote.registry", "one file a grounding service"),
    "core/kb/formats": ("core.kb.formats.registry", "one file an export format"),
    "core/kb/owl/formats": ("core.kb.owl.formats", "one file an export format of OWL"),
    "core/literature/ranking": ("core.literature.ranking.registry", "one file a ranking mode"),
    "core/support/judges": ("core.support.registry", "one file a judge"),
    "core/store/migrations": ("", "Alembic runs env.py"),
    "core/store/migrations/versions": ("", "one file a step of the database, found by Alembic"),
    "pages": ("", "one file a page, found by Streamlit"),
}


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    for path in [root / "app.py", *root.glob("core/**/*.py"), *root.glob("pages/**/*.py")]:
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def importers(root: Path) -> dict[str, set[str]]:
    """The modules of ours that import each name, wherever in their code."""
    users: dict[str, set[str]] = defaultdict(set)
    for module, path in modules(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                names.append(str(node.module))
            else:
                continue
            for name in names:
                users[name].add(module)
    return users


def lonely(root: Path) -> dict[str, set[str]]:
    """Small modules that nobody else, or one other module, imports, and that are of no family."""
    users = importers(root)
    alone = {}
    for module, path in modules(root):
        if path.name in ("__init__.py", "app.py"):
            continue
        if len(path.read_text(encoding="utf-8").splitlines()) >= SMALL or len(users[module]) > 1:
            continue
        reads_all, _ = FAMILIES.get(path.parent.relative_to(root).as_posix(), (None, ""))
        if reads_all is None or users[module] != ({reads_all} if reads_all else set()):
            alone[module] = users[module]
    return alone


def test_a_small_module_with_one_importer_goes_home() -> None:
    assert lonely(ROOT) == {}


@pytest.mark.parametrize("folder", FAMILIES)
def test_each_family_stands(folder: str) -> None:
    reads_all, reason = FAMILIES[folder]
    assert reason
    assert (ROOT / folder).is_dir()
    assert not reads_all or reads_all in dict(modules(ROOT))


@pytest.mark.parametrize(
    ("place", "importing", "goes_home"),
    [
        ("core/text/tiny.py", ["core/kb/gate.py"], True),
        ("core/text/tiny.py", [], True),
        ("core/text/tiny.py", ["core/kb/gate.py", "core/desk.py"], False),
        ("core/apis/tiny.py", ["core/apis/registry.py"], False),
        ("core/apis/tiny.py", ["core/apis/client.py"], True),
        ("core/cli/tiny.py", [], False),
        ("core/cli/tiny.py", ["core/cli/verb.py"], True),
    ],
)
def test_a_small_module_is_seen(
    place: str, importing: list[str], goes_home: bool, tmp_path: Path
) -> None:
    package, _, module = place.removesuffix(".py").replace("/", ".").rpartition(".")
    long = "x = 1\n" * SMALL
    sources = {place: "x = 1\n", "app.py": ""}
    sources |= dict.fromkeys(importing, f"from {package} import {module}\n{long}")
    for file, source in sources.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(source, encoding="utf-8")
    assert (f"{package}.{module}" in lonely(tmp_path)) is goes_home
