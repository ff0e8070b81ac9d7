"""Releases: written once, never changed, each statement as it stood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Row, insert, select
from sqlalchemy.exc import IntegrityError

from core.errors import NotFound, Refused
from core.model import Json
from core.store.database import Repository
from core.store.id_batches import row_batches
from core.store.table import release_contents, release_statements, releases

BATCH = 500


@dataclass(frozen=True, slots=True)
class StoredRelease:
    """A release as it is kept: `body` describes it, `context` is the digest of what its statements
    are read with.
    """

    number: str
    created: str
    curator: str
    context: str
    body: Json


class ReleaseRepository(Repository):
    """Nothing here changes or deletes a release."""

    def add(
        self,
        release: StoredRelease,
        statements: Mapping[str, str],
        contents: Iterable[tuple[str, Json]],
    ) -> None:
        """Keep a release, all or nothing. `statements` are id → digest of its content, `contents`
        digest and JSON of what may not be kept yet. Raises Refused for a number that is taken.
        """
        rows = [
            {"release": release.number, "statement": id, "content": content}
            for id, content in sorted(statements.items())
        ]
        try:
            with self.writing() as connection:
                connection.execute(
                    insert(releases).values(
                        number=release.number,
                        created=release.created,
                        curator=release.curator,
                        context=release.context,
                        body=release.body,
                    )
                )
                _add_contents(connection, contents)
                if rows:
                    connection.execute(insert(release_statements), rows)
        except IntegrityError:
            raise Refused(
                f"Release {release.number} already exists, and releases never change.",
                "Give the next number.",
            ) from None

    def all(self) -> list[StoredRelease]:
        """Every release, oldest first."""
        with self.reading() as connection:
            return [
                _release_of_row(row) for row in connection.execute(select(releases).order_by("seq"))
            ]

    def get(self, number: str) -> StoredRelease:
        with self.reading() as connection:
            row = connection.execute(select(releases).where(releases.c.number == number)).first()
        if row is None:
            raise NotFound(
                f"There is no release {number[:40]} in this project.",
                "`release list` shows all releases.",
            )
        return _release_of_row(row)

    def statements(self, number: str) -> dict[str, str]:
        """Statement → digest of its content, sorted by id."""
        query = select(release_statements.c.statement, release_statements.c.content)
        query = query.where(release_statements.c.release == number).order_by("statement")
        with self.reading() as connection:
            return {row.statement: row.content for row in connection.execute(query)}

    def contents(self, digests: Iterable[str]) -> Iterator[tuple[str, Json]]:
        """Digest and JSON of each content that is kept, in the order asked."""
        for part in row_batches(digests, BATCH):
            query = select(release_contents).where(release_contents.c.digest.in_(part))
            with self.reading() as connection:
                bodies = {row.digest: row.body for row in connection.execute(query)}
            yield from ((digest, bodies[digest]) for digest in part if digest in bodies)


def _add_contents(connection: Connection, contents: Iterable[tuple[str, Json]]) -> None:
    for part in row_batches(contents, BATCH):
        bodies = dict(part)
        query = select(release_contents.c.digest).where(release_contents.c.digest.in_(bodies))
        for stored_digest in connection.scalars(query):
            del bodies[stored_digest]
        if bodies:
            rows = [{"digest": digest, "body": body} for digest, body in bodies.items()]
            connection.execute(insert(release_contents), rows)


def _release_of_row(row: Row[tuple[object, ...]]) -> StoredRelease:
    return StoredRelease(row.number, row.created, row.curator, context=row.context, body=row.body)
