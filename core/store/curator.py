"""The people of a project, by ORCID, and what their roles allow."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, exists, insert, select, update

from core.errors import Forbidden, Refused
from core.model import Curator, ReviewPolicy, Role
from core.store.database import Repository
from core.store.project import policy_of, stored_policy
from core.store.table import curators, decisions

ROLES = list(Role)  # the least first


@dataclass(frozen=True, slots=True)
class CuratorRights:
    """A person at the time they do something: `role` is what counts for them."""

    person: Curator
    role: Role
    policy: ReviewPolicy

    def need(self, role: Role) -> None:
        """Raises Forbidden where this person may do less than `role` does."""
        if ROLES.index(self.role) < ROLES.index(role):
            if not self.person.orcid:
                raise Forbidden(
                    f"This requires the role of {role}, and no name was given.",
                    "Enter your name and ORCID iD in the sidebar.",
                )
            raise Forbidden(
                f"This requires the role of {role}; yours in this project is {self.role}.",
                "An owner of the project assigns roles on the People page.",
            )


class CuratorRepository(Repository):
    def add(self, curator: Curator) -> Curator:
        """Keep a curator; a new name takes the place of the old one. Roles are given by
        `set_role`.
        """

        def work(connection: Connection) -> Curator:
            stored_row = connection.execute(
                select(curators).where(curators.c.orcid == curator.orcid)
            ).first()
            if stored_row is None:
                row = {"orcid": curator.orcid, "name": curator.name, "time": self.clock()}
                connection.execute(insert(curators).values(**row))
            elif curator.name and curator.name != stored_row.name:
                place = curators.c.orcid == curator.orcid
                connection.execute(update(curators).where(place).values(name=curator.name))
            role = _role(stored_row.role) if stored_row else None
            return Curator(
                curator.orcid, curator.name or (stored_row.name if stored_row else ""), role
            )

        return self.repeating(work)

    def set_role(self, orcid: str, role: Role) -> None:
        """Give a person who is listed a role. Raises Refused where no owner would be left."""

        def work(connection: Connection) -> None:
            owners = set(_owners(connection))
            if owners == {orcid} and role is not Role.OWNER:
                raise Refused(
                    "The project would have no owner.", "Make someone else an owner first."
                )
            place = curators.c.orcid == orcid
            connection.execute(update(curators).where(place).values(role=str(role)))

        self.repeating(work)

    def all(self) -> list[Curator]:
        """Who was named here, and everyone else who decided something (on the command line)."""
        query = select(curators).order_by(curators.c.time, curators.c.orcid)
        decided = select(decisions.c.curator).distinct().order_by(decisions.c.curator)
        with self.reading() as connection:
            named_curators = [
                Curator(row.orcid, row.name, _role(row.role)) for row in connection.execute(query)
            ]
            named_orcids = {curator.orcid for curator in named_curators} | {""}
            others = [orcid for orcid in connection.scalars(decided) if orcid not in named_orcids]
        return named_curators + [Curator(orcid) for orcid in others]

    def get(self, orcid: str) -> Curator | None:
        return next((curator for curator in self.all() if curator.orcid == orcid), None)

    def role(self, orcid: str) -> Role:
        """What a person may do here. While the project has no owner everyone may do everything;
        then whoever has no role has that of newcomers, and who gave no name ("") only looks.
        """
        return self.rights(orcid).role

    def rights(self, orcid: str) -> CuratorRights:
        """Who a person is here, with what the project asks of its reviews: in one question to the
        database, for it is asked at each decision.
        """
        place = curators.c.orcid == orcid
        query = select(
            select(curators.c.name).where(place).scalar_subquery().label("name"),
            select(curators.c.role).where(place).scalar_subquery().label("role"),
            exists().where(curators.c.role == str(Role.OWNER)).label("has_owner"),
            stored_policy().scalar_subquery().label("policy"),
        )
        with self.reading() as connection:
            row = connection.execute(query).one()
        policy = policy_of(row.policy)
        assigned_role = _role(row.role or "") or (policy.newcomer if orcid else Role.READER)
        role = assigned_role if row.has_owner else Role.OWNER
        return CuratorRights(Curator(orcid, row.name or "", role), role, policy)

    def need(self, orcid: str, role: Role) -> None:
        """Raises Forbidden where this person may do less than `role` does."""
        self.rights(orcid).need(role)


def _role(word: str) -> Role | None:
    return Role(word) if word in set(Role) else None


def _owners(connection: Connection) -> list[str]:
    query = select(curators.c.orcid).where(curators.c.role == str(Role.OWNER))
    return list(connection.scalars(query))
