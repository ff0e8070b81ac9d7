"""The page of licences: every package that a base install brings, as its own metadata says."""

from __future__ import annotations

import importlib.metadata as metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
UNSAID = {"owlrl": "W3C Software Notice and Licence"}  # its metadata says "OSI approved" only
HEAD = """# Licences of what is installed

Written by `python docs/generate.py` from the packages' own metadata: what `requirements.txt`
brings, and what that brings in turn. A test holds that each is permissive (or, as `certifi`, weakly
protective and unchanged). Vocabularies have licences of their own: see
[vocabularies](../vocabularies.md).

| package | licence |
|---|---|
"""


def licences() -> str:
    """The page as Markdown, a row a package."""
    rows = (f"| {name} | {licence} |\n" for name, licence in sorted(licence_list().items()))
    return HEAD + "".join(rows)


def licence_list() -> dict[str, str]:
    """Package → licence for all that a base install brings."""
    listed: dict[str, str] = {}
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if words := line.partition("#")[0].strip():
            _add(Requirement(words), listed)
    return listed


def _add(requirement: Requirement, listed: dict[str, str]) -> None:
    name = canonicalize_name(requirement.name)
    if name in listed:
        return
    package = metadata.distribution(name)
    listed[name] = UNSAID.get(name) or _licence(package.metadata)
    for words in package.requires or ():
        needed = Requirement(words)
        extras = requirement.extras or {""}
        if not needed.marker or any(needed.marker.evaluate({"extra": one}) for one in extras):
            _add(needed, listed)


def _licence(about: metadata.PackageMetadata) -> str:
    classes = [
        words.rpartition(" :: ")[2]
        for words in about.get_all("Classifier") or ()
        if words.startswith("License") and not words.endswith("OSI Approved")
    ]
    said = about.get("License-Expression") or "; ".join(classes) or about.get("License") or ""
    return " ".join(said.split("\n")[0].split())
