"""What stands in the way for a schema is said with the action that mends it."""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.grounding.index.compile import CompileTask, compile_once
from core.model import Category
from core.schema.load import load_schema as load_schema
from core.services.extract import schemas
from core.services.vocabularies import installation, obstacles, own_files, preparation
from core.services.vocabularies.obstacles import Remedy
from core.settings import load_settings

SCHEMA = """
id: https://x.example/s
name: s
prefixes: {linkml: https://w3id.org/linkml/}
imports: [linkml:types]
classes:
  Root: {tree_root: true, attributes: {units: {range: Unit, multivalued: true}}}
  Unit:
    attributes: {id: {identifier: true}}
    id_prefixes: [UO]
    annotations: {annotators: "sqlite:obo:uo"}
    slot_usage: {id: {values_from: [Lengths]}}
  Tool:
    attributes: {id: {identifier: true}}
    annotations: {annotators: "bioportal:devices"}
enums:
  Lengths: {reachable_from: {source_ontology: "obo:uo", source_nodes: ["UO:0000001"]}}
"""


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(SCHEMA)
    return load_schema(path)


@pytest.fixture
def open_project(tmp_path, monkeypatch):
    def opened(base="on", patient=False):
        monkeypatch.setenv("GROUNDWORK_BASE_SET", base)
        monkeypatch.setenv("GROUNDWORK_CACHE", str(tmp_path / "cache"))
        return open_desk(load_settings(tmp_path / "project"), patient=patient)

    return opened


def obstacles_of(desk, schema):
    return {obstacle.vocabulary: obstacle for obstacle in obstacles.schema_obstacles(desk, schema)}


def test_a_vocabulary_that_nobody_has_names_the_classes_it_is_for(open_project, schema):
    obstacle = obstacles_of(open_project("off"), schema)["devices"]
    assert (obstacle.code, obstacle.action, obstacle.classes) == (
        "missing-vocabulary",
        Remedy.ADD,
        ("Tool",),
    )
    assert obstacle.message == "No vocabulary for Tool: devices is not installed."


def test_obstacle_offers_the_vocabulary_that_can_be_installed(open_project, schema):
    obstacle = obstacles_of(open_project("off"), schema)["uo"]
    assert (obstacle.action, obstacle.button) == (
        Remedy.INSTALL, "Install Units of Measurement Ontology"
    )  # fmt: skip


def test_the_base_set_is_prepared_then_dated(open_project, schema):
    desk = open_project()
    assert obstacles_of(desk, schema)["uo"].code == "preparing"
    base = desk.vocabulary_registry.base
    compile_once(CompileTask(base.vocabularies["uo"].path, base.index("uo"), "uo"))
    obstacle = obstacles_of(desk, schema)["uo"]
    assert obstacle.message == (
        "Only the Units of Measurement Ontology 2026-01-16 base set is installed."
    )
    assert obstacle.action is Remedy.INSTALL
    assert obstacles.dated_line(desk, [obstacle]) == (
        "Only the dated base set is installed: Units of Measurement Ontology (2026-01-16)."
    )


def test_no_line_is_drawn_where_nothing_is_dated(open_project, schema):
    desk = open_project("off")
    assert obstacles.dated_line(desk, obstacles.schema_obstacles(desk, schema)) == ""


def test_a_job_waits_for_what_its_schema_names_and_no_more(open_project, schema):
    desk, names_waited_for = open_project(), []
    base = desk.vocabulary_registry.base

    def pause(seconds):
        compile_once(CompileTask(base.vocabularies["uo"].path, base.index("uo"), "uo"))

    desk.vocabulary_registry.prepare = lambda: None
    preparation.wait_for_vocabularies(
        desk, schema, lambda name, share: names_waited_for.append(name), pause
    )
    assert names_waited_for == ["uo"]
    assert not base.ready("mesh")


