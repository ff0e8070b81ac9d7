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
    ApiDescription,
    RequestText,
    body_places,
    read_description,
)
from core.apis.described.document import ParsedDocument, parse_document
from core.apis.described.openapi import describe_operation, is_openapi
from core.apis.described.parameter import parameter_model
from core.apis.json_records import (
    ApiRecord,
    is_pointer_absent,
    json_body,
    list_hits,
    list_items,
    plain_value,
    record_hit,
    resolve_pointer,
)
from core.errors import BadAnswer, InputError
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


def check_description(text: str, operation: str = "") -> CheckedDescription:
    """Read a description, or one operation of an OpenAPI document. What is wrong comes as problems
    with lines.
    """
    try:
        document = parse_document(text)
        if is_openapi(document.value):
            return _check_openapi(document, operation)
        parsed, problems = read_description(document)
    except InputError as error:
        line, _, message = (
            error.message.rpartition(": ")
            if error.message.startswith("Line ")
            else ("", "", error.message)
        )
        return CheckedDescription(
            None,
            text,
            (Problem("api-document", message, Severity.ERROR, where=line, hint=error.hint),),
        )
    return CheckedDescription(
        None if problems or parsed is None else _api(parsed, text), text, tuple(problems)
    )


def _check_openapi(document: ParsedDocument, operation: str) -> CheckedDescription:
    written, notes = describe_operation(document.value, operation)
    text = _written(written)
    checked = check_description(text)
    if checked.api is None and written.pop(
        "examples", None
    ):  # its own example may not fit its own parameters
        text = _written(written)
        checked = check_description(text)
    problems = [
        Problem(
            problem.code,
            problem.message,
            problem.severity,
            where=problem.where.partition(": ")[2],
            hint=problem.hint,
        )
        for problem in checked.problems
    ]
    return CheckedDescription(checked.api, text, (*problems, *notes))


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


def _written(description_json: Mapping[str, Json]) -> str:
    return yaml.dump(
        description_json, Dumper=_Written, sort_keys=False, allow_unicode=True, width=90
    )


def read(text: str, operation: str = "") -> Api:
    """An API from its description or OpenAPI document (`operation` chooses one). Raises InputError
    that names what is wrong and where.
    """
    checked = check_description(text, operation)
    if checked.api is None:
        wrong = [problem for problem in checked.problems if problem.severity is Severity.ERROR]
        mistakes = " ".join(
            f"{problem.where}: {problem.message}" if problem.where else problem.message
            for problem in wrong[:5]
        )
        raise InputError(f"The description is wrong. {mistakes}", wrong[0].hint if wrong else "")
    return checked.api


def _api(described: ApiDescription, text: str) -> Api:
    base = check_base(described.base)

    def first_fetch(parameters: BaseModel) -> Fetch:
        request = _request(base, described.request, parameters.model_dump(), None)
        assert request is not None  # only a value of a first answer can be missing
        return request

    def second(parameters: BaseModel, answer: Fetched) -> Fetch | None:
        stage = described.second
        return (
            _request(
                base,
                stage,
                parameters.model_dump(),
                json_body(answer, described.title or described.name),
            )
            if stage
            else None
        )

    def interpret(parameters: BaseModel, answers: Sequence[Fetched]) -> Interpretation:
        return _interpret(described, answers)

    return Api(
        described.name,
        described.title or described.name,
        described.summary,
        base=base,
        parameters=parameter_model(described.name, described.parameters),
        first=first_fetch,
        interpret=interpret,
        documentation=described.documentation,
        second=second if described.second else None,
        token=described.token,
        token_header=described.token_header,
        token_prefix=described.token_prefix,
        examples=tuple(
            ApiExample(example.question, example.parameters) for example in described.examples
        ),
        added=True,
        source=text,
    )


def _request(
    base: str, stage: RequestText, parameters: Mapping[str, Json], first_answer: Json
) -> Fetch | None:
    """The request with its places filled; None where the first answer lacks a value for one."""
    values = {}
    for place in PLACE.findall(" ".join((stage.path, *stage.query.values()))):
        value = (
            resolve_pointer(first_answer, place.removeprefix("first:"))[1]
            if place.startswith("first:")
            else parameters.get(place)
        )
        if place.startswith("first:") and value in (None, "", []):
            return None
        values[place] = (
            [plain_value(part) for part in value] if isinstance(value, list) else plain_value(value)
        )

    def filled(text: str) -> str:
        return PLACE.sub(lambda match: _joined(values[match[1]]), text)

    path = PLACE.sub(lambda match: quote(_joined(values[match[1]]), safe=""), stage.path)
    if leads_elsewhere(path) or "//" in path:
        raise InputError(
            "A parameter would change the path of the address.", "Give it another value."
        )
    query = []
    for name, text in stage.query.items():
        match = PLACE.fullmatch(text)
        listed = values[match[1]] if match and name in stage.repeat else filled(text)
        query += [
            (name, value) for value in (listed if isinstance(listed, list) else [listed]) if value
        ]
    if stage.body:
        body = _body(stage.body, parameters)
        return Fetch(base + path, method="POST", params=tuple(query), data=body)
    return Fetch(base + path, params=tuple(query))


