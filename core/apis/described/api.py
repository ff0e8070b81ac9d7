"""From a text to an API: checked, then requests and records as the description says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import yaml
from pydantic import BaseModel

from core.apis.agent import Api, ApiExample, Interpretation
from core.apis.described.address import check_base, leads_elsewhere
from core.apis.described.description import (
    PLACE,
    Description,
    RequestText,
    body_places,
    description,
)
from core.apis.described.document import ParsedDocument, parse
from core.apis.described.openapi import describe, is_openapi
from core.apis.described.parameter import model
from core.apis.json_records import (
    ApiRecord,
    json_body,
    list_hits,
    list_items,
    plain_value,
    record_hit,
    resolve_pointer,
)
from core.errors import InputError
from core.model import Json, Problem, Severity
from core.web import Fetch, Fetched


@dataclass(frozen=True, slots=True)
class CheckedDescription:
    """What a check found: the API, where nothing is wrong; its description as it would be kept; and
    every problem.
    """

    api: Api | None
    text: str
    problems: tuple[Problem, ...] = ()


def check(text: str, operation: str = "") -> CheckedDescription:
    """Read a description, or one operation of an OpenAPI document. What is wrong comes as problems
    with lines.
    """
    try:
        document = parse(text)
        if is_openapi(document.value):
            return _check_openapi(document, operation)
        found, problems = description(document)
    except InputError as error:
        line, _, said = (
            error.message.rpartition(": ")
            if error.message.startswith("Line ")
            else ("", "", error.message)
        )
        return CheckedDescription(
            None, text, (Problem("api-document", said, Severity.ERROR, line, error.hint),)
        )
    return CheckedDescription(
        None if problems or found is None else _api(found, text), text, tuple(problems)
    )


def _check_openapi(document: ParsedDocument, operation: str) -> CheckedDescription:
    given, notes = describe(document.value, operation)
    text = _written(given)
    made = check(text)
    if made.api is None and given.pop(
        "examples", None
    ):  # its own example may not fit its own parameters
        text = _written(given)
        made = check(text)
    problems = [
        Problem(
            problem.code,
            problem.message,
            problem.severity,
            problem.where.partition(": ")[2],
            problem.hint,
        )
        for problem in made.problems
    ]
    return CheckedDescription(made.api, text, (*problems, *notes))


class _Written(yaml.SafeDumper):
    """YAML as a person would write it: several lines as a block, short lists in one line."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", value, style="|" if "\n" in value else None
    )


