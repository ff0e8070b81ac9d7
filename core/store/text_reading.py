"""What became of each letter of the source of a stored text: its ledger, what is to be looked at
before its statements are sent, and who looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select, update

from core.model import Json
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.table import text_readings


@dataclass(frozen=True, slots=True)
class TextReading:
    """`ledger`: counts of letters, as `read --format json` gives them. `warnings` are sentences;
    `looked_by` is the ORCID iD of the person who looked at them, "" for nobody, with the time.
    """

    ledger: Json
    warnings: tuple[str, ...] = ()
    looked_by: str = ""
    looked: str = ""

    @property
    def is_blocking(self) -> bool:
        """Whether somebody must look before statements are sent."""
        return bool(self.warnings) and not self.looked


class TextReadingRepository(Repository):
    def keep(self, readings: Mapping[str, TextReading]) -> None:
        """Keep what was read of texts, by their SHA-256. One that is read again is kept anew; who
        looked at the same warnings has looked.
        """

        def work(connection: Connection) -> None:
            known = _readings(connection, readings)
            new = {sha: reading for sha, reading in readings.items() if sha not in known}
            if rows := [_row(sha, reading) for sha, reading in new.items()]:
                connection.execute(insert(text_readings), rows)
            for sha, before in known.items():
                reading = readings[sha]
                if (reading.ledger, reading.warnings) == (before.ledger, before.warnings):
                    continue
                row = _row(sha, reading)
                if reading.warnings == before.warnings:
                    row |= {"looked_by": before.looked_by, "looked": before.looked}
                place = text_readings.c.sha == row.pop("sha")
                connection.execute(update(text_readings).where(place).values(**row))

        if readings:
            self.repeating(work)

    def of_texts(self, shas: Iterable[str]) -> dict[str, TextReading]:
        """SHA-256 of a text → what was read of its source, for those that are kept."""
        with self.reading() as connection:
            return _readings(connection, shas)

    def look_at(self, shas: Sequence[str], curator: str) -> None:
        """Note that this person looked at what was read of these texts."""
        query = (
            update(text_readings)
            .where(text_readings.c.sha == bindparam("of"), text_readings.c.looked == "")
            .values(looked_by=curator, looked=self.clock())
        )

        def work(connection: Connection) -> None:
            connection.execute(query, [{"of": sha} for sha in shas])

        if shas:
            self.repeating(work)


def _readings(connection: Connection, shas: Iterable[str]) -> dict[str, TextReading]:
    found: dict[str, TextReading] = {}
    for part in id_batches(sorted(set(shas))):
        query = select(text_readings).where(text_readings.c.sha.in_(part))
        for row in connection.execute(query):
            found[row.sha] = TextReading(
                row.ledger, tuple(row.warnings), looked_by=row.looked_by, looked=row.looked
            )
    return found


def _row(sha: str, reading: TextReading) -> dict[str, Json]:
    return {
        "sha": sha,
        "ledger": reading.ledger,
        "warnings": list(reading.warnings),
        "looked_by": reading.looked_by,
        "looked": reading.looked,
    }
