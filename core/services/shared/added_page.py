"""Pages that other packages add to the app (docs/plug-ins.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.desk import Desk
from core.plugins import Registry


@dataclass(frozen=True, slots=True)
class AddedPage:
    """A page. `name` stands in its address, `title` in the sidebar and above it; `draw` shows
    what is below the title, by Streamlit, each time the page runs. `icon` is one of Streamlit's
    Material icons.
    """

    name: str
    title: str
    draw: Callable[[Desk], None]
    icon: str = ":material/extension:"


PAGES = Registry("groundwork.pages", AddedPage, ())
