"""What a description of an API may say, and what is wrong with one: every mistake at once, each
with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from core.apis.described.address import check_base, leads_elsewhere
from core.apis.described.document import ParsedDocument, Place
from core.apis.described.parameter import ParameterText, StrictModel, parameter_model, why_unusable
from core.apis.json_records import plain_value
from core.errors import InputError
from core.model import Json, Problem, Severity
from core.web import TOTALS

FORBIDDEN_HEADERS = (
    "host",
    "cookie",
    "content-length",
    "connection",
    "transfer-encoding",
    "user-agent",
    "upgrade",
)
PLACE = re.compile(r"\{([^{}]*)\}")
POINTER = r"^(/[^\s]*)?$"


def _root_pointer(records: Any) -> Any:
    """Who writes / means the whole answer, not a member without a name."""
    return "" if records == "/" else records


class RequestText(StrictModel):
    path: str = Field(pattern=r"^/[^\s?#\\]*$", max_length=500)
    query: dict[str, Annotated[str, BeforeValidator(plain_value)]] = Field({}, max_length=40)
    repeat: list[str] = Field([])
    body: dict[str, Any] = Field({}, max_length=20)  # sent as JSON, by POST (GraphQL)


class AnswerText(StrictModel):
    records: Annotated[str, BeforeValidator(_root_pointer)] = Field("", pattern=POINTER)
    id: str = ""
    prefix: str = Field("", pattern=r"^[A-Za-z][\w.-]*$|^$")
    fields: dict[str, Annotated[str, Field(pattern=POINTER)]] = Field({}, max_length=60)
    value: str = ""
    # how many records the service has, where it says so: a pointer, or `header: X-Total-Results`
    total: str = Field("", pattern=rf"{POINTER}|^header: ?(?i:{'|'.join(TOTALS)})$")


class ExampleQuestion(StrictModel):
    question: str = Field(max_length=500)
    parameters: dict[str, Any]


class ApiDescription(StrictModel):
    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{1,30}$")
    title: str = Field("", max_length=100)
    summary: str = Field("", max_length=300)
    base: str
    documentation: str = Field("", max_length=50_000)
    token: str = Field("", pattern=r"^[A-Z0-9_]{0,30}$")
    token_header: str = Field("Authorization", pattern=r"^[A-Za-z][A-Za-z0-9-]{0,60}$")
    token_prefix: str = Field("Bearer ", pattern=r"^[A-Za-z0-9_=-]{0,20} ?$")
    parameters: dict[str, ParameterText] = Field(max_length=40)
    request: RequestText
    second: RequestText | None = None
    answer: AnswerText = Field(default_factory=lambda: AnswerText.model_validate({}))
    examples: list[ExampleQuestion] = Field([], max_length=20)


def read_description(document: ParsedDocument) -> tuple[ApiDescription | None, list[Problem]]:
    """The description, where its parts can be read, and every mistake found, in the order of
    lines.
    """
    try:
        parsed = ApiDescription.model_validate(document.value)
    except ValidationError as error:
        built = [_built(document, mistake) for mistake in error.errors()[:20]]
        return None, sort_by_line(
            [
                *built,
                *(
                    _problem(document, *wrong_base)
                    for wrong_base in _base(document.value.get("base"))
                ),
            ]
        )
    wrong = [
        *_base(parsed.base),
        *_token(parsed),
        *_parameters(parsed),
        *_places(parsed),
        *_answer(parsed),
    ]
    if not wrong:
        wrong += _examples(parsed)
    return parsed, sort_by_line(
        [_problem(document, place, message, hint) for place, message, hint in wrong]
    )


Wrong = tuple[Place, str, str]  # where, what is wrong, what to do


def _problem(document: ParsedDocument, place: Place, message: str, hint: str = "") -> Problem:
    line = document.line(place)
    where = ": ".join(filter(None, (f"Line {line}" if line else "", ".".join(map(str, place)))))
    return Problem("api-description", message, Severity.ERROR, where=where, hint=hint)


def sort_by_line(problems: list[Problem]) -> list[Problem]:
    return sorted(
        problems,
        key=lambda problem: (
            int(line_match[1]) if (line_match := re.match(r"Line (\d+)", problem.where)) else 0
        ),
    )


def _built(document: ParsedDocument, error: Any) -> Problem:
    """One of Pydantic's errors in the words of the page."""
    place, kind, message = tuple(error["loc"]), error["type"], error["msg"].rstrip(".")
    if kind == "extra_forbidden":
        return _problem(
            document,
            place,
            "There is no such field here.",
            "See the list of fields; mind the spelling.",
        )
    if kind == "missing":
        return _problem(
            document, place, "This is needed and is missing.", "Add it as in the example."
        )
    if kind == "string_pattern_mismatch":
        hint = next(
            (HINTS[part] for part in reversed(place) if part in HINTS), "See the list of fields."
        )
        return _problem(document, place, f"{str(error['input'])[:60]!r} is not allowed here.", hint)
    return _problem(document, place, f"{message}.", "See the list of fields.")


