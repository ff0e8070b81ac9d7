"""What a model's searches found and nobody read: a list made of a part is no whole list."""

from __future__ import annotations

from core.genes.answer import AnswerStep
from core.genes.kinds.registry import KINDS
from core.genes.session import NcbiSession


def unread_searches(session: NcbiSession) -> list[str]:
    """`20 of 85 records read that the search "…" of omim finds`, of each search whose results were
    looked at and which has more than the model asked for; nothing where one value is the answer.
    """
    kind = KINDS.get(session.question.kind)
    if kind is None or not kind.listed:
        return []
    searches: dict[tuple[str, str], list[AnswerStep]] = {}
    for step in session.steps:
        if step.tool == "esearch" and step.ids:
            key = (str(step.arguments.get("db")), str(step.arguments.get("term")))
            searches.setdefault(key, []).append(step)
    looked_at = _looked_at(session)
    unread = []
    for (database, term), pages in searches.items():
        read = {id for page in pages for id in page.ids}
        count = max(page.count for page in pages)
        if count > len(read) and any((database, id) in looked_at for id in read):
            unread.append(f"{len(read)} of {count} results read of the search {term[:80]!r}")
    return unread


def _looked_at(session: NcbiSession) -> set[tuple[str, str]]:
    """Database and id of the records that summaries, whole records and links were asked for."""
    return {
        (str(step.arguments.get("dbfrom") or step.arguments.get("db")), id)
        for step in session.steps
        if step.tool in ("esummary", "efetch", "elink")
        for id in str(step.arguments.get("id", "")).split(",")
    }
