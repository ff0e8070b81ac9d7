"""The people of a project, by ORCID, and what their roles allow."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from core.errors import Forbidden, Refused
from core.model import Curator, Role
from core.store.database import Repository
from core.store.project import ProjectRepository
from core.store.table import curators, decisions

ROLES = list(Role)  # the least first


class CuratorRepository(Repository):
    def add(self, curator: Curator) -> Curator:
        """Keep a curator; a new name takes the place of the old one. Roles are given by
        `set_role`.
        """

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
            role = _role(known.role) if known else None
            return Curator(curator.orcid, curator.name or (known.name if known else ""), role)

        return self.repeating(work)

    def set_role(self, orcid: str, role: Role) -> None:
        """Give a person who is listed a role. Raises Refused where no owner would be left."""

        def work(connection: Connection) -> None:
            owners = set(_owners(connection))
            if owners == {orcid} and role is not Role.OWNER:
                raise Refused(
                    "The project would have no owner.", "Make somebody else an owner first."
                )
            place = curators.c.orcid == orcid
            connection.execute(update(curators).where(place).values(role=str(role)))

        self.repeating(work)

    def all(self) -> list[Curator]:
        """Who was named here, and everyone else who decided something (on the command line)."""
        query = select(curators).order_by(curators.c.time, curators.c.orcid)
        decided = select(decisions.c.curator).distinct().order_by(decisions.c.curator)
        with self.reading() as connection:
            named = [
                Curator(row.orcid, row.name, _role(row.role)) for row in connection.execute(query)
            ]
            known = {curator.orcid for curator in named} | {""}
            others = [orcid for orcid in connection.scalars(decided) if orcid not in known]
        return named + [Curator(orcid) for orcid in others]

    def get(self, orcid: str) -> Curator | None:
        return next((curator for curator in self.all() if curator.orcid == orcid), None)

    def role(self, orcid: str) -> Role:
        """What a person may do here. While the project has no owner everyone may do everything;
        then whoever has no role has that of newcomers.
        """
        with self.reading() as connection:
            owners = set(_owners(connection))
            own = connection.scalar(select(curators.c.role).where(curators.c.orcid == orcid))
        if not owners:
            return Role.OWNER
        return _role(own or "") or ProjectRepository(self._database).policy().newcomer

    def need(self, orcid: str, role: Role) -> None:
        """Raises Forbidden where this person may do less than `role` does."""
        own = self.role(orcid)
        if ROLES.index(own) < ROLES.index(role):
            raise Forbidden(
                f"This needs the role of {role}; yours in this project is {own}.",
                "An owner of the project gives roles, on the People page.",
            )


def _role(word: str) -> Role | None:
    return Role(word) if word in set(Role) else None


def _owners(connection: Connection) -> list[str]:
    query = select(curators.c.orcid).where(curators.c.role == str(Role.OWNER))
    return list(connection.scalars(query))
