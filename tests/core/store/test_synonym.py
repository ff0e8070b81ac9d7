from core.model import Category, Curator, Term
from core.store import Store

ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)


def test_a_name_is_remembered_once_and_used(store: Store) -> None:
    store.add_synonym("ASA", "asa", ASPIRIN, "c")
    store.add_synonym("ASA", "asa", ASPIRIN, "c")
    assert store.lookup("asa") == [ASPIRIN]
    assert len(store.synonyms()) == 1


def test_a_name_is_found_by_category_and_prefix(store: Store) -> None:
    store.add_synonym("ASA", "asa", ASPIRIN, "c")
    assert store.lookup("asa", Category.CHEMICAL, ("CHEBI",)) == [ASPIRIN]
    assert store.lookup("asa", Category.DISEASE) == []
    assert store.lookup("asa", prefixes=("MESH",)) == []


def test_a_removed_name_is_not_used_and_can_come_back(store: Store) -> None:
    kept = store.add_synonym("ASA", "asa", ASPIRIN, "c")
    store.remove_synonym(kept.id)
    assert store.lookup("asa") == []
    assert store.synonyms(removed=True)[0].removed
    store.add_synonym("ASA", "asa", ASPIRIN, "c")
    assert store.lookup("asa") == [ASPIRIN]


def test_curators_are_kept_by_orcid(store: Store) -> None:
    store.add_curator(Curator("0000-0002-1825-0097", "Josiah"))
    store.add_curator(Curator("0000-0002-1825-0097", "J. Carberry"))
    store.add_curator(Curator("0000-0002-1825-0097"))
    assert store.curators() == [Curator("0000-0002-1825-0097", "J. Carberry")]


def test_the_base_iri_is_set_once(store: Store) -> None:
    assert store.set_once("base_iri", "https://a.example/") == "https://a.example/"
    assert store.set_once("base_iri", "https://b.example/") == "https://a.example/"
    assert store.base_iri == "https://a.example/"


def test_a_property_is_any_json(store: Store) -> None:
    store.set("seen", {"a": [1]})
    store.set("seen", {"a": [2]})
    assert store.get("seen") == {"a": [2]}
    assert store.get("nothing", 3) == 3