def test_a_flat_vocabulary_asks_what_it_holds(open_project, schema):
    desk = open_project("off")
    installation.add_upload(desk, "uo.tsv", b"id\tlabel\nUO:0000008\tmeter\n", replaces=True)
    obstacle = obstacles_of(desk, schema)["uo"]
    assert (obstacle.code, obstacle.action) == ("no-hierarchy", Remedy.SAY_KIND)
    own_files.say_kinds(desk, "uo", [Category.UNIT])
    obstacle = obstacles_of(desk, schema)["uo"]  # it holds units: but which are units of length?
    assert (obstacle.code, obstacle.action) == ("no-hierarchy", Remedy.ADD)
    whole = load_schema(schema.source.replace("UO:0000001", "UO:0000000"))
    assert "uo" not in obstacles_of(desk, whole)


BRANCH = """
id: https://example.org/part
name: part
classes:
  Report:
    tree_root: true
    attributes: {thing: {range: Part}}
  Part:
    attributes: {id: {identifier: true}}
    id_prefixes: [PREFIX]
    annotations: {annotators: "sqlite:obo:VOCABULARY", category: KIND}
    slot_usage: {id: {values_from: [Parts]}}
enums:
  Parts:
    reachable_from: {source_ontology: obo:VOCABULARY, source_nodes: [NODE], include_self: true}
"""


def branch(vocabulary, kind, node):
    text = BRANCH.replace("VOCABULARY", vocabulary).replace("KIND", kind).replace("NODE", node)
    return load_schema(text.replace("PREFIX", node.partition(":")[0]))


def test_branches_of_the_base_set_are_checked(open_project):
    desk = open_project("on", patient=True)
    desk.vocabulary_registry.lexicon("mondo")
    for node in ("MONDO:0004995", "MONDO:0000001"):
        standing = obstacles.schema_obstacles(desk, branch("mondo", "disease", node))
        assert [obstacle.code for obstacle in standing] == ["base-set-only"]


def test_a_branch_of_a_flat_base_vocabulary_is_mended_by_its_current_release(open_project):
    desk = open_project("on", patient=True)
    desk.vocabulary_registry.lexicon("hgnc")
    standing = obstacles.schema_obstacles(desk, branch("hgnc", "gene", "HGNC:5"))
    (flat,) = (obstacle for obstacle in standing if obstacle.code == "no-hierarchy")
    assert (flat.vocabulary, flat.action) == ("hgnc", Remedy.INSTALL)
    assert flat.button.endswith("HGNC")
    assert "lie in the branch" in flat.message


@pytest.mark.parametrize(
    ("selector", "key", "helps"),
    [
        ("sqlite:obo:xyz", "", "Add a file of xyz on the page Vocabularies."),
        ("bioportal:meddra", "", "set GROUNDWORK_TOKEN_BIOPORTAL: then BioPortal, which"),
        ("bioportal:meddra", "k" * 20, "BioPortal, which the schema names for it, can be asked"),
        ("elsewhere:xyz", "", "The app knows no service elsewhere."),
        ("gilda:", "", "is a service, which is not asked while a text is read"),
        ("bioportal:uo", "", "Install it on the page Vocabularies."),
    ],
)
def test_obstacle_of_an_unknown_vocabulary_says_what_to_do(
    open_project, tmp_path, monkeypatch, selector, key, helps
):
    if key:
        monkeypatch.setenv("GROUNDWORK_TOKEN_BIOPORTAL", key)
    path = tmp_path / "named.yaml"
    path.write_text(SCHEMA.replace("bioportal:devices", selector))
    desk = open_project("off")
    missing = obstacles.missing_vocabularies(desk, load_schema(path))
    (problem,) = [
        missing_vocabulary for missing_vocabulary in missing if "Tool" in missing_vocabulary.message
    ]
    assert helps in problem.hint
    checked = schemas.checked_schema(desk, path.read_text())
    assert checked.usable
    assert problem in checked.problems
