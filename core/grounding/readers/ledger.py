"""What a reader saw in a file and did not keep, counted by kind and name, and said in one line."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

MOST_NAMES = 1_000  # of one kind that are told apart; more are counted together
_SHOWN = 4  # names of a kind in the line, the most frequent first


@dataclass(slots=True)
class Ledger:
    """Counts by kind ("tag", "language", "property") and name ("xref", "de")."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)

    def leave(self, kind: str, name: str, times: int = 1) -> None:
        """Count something of the file that is not kept."""
        names = self.counts.setdefault(kind, {})
        key = name if name in names or len(names) < MOST_NAMES else "others"
        names[key] = names.get(key, 0) + times

    def leave_cells(self, row: Mapping[str, object], kept: Container[str]) -> None:
        """Count the values of a row that stand in columns which are not kept."""
        for column, value in row.items():
            if value and column not in kept:
                self.leave("column", column)

    def line(self) -> str:
        """`Not kept: tags xref (3), subset (1); languages de (2).`; empty where all was kept."""
        return ledger_line(self.counts)


def ledger_line(counts: dict[str, dict[str, int]]) -> str:
    """See `Ledger.line`.

    >>> ledger_line({"tag": {"xref": 3, "subset": 1}, "language": {"de": 2}})
    'Not kept: languages de (2); tags xref (3), subset (1).'
    """
    parts = [f"{_plural(kind)} {_shown(names.items())}" for kind, names in sorted(counts.items())]
    return f"Not kept: {'; '.join(parts)}." if parts else ""


def _shown(names: Iterable[tuple[str, int]]) -> str:
    ordered = sorted(names, key=lambda pair: (-pair[1], pair[0]))
    words = [f"{name[:60]} ({times:,})" for name, times in ordered[:_SHOWN]]
    more = len(ordered) - _SHOWN
    return ", ".join(words) + (f" and {more:,} more" if more > 0 else "")


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