def _body(written: Json, parameters: Mapping[str, Json]) -> Json:
    """The JSON that is sent: each text that is a place alone becomes the value, of its own type."""
    if isinstance(written, dict):
        return {name: _body(part, parameters) for name, part in written.items()}
    if isinstance(written, list):
        return [_body(part, parameters) for part in written]
    places = body_places(written)
    return parameters.get(places[0]) if places else written


def _joined(value: str | list[str]) -> str:
    return ",".join(value) if isinstance(value, list) else value


def _interpret(described: ApiDescription, answers: Sequence[Fetched]) -> Interpretation:
    """The records at their pointer; an object there is one record, and values there are a record
    each. Raises BadAnswer where the field that answers is gone from the service's records.
    """
    how, title = described.answer, described.title or described.name
    if described.second and len(answers) == 1:
        return Interpretation(note=f"{title}'s first answer contains no id to look up")
    body = json_body(answers[-1], title)
    place, value_there = resolve_pointer(body, how.records)
    if place is not None and isinstance(value_there, Mapping):
        fields = how.fields or _fields([value_there])
        items: list[Mapping[str, Json]] = [value_there]
        records: tuple[ApiRecord, ...] = (
            record_hit(value_there, place, fields, how.id or _first(fields), prefix=how.prefix),
        )
    else:
        listed = list_items(answers[-1], how.records, title, words=True)
        items = [item for item in listed if isinstance(item, Mapping)]
        fields = how.fields or _fields(items)
        at = place or ""
        records = list_hits(
            listed, at, fields, how.id or _first(fields), prefix=how.prefix
        ) or _values(listed, at)
        fields = fields or {"value": ""}
    value = how.value or _first(fields)
    note = _drift(title, items, fields, value) if items else ""
    unread = _unread(_total(answers[-1], body, how.total), len(records))
    return Interpretation(records, value, note, unread)


def _drift(
    title: str, items: Sequence[Mapping[str, Json]], fields: Mapping[str, str], value: str
) -> str:
    """The fields of the description that no record of the answer has, by name. Raises BadAnswer
    where the one that answers is among them.
    """
    gone = [
        name
        for name, pointer in fields.items()
        if all(is_pointer_absent(item, pointer) for item in items)
    ]
    if value in gone:
        raise BadAnswer(
            f"{title}'s records have no field {fields[value]}, which answers here as *{value}*.",
            "Its format may have changed: compare the answer with the description.",
        )
    return f"no record of {title} has: {', '.join(gone)}" if gone else ""


def _total(answer: Fetched, body: Json, total: str) -> str:
    """How many records the service says that it has, in its answer or in a header; nothing where
    it does not.
    """
    _, in_header, name = total.partition("header:")
    if in_header:
        return answer.headers.get(name.strip().casefold(), "")
    return plain_value(resolve_pointer(body, total)[1]) if total else ""


def _unread(total_text: str, read_count: int) -> str:
    """`25 of 312 records read`, where the service says that it has more than it sent."""
    return (
        f"{read_count} of {total_text} records read"
        if total_text.isdigit() and int(total_text) > read_count
        else ""
    )


def _values(listed: Sequence[Json], at: str) -> tuple[ApiRecord, ...]:
    """Words or numbers in a list: a record each."""
    texts = [
        (plain_value(value), f"{at}/{number}")
        for number, value in enumerate(listed)
        if not isinstance(value, Mapping)
    ]
    return tuple(
        ApiRecord(text, {"value": text}, {"value": place}) for text, place in texts if text
    )


def _fields(listed: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """Fields where the description names none: those of the first record."""
    names = list(listed[0])[:20] if listed else []
    return {name: "/" + re.sub("/", "~1", name.replace("~", "~0")) for name in names}


def _first(fields: Mapping[str, str]) -> str:
    return next(iter(fields), "")
