"""Remote services of terms: each reads its own answers, from a loopback server; every request is a
Call, asked once; keys are not kept.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.desk import open_desk
from core.errors import InputError, NotFound, SettingsError
from core.grounding.remote.registry import SERVICES
from core.model import Category, Mention, Term
from core.schema.catalogue import schema_named
from core.services.extract.result import proven_term
from core.services.review.authority import ProjectIds
from core.services.vocabularies import remote
from core.settings import load_settings

ANSWERS = {
    "ols": (
        "/api/search",
        {"response": {"docs": [{"obo_id": "HP:0002315", "label": "Headache",
                                "ontology_name": "hp"}]}},
    ),
    "bioportal": (
        "/search",
        {"collection": [{"@id": "http://purl.obolibrary.org/obo/HP_0002315",
                         "prefLabel": "Headache", "links": {"ontology": "https://x/HP"}}]},
    ),
    "agroportal": (
        "/search",
        {"collection": [{"@id": "http://purl.obolibrary.org/obo/HP_0002315",
                         "prefLabel": "Headache"}]},
    ),
    "gilda": (
        "/ground",
        [{"term": {"db": "HP", "id": "HP:0002315", "entry_name": "Headache"}, "score": 0.9}],
    ),
    "node-normalizer": (
        "/get_normalized_nodes",
        {"HP:0002315": {"equivalent_identifiers": [{"identifier": "HP:0002315",
                                                    "label": "Headache"}]}},
    ),
}  # fmt: skip
SECRET = "s3cret-key-0123456789"


@pytest.fixture
def desk(tmp_path, monkeypatch, httpserver):
    for name in SERVICES:
        variable = name.upper().replace("-", "_")
        monkeypatch.setenv(f"GROUNDWORK_URL_{variable}", httpserver.url_for("").rstrip("/"))
    for name in ("BIOPORTAL", "AGROPORTAL"):
        monkeypatch.setenv(f"GROUNDWORK_TOKEN_{name}", SECRET)
    return open_desk(load_settings(tmp_path / "p"))


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_is_asked_once_and_its_call_is_kept_without_a_key(desk, httpserver, name):
    path, answer = ANSWERS[name]
    httpserver.expect_request(path).respond_with_json(answer)
    for _ in range(2):
        [match] = remote.search_service(desk, name, "HP:0002315")
        assert (match.term.id, match.term.label) == ("HP:0002315", "Headache")
    assert len(httpserver.log) == 1
    run = desk.store.runs.find(kind=remote.KIND)[0]
    kept = json.dumps([str(call) for call in desk.store.calls.of_run(run.id)])
    assert path in kept
    assert SECRET not in kept


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("answer", [[], {}, [1], {"response": 3}, {"collection": [{"@id": 5}]}])
def test_an_answer_of_another_form_gives_nothing(name, answer):
    assert list(SERVICES[name].read(answer)) == []


def test_a_service_without_its_key_is_not_offered(tmp_path):
    desk = open_desk(load_settings(tmp_path / "p"))
    assert "bioportal" not in remote.usable_services(desk)
    with pytest.raises(SettingsError, match="needs a key"):
        remote.search_service(desk, "bioportal", "headache")
    with pytest.raises(NotFound):
        remote.search_service(desk, "elsewhere", "headache")


def test_an_id_of_a_recorded_answer_is_proven_and_another_is_not(desk, httpserver):
    path, answer = ANSWERS["ols"]
    httpserver.expect_request(path).respond_with_json(answer)
    headache = Term("HP:0002315", "Headache", Category.PHENOTYPE)
    assert [problem.code for problem in ProjectIds(desk).of_term(Term("HP:9902315", "x"))]
    remote.search_service(desk, "ols", "headache")
    assert remote.answered_terms(desk)["HP:0002315"].term.label == "Headache"
    assert ProjectIds(desk).by_vocabulary(headache) == []
    assert ProjectIds(desk).by_vocabulary(replace(headache, label="Fever"))
    assert ProjectIds(desk).by_vocabulary(Term("HP:9902315", "Headache"))


def test_a_term_that_a_service_answered_can_be_chosen_for_a_mention(desk, httpserver):
    path, _ = ANSWERS["ols"]
    answer = {"response": {"docs": [{"obo_id": "MESH:C999999", "label": "newdrugol",
                                     "ontology_name": "mesh"}]}}  # fmt: skip
    httpserver.expect_request(path).respond_with_json(answer)
    schema = schema_named("chemical_disease", desk.schemas)
    mention = Mention("newdrugol", "triples[0].subject", "Chemical", Category.CHEMICAL, ())
    with pytest.raises(InputError):
        proven_term(desk, schema, mention, "MESH:C999999")
    remote.search_service(desk, "ols", "newdrugol")
    term, problems = proven_term(desk, schema, mention, "MESH:C999999")
    assert (term.label, term.category) == ("newdrugol", Category.CHEMICAL)
    assert [problem.code for problem in problems] == ["remote-term"]


SCHEMES = ("javascript", "JavaScript", "vbscript", "data", "blob", "file", "http", "mailto")
REST = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def with_id(name: str, id: str) -> object:
    """The service's answer of ANSWERS with another id in it."""
    return json.loads(
        re.sub(r"(http://\S+?)?HP[:_]0002315", "ID", json.dumps(ANSWERS[name][1])).replace(
            '"ID"', json.dumps(id)
        )
    )


@pytest.mark.parametrize("name", SERVICES)
@given(id=st.builds("{}:{}".format, st.sampled_from(SCHEMES), REST))
def test_an_address_or_a_script_from_a_service_is_not_an_id(name, id):
    assert not list(SERVICES[name].read(with_id(name, id)))


@pytest.mark.parametrize("name", SERVICES)
@given(id=st.one_of(REST, st.builds("{}:{}".format, st.sampled_from(["HP", "MESH", "x"]), REST)))
def test_remote_service_gives_a_curie_without_markup(name, id):
    for match in SERVICES[name].read(with_id(name, id)):
        assert re.fullmatch(r"[A-Za-z_][\w.-]*:[!-~]+", match.term.id)
        assert not set(match.term.id) & set('<>"{}|\\^`[]\u202e')


@given(local=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._()-]{0,20}", fullmatch=True))
@pytest.mark.parametrize("prefix", ["HP", "MESH", "MEDDRA", "own.vocabulary"])
def test_a_curie_from_a_service_is_kept(prefix, local):
    answer = with_id("ols", f"{prefix}:{local}")
    assert [match.term.id for match in SERVICES["ols"].read(answer)] == [f"{prefix}:{local}"]
