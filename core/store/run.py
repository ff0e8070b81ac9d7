"""Runs, what they gave, and the choices that curators made on their mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from core.codec import from_json, read_noun, to_json, write_noun
from core.errors import NotFound
from core.model import Json, Outcome, Run, Term
from core.store.database import Repository
from core.store.table import choices, results, runs

TOGETHER = 500  # runs asked for with one query


@dataclass(frozen=True, slots=True)
class MentionChoice:
    """What a curator chose for the mention at `slot` of a run's tree; `term` is None unless
    `outcome` is GROUNDED.
    """

    run: str
    slot: str
    outcome: Outcome
    term: Term | None
    curator: str
    time: str


class RunRepository(Repository):
    def add(self, run: Run) -> Run:
        """Keep a run; adding it again (a resumed job) changes nothing and gives the one that is
        kept.
        """

        def work(connection: Connection) -> Run:
            body = connection.scalar(select(runs.c.body).where(runs.c.id == run.id))
            if body is not None:
                return from_json(Run, body)
            write_run(connection, run, self.clock())
            return run

        return self.repeating(work)

    def get(self, id: str) -> Run:
        with self.reading() as connection:
            body = connection.scalar(_BY_ID, {"id": id})
        if body is None:
            raise NotFound(f"No run {id[:80]} is stored in this project.")
        return from_json(Run, body)

    def find(
        self, kind: str = "", *, document: str = "", limit: int = 100, offset: int = 0
    ) -> list[Run]:
        """Runs, newest first."""
        query = select(runs.c.body).order_by(runs.c.seq.desc()).limit(limit).offset(offset)
        query = query.where(runs.c.kind == kind) if kind else query
        query = query.where(runs.c.document == document) if document else query
        with self.reading() as connection:
            return [from_json(Run, body) for body in connection.scalars(query)]

    def count(self, kind: str = "") -> int:
        query = select(func.count()).select_from(runs)
        with self.reading() as connection:
            return connection.scalar(query.where(runs.c.kind == kind) if kind else query) or 0

    # -------------------------------------------------------------- what a run gave

    def save_result(self, run: str, value: Json, kind: str = "result") -> None:
        """Keep what a run gave, in place of what it gave before (a resumed run gives it anew)."""
        with self.writing() as connection:
            write_results(connection, [(run, value, kind)], self.clock())

    def result(self, run: str, kind: str = "result") -> Json:
        """What a run gave; None while there is nothing."""
        with self.reading() as connection:
            return connection.scalar(
                select(results.c.body).where(results.c.run == run, results.c.kind == kind)
            )

    def results(self, runs: Sequence[str], kind: str) -> dict[str, Json]:
        """What these runs gave, by run; those that gave nothing are left out."""
        result_by_run: dict[str, Json] = {}
        with self.reading() as connection:
            for start in range(0, len(runs), TOGETHER):
                place = results.c.run.in_(runs[start : start + TOGETHER])
                query = select(results.c.run, results.c.body).where(place, results.c.kind == kind)
                result_by_run |= {row.run: row.body for row in connection.execute(query)}
        return result_by_run

    def save_extraction(self, run: str, extraction: Any) -> None:
        """Keep an `extraction.tree.Extraction` (a noun that the store does not know)."""
        self.save_result(run, write_noun(extraction), "extraction")

    def extraction(self, run: str) -> Any:
        """The Extraction of a run, before any choice; None while it is not finished."""
        value = self.result(run, "extraction")
        return None if value is None else read_noun(value)

    # -------------------------------------------------------------- choices

    def add_choice(self, choice: MentionChoice) -> None:
        self.add_choices([choice])

    def add_choices(self, mention_choices: list[MentionChoice]) -> None:
        """Append choices, all or none (one gesture may choose for every equal mention)."""
        rows = [
            to_json(mention_choice)
            | {"outcome": str(mention_choice.outcome), "term": to_json(mention_choice.term)}
            for mention_choice in mention_choices
        ]
        with self.writing() as connection:
            if rows:
                connection.execute(insert(choices), rows)

    def choices(self, run: str) -> dict[str, MentionChoice]:
        """The latest choice of each slot, by slot."""
        return {choice.slot: choice for choice in self.choice_history(run)}

    def choice_history(self, run: str) -> list[MentionChoice]:
        """Every choice of a run, oldest first."""
        query = select(choices).where(choices.c.run == run).order_by(choices.c.seq)
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [
            MentionChoice(
                r.run,
                r.slot,
                Outcome(r.outcome),
                term=from_json(Term, r.term) if r.term else None,
                curator=r.curator,
                time=r.time,
            )
            for r in rows
        ]


def write_run(connection: Connection, run: Run, time: str) -> None:
    """Keep a new run in the transaction of `connection`; one without a time was made at `time`."""
    run = replace(run, created=run.created or time)
    row = {"id": run.id, "kind": run.kind, "schema": run.schema, "document": run.document}
    connection.execute(insert(runs).values(**row, created=run.created, body=to_json(run)))


def write_results(
    connection: Connection, results: Sequence[tuple[str, Json, str]], time: str
) -> None:
    """Keep what runs gave, (run, JSON, kind) each, in the transaction of `connection`, in place of
    what they gave before.
    """
    if results:
        connection.execute(_CLEAR, [{"of_run": run, "of_kind": kind} for run, _, kind in results])
        rows = [
            {"run": run, "body": body, "kind": kind, "time": time} for run, body, kind in results
        ]
        connection.execute(_KEEP, rows)


# Made once: units of a batch ask the same a hundred times a second.
_BY_ID = select(runs.c.body).where(runs.c.id == bindparam("id"))
_CLEAR = delete(results).where(
    results.c.run == bindparam("of_run"), results.c.kind == bindparam("of_kind")
)
_KEEP = insert(results)
