"""The parameters of a description, as Pydantic wants them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import SchemaError

from core.apis.agent import Parameters
from core.apis.json_records import plain_value
from core.model import Json

TYPES: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)


class ParameterText(StrictModel):
    type: Literal["string", "integer", "number", "boolean", "list"] = "string"
    description: str = Field("", max_length=1000)
    required: bool = False
    default: Any = None
    pattern: str = Field("", max_length=300)
    enum: list[Annotated[str, BeforeValidator(plain_value)]] = Field([], max_length=300)
    minimum: float | None = None
    maximum: float | None = None


def parameter_model(name: str, parameter_texts: Mapping[str, ParameterText]) -> type[BaseModel]:
    """The Pydantic model of the parameters, from which the form is made too."""
    fields: dict[str, Any] = {
        name: parameter_field(parameter_text) for name, parameter_text in parameter_texts.items()
    }
    return create_model(f"{name}_parameters", __base__=Parameters, **fields)


def why_unusable(name: str, parameter_text: ParameterText) -> str:
    """Why this parameter cannot be made; nothing when it can."""
    if parameter_text.pattern:
        try:
            re.compile(parameter_text.pattern)
        except re.error as error:
            return f"Its pattern is not a regular expression: {error}."
    try:
        trial_model = parameter_model("one", {name: parameter_text})
        if parameter_text.default is not None:
            trial_model.model_validate({name: parameter_text.default})
    except SchemaError:
        return "Its pattern cannot be used: leave look-ahead and large counts out."
    except ValidationError as error:
        return f"Its default does not fit it: {error.errors()[0]['msg']}."
    except (TypeError, ValueError) as error:
        return f"It cannot be used: {str(error)[:100]}."
    return ""


def _split(value: Json) -> Json:
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, str)
        else value
    )


def _text(value: Json) -> Json:
    return plain_value(value) if isinstance(value, str | int | float | bool) else value


def parameter_field(parameter_text: ParameterText) -> tuple[Any, Any]:
    """A parameter as Pydantic wants it: a type, and a Field with description and limits."""
    limits: dict[str, Any] = {}
    kind: Any = TYPES.get(parameter_text.type, str)
    if parameter_text.enum:
        kind = Literal[tuple(parameter_text.enum)]
    elif parameter_text.type in ("integer", "number"):
        limits = {"ge": parameter_text.minimum, "le": parameter_text.maximum}
    elif parameter_text.type in ("string", "list"):
        limits = {"max_length": 2000} | (
            {"pattern": parameter_text.pattern} if parameter_text.pattern else {}
        )
    if parameter_text.type == "list":
        kind, limits = (
            Annotated[list[Annotated[kind, Field(**limits)]], BeforeValidator(_split)],
            {"max_length": 200},
        )
    elif parameter_text.type == "string":
        kind = Annotated[kind, BeforeValidator(_text)]
    default = ... if parameter_text.required else parameter_text.default
    if not parameter_text.required and default is None:
        kind = kind | None
    return kind, Field(
        default, description=parameter_text.description, validate_default=False, **limits
    )
