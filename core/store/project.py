"""Properties of the project itself, such as its name and base IRI."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Select, func, insert, select, update

from core.codec import from_json, to_json
from core.model import Json, ReviewPolicy
from core.store.database import Repository
from core.store.table import project

POLICY = "policy"


class ProjectRepository(Repository):
    def get(self, name: str, default: Json = None) -> Json:
        """A property of the project, such as `base_iri`."""
        with self.reading() as connection:
            row = connection.execute(select(project.c.value).where(project.c.name == name)).first()
        return default if row is None else row.value

    def starting(self, prefix: str) -> dict[str, Json]:
        """Every property whose name begins with `prefix`, by the rest of its name, sorted."""
        query = select(project).where(project.c.name.startswith(prefix, autoescape=True))
        with self.reading() as connection:
            rows = connection.execute(query.order_by(project.c.name)).all()
        return {row.name.removeprefix(prefix): row.value for row in rows}

    def set(self, name: str, value: Json) -> None:
        def work(connection: Connection) -> None:
            changed = connection.execute(
                update(project).where(project.c.name == name).values(value=value)
            )
            if not changed.rowcount:
                connection.execute(insert(project).values(name=name, value=value))

        self.repeating(work)

    def set_once(self, name: str, value: Json) -> Json:
        """Set a property unless it is set, and give what it now is: the first writer wins."""

        def work(connection: Connection) -> Json:
            row = connection.execute(select(project.c.value).where(project.c.name == name)).first()
            if row is None:
                connection.execute(insert(project).values(name=name, value=value))
            return value if row is None else row.value

        return self.repeating(work)

    @contextmanager
    def turn(
        self, name: str, clock: Callable[[], float] = time.time
    ) -> Iterator[tuple[float, int, Callable[[float, int], None]]]:
        """One turn at what all workers on this database share, such as a pace: the next free moment
        (seconds by `clock`, kept by the clock of the database) and how many there were, and how to
        keep new ones. Nobody else has the turn meanwhile.
        """
        with self.writing(durable=False) as connection:
            if connection.dialect.name != "sqlite":  # which has one writer
                connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(name))))
            ahead = self.seconds(connection) - clock()
            place = project.c.name == name
            row = connection.execute(select(project.c.value).where(place)).first()
            free, number = row.value if row else (0.0, 0)

            def keep(free: float, number: int) -> None:
                value = [free + ahead, number]
                if not connection.execute(
                    update(project).where(place).values(value=value)
                ).rowcount:
                    connection.execute(insert(project).values(name=name, value=value))

            yield free - ahead, number, keep

    def policy(self) -> ReviewPolicy:
        """What the project asks of its reviews."""
        with self.reading() as connection:
            return policy_of(connection.scalar(stored_policy()))

    def set_policy(self, policy: ReviewPolicy) -> None:
        self.set(POLICY, to_json(policy))

    @property
    def base_iri(self) -> str:
        """The IRI prefix of everything the project mints; fixed when the project was made."""
        return str(self.get("base_iri", ""))


def stored_policy() -> Select[tuple[Json]]:
    """The query for the project's policy, as `policy_of` reads it."""
    return select(project.c.value).where(project.c.name == POLICY)


def policy_of(stored: Json) -> ReviewPolicy:
    """The policy that is stored, or what holds where none was set (None)."""
    return from_json(ReviewPolicy, stored or {})
