"""What kind of thing a class stands for, and which vocabularies it names."""

from __future__ import annotations

import pytest

from core.model import Category
from core.schema.binding import annotator_names, named_services, vocabulary_name
from core.schema.category import class_category


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"written": "food", "name": "Disease"}, Category.FOOD),
        ({"prefixes": ["CHEBI", "MESH"]}, Category.CHEMICAL),
        ({"prefixes": ["MESH"], "name": "Disease"}, Category.DISEASE),
        ({"name": "GeneticVariant"}, Category.VARIANT),
        ({"annotators": ["gilda", "uberon"]}, Category.ANATOMY),
        ({"uri": "biolink:OrganismTaxon", "name": "Host2"}, Category.ORGANISM),
        ({"name": "Whatever"}, Category.THING),
    ],
)
def test_category_of_a_class_comes_from_annotation_prefixes_and_names(
    facts: dict[str, object], expected: Category
) -> None:
    assert class_category(**facts) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ("sqlite:obo:mesh", "mesh"),
        ("bioportal:MEDDRA", "meddra"),
        ("gilda:", "gilda"),
        ("bioportal:hgnc-nr", "hgnc"),
        ("sqlite:/data/my_terms.db", "my_terms"),
        ("pronto:foodon.obo.gz", "foodon"),
        ("chebi", "chebi"),
        (" ", ""),
    ],
)
def test_annotator_selectors_give_vocabulary_names(selector: str, name: str) -> None:
    assert vocabulary_name(selector) == name


def test_annotators_keep_their_order_once_each() -> None:
    assert annotator_names("sqlite:obo:hp, ols:hp; sqlite:obo:mondo,") == ("hp", "mondo")


def test_a_selector_names_a_service_unless_oak_reads_it_from_a_file() -> None:
    written = "sqlite:obo:mesh, hgnc, bioportal:MEDDRA; ols:meddra, gilda:"
    assert named_services(written) == {"meddra": "bioportal", "gilda": "gilda"}
