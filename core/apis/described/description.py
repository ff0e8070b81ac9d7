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
from core.apis.described.parameter import ParameterText, Strict, model, why_unusable
from core.apis.json_records import plain_value
from core.errors import InputError
from core.model import Json, Problem, Severity

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


def _whole(records: Any) -> Any:
    """Who writes / means the whole answer, not a member without a name."""
    return "" if records == "/" else records


class RequestText(Strict):
    path: str = Field(pattern=r"^/[^\s?#\\]*$", max_length=500)
    query: dict[str, Annotated[str, BeforeValidator(plain_value)]] = Field({}, max_length=40)
    repeat: list[str] = Field([])
    body: dict[str, Any] = Field({}, max_length=20)  # sent as JSON, by POST (GraphQL)


class AnswerText(Strict):
    records: Annotated[str, BeforeValidator(_whole)] = Field("", pattern=POINTER)
    id: str = ""
    prefix: str = Field("", pattern=r"^[A-Za-z][\w.-]*$|^$")
    fields: dict[str, Annotated[str, Field(pattern=POINTER)]] = Field({}, max_length=60)
    value: str = ""


class ExampleQuestion(Strict):
    question: str = Field(max_length=500)
    parameters: dict[str, Any]


class Description(Strict):
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


def description(document: ParsedDocument) -> tuple[Description | None, list[Problem]]:
    """The description, where its parts can be read, and every mistake found, in the order of
    lines.
    """
    try:
        found = Description.model_validate(document.value)
    except ValidationError as error:
        built = [_built(document, one) for one in error.errors()[:20]]
        return None, in_order(
            [*built, *(_problem(document, *one) for one in _base(document.value.get("base")))]
        )
    wrong = [
        *_base(found.base),
        *_token(found),
        *_parameters(found),
        *_places(found),
        *_answer(found),
    ]
    if not wrong:
        wrong += _examples(found)
    return found, in_order([_problem(document, place, said, hint) for place, said, hint in wrong])


Wrong = tuple[Place, str, str]  # where, what is wrong, what to do


def _problem(document: ParsedDocument, place: Place, said: str, hint: str = "") -> Problem:
    line = document.line(place)
    where = ": ".join(filter(None, (f"Line {line}" if line else "", ".".join(map(str, place)))))
    return Problem("api-description", said, Severity.ERROR, where, hint)


def in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(
        problems,
        key=lambda one: int(found[1]) if (found := re.match(r"Line (\d+)", one.where)) else 0,
    )


def _built(document: ParsedDocument, error: Any) -> Problem:
    """One of Pydantic's errors in the words of the page."""
    place, kind, said = tuple(error["loc"]), error["type"], error["msg"].rstrip(".")
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
        return _problem(document, place, f"{str(error['input'])[:60]!r} cannot stand here.", hint)
    return _problem(document, place, f"{said}.", "See the list of fields.")


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


def _token(found: Description) -> Iterator[Wrong]:
    if found.token_header.lower() in FORBIDDEN_HEADERS:
        yield (
            ("token_header",),
            f"A token cannot be sent as {found.token_header}.",
            "Use Authorization or X-Api-Key.",
        )


def _parameters(found: Description) -> Iterator[Wrong]:
    for name, one in found.parameters.items():
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
                f"{name} is a word of this program's own.",
                "Give the parameter another name.",
            )
        elif wrong := why_unusable(name, one):
            yield place, wrong, "Mend its pattern, limits, enum or default."


def _places(found: Description) -> Iterator[Wrong]:
    known = found.parameters
    used: set[str] = set()
    for stage, text in (("request", found.request), ("second", found.second)):
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
            *(("query", one) for one in text.query.values()),
        ):
            for name in PLACE.findall(written):
                if stage == "second" and re.fullmatch(r"first:/\S+", name):
                    continue
                used.add(name)
                if name not in known:
                    hint = (
                        f"The parameters are {', '.join(known)}."
                        if known
                        else "Add it under parameters."
                    )
                    yield (stage, where), f"{{{name}}} is no parameter.", hint
                elif where == "path" and not known[name].required and known[name].default is None:
                    yield (
                        (stage, where),
                        f"The path needs {name}, which may be left empty.",
                        "Make it required: true.",
                    )
            if re.search(r"[{}]", PLACE.sub("", written)):
                yield (stage, where), "A brace { or } has no partner.", "Write {parameter}."
        for name in body_places(text.body):
            used.add(name)
            if name not in known:
                yield (stage, "body"), f"{{{name}}} is no parameter.", "Add it under parameters."
        for name in text.repeat:
            if name not in text.query:
                yield (stage, "repeat"), f"{name} is not under query.", "Name a field of query."
    for name in set(known) - used:
        yield (
            ("parameters", name),
            f"{name} is not used in the request.",
            f"Put {{{name}}} into path or query.",
        )


def body_places(given: Json) -> list[str]:
    """The parameters that a body names: a text that is `{name}` and nothing else, so that no value
    can become a part of a query.
    """
    if isinstance(given, dict):
        return [name for one in given.values() for name in body_places(one)]
    if isinstance(given, list):
        return [name for one in given for name in body_places(one)]
    match = PLACE.fullmatch(given) if isinstance(given, str) else None
    return [match[1]] if match and re.fullmatch(r"[A-Za-z]\w*", match[1]) else []


def _answer(found: Description) -> Iterator[Wrong]:
    names = found.answer.fields
    for what, name in (("id", found.answer.id), ("value", found.answer.value)):
        if names and name and name not in names:
            yield (
                ("answer", what),
                f"{name} is not among the fields.",
                f"The fields are {', '.join(names)}.",
            )


def _examples(found: Description) -> Iterator[Wrong]:
    for number, one in enumerate(found.examples):
        try:
            model(found.name, found.parameters).model_validate(one.parameters)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            yield (
                ("examples", number),
                f"This example does not fit the parameters: {name}: {first['msg']}.",
                "",
            )
