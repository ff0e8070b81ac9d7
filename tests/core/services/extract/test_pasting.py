"""A model's answers that a person pastes."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.services.extract import pasting, result
from tests.core.services.extracting import TEXT, project


def test_one_json_answer_fills_the_whole_schema(tmp_path: Path) -> None:
    desk, _ = project(tmp_path / "p", None)
    run = pasting.begin_pasting(desk, "trial", TEXT).run
    prompt = pasting.whole_prompt(desk, run)
    assert '"triples"' in prompt and '"subject"' in prompt and TEXT in prompt
    answer = '{"triples": [{"subject": "aspirin", "predicate": "TREATS", "object": "migraine"}]}'
    assert pasting.paste_answer(desk, run, "", answer).done
    view = result.result_of_run(desk, run)
    assert [(s.subject.id, s.object.id) for s, _ in view.statements] == [
        ("CHEBI:15365", "MONDO:0005277")
    ]


@pytest.mark.parametrize(
    "broken", ['{"triples": [{"subject": "aspir', "I am sorry, I cannot do that.", '{"answer": 1}']
)
def test_a_broken_json_answer_is_refused_and_can_be_pasted_again(
    tmp_path: Path, broken: str
) -> None:
    desk, _ = project(tmp_path / "p", None)
    run = pasting.begin_pasting(desk, "trial", TEXT).run
    with pytest.raises(InputError, match="whole JSON object"):
        pasting.paste_answer(desk, run, "", broken, as_json=True)
    assert [pending.path for pending in pasting.pasting_state(desk, run).waiting] == [""]
    assert pasting.paste_answer(desk, run, "", '{"triples": []}', as_json=True).done
