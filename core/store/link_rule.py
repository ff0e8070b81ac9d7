"""What words of a project are never linked to, as its curators said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, true, update

from core.model import Category, Outcome, Term
from core.store.database import Repository
from core.store.synonym import take_back
from core.store.table import choices, link_rules, synonyms


@dataclass(frozen=True, slots=True)
class LinkRule:
    """`words` never mean `term`; without a term, they are never linked at all. `category` is where
    the rule holds (THING: everywhere), `removed` when it was taken back.
    """

    id: int
    words: str
    normal: str
    term: Term | None
    category: Category
    reason: str
    curator: str
    time: str
    removed: str = ""


class LinkRuleRepository(Repository):
    """Append-only: a rule is taken back, never deleted."""

    def add(
        self,
        words: str,
        normal: str,
        term: Term | None,
        curator: str,
        *,
        category: Category = Category.THING,
        reason: str = "",
    ) -> LinkRule:
        """Remember a rule; known already: nothing is added. Names that curators gave these words
        before count no more where the rule says the opposite.
        """

        def work(connection: Connection) -> LinkRule:
            opposite = synonyms.c.term == term.id if term else true()
            if category is not Category.THING:
                opposite &= synonyms.c.category == str(category)
            take_back(connection, synonyms, normal, opposite, time=self.clock())
            same = (
                (link_rules.c.normal == normal)
                & (link_rules.c.term == (term.id if term else ""))
                & (link_rules.c.category == str(category))
                & (link_rules.c.removed == "")
            )
            row = connection.execute(select(link_rules).where(same)).first()
            if row is None:
                values = {"normal": normal, "words": words, "reason": reason, "curator": curator}
                values |= {"term": term.id if term else "", "label": term.label if term else ""}
                values |= {"category": str(category), "time": self.clock()}
                connection.execute(insert(link_rules).values(**values))
                row = connection.execute(select(link_rules).where(same)).one()
            return _link_rule_of_row(row)

        return self.repeating(work)

    def remove(self, id: int) -> bool:
        """Take a rule back; False when there is none of that number in force."""
        with self.writing() as connection:
            place = (link_rules.c.seq == id) & (link_rules.c.removed == "")
            update_result = connection.execute(
                update(link_rules).where(place).values(removed=self.clock())
            )
            return bool(update_result.rowcount)

    def all(self) -> list[LinkRule]:
        """Rules in force, oldest first."""
        query = select(link_rules).where(link_rules.c.removed == "").order_by(link_rules.c.seq)
        with self.reading() as connection:
            return [_link_rule_of_row(row) for row in connection.execute(query)]

    def unfit(self) -> list[tuple[str, str, str, str]]:
        """Mentions for which a curator last said that no term fits: run, slot, curator, time."""
        latest: dict[tuple[str, str], tuple[str, str, str]] = {}
        with self.reading() as connection:
            for row in connection.execute(select(choices).order_by(choices.c.seq)):
                latest[row.run, row.slot] = (row.outcome, row.curator, row.time)
        return [
            (run, slot, curator, time)
            for (run, slot), (outcome, curator, time) in latest.items()
            if outcome == str(Outcome.NO_TERM_FITS)
        ]


def _link_rule_of_row(row: Row[Any]) -> LinkRule:
    category = Category(row.category)
    term = Term(row.term, row.label, category) if row.term else None
    return LinkRule(
        row.seq,
        row.words,
        row.normal,
        term=term,
        category=category,
        reason=row.reason,
        curator=row.curator,
        time=row.time,
        removed=row.removed,
    )
