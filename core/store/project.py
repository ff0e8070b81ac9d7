"""Properties of the project itself, such as its name and base IRI."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

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

    def policy(self) -> ReviewPolicy:
        """What the project asks of its reviews."""
        return from_json(ReviewPolicy, self.get(POLICY, {}))

    def set_policy(self, policy: ReviewPolicy) -> None:
        self.set(POLICY, to_json(policy))

    @property
    def base_iri(self) -> str:
        """The IRI prefix of everything the project mints; fixed when the project was made."""
        return str(self.get("base_iri", ""))
