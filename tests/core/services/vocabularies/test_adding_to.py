"""A file adds to the vocabulary of its prefix; it replaces it only where somebody says so."""

from __future__ import annotations

import json
import lzma

import pytest

from core.desk import open_desk
from core.errors import InputError
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.install.base_set import BaseSet
from core.services.vocabularies import installation, own_files, prefix_context
from core.settings import load_settings

BASE = "id\tlabel\nHP:0000118\tPhenotypic abnormality\nHP:0001250\tSeizure\n"
OWN = b"id\tlabel\tsynonym\nHP:0001250\tSeizure\tlab fit\n"


@pytest.fixture
def desk(tmp_path):
    return open_desk(load_settings(tmp_path / "project"))


@pytest.fixture
def with_base(desk, tmp_path, monkeypatch):
    """A project whose base set is one small vocabulary, HP."""
    folder = tmp_path / "base"
    folder.mkdir()
    (folder / "hp.tsv.xz").write_bytes(lzma.compress(BASE.encode()))
    row = {
        "name": "hp", "title": "HPO", "date": "2026", "file": "hp.tsv.xz", "prefix": "HP",
        "terms": 2, "names": 2, "obsolete": 0, "hierarchy": False, "holds": ["phenotype"],
        "attribution": "", "licence": "", "changes": "",
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps([row]))
    registry = VocabularyRegistry(
        desk.vocabularies, desk.indexes, base=BaseSet(tmp_path / "indexes", folder)
    )
    monkeypatch.setitem(desk._parts, "vocabulary_registry", registry)
    return desk


@pytest.mark.parametrize("name", ["few_names.tsv", "hp.tsv"])
def test_a_file_adds_its_names_to_the_base_set(with_base, name):
    vocabulary = installation.add_upload(with_base, name, OWN)
    lexicons = with_base.vocabulary_registry.lexicons(("hp",))
    assert {lexicon.name for lexicon in lexicons} == {"hp", vocabulary.name}
    assert any(lexicon.term("HP:0000118") for lexicon in lexicons)
    assert "names to HPO" in own_files.addition_words(with_base, vocabulary.name)


@pytest.mark.parametrize("name", ["few_names.tsv", "hp.tsv"])
def test_a_file_replaces_the_base_set_where_somebody_says_so(with_base, name):
    vocabulary = installation.add_upload(with_base, name, OWN, replaces=True)
    lexicons = with_base.vocabulary_registry.lexicons(("hp",))
    assert [lexicon.name for lexicon in lexicons] == [vocabulary.name]
    assert own_files.addition_words(with_base, vocabulary.name) == ""
    own_files.remove_vocabulary(with_base, vocabulary.name)
    assert "hp" in with_base.vocabulary_registry.names()


def test_the_prefix_that_a_file_declares_is_kept(desk):
    text = (
        b"@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        b"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        b"@prefix garden: <https://garden.example/plot#> .\n"
        b'garden:Rose a owl:Class ; rdfs:label "rose bed" .\n'
    )
    installation.add_upload(desk, "plot.ttl", text)
    assert prefix_context.project_prefixes(desk)["garden"] == "https://garden.example/plot#"
    assert prefix_context.unknown_prefixes(desk, "plot") == ()


def test_an_unknown_prefix_is_asked_for_its_iri(desk):
    installation.add_upload(desk, "plot.tsv", b"id\tlabel\nGARDEN:1\trose bed\n")
    assert prefix_context.unknown_prefixes(desk, "plot") == ("GARDEN",)
    prefix_context.say_prefix(desk, "GARDEN", "https://garden.example/")
    assert prefix_context.unknown_prefixes(desk, "plot") == ()
    with pytest.raises(InputError):
        prefix_context.say_prefix(desk, "GARDEN", "not an IRI")


def test_the_languages_of_a_file_are_a_choice(desk):
    text = (
        b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        b"<http://purl.obolibrary.org/obo/UBERON_7> a skos:Concept ;\n"
        b' skos:prefLabel "liver"@en , "Leber"@de .\n'
    )
    installation.add_upload(desk, "parts.ttl", text)
    lexicon = desk.vocabulary_registry.lexicon("parts")
    assert "languages de (1)" in lexicon.ledger
    installation.add_upload(desk, "parts.ttl", text, languages=("de",))
    names = desk.vocabulary_registry.lexicon("parts").term("UBERON:7").names
    assert {name.text for name in names} == {"liver", "Leber"}
