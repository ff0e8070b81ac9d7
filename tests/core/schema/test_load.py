"""LinkML schemas as the engines see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.model import Category, Problem, Severity
from core.schema.definition import RangeKind, Schema
from core.schema.load import check_schema, load_schema

HEAD = (
    "id: https://example.org/t\nname: t\nprefixes: {ex: https://example.org/ex/}\ndefault_prefix:"
    " ex\nimports: [core]\n"
)


def schema(body: str) -> Schema:
    return load_schema(HEAD + body)


def problems(body: str) -> list[Problem]:
    return check_schema(HEAD + body)[1]


def test_slots_are_read_with_what_fills_them() -> None:
    cls = schema(
        "classes:\n  Visit:\n    tree_root: true\n    attributes:\n      drug: {range: Drug}\n     "
        " dose: {range: Dose}\n      severity: {range: Severity}\n      count: {range: integer,"
        " required: true}\n  Drug: {is_a: NamedEntity}\n  Dose: {attributes: {value: {range:"
        " decimal}}}\nenums: {Severity: {permissible_values: {mild: {aliases: [light], meaning:"
        " 'HP:0012825'}}}}\n"
    ).classes["Visit"]
    kinds = {slot.name: slot.kind for slot in cls.slots}
    assert kinds == {
        "drug": RangeKind.ENTITY,
        "dose": RangeKind.OBJECT,
        "severity": RangeKind.ENUM,
        "count": RangeKind.LITERAL,
    }
    assert cls.slot("count").datatype == "xsd:integer"
    assert cls.slot("count").required
    assert cls.slot("drug").uri == "ex:drug"


def test_annotations_are_honoured() -> None:
    slot = schema(
        "classes:\n  A:\n    attributes:\n      b:\n        multivalued: true\n        examples:"
        " [{value: four}]\n        annotations: {prompt: ask for b, prompt.examples: 'one, two',"
        " prompt.example: three,\n          exclude: 'x, y', prompt.separator: '*', ner.recurse:"
        " false, unit_slot: u}\n      c: {annotations: {prompt.skip: true}}\n"
    ).classes["A"]
    b = slot.slot("b")
    assert (b.prompt, b.separator, b.recurse, b.unit_slot) == ("ask for b", "*", False, "u")
    assert b.examples == ("one", "two", "three", "four")
    assert b.exclude == ("x", "y")
    assert slot.slot("c").skip


def test_annotators_and_id_space() -> None:
    cls = schema(
        "classes:\n  Disease:\n    is_a: NamedEntity\n    id_prefixes: [MESH]\n    annotations:"
        " {annotators: 'sqlite:obo:mesh, bioportal:meddra, gilda:'}\n    slot_usage: {id: {pattern:"
        " '^MESH:D', values_from: [Branch, Closed]}}\nenums:\n  Branch: {reachable_from:"
        " {source_ontology: obo:mesh, source_nodes: [MESH:D009369], include_self: true}}\n  Closed:"
        " {permissible_values: {one: {meaning: 'MESH:D000001'}}}\n"
    ).classes["Disease"]
    assert cls.annotators == ("mesh", "meddra", "gilda")
    assert (cls.id_prefixes, cls.id_pattern) == (("MESH",), "^MESH:D")
    assert (cls.value_sets[0].nodes, cls.value_sets[0].include_self) == (("MESH:D009369",), True)
    assert cls.enums == ("Closed",)


def test_a_refined_class_inherits_and_overrides() -> None:
    cls = schema(
        "classes:\n"
        "  Pair:\n"
        "    is_a: Triple\n"
        "    slot_usage: {subject: {range: Gene, description: the gene}}\n"
        "  Gene: {is_a: NamedEntity, id_prefixes: [HGNC]}\n"
        "  Isoform: {is_a: Gene}\n"
    )
    assert cls.classes["Pair"].is_triple
    assert cls.classes["Pair"].slot("subject").range == "Gene"
    assert cls.classes["Isoform"].id_prefixes == ("HGNC",)
    assert cls.classes["Isoform"].parents == ("Gene", "NamedEntity")
    assert cls.classes["Isoform"].category is Category.GENE


def test_mixins_and_shared_slots() -> None:
    cls = schema(
        "slots: {size: {range: float, multivalued: true}}\n"
        "classes:\n"
        "  Sized: {mixin: true, slots: [size]}\n"
        "  Box: {mixins: [Sized], attributes: {lid: }}\n"
    ).classes["Box"]
    assert {slot.name for slot in cls.slots} == {"size", "lid"}
    assert cls.slot("size").multivalued


def test_value_sets_may_include_and_inherit() -> None:
    enum = schema(
        "classes: {A: {attributes: {b: {range: All}}}}\n"
        "enums:\n"
        "  All:\n"
        "    inherits: [Cells]\n"
        "    include: [{reachable_from: {source_ontology: obo:go, source_nodes: [GO:0005575]}}]\n"
        "  Cells: {reachable_from: {source_ontology: obo:cl, source_nodes: [CL:0000000]}}\n"
    )
    assert [value_set.vocabulary for value_set in enum.enums["All"].value_sets] == ["go", "cl"]
    assert enum.classes["A"].slots[0].kind is RangeKind.ENTITY
    assert enum.classes["All"].annotators == ("go", "cl")


def test_a_named_thing_asked_inline_is_an_object() -> None:
    loaded_schema = schema(
        "classes:\n  A: {attributes: {g: {range: G, inlined: true}}}\n  G: {is_a: NamedEntity}\n"
    )
    assert loaded_schema.classes["A"].slots[0].kind is RangeKind.OBJECT


@pytest.mark.parametrize(
    ("body", "root"),
    [
        ("classes: {A: {attributes: {b: {range: B}}}, B: {tree_root: true}}", "B"),
        ("classes: {B: {attributes: {c: }}, A: {attributes: {b: {range: B}}}}", "A"),
        ("classes: {G: {is_a: NamedEntity}}", "G"),
        ("classes: {A: {tree_root: true}, B: {tree_root: true}}", "A"),
    ],
)
def test_root_class_is_the_marked_or_the_unreferenced_one(body: str, root: str) -> None:
    assert schema(body).root == root


# ------------------------------------------------------------------ trouble


@pytest.mark.parametrize(
    ("body", "code", "line", "words"),
    [
        (
            "classes:\n  A:\n    attributes:\n      b: {range: Nurse}\n",
            "unknown-range",
            9,
            "Nurse of A.b",
        ),
        ("classes:\n  A: {is_a: Ghost}\n", "unknown-parent", 7, "Ghost of A"),
        ("classes:\n  A: {mixins: [Ghost]}\n", "unknown-parent", 7, "mixin Ghost"),
        ("classes:\n  A: {is_a: B}\n  B: {is_a: A}\n", "cyclic-parents", 8, "A → B → A"),
        ("classes:\n  A: {is_a: A}\n", "cyclic-parents", 7, "A → A"),
        ("classes:\n  A: {slots: [x]}\n", "unknown-slot", 7, "slot x of A"),
        ("classes:\n  A: {atributes: {b: }}\n", "unknown-key", 7, "atributes of A"),
        ("classes:\n  A: [1, 2]\n", "wrong-shape", 7, "A must be followed"),
        ("classes:\n  A: {}\n  A: {}\n", "duplicate-key", 8, "A is written twice"),
        (
            "classes:\n  A: {attributes: {b: {multivalued: perhaps}}}\n",
            "bad-value",
            7,
            "multivalued",
        ),
        (
            "classes:\n  A: {attributes: {b: {values_from: [E]}}}\n",
            "unknown-value-set",
            7,
            "value set E",
        ),
        ("classes: {A: {}}\ndefault_range: nothing\n", "unknown-range", 7, "default_range nothing"),
        ("classes:\n  A:\n    rules: [{description: x}]\n", "not-honoured", 8, "rules"),
        (
            "classes:\n  A: {attributes: {b: {all_of: [{range: string}]}}}\n",
            "not-honoured",
            7,
            "all_of",
        ),
        (
            "classes:\n  A: {annotations: {owl.template: '{{ 9 ** 9 }}'}}\n",
            "not-honoured",
            7,
            "owl.template",
        ),
        ("classes:\n  A: {tree_root: true}\n  B: {tree_root: true}\n", "several-roots", 8, "A, B"),
    ],
)
def test_trouble_is_named_with_its_line(body: str, code: str, line: int, words: str) -> None:
    named = [problem for problem in problems(body) if problem.code == code]
    assert named
    assert named[0].where == f"line {line}"
    assert words in named[0].message


def test_a_wrong_range_leaves_a_usable_schema() -> None:
    loaded_schema = schema("classes: {A: {attributes: {b: {range: Nurse}}}}")
    assert loaded_schema.classes["A"].slots[0].kind is RangeKind.LITERAL


@pytest.mark.parametrize(
    "address", ["https://w3id.org/x", "http://10.0.0.1/a.yaml", "file:///etc/passwd", "//host/x"]
)
def test_schema_import_fetches_nothing(address: str) -> None:
    with pytest.raises(InputError, match="not fetched"):
        load_schema(f"name: t\nimports:\n  - {address}\nclasses: {{A: }}\n")


@pytest.mark.parametrize("name", ["nowhere", "../../../etc/passwd", "linkml:nowhere", "x:y"])
def test_a_missing_import_names_its_line(name: str) -> None:
    with pytest.raises(InputError, match="line 3"):
        load_schema(f"name: t\nimports:\n  - {name}\nclasses: {{A: }}\n")


def test_imports_come_from_the_folders_given(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(
        "name: other\nimports: [mine]\nclasses: {Gene: {attributes: {id: }}}\n"
    )
    (tmp_path / "mine.yaml").write_text(
        "name: mine\nimports: [other]\nclasses: {A: {is_a: Gene}}\n"
    )
    assert load_schema(tmp_path / "mine.yaml").classes["A"].parents == ("Gene",)
    assert (
        load_schema(
            "name: t\nimports: [other]\nclasses: {A: {is_a: Gene}}\n", folder=[tmp_path]
        ).root
        == "A"
    )


def test_a_schema_may_have_the_name_of_its_import() -> None:
    loaded_schema = load_schema(
        "name: core\nimports: [core]\nclasses: {Gene: {is_a: NamedEntity}}\n"
    )
    assert (loaded_schema.name, loaded_schema.classes["Gene"].is_entity) == ("core", True)


@pytest.mark.parametrize(
    "text", ["name: t\nid: x\n", "a: 1\n", "classes:\n", "classes: 3\n", "classes: [1, {}]\n"]
)
def test_text_without_classes_is_not_a_schema(text: str) -> None:
    schema_read, trouble = check_schema(text)
    assert schema_read is None or schema_read.problems
    assert trouble


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.yaml"):
        load_schema(tmp_path / "gone.yaml")


def test_check_puts_errors_first() -> None:
    schema_read, trouble = check_schema(HEAD + "classes:\n  A: {rules: [{}]}\n  B: {is_a: Ghost}\n")
    assert schema_read is not None
    assert trouble[0].severity is Severity.ERROR


# ------------------------------------------------------------------ the reference's templates


def test_every_template_of_the_reference_loads(shared: Path) -> None:
    paths = sorted((shared / "data" / "spires" / "templates").glob("*.yaml"))
    assert len(paths) == 45
    for path in paths:
        loaded_schema = load_schema(path)
        assert loaded_schema.root in loaded_schema.classes
        assert not [
            problem for problem in loaded_schema.problems if problem.severity is Severity.ERROR
        ], path.name


def test_schemas_load_with_our_loader(shared: Path) -> None:
    for path in sorted((shared / "data" / "spires" / "templates").glob("*.yaml")):
        if path.stem != "core":
            theirs, ours = load_schema(path), load_schema(path.read_text(encoding="utf-8"))
            assert list(ours.classes) == list(theirs.classes)
            assert _asked(ours) == _asked(theirs), path.name


def _asked(loaded: Schema) -> dict[str, list[str]]:
    """The instructions of every class that a text is read into."""
    classes = (cls for cls in loaded.classes.values() if cls.name != "ExtractionResult")
    return {cls.name: [slot.prompt for slot in cls.slots if not slot.skip] for cls in classes}


def test_the_class_to_fill_is_neither_a_part_nor_a_named_thing() -> None:
    loaded_schema = schema(
        "classes:\n  Walk:\n    attributes: {label: {}, steps: {range: Stride, multivalued:"
        " true}}\n  Stride:\n    attributes: {label: {}, walk: {range: Walk, annotations:"
        " {prompt.skip: true}}}\n  Shoe:\n    attributes: {id: {identifier: true}, label: {}}\n"
    )
    assert loaded_schema.root == "Walk"
