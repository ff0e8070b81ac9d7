"""What a new release of a vocabulary changes: new, renamed, obsolete and missing terms, and which
approved statements that touches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from core.desk_parts import HasFolder, HasStore, HasVocabularies
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading
from core.model import Json, State, Statement, Term, Thing
from core.store.queue_filter import QueueFilter

MOST = 20_000  # changes of one kind that are kept
PAUSE = 5_000  # terms between looks whether to stop


@dataclass(frozen=True, slots=True)
class TermChange:
    """One term that changed. `after` is its new label; `replaced_by` and `consider` are ids that
    take or may take its place.
    """

    id: str
    before: str
    after: str = ""
    replaced_by: str = ""
    consider: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VocabularyChanges:
    """Against the release before. `counts` are whole; the lists hold the first 20,000 each."""

    counts: dict[str, int]
    renamed: tuple[TermChange, ...] = ()
    obsolete: tuple[TermChange, ...] = ()
    missing: tuple[TermChange, ...] = ()
    examples: tuple[TermChange, ...] = field(default=())  # of new terms, the first fifty

    def summary(self) -> dict[str, Json]:
        return dict(self.counts)


@dataclass(frozen=True, slots=True)
class _Known:
    label: str
    obsolete: bool
    replaced_by: str
    consider: tuple[str, ...]


def compare_releases_of_vocabulary(
    before: Path, after: Path, *, check: Callable[[], None] = lambda: None
) -> VocabularyChanges:
    """What `after` changes. Raises InputError for a file that cannot be read, and what `check`
    raises.
    """
    old, new = _terms(before, check), _terms(after, check)
    renamed, obsolete, missing, fresh = [], [], [], []
    for id, was in old.items():
        now = new.get(id)
        if was.obsolete:
            continue
        if now is None:
            missing.append(TermChange(id, was.label))
        elif now.obsolete:
            obsolete.append(
                TermChange(
                    id, was.label, now.label, replaced_by=now.replaced_by, consider=now.consider
                )
            )
        elif now.label != was.label:
            renamed.append(TermChange(id, was.label, now.label))
    for id, now in new.items():
        if not now.obsolete and (id not in old or old[id].obsolete):
            fresh.append(TermChange(id, "", now.label))
    counts = {
        "new": len(fresh), "renamed": len(renamed), "obsolete": len(obsolete),
        "missing": len(missing),
    }  # fmt: skip
    return VocabularyChanges(
        counts,
        tuple(renamed[:MOST]),
        tuple(obsolete[:MOST]),
        missing=tuple(missing[:MOST]),
        examples=tuple(fresh[:50]),
    )


def _terms(path: Path, check: Callable[[], None]) -> dict[str, _Known]:
    knowns: dict[str, _Known] = {}
    for place, term in enumerate(registry.read(path, VocabularyReading())):
        if place % PAUSE == 0:
            check()
        if term.id not in knowns or knowns[term.id].obsolete:
            knowns[term.id] = _Known(term.label, term.obsolete, term.replaced_by, term.consider)
        for other_id in term.alternative:
            knowns.setdefault(
                other_id, _Known(term.label, obsolete=True, replaced_by=term.id, consider=())
            )
    return knowns


def save_changes(desk: HasFolder, name: str, changed: VocabularyChanges) -> None:
    """Keep what the last update changed, for the page."""
    place = _file(desk, name)
    place.write_text(json.dumps(asdict(changed), ensure_ascii=False), encoding="utf-8")


def last_changes(desk: HasFolder, name: str) -> VocabularyChanges | None:
    """What the last update of a vocabulary changed."""
    try:
        stored_changes = json.loads(_file(desk, name).read_text(encoding="utf-8"))
        lists = {
            key: tuple(
                TermChange(**{**row, "consider": tuple(row["consider"])})
                for row in stored_changes[key]
            )
            for key in ("renamed", "obsolete", "missing", "examples")
        }
        return VocabularyChanges(stored_changes["counts"], **lists)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def latest_changes(desk: HasVocabularies) -> dict[str, VocabularyChanges]:
    """What the last update of each of the project's vocabularies changed, where it is known."""
    return {
        name: changed
        for name in desk.vocabulary_registry.own()
        if (changed := last_changes(desk, name)) is not None
    }


def _file(desk: HasFolder, name: str) -> Path:
    return desk.vocabularies / f".changes.{name}.json"


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class TouchedStatement:
    """An approved statement that speaks of a changed term. `kind` is renamed, replaced, consider or
    gone: the label is refreshed; one term took its place; a person must choose; nothing did.
    """

    statement: str
    kind: str
    change: TermChange
    claim: Statement


def touched_statements(desk: HasStore, changed: VocabularyChanges) -> list[TouchedStatement]:
    """Approved statements whose terms changed, in the order of the queue; those that have the new
    label already are left out.
    """
    kinds: dict[str, tuple[str, TermChange | None]]
    kinds = {change.id: ("renamed", change) for change in changed.renamed}
    kinds |= {change.id: ("gone", change) for change in changed.missing}
    kinds |= {change.id: (_kind(change), change) for change in changed.obsolete}
    statements = []
    for statement in desk.store.queue.claims(QueueFilter(states=(State.APPROVED,))):
        for term in terms_of(statement):
            kind, change = kinds.get(term.id, ("", None))
            if change is not None and (kind != "renamed" or term.label != change.after):
                statements.append(TouchedStatement(statement.id, kind, change, statement))
    return statements


def _kind(change: TermChange) -> str:
    if change.replaced_by:
        return "replaced"
    return "consider" if change.consider else "gone"


def terms_of(statement: Statement) -> Iterable[Term]:
    """The terms of a statement: subject, predicate, object and those of qualifiers."""
    values: list[Thing] = [statement.subject, statement.predicate, statement.object]
    values += [qualifier.value for qualifier in statement.qualifiers]
    return dict.fromkeys(thing for thing in values if isinstance(thing, Term) and thing.id)
