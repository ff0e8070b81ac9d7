"""Every package that the app imports is named in `requirements.txt`, not only what brings it."""

from __future__ import annotations

import ast
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def named_packages() -> set[str]:
    """Those of a base install, and the optional ones that tests and conversions use."""
    files = [ROOT / "requirements.txt", ROOT / "requirements-dev.txt"]
    lines = [
        line.split("#")[0].strip()
        for file in [*files, *(ROOT / "requirements").glob("*.txt")]
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    requirements = [Requirement(line) for line in lines if line and not line.startswith("-")]
    names = [name for need in requirements for name in (need.name, *need.extras)]
    return set(map(canonicalize_name, names))


def imported_modules(path: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    return {module.partition(".")[0] for module in modules}


def test_imported_packages_are_named_in_requirements() -> None:
    named, distributions = named_packages(), packages_distributions()
    own = {"core", "pages", *sys.stdlib_module_names}
    paths = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    unnamed = {
        module
        for path in paths
        for module in imported_modules(path) - own
        if named.isdisjoint(map(canonicalize_name, distributions.get(module, [module])))
    }
    assert unnamed == set()