def _list(dumper: yaml.SafeDumper, value: list[Json]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


_Written.add_representer(str, _text)
_Written.add_representer(list, _list)


def _written(given: Mapping[str, Json]) -> str:
    return yaml.dump(given, Dumper=_Written, sort_keys=False, allow_unicode=True, width=90)


def read(text: str, operation: str = "") -> Api:
    """An API from its description or OpenAPI document (`operation` chooses one). Raises InputError
    that names what is wrong and where.
    """
    found = check(text, operation)
    if found.api is None:
        wrong = [problem for problem in found.problems if problem.severity is Severity.ERROR]
        said = " ".join(
            f"{one.where}: {one.message}" if one.where else one.message for one in wrong[:5]
        )
        raise InputError(f"The description is wrong. {said}", wrong[0].hint if wrong else "")
    return found.api


def _api(found: Description, text: str) -> Api:
    base = check_base(found.base)

    def first(given: BaseModel) -> Fetch:
        request = _request(base, found.request, given.model_dump(), None)
        assert request is not None  # only a value of a first answer can be missing
        return request

    def second(given: BaseModel, answer: Fetched) -> Fetch | None:
        stage = found.second
        return (
            _request(base, stage, given.model_dump(), json_body(answer, found.title or found.name))
            if stage
            else None
        )

    def interpret(given: BaseModel, answers: Sequence[Fetched]) -> Interpretation:
        return _interpret(found, answers)

    return Api(
        found.name,
        found.title or found.name,
        found.summary,
        base,
        model(found.name, found.parameters),
        first,
        interpret,
        documentation=found.documentation,
        second=second if found.second else None,
        token=found.token,
        token_header=found.token_header,
        token_prefix=found.token_prefix,
        examples=tuple(
            ApiExample(example.question, example.parameters) for example in found.examples
        ),
        added=True,
        source=text,
    )


def _request(base: str, stage: RequestText, given: Mapping[str, Json], first: Json) -> Fetch | None:
    """The request with its places filled; None where the first answer lacks a value for one."""
    values = {}
    for place in PLACE.findall(" ".join((stage.path, *stage.query.values()))):
        held = (
            resolve_pointer(first, place.removeprefix("first:"))[1]
            if place.startswith("first:")
            else given.get(place)
        )
        if place.startswith("first:") and held in (None, "", []):
            return None
        values[place] = (
            [plain_value(one) for one in held] if isinstance(held, list) else plain_value(held)
        )

    def filled(text: str) -> str:
        return PLACE.sub(lambda found: _joined(values[found[1]]), text)

    path = PLACE.sub(lambda found: quote(_joined(values[found[1]]), safe=""), stage.path)
    if leads_elsewhere(path) or "//" in path:
        raise InputError(
            "A parameter would change the path of the address.", "Give it another value."
        )
    query = []
    for name, text in stage.query.items():
        match = PLACE.fullmatch(text)
        listed = values[match[1]] if match and name in stage.repeat else filled(text)
        query += [(name, one) for one in (listed if isinstance(listed, list) else [listed]) if one]
    if stage.body:
        sent = _body(stage.body, given)
        return Fetch(base + path, method="POST", params=tuple(query), data=sent)
    return Fetch(base + path, params=tuple(query))


def _body(written: Json, given: Mapping[str, Json]) -> Json:
    """The JSON that is sent: each text that is a place alone becomes the value, of its own type."""
    if isinstance(written, dict):
        return {name: _body(one, given) for name, one in written.items()}
    if isinstance(written, list):
        return [_body(one, given) for one in written]
    places = body_places(written)
    return given.get(places[0]) if places else written


def _joined(value: str | list[str]) -> str:
    return ",".join(value) if isinstance(value, list) else value


def _interpret(found: Description, answers: Sequence[Fetched]) -> Interpretation:
    """The records at their pointer; an object there is one record, and values there are a record
    each.
    """
    how, title = found.answer, found.title or found.name
    if found.second and len(answers) == 1:
        return Interpretation(note=f"{title}'s first answer names nothing to look up")
    place, there = resolve_pointer(json_body(answers[-1], title), how.records)
    if place is not None and isinstance(there, Mapping):
        fields = how.fields or _fields([there])
        read: tuple[ApiRecord, ...] = (
            record_hit(there, place, fields, how.id or _first(fields), how.prefix),
        )
    else:
        listed = list_items(answers[-1], how.records, title, words=True)
        fields = how.fields or _fields([one for one in listed if isinstance(one, Mapping)])
        at = place or ""
        read = list_hits(listed, at, fields, how.id or _first(fields), how.prefix) or _values(
            listed, at
        )
        fields = fields or {"value": ""}
    return Interpretation(read, how.value or _first(fields))


def _values(listed: Sequence[Json], at: str) -> tuple[ApiRecord, ...]:
    """Words or numbers in a list: a record each."""
    found = [
        (plain_value(one), f"{at}/{number}")
        for number, one in enumerate(listed)
        if not isinstance(one, Mapping)
    ]
    return tuple(
        ApiRecord(text, {"value": text}, {"value": place}) for text, place in found if text
    )


def _fields(listed: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """Fields where the description names none: those of the first record."""
    names = list(listed[0])[:20] if listed else []
    return {name: "/" + re.sub("/", "~1", name.replace("~", "~0")) for name in names}


def _first(fields: Mapping[str, str]) -> str:
    return next(iter(fields), "")
