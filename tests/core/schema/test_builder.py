"""A schema form as LinkML, and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from core.errors import InputError
from core.model import Category, Severity
from core.schema.builder import to_linkml
from core.schema.builder_reading import edited_text, from_linkml
from core.schema.load import check_schema
from core.schema.schema_form import (
    FieldForm,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
    plural_noun,
    snake_case,
)

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas"
GENE = ThingForm("Gene", Category.GENE, ("hgnc",), "", "BRCA1")
DISEASE = ThingForm("Disease", Category.DISEASE, ("mondo", "mesh"), "MONDO:0000001")
CAUSES = PredicateForm("causes", "RO:0003303", ("leads to",))
OWN = PredicateForm("is fun with")
FORM = SchemaForm(
    "Gene disease",
    "What genes do",
    (GENE, DISEASE, ThingForm("Country")),
    (RelationForm("Gene", (CAUSES, OWN), "Disease", ("population",)),),
    (PartForm("Patient group", (FieldForm("size", "number"), FieldForm("illness", "Disease"))),),
)


def test_form_writes_a_valid_schema() -> None:
    schema, problems = check_schema(to_linkml(FORM), [SCHEMAS])
    assert schema is not None
    assert schema.root == "GeneDiseaseText"
    assert [p.message for p in problems if p.severity is Severity.ERROR] == []
    assert {"GeneToDisease", "Gene", "Disease", "PatientGroup"} <= set(schema.classes)
    assert schema.classes["Disease"].id_prefixes[:2] == ("MONDO", "MESH")


def test_every_predicate_has_a_meaning_also_ones_own() -> None:
    values = yaml.safe_load(to_linkml(FORM))["enums"]["GeneToDiseaseEnum"]["permissible_values"]
    assert values["CAUSES"]["meaning"] == "RO:0003303"
    assert values["CAUSES"]["aliases"] == ["causes", "leads to"]
    assert values["IS_FUN_WITH"]["meaning"] == "gene_disease:is_fun_with"


@pytest.mark.parametrize(
    ("vocabularies", "parts"),
    [
        (("chebi", "mesh"), ["ChebiChemical", "MeshChemical"]),
        (("mesh",), ["MeshChemical"]),
        (("chebi",), ["ChebiChemical"]),
    ],
)
def test_a_kind_takes_only_its_own_branch_of_mesh_and_chebi(vocabularies, parts) -> None:
    drug = ThingForm("Drug", Category.CHEMICAL, vocabularies)
    text = to_linkml(SchemaForm("Drugs", "", (drug,)))
    written = yaml.safe_load(text)
    assert written["classes"]["Drug"]["slot_usage"]["id"]["values_from"] == parts
    schema, problems = check_schema(text, [SCHEMAS])
    assert schema and not [p for p in problems if p.severity is Severity.ERROR]
    assert from_linkml(text).form.things == (drug,) and from_linkml(text).hidden == ()


def test_schema_written_by_the_form_opens_in_it_unchanged() -> None:
    text = to_linkml(FORM)
    opened = from_linkml(text)
    assert opened.hidden == ()
    assert yaml.safe_load(to_linkml(opened.form)) == yaml.safe_load(text)


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_schema_that_is_opened_and_not_changed_stays_as_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    opened = from_linkml(text)
    assert edited_text(opened, opened.form, {}) == text


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(SCHEMAS.glob("*.yaml")) if path.stem not in ("core",)],
    ids=lambda path: path.stem,
)
def test_a_thing_added_to_a_template_leaves_the_rest_untouched(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    opened = from_linkml(text)
    more = replace(opened.form, things=(*opened.form.things, ThingForm("Moonbeam")))
    before, after = yaml.safe_load(text), yaml.safe_load(edited_text(opened, more, {}))
    added = after["classes"].pop("Moonbeam")
    assert added["is_a"] == "NamedEntity"
    root = next(n for n, b in before["classes"].items() if b.get("tree_root"))
    assert after["classes"][root]["attributes"].pop("moonbeams")["range"] == "Moonbeam"
    if not after["classes"][root]["attributes"]:
        del after["classes"][root]["attributes"]
    after["prefixes"] = {k: v for k, v in after["prefixes"].items() if k in before["prefixes"]}
    assert after == before
    schema, problems = check_schema(edited_text(opened, more, {}), [SCHEMAS])
    assert schema is not None
    assert not [p.message for p in problems if p.severity is Severity.ERROR]


def test_form_lists_what_it_cannot_show() -> None:
    text = (SCHEMAS / "chemical_disease_mesh.yaml").read_text(encoding="utf-8")
    named = "\n".join(from_linkml(text).hidden)
    assert "class_uri" in named


def test_comments_are_reported_as_lost() -> None:
    assert any("comments" in line for line in from_linkml("# mine\n" + to_linkml(FORM)).hidden)


def test_a_removed_relation_is_gone() -> None:
    opened = from_linkml(to_linkml(FORM))
    after = yaml.safe_load(edited_text(opened, replace(opened.form, relations=()), {}))
    assert "GeneToDisease" not in after["classes"]
    assert "GeneToDiseaseEnum" not in after.get("enums", {})


@pytest.mark.parametrize(
    "form",
    [
        SchemaForm(),
        SchemaForm("No things"),
        SchemaForm("Twice", "", (GENE, GENE)),
        SchemaForm("Gone", "", (GENE,), (RelationForm("Gene", (CAUSES,), "Disease"),)),
        SchemaForm("Silent", "", (GENE,), (RelationForm("Gene", (), "Gene"),)),
        SchemaForm("Empty", "", (GENE,), (), (PartForm("Dose", ()),)),
        SchemaForm("1: [b", "", (GENE,)),
    ],
)
def test_a_form_with_a_gap_says_so(form: SchemaForm) -> None:
    with pytest.raises(InputError):
        to_linkml(form)


def test_a_list_is_not_a_schema() -> None:
    with pytest.raises(InputError):
        from_linkml("- 1")


def test_names_are_made_as_schemas_write_them() -> None:
    assert (snake_case("GeneProduct"), snake_case("Gene product"), plural_noun("therapy")) == (
        "gene_product",
        "gene_product",
        "therapies",
    )
