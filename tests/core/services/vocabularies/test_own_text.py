"""A curator's own two sentences in a fresh project, with the base set: both statements, the second
negated. The first run on a machine compiles MeSH.
"""

from __future__ import annotations

import json

from core import cli

TEXT = "Lithium-induced hypercalcemia was seen in two patients. Naloxone did not cause hypotension."


def test_own_words_find_their_terms_in_a_fresh_project(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "on")
    (tmp_path / "text.txt").write_text(TEXT)
    words = ["extract", "--schema", "chemical_disease_mesh", "--engine", "builtin"]
    status = cli.main(
        ["--project", str(tmp_path / "p"), *words, "--input", str(tmp_path / "text.txt")]
    )
    assert status == 0
    labels = {
        (statement["subject"]["id"], statement["object"]["id"], statement["negated"])
        for statement in json.loads(capsys.readouterr().out)["statements"]
    }
    assert labels == {
        ("MESH:D008094", "MESH:D006934", False),
        ("MESH:D009270", "MESH:D007022", True),
    }
