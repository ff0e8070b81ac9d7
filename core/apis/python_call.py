"""Calls of Python libraries (scanpy, anndata): a model, a form or rules fill a call, which is shown
and never run.

The calls are generated from the libraries' signatures (class `Signature`).

Functions of a Python library as typed parameters, read from a stub of its signatures.

A stub (`descriptions/*.signatures`) is parsed and never imported, so no library needs to be
installed. The types that stand there: int, float, bool, str, Name (a variable), Literal, list,
dict and `| None`.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, create_model

from core.apis.agent import Api, Interpretation, Parameters, check_parameters
from core.errors import Refused
from core.model import Json


def _name(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ValueError("must be the name of a variable")
    return name


def _text(text: str) -> str:
    if len(text) > 500 or not text.isprintable():
        raise ValueError("must be a short text in one line")
    return text


def _listed(value: Any) -> Any:
    """A list as a form gives it: words with commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _pairs(value: Any) -> Any:
    """Old and new values as a form gives them: `type1=new1, type2=new2`."""
    if isinstance(value, str):
        return dict(part.split("=", 1) for part in _listed(value) if "=" in part)
    return value


Name = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"variable": True})]
Text = Annotated[str, AfterValidator(_text)]
_PLAIN: dict[str, Any] = {"int": int, "float": float, "bool": bool, "str": Text, "Name": Name}


@dataclass(frozen=True, slots=True)
class Signature:
    """A function of a stub: `pl.scatter`, what it is for, the words that lead to it, its
    parameters, and which of them are variables rather than texts.
    """

    name: str
    summary: str
    words: str
    parameters: type[BaseModel]
    variables: frozenset[str] = field(default_factory=frozenset)


def signatures(stub: str) -> list[Signature]:
    """Every function of a stub, in order. Raises SyntaxError for what is no stub."""
    signature_list = []
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef):
            inside = [
                statement for statement in node.body if isinstance(statement, ast.FunctionDef)
            ]
            signature_list += [_signature(function, f"{node.name}.") for function in inside]
        elif isinstance(node, ast.FunctionDef):
            signature_list.append(_signature(node, ""))
    return signature_list


def _signature(node: ast.FunctionDef, module: str) -> Signature:
    arguments = node.args.args
    defaults: list[ast.expr | None] = [None] * (len(arguments) - len(node.args.defaults))
    fields: dict[str, Any] = {}
    variables = set()
    for argument, default in zip(arguments, [*defaults, *node.args.defaults], strict=True):
        written = ast.unparse(argument.annotation) if argument.annotation else "str"
        if "Name" in written:
            variables.add(argument.arg)
        kind = _type(argument.annotation)
        if "list" in written:
            kind = Annotated[kind, BeforeValidator(_listed)] if "str |" not in written else kind
        needed = default is None
        usual: Any = "adata" if needed and argument.arg == "adata" else ...
        value = usual if default is None else ast.literal_eval(default)
        fields[argument.arg] = (kind, Field(value, description=type_in_words(argument.annotation)))
    about, _, words = (ast.get_docstring(node) or "").partition("\n")
    parameter_model = create_model(f"{module}{node.name}", __base__=Parameters, **fields)
    return Signature(
        f"{module}{node.name}",
        about,
        words.strip(),
        parameters=parameter_model,
        variables=frozenset(variables),
    )


_ONE = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "Name": "the name of a variable",
    "bool": "",
}
_SEVERAL = {
    "int": "whole numbers",
    "float": "numbers",
    "str": "texts",
    "Name": "names of variables",
}


def type_in_words(node: ast.expr | None) -> str:
    """What may stand in a parameter, as people say it: `a text or texts` of `str | list[str]`."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return " or ".join(filter(None, (type_in_words(left), type_in_words(right))))
        case ast.Subscript(value=ast.Name(id="list"), slice=ast.Name(id=inside)):
            return _SEVERAL.get(inside, "values")
        case ast.Subscript(value=ast.Name(id="dict")):
            return "old and new, as type1=new1, type2=new2"
        case ast.Subscript(value=ast.Name(id="Literal")):
            return "one of these"
        case ast.Name(id=name):
            return _ONE.get(name, "")
    return ""


def _type(node: ast.expr | None) -> Any:
    match node:
        case ast.Name(id=name) if name in _PLAIN:
            return _PLAIN[name]
        case ast.Constant(value=None):
            return None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _type(left) | _type(right)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inside):
            return Literal[ast.literal_eval(inside)]
        case ast.Subscript(value=ast.Name(id="list"), slice=inside):
            return Annotated[list[_type(inside)], Field(max_length=200)]  # type: ignore[misc]
        case ast.Subscript(value=ast.Name(id="dict")):
            return Annotated[dict[Text, Text], BeforeValidator(_pairs), Field(max_length=200)]
    raise SyntaxError(f"not a type that a call may have: {ast.unparse(node) if node else 'none'}")


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
        parameters=signature.parameters,
        words=signature.words,
        variables=signature.variables,
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

    return Api(
        call.name,
        call.function,
        call.summary,
        base="",
        parameters=call.parameters,
        first=never,  # type: ignore[arg-type]
        interpret=never,
    )
