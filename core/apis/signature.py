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


def _name(given: str) -> str:
    if not given.isidentifier() or keyword.iskeyword(given) or given.startswith("_"):
        raise ValueError("must be the name of a variable")
    return given


def _text(given: str) -> str:
    if len(given) > 500 or not given.isprintable():
        raise ValueError("must be a short text in one line")
    return given


def _listed(given: Any) -> Any:
    """A list as a form gives it: words with commas."""
    if isinstance(given, str):
        return [part.strip() for part in given.split(",") if part.strip()]
    return given


def _pairs(given: Any) -> Any:
    """Old and new values as a form gives them: `type1=new1, type2=new2`."""
    if isinstance(given, str):
        return dict(part.split("=", 1) for part in _listed(given) if "=" in part)
    return given


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
    found = []
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef):
            inside = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            found += [_signature(one, f"{node.name}.") for one in inside]
        elif isinstance(node, ast.FunctionDef):
            found.append(_signature(node, ""))
    return found


def _signature(node: ast.FunctionDef, module: str) -> Signature:
    arguments = node.args.args
    defaults: list[ast.expr | None] = [None] * (len(arguments) - len(node.args.defaults))
    fields: dict[str, Any] = {}
    variables = set()
    for one, default in zip(arguments, [*defaults, *node.args.defaults], strict=True):
        written = ast.unparse(one.annotation) if one.annotation else "str"
        if "Name" in written:
            variables.add(one.arg)
        kind = _type(one.annotation)
        if "list" in written:
            kind = Annotated[kind, BeforeValidator(_listed)] if "str |" not in written else kind
        needed = default is None
        usual: Any = "adata" if needed and one.arg == "adata" else ...
        value = usual if default is None else ast.literal_eval(default)
        fields[one.arg] = (kind, Field(value, description=written.replace("Name", "variable")))
    about, _, words = (ast.get_docstring(node) or "").partition("\n")
    made = create_model(f"{module}{node.name}", __base__=Parameters, **fields)
    return Signature(f"{module}{node.name}", about, words.strip(), made, frozenset(variables))


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
    raise SyntaxError(f"no type that a call may have: {ast.unparse(node) if node else 'none'}")
