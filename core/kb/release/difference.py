"""What changed from one release to another: added, withdrawn, changed, each with its reason, and
papers that were retracted in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.kb.entry import ExportEntry, claim_words, document_of, things_in
from core.kb.release.release import RetractedPaper
from core.model import Literal


@dataclass(frozen=True, slots=True)
class NotedStatement:
    """A statement in release notes: its id, what it says, and why it is there. Of a retracted paper
    its id, its title and what happened.
    """

    id: str
    words: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseDifference:
    """From the release `before` ("" for none) to `after`; each list is sorted by words."""

    before: str
    after: str
    added: tuple[NotedStatement, ...] = ()
    withdrawn: tuple[NotedStatement, ...] = ()
    changed: tuple[NotedStatement, ...] = ()
    retracted: tuple[NotedStatement, ...] = ()  # papers, sorted by id

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.withdrawn or self.changed or self.retracted)


def release_difference(
    names: tuple[str, str],
    before: Mapping[str, ExportEntry],
    after: Mapping[str, ExportEntry],
    *,
    reasons: Mapping[str, str] | None = None,
    retracted: tuple[Sequence[RetractedPaper], Sequence[RetractedPaper]] = ((), ()),
) -> ReleaseDifference:
    """Entries by id that are in one of two releases, or in both and not the same. `reasons` say why
    a statement was withdrawn; `retracted` are the papers marked in the one and in the other.
    """
    why = reasons or {}
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    both = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
    return ReleaseDifference(
        *names,
        added=_noted({name: (after[name], _origin(after[name])) for name in new}),
        withdrawn=_noted({name: (before[name], why.get(name, "")) for name in gone}),
        changed=_noted({n: (after[n], what_changed(before[n], after[n])) for n in both}),
        retracted=tuple(_retractions(*retracted)),
    )


def _retractions(
    before: Sequence[RetractedPaper], after: Sequence[RetractedPaper]
) -> Iterator[NotedStatement]:
    """The papers whose mark is new, another or gone."""
    old, new = ({paper.document: paper for paper in papers} for papers in (before, after))
    for name in sorted(old.keys() | new.keys()):
        was, now = (papers[name].notice if name in papers else "" for papers in (old, new))
        if was != now:
            title = (new.get(name) or old[name]).title or name
            yield NotedStatement(name, title, now or f"no longer marked or cited (was: {was})")


def _noted(entries: Mapping[str, tuple[ExportEntry, str]]) -> tuple[NotedStatement, ...]:
    noted = [
        NotedStatement(name, claim_words(entry.statement), why)
        for name, (entry, why) in entries.items()
    ]
    return tuple(
        sorted(noted, key=lambda noted_statement: (noted_statement.words, noted_statement.id))
    )


def _origin(entry: ExportEntry) -> str:
    """The papers that a new statement rests on."""
    papers = sorted({document_of(piece) for piece in entry.evidence} - {""})
    more = f" and {len(papers) - 3} more" if len(papers) > 3 else ""
    words = f"rests on {', '.join(papers[:3])}{more}" if papers else ""
    corrected = "corrects an earlier statement" if entry.statement.derived_from else ""
    return "; ".join(part for part in (corrected, words) if part)


def what_changed(before: ExportEntry, after: ExportEntry) -> str:
    """`1 piece of evidence added (PMID:1); approved by 0000-…`."""
    return "; ".join(_changes(before, after)) or "what is kept with it"


def _changes(before: ExportEntry, after: ExportEntry) -> Iterator[str]:
    old, new = ({piece.id: piece for piece in entry.evidence} for entry in (before, after))
    for change, names, pieces in (
        ("added", new.keys() - old.keys(), new),
        ("withdrawn", old.keys() - new.keys(), old),
    ):
        if names:
            papers = sorted({document_of(pieces[name]) for name in names} - {""})
            where = f" ({', '.join(papers[:3])}{' …' if len(papers) > 3 else ''})" if papers else ""
            many = "piece" if len(names) == 1 else "pieces"
            yield f"{len(names)} {many} of evidence {change}{where}"
    approvals = [{(d.curator, d.time) for d in entry.approvals} for entry in (before, after)]
    if people := sorted({person for person, _ in approvals[1] - approvals[0]}):
        yield f"approved by {', '.join(people)}"
    if people := sorted({person for person, _ in approvals[0] - approvals[1]}):
        yield f"an approval by {', '.join(people)} was taken back"
    old_labels, new_labels = _labels(before), _labels(after)
    for identifier in sorted(old_labels.keys() & new_labels.keys()):
        old_label, new_label = old_labels[identifier], new_labels[identifier]
        if old_label != new_label:
            yield f"{identifier} was called “{old_label}”, now “{new_label}”"


def _labels(entry: ExportEntry) -> dict[str, str]:
    return {
        thing.id: thing.label
        for thing in things_in(entry.statement)
        if not isinstance(thing, Literal) and thing.id
    }