HINTS = {
    "name": "Small letters, digits, - and _, beginning with a letter; at most 31.",
    "path": "Begin with /; no ?, # or spaces. What follows a ? goes under query.",
    "records": "A path of names through the answer, as in /response/docs.",
    "fields": "A path of names through a record, as in /name.",
    "prefix": "The letters before the colon of a CURIE, as in HGNC.",
    "token": "Capital letters, digits and _.",
    "token_header": "The name of a header, as in X-Api-Key.",
    "token_prefix": "A word and a space, or nothing.",
}


def _base(base: Json) -> Iterator[Wrong]:
    if not isinstance(base, str):
        return
    try:
        check_base(base)
    except InputError as error:
        yield ("base",), error.message, error.hint


def _token(described: ApiDescription) -> Iterator[Wrong]:
    if described.token_header.lower() in FORBIDDEN_HEADERS:
        yield (
            ("token_header",),
            f"A token cannot be sent as {described.token_header}.",
            "Use Authorization or X-Api-Key.",
        )


def _parameters(described: ApiDescription) -> Iterator[Wrong]:
    for name, parameter in described.parameters.items():
        place = ("parameters", name)
        if not re.fullmatch(r"[A-Za-z]\w{0,40}", name):
            yield (
                place,
                "This cannot be the name of a parameter.",
                "Use letters, digits and _; begin with a letter.",
            )
        elif hasattr(BaseModel, name) or name.startswith("model_"):
            yield (
                place,
                f"{name} is reserved by this program.",
                "Give the parameter another name.",
            )
        elif wrong := why_unusable(name, parameter):
            yield place, wrong, "Correct its pattern, limits, enum or default."


def _places(described: ApiDescription) -> Iterator[Wrong]:
    parameters = described.parameters
    used: set[str] = set()
    for stage, text in (("request", described.request), ("second", described.second)):
        if text is None:
            continue
        if leads_elsewhere(text.path) or "//" in text.path:
            yield (
                (stage, "path"),
                "No part of the path may be empty, . or ...",
                "Write it from the base on.",
            )
        for where, written in (
            ("path", text.path),
            *(("query", value) for value in text.query.values()),
        ):
            for name in PLACE.findall(written):
                if stage == "second" and re.fullmatch(r"first:/\S+", name):
                    continue
                used.add(name)
                if name not in parameters:
                    hint = (
                        f"The parameters are {', '.join(parameters)}."
                        if parameters
                        else "Add it under parameters."
                    )
                    yield (stage, where), f"{{{name}}} is not a parameter.", hint
                elif (
                    where == "path"
                    and not parameters[name].required
                    and parameters[name].default is None
                ):
                    yield (
                        (stage, where),
                        f"The path needs {name}, which may be left empty.",
                        "Make it required: true.",
                    )
            if re.search(r"[{}]", PLACE.sub("", written)):
                yield (stage, where), "A brace { or } has no partner.", "Write {parameter}."
        for name in body_places(text.body):
            used.add(name)
            if name not in parameters:
                yield (stage, "body"), f"{{{name}}} is not a parameter.", "Add it under parameters."
        for name in text.repeat:
            if name not in text.query:
                yield (stage, "repeat"), f"{name} is not under query.", "Name a field of query."
    for name in set(parameters) - used:
        yield (
            ("parameters", name),
            f"{name} is not used in the request.",
            f"Put {{{name}}} into path or query.",
        )


def body_places(body: Json) -> list[str]:
    """The parameters that a body names: a text that is `{name}` and nothing else, so that no value
    can become a part of a query.
    """
    if isinstance(body, dict):
        return [name for part in body.values() for name in body_places(part)]
    if isinstance(body, list):
        return [name for part in body for name in body_places(part)]
    match = PLACE.fullmatch(body) if isinstance(body, str) else None
    return [match[1]] if match and re.fullmatch(r"[A-Za-z]\w*", match[1]) else []


def _answer(described: ApiDescription) -> Iterator[Wrong]:
    names = described.answer.fields
    for role, name in (("id", described.answer.id), ("value", described.answer.value)):
        if names and name and name not in names:
            yield (
                ("answer", role),
                f"{name} is not among the fields.",
                f"The fields are {', '.join(names)}.",
            )


def _examples(described: ApiDescription) -> Iterator[Wrong]:
    for number, example in enumerate(described.examples):
        try:
            parameter_model(described.name, described.parameters).model_validate(example.parameters)
        except ValidationError as error:
            first_error = error.errors()[0]
            name = ".".join(map(str, first_error["loc"]))
            yield (
                ("examples", number),
                f"This example does not fit the parameters: {name}: {first_error['msg']}.",
                "",
            )
