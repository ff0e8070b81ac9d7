"""A model's answers that a person pastes."""

from __future__ import annotations

from pathlib import Path

from core.services.extract import pasting, result
from tests.core.services.extracting import TEXT, project


def test_one_json_answer_fills_the_whole_schema(tmp_path: Path) -> None:
    desk, _ = project(tmp_path / "p", None)
    run = pasting.begin_pasting(desk, "trial", TEXT).run
    prompt = pasting.whole_prompt(desk, run)
    assert '"triples"' in prompt and '"subject"' in prompt and TEXT in prompt
    answer = '{"triples": [{"subject": "aspirin", "predicate": "TREATS", "object": "migraine"}]}'
    assert pasting.paste_answer(desk, run, "", answer).done
    found = result.view(desk, run)
    assert [(s.subject.id, s.object.id) for s, _ in found.statements] == [
        ("CHEBI:15365", "MONDO:0005277")
    ]
