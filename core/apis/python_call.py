"""Calls of Python libraries (scanpy, anndata): a model, a form or rules fill a call, which is shown
and never run.

The calls are generated from the libraries' signatures (`signature.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from core.apis.agent import Api, Interpretation, check_parameters
from core.apis.signature import Signature, signatures
from core.errors import Refused
from core.model import Json

STUBS = Path(__file__).parent / "descriptions"
LIBRARIES = {"scanpy": "sc", "anndata": "anndata"}  # and how each is called in code


@dataclass(frozen=True, slots=True)
class PythonCall:
    """A function that may be proposed: its written name and typed parameters."""

    name: str
    function: str
    summary: str
    parameters: type[BaseModel]
    words: str = ""
    variables: frozenset[str] = frozenset()


def _call(library: str, signature: Signature) -> PythonCall:
    name = f"{library}-{signature.name.replace('.', '-').replace('_', '-')}"
    function = f"{LIBRARIES[library]}.{signature.name}"
    return PythonCall(
        name,
        function,
        signature.summary,
        signature.parameters,
        signature.words,
        signature.variables,
    )


CALLS: tuple[PythonCall, ...] = tuple(
    _call(library, signature)
    for library in LIBRARIES
    for signature in signatures((STUBS / f"{library}.signatures").read_text(encoding="utf-8"))
)
BY_NAME = {call.name: call for call in CALLS}


def call_text(call: PythonCall, parameters: BaseModel, keep_defaults: bool = False) -> str:
    """The call as Python text, with literals and names of variables only; arguments at their
    default are left out (with `keep_defaults` only those that nobody gave), the data object is not.
    """
    if call.function == "anndata.map_values":
        return _mapped(parameters)
    arguments = (
        parameters.model_dump(exclude_unset=True)
        if keep_defaults
        else parameters.model_dump(exclude_defaults=True)
    )
    if "adata" in type(parameters).model_fields:
        arguments = {"adata": parameters.model_dump()["adata"], **arguments}
    parts = [
        f"{name}={_written(value, name in call.variables)}" for name, value in arguments.items()
    ]
    return f"{call.function}({', '.join(parts)})"


def _written(value: Json, variable: bool) -> str:
    if variable:
        return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)
    return repr(value)


def _mapped(parameters: BaseModel) -> str:
    """New values for a column: `adata.obs['cell_type'].map({…}).copy()`, as anndata has it."""
    arguments = parameters.model_dump()
    pairs = ", ".join(f"{old!r}: {new!r}" for old, new in arguments["values"].items())
    return (
        f"{arguments['adata']}.{arguments['part']}[{arguments['column']!r}].map({{{pairs}}}).copy()"
    )


def propose_call(call: PythonCall, parameters: Mapping[str, Json]) -> str:
    """Checked parameters as a call to copy. Raises InputError."""
    return call_text(call, check_parameters(as_api(call), parameters))


def as_api(call: PythonCall) -> Api:
    """The call in the form that the builder knows; it can be filled, and not fetched."""

    def never(*arguments: object) -> Interpretation:
        raise Refused("A Python call is only proposed, never run.")

    return Api(call.name, call.function, call.summary, "", call.parameters, never, never)  # type: ignore[arg-type]
