"""Who may know whom (docs/architecture.md), read from the imports themselves."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = sorted((ROOT / "core").rglob("*.py"))
SCREENS = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]

BASE = {
    "model",
    "errors",
    "curie",
    "identity",
    "codec",
    "collector_pause",
    "optional_part",
    "plugins",
    "text",
    "schema",
}
EVERYTHING = {
    "desk",
    "desk_equivalents",
    "desk_models",
    "desk_network",
    "desk_parts",
    "services",
    "cli",
    "launch",
    "evaluation",
    "__main__",
    "__init__",
}
MAY_KNOW = {
    **{room: set() for room in BASE},
    "settings": {"llm", "setting_values", "project_file"},
    "app_secrets": {"settings"},
    "setting_values": set(),
    "project_file": {"whole_file"},
    "whole_file": set(),
    "llm": set(),
    "web": set(),
    "recorder": {"web", "llm"},
    "store": set(),
    "jobs": {"store", "settings"},
    "grounding": {"web"},
    "ncbi": {"web"},
    "support": {"grounding", "llm", "plugins"},
    "extraction": {"grounding", "llm", "support"},
    "genes": {"ncbi", "llm"},
    "apis": {"web", "llm"},
    "documents": {"web"},
    "literature": {"documents", "grounding", "ncbi", "llm", "support", "web"},
    "review": set(),
    "learning": set(),
    "kb": {"support"},
}


def room(path: Path) -> str:
    return path.relative_to(ROOT / "core").parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> frozenset[str]:
    """Dotted names that a file imports, wherever in it."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where a thing comes from"
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(modules)


def rooms(path: Path) -> set[str]:
    """The rooms of `core` that a file imports from; what `core` itself says is for everybody."""
    names = {name.split(".")[1] for name in imports(path) if name.startswith("core.")}
    return names - {"COMMAND", "__version__"}


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_knows_only_its_neighbours(path: Path) -> None:
    own = room(path)
    if own in EVERYTHING:
        return
    assert own in MAY_KNOW, f"{own} is not a room that docs/architecture.md names"
    assert rooms(path) - {own} <= BASE | MAY_KNOW[own]


def test_the_base_knows_only_itself() -> None:
    for path in CORE:
        if room(path) in BASE:
            assert rooms(path) <= BASE


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_core_has_no_screen(path: Path) -> None:
    assert not {name for name in imports(path) if name.split(".")[0] in ("streamlit", "pages")}


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: str(path.relative_to(ROOT)))
def test_screens_know_services_and_nouns_only(path: Path) -> None:
    assert rooms(path) <= {"desk", "services", "model", "errors", "optional_part"}


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: str(path.relative_to(ROOT)))
def test_screens_leave_the_store_to_services(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = ast.parse(text if ".store" in text else "")
    stores = [
        node for node in ast.walk(code) if isinstance(node, ast.Attribute) and node.attr == "store"
    ]
    assert not stores, f"{path}:{stores[0].lineno}: ask a service instead"


def test_session_state_is_touched_in_one_place() -> None:
    for path in SCREENS:
        if path.name != "state.py":
            assert "session_state" not in path.read_text(encoding="utf-8"), path


def test_the_environment_is_read_in_settings_only() -> None:
    for path in [*CORE, *SCREENS]:
        if path.name != "settings.py":
            assert not {name for name in imports(path) if name in ("os.environ", "os.getenv")}, path
            assert "os.environ" not in path.read_text(encoding="utf-8"), path


def test_sql_is_written_in_the_store_and_the_indexes_only() -> None:
    for path in CORE:
        places = path.relative_to(ROOT / "core").parts
        allowed = places[0] == "store" or places[:2] in {
            ("grounding", "index"),
            ("grounding", "readers"),  # semantic-SQL files are SQLite databases
            ("literature", "index"),
            ("schema", "conversion"),  # a pasted DDL is tried in a database that is thrown away
        }
        if not allowed:
            assert not {
                n for n in imports(path) if n.split(".")[0] in ("sqlite3", "sqlalchemy", "alembic")
            }, path


def test_the_network_is_reached_through_two_doors() -> None:
    for path in CORE:
        outside = {
            n
            for n in imports(path)
            if n.split(".")[0] in ("requests", "httpx", "urllib3", "openai", "socket")
        }
        outside |= {n for n in imports(path) if n.startswith("urllib.request")}
        if outside:
            assert path.relative_to(ROOT / "core").parts[0] in ("web", "llm"), f"{path}: {outside}"


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def needs() -> dict[str, set[str]]:
    """Module → the modules of ours that it imports anywhere, late and typing-only ones included."""
    paths = {module_name(path): path for path in [*CORE, *SCREENS]}
    return {
        name: {
            known
            for imported in imports(path)
            for known in (imported, imported.rpartition(".")[0])
            if known in paths and known != name
        }
        for name, path in paths.items()
    }


def test_no_two_modules_need_each_other() -> None:
    graph = networkx.DiGraph((name, other) for name, others in needs().items() for other in others)
    circles = [sorted(part) for part in networkx.strongly_connected_components(graph)]
    assert [circle for circle in circles if len(circle) > 1] == []
