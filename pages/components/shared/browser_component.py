"""A part of a page that runs in the browser: its ES modules joined into the one that Streamlit
sends, so that they are checked as any JavaScript, and the app runs without a build or node.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

# import { make } from "./elements.js";    /** @import … */ in comments is of types only and stays
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


def browser_component(name: str, folder: Path) -> Callable[..., Any]:
    """The component of `NAME.js`, which exports how it is drawn, styled by `NAME.css`."""
    return st.components.v2.component(
        name,
        js=joined_modules(folder / f"{name}.js"),
        css=(folder / f"{name}.css").read_text("utf-8"),
        isolate_styles=False,
    )


def joined_modules(entry: Path) -> str:
    """One module of this one and all that it imports, each once and ahead of those that use it.

    Names at the top of joined modules must differ, as `tests/browser_modules` checks.
    """
    texts: dict[Path, str] = {}
    _add(entry.resolve(), texts)
    return "\n".join(texts.values())


def _add(path: Path, texts: dict[Path, str]) -> None:
    text = path.read_text("utf-8")
    for imported in _IMPORT.findall(text):
        other = (path.parent / imported).resolve()
        if other not in texts:
            _add(other, texts)
    texts[path] = _EXPORT.sub("", _IMPORT.sub("", text))
