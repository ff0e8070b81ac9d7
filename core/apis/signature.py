"""Functions of a Python library as typed parameters, read from a stub of its signatures.

A stub (`descriptions/*.signatures`) is parsed and never imported, so no library needs to be
installed. The types that stand there: int, float, bool, str, Name (a variable), Literal, list,
dict and `| None`.
"""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, create_model

from core.apis.agent import Parameters


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
        f"{module}{node.name}", about, words.strip(), parameter_model, frozenset(variables)
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
