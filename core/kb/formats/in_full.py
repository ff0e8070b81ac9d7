"""A statement with its evidence in full, as one line of JSON beside what a format can say: files of
ours are read back from it without a loss.
"""

from __future__ import annotations

import json

from core.codec import to_json
from core.kb.entry import ExportEntry


def statement_in_full(entry: ExportEntry) -> str:
    """One line that survives the cell of a table: spaces that follow each other are escaped."""
    row = {"statement": to_json(entry.statement), "evidence": to_json(entry.evidence)}
    return json.dumps(row, sort_keys=True, separators=(",", ":")).replace("  ", "\\u0020\\u0020")
