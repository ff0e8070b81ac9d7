"""One operation of an OpenAPI document becomes a description; nothing it points to is fetched."""

from __future__ import annotations

import json

import pytest
import yaml

from core.apis import agent, described
from core.apis.described.document import parse_document
from core.apis.described.openapi import list_operations
from core.errors import InputError

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "description": "All about pets.", "version": "1"},
    "servers": [
        {"url": "https://{zone}.example.org/v1", "variables": {"zone": {"default": "pets"}}}
    ],
    "security": [{"key": []}],
    "paths": {
        "/pet/{pet-id}": {
            "parameters": [{"$ref": "#/components/parameters/pet"}],
            "get": {
                "operationId": "getPet",
                "summary": "One pet",
                "parameters": [
                    {"name": "full", "in": "query", "schema": {"type": "boolean"}},
                    {
                        "name": "sort",
                        "in": "query",
                        "schema": {"$ref": "#/components/schemas/Sort"},
                    },
                    {
                        "name": "tags",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {"name": "x-trace", "in": "header", "schema": {"type": "string"}},
                ],
                "responses": {"200": {"$ref": "#/components/responses/Pets"}},
            },
        },
        "/pets": {"get": {"operationId": "list", "security": []}, "post": {"operationId": "make"}},
    },
    "components": {
        "parameters": {
            "pet": {
                "name": "pet-id",
                "in": "path",
                "required": True,
                "schema": {"type": "integer", "minimum": 1},
            }
        },
        "schemas": {
            "Sort": {"type": "string", "enum": ["name", "age"], "default": "name"},
            "Pet": {
                "allOf": [
                    {"properties": {"id": {"type": "integer"}}},
                    {"properties": {"name": {"type": "string"}}},
                ]
            },
        },
        "responses": {
            "Pets": {
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {
                                "total": {"type": "integer"},
                                "results": {
                                    "type": "array",
                                    "items": {"$ref": "#/components/schemas/Pet"},
                                },
                            },
                        }
                    }
                }
            }
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
    },
}


def changed(**parts: object) -> str:
    return json.dumps({**DOCUMENT, **parts})


def one(**operation: object) -> str:
    """A document of one operation."""
    return changed(paths={"/a": {"get": {"operationId": "a", **operation}}}, security=[])


@pytest.mark.parametrize(
    "text", [json.dumps(DOCUMENT), yaml.safe_dump(DOCUMENT)], ids=["JSON", "YAML"]
)
def test_an_operation_is_an_api(text: str):
    checked = described.check_description(text, "getPet")
    api = checked.api
    request = api.first(agent.check_parameters(api, {"pet_id": 3, "full": True, "tags": "a,b"}))
    assert request.url == "https://pets.example.org/v1/pet/3"
    assert request.params == (("full", "true"), ("sort", "name"), ("tags", "a"), ("tags", "b"))
    assert (api.token, api.token_header, api.token_prefix) == ("PETS", "X-Api-Key", "")
    assert [note.message for note in checked.problems] == [
        "x-trace (header) is left out: only path and query are sent.",
        "It needs a key, which only your administrator can set, as GROUNDWORK_TOKEN_PETS.",
    ]
    with pytest.raises(InputError, match="greater than or equal to 1"):
        agent.check_parameters(api, {"pet_id": 0})


def test_pointer_to_records_is_read_from_the_response_schema():
    description = yaml.safe_load(described.check_description(json.dumps(DOCUMENT), "getPet").text)
    assert description["answer"] == {
        "records": "/results",
        "id": "id",
        "fields": {"id": "/id", "name": "/name"},
        "value": "name",
    }
    assert (
        "All about pets." in description["documentation"] and description["name"] == "pets-getpet"
    )


def test_description_made_from_openapi_reads_as_the_same_api():
    first = described.check_description(json.dumps(DOCUMENT), "getPet")
    again = described.check_description(first.text)
    assert again.text == first.text and again.api and first.api
    assert again.api.parameters.model_json_schema() == first.api.parameters.model_json_schema()


def test_operations_are_listed_and_others_than_get_are_not_made():
    assert list(list_operations(DOCUMENT)) == ["getPet", "list"]
    with pytest.raises(InputError, match="getPet, list"):
        described.read(json.dumps(DOCUMENT))
    with pytest.raises(InputError, match="no operation make"):
        described.read(json.dumps(DOCUMENT), "make")
    assert described.read(json.dumps(DOCUMENT), "list").token == ""


