"""An API from a YAML description or an OpenAPI document, checked, without code.

```yaml
name: genenames                      # lower case, the name in `ask --api`
title: HGNC search
summary: Approved human gene symbols
base: https://rest.genenames.org     # https, a public host; the operator must list it in GROUNDWORK_API_HOSTS
documentation: What the API's own pages say; a model is given all of it.
# token: HGNC                        # only if it needs one: taken from GROUNDWORK_TOKEN_HGNC
parameters:
  symbol: {type: string, description: an approved symbol, pattern: "^[A-Za-z0-9-]+$", required: true}
request:
  path: /search/symbol/{symbol}      # {parameter}: a parameter's value
  query: {format: json}
second:                              # optional second stage
  path: /fetch/hgnc_id/{first:/response/docs/0/hgnc_id}   # {first:/pointer}: a value of the first answer
answer:
  records: /response/docs            # JSON pointer to the list of records (empty: the answer itself)
  id: hgnc_id                        # the field that is a record's id
  prefix: HGNC                       # its CURIE prefix, optional
  fields: {symbol: /symbol, hgnc_id: /hgnc_id}
  value: symbol                      # the field that answers
examples:
  - {question: "Is TP53 an approved symbol?", parameters: {symbol: TP53}}
```
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import SchemaError

from core.apis.agent import Api, Example, Interpretation, Parameters, at_pointer, body, hits, plain
from core.errors import InputError
from core.model import Json
from core.web import Fetch, Fetched

MAX_TEXT = 1_000_000
TYPES: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}
FORBIDDEN_HEADERS = ("host", "cookie", "content-length", "connection", "transfer-encoding", "user-agent", "upgrade")
_PLACE = re.compile(r"\{([\w:/.-]+)\}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ParameterText(_Strict):
    type: Literal["string", "integer", "number", "boolean"] = "string"
    description: str = ""
    required: bool = False
    default: Any = None
    pattern: str = ""
    enum: list[str] = []
    minimum: float | None = None
    maximum: float | None = None


class RequestText(_Strict):
    path: str = Field(pattern=r"^/[^\s?#]*$")
    query: dict[str, str] = {}


class AnswerText(_Strict):
    records: str = ""
    id: str = ""
    prefix: str = ""
    fields: dict[str, str] = {}
    value: str = ""


class ExampleText(_Strict):
    question: str
    parameters: dict[str, Any]


class Description(_Strict):
    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{1,30}$")
    title: str = ""
    summary: str = ""
    base: str
    documentation: str = ""
    token: str = Field("", pattern=r"^[A-Z0-9_]{0,30}$")
    token_header: str = Field("Authorization", pattern=r"^[A-Za-z-]+$")
    token_prefix: str = "Bearer "
    parameters: dict[str, ParameterText]
    request: RequestText
    second: RequestText | None = None
    answer: AnswerText = AnswerText()
    examples: list[ExampleText] = []


def read(text: str, operation: str = "") -> Api:
    """An API from its description or OpenAPI document (`operation` chooses one). Raises InputError that names what is
    wrong and where."""
    if len(text) > MAX_TEXT:
        raise InputError(f"The description has {len(text)} characters; at most {MAX_TEXT} are read.")
    given = _yaml(text)
    if "openapi" in given or "swagger" in given:
        from core.apis.openapi import description

        try:
            given = description(given, operation)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError("The OpenAPI document is not built as one.", "Check it where it was published.") from error
    try:
        described = Description.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"The description is wrong at {where or 'its top'}: {first['msg']}.", "See the example on this page."
        ) from error
    return _api(described, text)


def _yaml(text: str) -> dict[str, Json]:
    if re.search(r"(?m)^[^#\n]*[:\-]\s+[&*]\w", text):
        raise InputError("The description uses YAML anchors, which are not read.", "Write the parts out.")
    try:
        given = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            f"The description is not YAML{f' (line {mark.line + 1})' if mark else ''}.", "Mend that line."
        ) from error
    except RecursionError as error:
        raise InputError("The description is nested too deeply to be read.") from error
    if not isinstance(given, dict):
        raise InputError("The description is not a mapping.", "Begin with name: …")
    return given


def _api(described: Description, text: str) -> Api:
    base = check_base(described.base)
    if described.token_header.lower() in FORBIDDEN_HEADERS:
        raise InputError(f"A token cannot be sent as {described.token_header}.", "Use Authorization or X-Api-Key.")
    model = parameters(described)
    _check_places(described)
    for one in described.examples:
        try:
            model.model_validate(one.parameters)
        except ValidationError as error:
            raise InputError(
                f"The example “{one.question[:60]}” does not fit the parameters: {error.errors()[0]['msg']}."
            ) from error

    def first(given: BaseModel) -> Fetch:
        return _request(base, described.request, given.model_dump(), None)

    def second(given: BaseModel, answer: Fetched) -> Fetch | None:
        stage = described.second
        return _request(base, stage, given.model_dump(), body(answer, described.title)) if stage else None

    def interpret(given: BaseModel, answers: Sequence[Fetched]) -> Interpretation:
        return _interpret(described, answers)

    return Api(
        described.name,
        described.title or described.name,
        described.summary,
        base,
        model,
        first,
        interpret,
        documentation=described.documentation,
        second=second if described.second else None,
        token=described.token,
        token_header=described.token_header,
        token_prefix=described.token_prefix,
        examples=tuple(Example(one.question, one.parameters) for one in described.examples),
        added=True,
        source=text,
    )


def check_base(base: str) -> str:
    """The base address: https, a public host name, no user, port, query or fragment. Raises InputError."""
    try:
        parts = urlsplit(base.rstrip("/"))
        port = parts.port
    except ValueError as error:
        raise InputError("The base is not an address.", "Write https://host/path.") from error
    host = (parts.hostname or "").lower()
    if (
        parts.scheme != "https"
        or parts.username
        or parts.password
        or port not in (None, 443)
        or parts.query
        or parts.fragment
    ):
        raise InputError(
            "The base must be a plain https address without user, port or query.", "Write https://host/path."
        )
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        raise InputError("The base must name a host, not a number.", "Write https://host/path.")
    if not re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", host) or host.endswith(
        (".local", ".internal", ".localhost", ".lan")
    ):
        raise InputError(f"{host[:60] or 'It'} is not a public host.", "Write https://host/path.")
    return base.rstrip("/")


def parameters(described: Description) -> type[BaseModel]:
    """The Pydantic model of the parameters, from which the form is made too."""
    fields: dict[str, Any] = {}
    for name, one in described.parameters.items():
        if hasattr(BaseModel, name) or name.startswith("model_"):
            raise InputError(f"{name} is a word of this program's own.", "Give the parameter another name.")
        if not re.fullmatch(r"[A-Za-z]\w{0,40}", name):
            raise InputError(f"{name[:40]!r} cannot be the name of a parameter.", "Use letters, digits and _.")
        kind: Any = Literal[tuple(one.enum)] if one.enum else TYPES[one.type]
        limits: dict[str, Any] = {"ge": one.minimum, "le": one.maximum} if one.type in ("integer", "number") else {}
        if one.pattern:
            _pattern(name, one.pattern)
            limits["pattern"] = one.pattern
        default = ... if one.required else one.default
        fields[name] = (
            kind if one.required or default is not None else kind | None,
            Field(default, description=one.description, **limits),
        )
    try:
        return create_model(f"{described.name}_parameters", __base__=Parameters, **fields)
    except SchemaError as error:
        raise InputError(
            "A pattern of the parameters cannot be used.", "Leave look-ahead and large counts out."
        ) from error


def _pattern(name: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise InputError(f"The pattern of {name} is not a regular expression: {error}.") from error


def _check_places(described: Description) -> None:
    known = set(described.parameters)
    for stage, text in (("request", described.request), ("second", described.second)):
        if text is None:
            continue
        for place in _PLACE.findall(text.path + " ".join(text.query.values())):
            if place.startswith("first:") and stage == "second":
                continue
            if place not in known:
                raise InputError(
                    f"{stage} uses {{{place}}}, which is no parameter.",
                    f"The parameters are {', '.join(sorted(known))}.",
                )


def _request(base: str, stage: RequestText, given: Mapping[str, Json], first: Json) -> Fetch:
    def value(place: str) -> str:
        held = at_pointer(first, place.removeprefix("first:")) if place.startswith("first:") else given.get(place)
        return "" if held is None else plain(held)

    path = _PLACE.sub(lambda found: quote(value(found[1]), safe=""), stage.path)
    if re.search(r"(^|/)(\.\.|%2e%2e)(/|$)", path, re.I):
        raise InputError("A parameter would change the path of the address.")
    query = []
    for name, text in stage.query.items():
        filled = _PLACE.sub(lambda found: value(found[1]), text)
        if filled:
            query.append((name, filled))
    return Fetch(base + path, params=tuple(query))


def _interpret(described: Description, answers: Sequence[Fetched]) -> Interpretation:
    read_ = body(answers[-1], described.title or described.name)
    how = described.answer
    items = at_pointer(read_, how.records) if how.records else read_
    listed = items if isinstance(items, list) else [items] if items is not None else []
    fields = how.fields or {
        name: f"/{name}" for one in listed[:1] if isinstance(one, Mapping) for name in list(one)[:20]
    }
    found = hits(
        listed, how.records if isinstance(items, list) else "", fields, how.id or next(iter(fields), ""), how.prefix
    )
    value = how.value or next(iter(fields), "")
    return Interpretation(tuple(one.fields[value] for one in found if value in one.fields), found, value)


def as_json(api: Api) -> str:
    """The parameters' JSON Schema, for people who check a description."""
    return json.dumps(api.parameters.model_json_schema(), indent=2)
