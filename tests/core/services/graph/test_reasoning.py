"""The terms that the form of a class offers."""

from __future__ import annotations

from core.services.graph import reasoning
from tests import reviewing

ROWS = (
    ("PO:1", "obsolete bark"),
    ("PO:2", "oak bark"),
    ("ENVO:3", "bark"),
)


def test_what_is_called_so_comes_first_and_nothing_obsolete(tmp_path):
    desk = reviewing.empty(tmp_path)
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    for prefix in ("PO", "ENVO"):
        rows = [f"{prefix}\t{id}\t{label}\t{label}\tlabel\n" for id, label in ROWS if prefix in id]
        text = reviewing.VOCABULARY.format(name=prefix.casefold()) + "".join(rows)
        (desk.vocabularies / f"{prefix.casefold()}.tsv").write_text(text)
    assert reasoning.terms_like(desk, "bark") == {"ENVO:3": "bark", "PO:2": "oak bark"}
    desk.close()
