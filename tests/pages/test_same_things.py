"""*Vocabularies → Same things* in its conditions: empty, filled, no endpoint, hostile labels; and
what its buttons do.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Category, Evidence, ReferenceGround, Statement, Term
from core.services.vocabularies import same_things
from core.store import SameVerdict
from tests import reviewing
from tests.reviewing import ANNA

PAGE = Path(__file__).resolve().parents[2] / "pages" / "7_Vocabularies.py"
HOSTILE = '<script>alert(1)</script> "a" ![x](http://x.example/y)'
CAUSES = Term("biolink:causes", "causes", Category.RELATION)
SHAKING = Term("HP:990", "Shaking", Category.PHENOTYPE)
OLD = Term("MESH:D990", "shaking disease", Category.DISEASE)


def opened() -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=90)
    at.session_state["_curator"] = ANNA
    at.run()
    assert not at.exception
    return at


def filled(project: Path, label: str = "shaking disorder", *, both: bool = False):
    """A statement by an id that is not preferred; with `both`, another by the preferred one."""
    desk = reviewing.filled(project)
    rows = {"mesh": (OLD.id, OLD.label), "mondo": ("MONDO:990", label), "hp": ("HP:990", "Shaking")}
    for name, (id, words) in rows.items():
        line = f"{id.partition(':')[0]}\t{id}\t{words}\t{words}\tEXACT\n"
        file = desk.vocabularies / f"{name}.tsv"
        file.write_text(reviewing.VOCABULARY.format(name=name) + line)
    desk.store.equivalences.add(OLD.id, "MONDO:990", SameVerdict.SAME, ANNA.orcid)
    subjects = [OLD, *([Term("MONDO:990", label, Category.DISEASE)] if both else [])]
    for subject in subjects:
        claim = Statement(subject, CAUSES, SHAKING)
        piece = Evidence(claim.id, ReferenceGround("PMID:1"), engine="import")
        desk.store.statements.propose([(claim, [piece])])
    return desk


def captions(at: AppTest) -> str:
    return "\n".join(caption.value for caption in at.caption)


def test_an_empty_project_has_nothing_to_resolve():
    at = opened()
    assert "No statement names" in captions(at)
    at.toggle(key="same_look").set_value(True).run()
    assert not at.exception
    assert "by the preferred ids" in captions(at)


@pytest.mark.parametrize("base", ["", "http://127.0.0.1:9/v1"])
def test_with_or_without_an_endpoint_an_id_is_renamed_by_choice(project, monkeypatch, base):
    if base:
        monkeypatch.setenv("OPENAI_BASE_URL", base)
    desk = filled(project)
    at = opened()
    at.toggle(key="same_look").set_value(True).run()
    chosen = at.multiselect(key="same_chosen")
    assert chosen.options == ["shaking disorder MONDO:990, now MESH:D990 in 1 statement"]
    assert at.button(key="same_rename").disabled
    chosen.set_value(["MONDO:990"]).run()
    at.button(key="same_rename").click().run()
    assert not at.exception
    assert same_things.not_preferred(desk) == []


def test_a_thing_with_two_ids_is_listed_and_resolved(project):
    desk = filled(project, both=True)
    at = opened()
    table = next(frame.value for frame in at.dataframe if "preferred" in frame.value)
    assert list(table["preferred"]) == ["MONDO:990"] and list(table["others"]) == ["MESH:D990"]
    at.button(key="same_resolve").click().run()
    assert not at.exception
    assert same_things.same_things(desk) == []


def test_a_hostile_label_is_shown_as_text_only(project):
    filled(project, HOSTILE, both=True)
    at = opened()
    at.toggle(key="same_look").set_value(True).run()
    at.text_input(key="same_id").input("MESH:D990").run()
    assert not at.exception
    marked_up = [*at.markdown, *at.caption, *at.warning, *at.error, *at.subheader]
    assert not any("<script>" in element.value for element in marked_up)
    assert any(HOSTILE in frame.value.to_string(max_colwidth=None) for frame in at.dataframe)
