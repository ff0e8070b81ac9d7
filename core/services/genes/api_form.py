"""Forms made from the parameters of an API, or of a Python call that is only proposed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.apis import agent
from core.apis.agent import Api
from core.apis.python_call import CALLS, PythonCall
from core.apis.python_call import propose_call as propose_call
from core.apis.python_words import call_for_question, named_by
from core.model import Json


@dataclass(frozen=True, slots=True)
class FormField:
    """One parameter as a form shows it."""

    kind: str  # string, integer, number, boolean, array
    description: str = ""
    required: bool = False
    default: Json = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def api_form_fields(api: Api) -> dict[str, FormField]:
    """The fields of an API's form, from the JSON Schema of its parameters; what is needed comes
    first.
    """
    form_fields = fields_of(api.parameters.model_json_schema())
    return dict(sorted(form_fields.items(), key=lambda item: not item[1].required))


def fields_of(schema: Mapping[str, Json]) -> dict[str, FormField]:
    needed = schema.get("required", [])
    form_fields = {}
    for name, field_schema in (schema.get("properties") or {}).items():
        options = [
            option
            for option in field_schema.get("anyOf", [field_schema])
            if option.get("type") != "null"
        ]
        kind = options[0] if options else field_schema
        allowed = kind.get("enum") or ([kind["const"]] if "const" in kind else [])
        low = kind.get("minimum", kind.get("exclusiveMinimum"))
        high = kind.get("maximum", kind.get("exclusiveMaximum"))
        description = str(field_schema.get("description", kind.get("description", "")))
        default = field_schema.get("default")
        choices = tuple(str(choice) for choice in allowed)
        form_fields[name] = FormField(
            str(kind.get("type", "string")),
            description,
            name in needed,
            default=default,
            choices=choices,
            low=low,
            high=high,
        )
    return form_fields


def form_to_question(api: Api, typed: Mapping[str, Json]) -> str:
    """What a form says as a question that is asked as it stands, without a model: `name=value`, or
    JSON where a value has signs that would not come through. Raises InputError.
    """
    filled = {name: value for name, value in typed.items() if value not in ("", None)}
    agent.check_parameters(api, filled)
    texts = {
        name: json.dumps(value) if isinstance(value, bool) else str(value)
        for name, value in filled.items()
    }
    if not texts or any(
        re.search(r'["\\\n=]|^\s|\s$', text) or isinstance(filled[n], list)
        for n, text in texts.items()
    ):
        return json.dumps(filled, ensure_ascii=False)
    return " ".join(
        f'{name}="{text}"' if re.search(r"\s", text) else f"{name}={text}"
        for name, text in texts.items()
    )


# ------------------------------------------------------------------ Python calls
def python_calls() -> dict[str, PythonCall]:
    return {call.name: call for call in CALLS}


def python_form(name: str) -> dict[str, FormField]:
    return fields_of(python_calls()[name].parameters.model_json_schema())


def propose_python_call(name: str, parameters: Mapping[str, Json]) -> str:
    """A call as Python text; it is never run. Raises InputError for parameters that do not fit."""
    call = python_calls()[name]
    fields = python_form(name)
    typed = {
        key: int(value) if fields[key].choices and str(value).isdigit() else value
        for key, value in parameters.items()
    }
    return propose_call(
        call, {key: value for key, value in typed.items() if value not in (None, "")}
    )


def python_call_named(question: str) -> str:
    """The name of the call that a question means, also where a value is missing; else nothing."""
    return named_by(question)


def python_call_of(question: str) -> str:
    """The call that a question asks for, as Python text, by rules; it is never run. Raises
    InputError.
    """
    return call_for_question(question)
