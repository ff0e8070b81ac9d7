"""The curators of a project, by ORCID."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from core.model import Curator
from core.store.database import Repository
from core.store.table import curators, decisions


class CuratorRepository(Repository):
    def add(self, curator: Curator) -> Curator:
        """Keep a curator; a new name takes the place of the old one."""

        def work(connection: Connection) -> Curator:
            known = connection.execute(
                select(curators).where(curators.c.orcid == curator.orcid)
            ).first()
            if known is None:
                row = {"orcid": curator.orcid, "name": curator.name, "time": self.clock()}
                connection.execute(insert(curators).values(**row))
            elif curator.name and curator.name != known.name:
                place = curators.c.orcid == curator.orcid
                connection.execute(update(curators).where(place).values(name=curator.name))
            return Curator(curator.orcid, curator.name or (known.name if known else ""))

        return self.repeating(work)

    def all(self) -> list[Curator]:
        """Who was named here, and everyone else who decided something (on the command line)."""
        query = select(curators).order_by(curators.c.time, curators.c.orcid)
        decided = select(decisions.c.curator).distinct().order_by(decisions.c.curator)
        with self.reading() as connection:
            named = [Curator(row.orcid, row.name) for row in connection.execute(query)]
            known = {curator.orcid for curator in named} | {""}
            others = [orcid for orcid in connection.scalars(decided) if orcid not in known]
        return named + [Curator(orcid) for orcid in others]

    def get(self, orcid: str) -> Curator | None:
        return next((curator for curator in self.all() if curator.orcid == orcid), None)
