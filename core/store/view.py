"""Views of the queue that were saved under a name, for everybody in the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from core.store.database import Repository
from core.store.table import views


@dataclass(frozen=True, slots=True)
class SavedView:
    """A name, and the values of the page's address that make the view."""

    name: str
    address: Mapping[str, str]
    curator: str = ""


class ViewRepository(Repository):
    def save(self, view: SavedView) -> None:
        """Keep a view; another of the same name is replaced."""
        with self.writing() as connection:
            connection.execute(delete(views).where(views.c.name == view.name))
            row = {"name": view.name, "address": dict(view.address), "curator": view.curator}
            connection.execute(insert(views).values(**row, time=self.clock()))

    def remove(self, name: str) -> None:
        with self.writing() as connection:
            connection.execute(delete(views).where(views.c.name == name))

    def all(self) -> list[SavedView]:
        """By name."""
        with self.reading() as connection:
            rows = connection.execute(select(views).order_by(views.c.name))
            return [SavedView(row.name, row.address, row.curator) for row in rows]
