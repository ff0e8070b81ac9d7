"""Under which rules a release was made, in sentences: who approved, whether its evidence was asked
what it says, and what was still open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.desk_parts import HasProject, HasProjectTerms
from core.kb.entry import ExportEntry
from core.kb.gate.meaning import is_overruled
from core.kb.release.release import RetractedPaper
from core.model import SupportVerdict
from core.review.conflicts import ConflictKind
from core.services.releases.base_iri import is_placeholder, placeholder_words
from core.services.review.conflict_work import read_conflicts
from core.services.support.shown_support import best_support
from core.text.count import counted

TWINS = (ConflictKind.EQUIVALENT, ConflictKind.MAPPED, ConflictKind.NAME)


def release_policy(
    desk: HasProjectTerms, entries: Sequence[ExportEntry], retracted: Sequence[RetractedPaper]
) -> tuple[str, ...]:
    """What a reader of the release should know of how it was made."""
    return (
        _reviewers(desk, entries),
        _support(desk, entries),
        _conflicts(desk),
        f"{counted(len(retracted), 'retracted source')} in it.",
        *([placeholder_words(base)] if is_placeholder(base := desk.base_iri) else ()),
    )


def _reviewers(desk: HasProject, entries: Sequence[ExportEntry]) -> str:
    policy = desk.store.project.policy()
    people = {decision.curator for entry in entries for decision in entry.approvals}
    blind = ", each without seeing how others judged" if policy.blind else ""
    return (
        f"Each statement needed {counted(policy.approvals, 'approval')}{blind};"
        f" {counted(len(people), 'person', 'people')} approved."
    )


def _support(desk: HasProject, entries: Sequence[ExportEntry]) -> str:
    """How many statements the judges of support looked at, and what they said."""
    judged = desk.store.support.of_statements([entry.statement.id for entry in entries])
    best = [best_support(judged.get(e.statement.id, {}), e.evidence) for e in entries]
    verdicts = Counter(support.verdict for support in best if support)
    said = ", ".join(f"{verdicts[v]:,} {v}" for v in SupportVerdict if verdicts[v])
    overruled = sum(is_overruled(entry.approvals) for entry in entries)
    return (
        f"Support was asked of {sum(verdicts.values()):,} of {counted(len(entries), 'statement')}"
        f"{f' ({said})' if said else ''}; {overruled:,} passed because a curator overruled the"
        " gate with a reason."
    )


def _conflicts(desk: HasProjectTerms) -> str:
    work = read_conflicts(desk)
    twins = sum(conflict.kind in TWINS for conflict in work.open)
    more = " at least" if work.cut else ""
    return (
        f"Open when it was made:{more} {counted(len(work.open) - twins, 'conflict')} and"
        f" {counted(twins, 'pair of twins', 'pairs of twins')} (one thing under two ids)."
    )
