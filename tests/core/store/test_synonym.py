from core.model import Category, Curator, Term
from core.store import Store

ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)


def test_a_name_is_remembered_once_and_used(store: Store) -> None:
    store.synonyms.add("ASA", "asa", ASPIRIN, "c")
    store.synonyms.add("ASA", "asa", ASPIRIN, "c")
    assert store.synonyms.lookup("asa") == [ASPIRIN]
    assert len(store.synonyms.all()) == 1


def test_a_name_is_found_by_category_and_prefix(store: Store) -> None:
    store.synonyms.add("ASA", "asa", ASPIRIN, "c")
    assert store.synonyms.lookup("asa", Category.CHEMICAL, ("CHEBI",)) == [ASPIRIN]
    assert store.synonyms.lookup("asa", Category.DISEASE) == []
    assert store.synonyms.lookup("asa", prefixes=("MESH",)) == []


def test_a_removed_name_is_not_used_and_can_come_back(store: Store) -> None:
    kept = store.synonyms.add("ASA", "asa", ASPIRIN, "c")
    store.synonyms.remove(kept.id)
    assert store.synonyms.lookup("asa") == []
    assert store.synonyms.all(removed=True)[0].removed
    store.synonyms.add("ASA", "asa", ASPIRIN, "c")
    assert store.synonyms.lookup("asa") == [ASPIRIN]


def test_curators_are_kept_by_orcid(store: Store) -> None:
    store.curators.add(Curator("0000-0002-1825-0097", "Josiah"))
    store.curators.add(Curator("0000-0002-1825-0097", "J. Carberry"))
    store.curators.add(Curator("0000-0002-1825-0097"))
    assert store.curators.all() == [Curator("0000-0002-1825-0097", "J. Carberry")]


def test_the_base_iri_is_set_once(store: Store) -> None:
    assert store.project.set_once("base_iri", "https://a.example/") == "https://a.example/"
    assert store.project.set_once("base_iri", "https://b.example/") == "https://a.example/"
    assert store.project.base_iri == "https://a.example/"


def test_a_property_is_any_json(store: Store) -> None:
    store.project.set("seen", {"a": [1]})
    store.project.set("seen", {"a": [2]})
    assert store.project.get("seen") == {"a": [2]}
    assert store.project.get("nothing", 3) == 3