def remote(reference: str) -> str:
    return one(parameters=[{"$ref": reference}])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(servers=[]), "names no server"),
        (changed(servers=[{"url": "/v1"}]), "without a host"),
        (changed(servers=[{"url": "http://pets.example.org"}]), "must begin with https"),
        (changed(servers=[{"url": "https://10.0.0.1/"}]), "must name a host, not a number"),
        (changed(servers=[{"url": "https://{where}/"}]), "not the name of a public host"),
        (remote("https://evil.org/x.json"), "nothing outside is fetched"),
        (remote("other.yaml#/x"), "nothing outside is fetched"),
        (remote("file:///etc/passwd"), "nothing outside is fetched"),
        (remote("#/components/parameters/none"), "which is not in it"),
        (one(parameters=[{"name": "b", "in": "header", "required": True}]), "b is sent as a header"),  # noqa: E501
        (one(parameters="x"), "does not follow the specification"),
        (changed(security=[{"key": []}], components={"securitySchemes": {"key": {"type": "http", "scheme": "basic"}}},  # noqa: E501
                 paths={"/a": {"get": {"operationId": "a"}}}), "user name and password"),
        (changed(security=[{"key": []}], components={"securitySchemes": {"key": {"type": "apiKey", "in": "query"}}},  # noqa: E501
                 paths={"/a": {"get": {"operationId": "a"}}}), "a part of the query"),
        (changed(paths={}), "no GET operation"),
        (changed(paths=[1, 2]), "no GET operation"),
        (changed(paths={"/a/../b": {"get": {}}}), "No part of the path"),
        (changed(paths={"/a?x=1": {"get": {}}}), "goes under query"),
        (changed(paths={"/a/{id}": {"get": {}}}), "{id} is not a parameter"),
    ],
)  # fmt: skip
def test_openapi_that_cannot_be_used_is_refused_with_the_reason(text: str, message: str):
    operation = "getPet" if "getPet" in text else ""
    with pytest.raises(InputError, match=message.replace("{", r"\{")):
        described.read(text, operation)


def test_references_that_go_in_a_circle_are_reported():
    loop = {"a": {"$ref": "#/components/parameters/b"}, "b": {"$ref": "#/components/parameters/a"}}
    text = changed(
        components={"parameters": loop},
        paths={"/a": {"get": {"parameters": [loop["a"]]}}},
        security=[],
    )
    with pytest.raises(InputError, match="circle"):
        described.read(text)


def test_a_limit_that_cannot_be_used_is_left_out_and_reported():
    where = {
        "name": "q",
        "in": "query",
        "schema": {"type": "string", "pattern": "(?!x)y", "maximum": "many"},
    }
    checked = described.check_description(one(parameters=[where]))
    assert checked.api and checked.api.first(
        agent.check_parameters(checked.api, {"q": "zz"})
    ).params == (("q", "zz"),)
    assert "q: its pattern is left out." in checked.problems[0].message


def test_swagger_2_is_read_too():
    names = [
        {"name": "q", "in": "query", "type": "array", "items": {"type": "string"}, "required": True}
    ]
    text = {
        "swagger": "2.0",
        "host": "pets.example.org",
        "basePath": "/v2",
        "paths": {
            "/find": {
                "get": {"parameters": names, "responses": {"200": {"schema": {"type": "array"}}}}
            }
        },
    }
    api = described.read(json.dumps(text))
    request = api.first(agent.check_parameters(api, {"q": "a,b"}))
    assert (request.url, request.params) == ("https://pets.example.org/v2/find", (("q", "a,b"),))


def test_a_parameter_may_have_any_name():
    names = [{"name": name, "in": "query"} for name in ("schema", "facet.field", "1st", "model_x")]
    api = described.read(one(parameters=names))
    assert list(api.parameters.model_fields) == ["p_schema", "facet_field", "p_1st", "p_model_x"]
    assert api.first(agent.check_parameters(api, {"facet_field": "x"})).params == (
        ("facet.field", "x"),
    )


def test_examples_of_the_document_become_an_example():
    names = [
        {"name": "id", "in": "query", "required": True, "example": "P04637"},
        {"name": "size", "in": "query", "schema": {"type": "integer", "example": 5}},
        {"name": "kind", "in": "query", "examples": {"one": {"value": "x"}}},
        {"name": "other", "in": "query"},
    ]
    (example,) = described.read(one(summary="Find one", parameters=names)).examples
    assert (example.question, dict(example.parameters)) == (
        "Find one",
        {"id": "P04637", "size": 5, "kind": "x"},
    )


def test_a_large_document_is_read_in_time():
    paths = {
        f"/a{n}": {"get": {"operationId": f"a{n}", "description": "x" * 300}} for n in range(3000)
    }
    assert len(list_operations(parse_document(changed(paths=paths)).value)) == 500
