"""Calls of Python libraries (scanpy, anndata): a model, a form or rules fill a call, which is shown
and never run.

The calls are generated from the libraries' signatures (`signature.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from core.apis.agent import Api, Interpretation, check_parameters
from core.apis.signature import Signature, signatures
from core.errors import InputError, Refused
from core.model import Json

STUBS = Path(__file__).parent / "descriptions"
LIBRARIES = {"scanpy": "sc", "anndata": "anndata"}  # and how each is called in code
# which part of a library a question means, where the words of several fit
_PLOT = r"\bplot\w*|\bplt\b|\bshow\b|\bdraw\b|\bcolou?red\b|\bcolou?rs?\b|\bfigure\b"


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


def proposed(call: PythonCall, parameters: BaseModel, keep_defaults: bool = False) -> str:
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


def propose(call: PythonCall, parameters: Mapping[str, Json]) -> str:
    """Checked parameters as a call to copy. Raises InputError."""
    return proposed(call, check_parameters(as_api(call), parameters))


def as_api(call: PythonCall) -> Api:
    """The call in the form that the builder knows; it can be filled, and not fetched."""

    def never(*arguments: object) -> Interpretation:
        raise Refused("A Python call is only proposed, never run.")

    return Api(call.name, call.function, call.summary, "", call.parameters, never, never)  # type: ignore[arg-type]


def of_question(question: str) -> str:
    """The call that a question asks for, as text to copy. Raises InputError."""
    call, parameters = by_words(question)
    return proposed(call, check_parameters(as_api(call), parameters), keep_defaults=True)


# ------------------------------------------------------------------ questions without a model
def named_by(question: str) -> str:
    """The name of the call that a question means, though it may lack a value; else nothing."""
    call = _chosen(question)
    return call.name if call else ""


def by_words(question: str) -> tuple[PythonCall, dict[str, Json]]:
    """The call that a question asks for, and the parameters that stand in it. Raises InputError
    where no call, or no value for a parameter that is needed, is found.
    """
    call = _chosen(question)
    if call is None:
        raise InputError(
            "No call fits these words.", "Name what is wanted, such as: plot a UMAP, read h5ad."
        )
    parameters = _values(call, question)
    missing = [
        name
        for name, field in call.parameters.model_fields.items()
        if field.is_required() and name not in parameters
    ]
    if missing:
        raise InputError(
            f"{call.function} needs {', '.join(missing)}.",
            "Add it to the question, or fill in the form.",
        )
    return call, parameters


def _chosen(question: str) -> PythonCall | None:
    """Of the calls whose words fit: a reader for a file, a plot where one is asked for,
    else the first that is none.
    """
    fits = [call for call in CALLS if call.words and re.search(call.words, question, re.I)]
    file = re.search(r"\b[\w-]+\.[a-z0-9]{2,5}\b|\b(?:load|read|open|file)\b", question, re.I)
    of_anndata = [fit for fit in fits if fit.function.startswith("anndata")]
    readers = [call for call in of_anndata if ".io." in call.function]
    if readers and file:
        return readers[0]
    if of_anndata and not readers:
        return of_anndata[0]
    plots = [fit for fit in fits if fit.function.startswith("sc.pl.")]
    others = [fit for fit in fits if fit.function.startswith(("sc.pp.", "sc.tl."))]
    if plots and (re.search(_PLOT, question, re.I) or not others):
        return max(plots, key=lambda call: len(call.words.split("|")[0]))
    return others[0] if others else None


_COLUMN = r"[A-Za-z]\w*_\w+|[a-z]+\d+\w*"


def _values(call: PythonCall, question: str) -> dict[str, Json]:
    fields, parameters = call.parameters.model_fields, dict[str, Json]()
    for name, value in re.findall(r"\b(\w+)\s*=\s*([\w.]+)", question):
        if name in fields:
            parameters[name] = value
    columns = [
        column
        for column in dict.fromkeys(re.findall(rf"\b(?:{_COLUMN})\b", question))
        if column not in parameters.values() and not re.fullmatch(r"adata\d*|h5ad|n_?\d+", column)
    ]
    if "x" in fields and "y" in fields and len(columns) == 2:
        parameters |= {"x": columns[0], "y": columns[1]}
    elif "color" in fields and (
        match := re.search(r"\bcolou?red by (\w+)$", question.rstrip("?.! "))
    ):
        parameters["color"] = match[1]
    elif "color" in fields and columns:
        parameters["color"] = columns[0] if len(columns) == 1 else list(columns)
    elif "groupby" in fields and columns:
        parameters["groupby"] = columns[0]
    for name in ("filename", "store"):
        if name in fields:
            match = re.search(r"[\w./-]*\w\.[a-z0-9]{2,5}\b", question)
            parameters |= {name: match[0]} if match else {}
    if call.function == "anndata.concat":
        parameters |= _joined(question)
    if call.function == "anndata.map_values":
        parameters |= _replaced(question)
    return parameters | _numbers(call, question)


def _joined(question: str) -> dict[str, Json]:
    """Which objects, along which axis, and how."""
    along_var = re.search(r"\b(?:columns?|var(?:iables?)?)\b", question, re.I)
    parameters: dict[str, Json] = {"axis": "var" if along_var else "obs"}
    parameters["adatas"] = list(dict.fromkeys(re.findall(r"\badata\w+", question))) or [
        "adata1",
        "adata2",
    ]
    if match := re.search(r"\b(inner|outer)\b", question, re.I):
        parameters["join"] = match[1].lower()
    return parameters


def _replaced(question: str) -> dict[str, Json]:
    pairs = [
        pair
        for pair in re.findall(r"\b([\w-]+) (?:with|by|to|into) ([\w-]+)\b", question)
        if pair[0] not in ("values", "column")
    ]
    column = re.search(
        r"\b((?!the\b)[\w-]+) (?:column|values)\b|\bcolumn ([\w-]+)"
        r"|\bvalues (?:of|in) (?:the )?([\w-]+)",
        question,
    )
    parameters: dict[str, Json] = {"values": dict(pairs)} if pairs else {}
    if column:
        parameters["column"] = next(group for group in column.groups() if group)
    return parameters


_SAID = (  # a number and what it is: `at least 200 genes`, `resolution 0.5`
    (r"(?:at least|minimum(?: of)?|fewer than|less than) (\d+) genes", "min_genes"),
    (r"(?:at least|minimum(?: of)?|fewer than|less than) (\d+) cells", "min_cells"),
    (r"(?:at least|minimum(?: of)?|fewer than|less than) (\d+) counts", "min_counts"),
    (r"(?:at most|maximum(?: of)?|more than) (\d+) genes", "max_genes"),
    (r"resolution (?:of |to )?([\d.]*\d)", "resolution"),
    (r"(?:target(?: sum)?|to) (?:of )?(\d[\d.e]*)(?: counts)?", "target_sum"),
    (r"(\d+) (?:principal )?(?:components|comps|pcs)", "n_comps"),
    (r"(\d+) neighbou?rs", "n_neighbors"),
    (r"top (\d+)", "n_top_genes"),
    (r"(\d+) (?:most |highly )?(?:highly )?variable", "n_top_genes"),
    (r"perplexity (?:of )?(\d+)", "perplexity"),
)


def _numbers(call: PythonCall, question: str) -> dict[str, Json]:
    fields = call.parameters.model_fields
    return {
        name: match[1]
        for pattern, name in _SAID
        if name in fields and (match := re.search(pattern, question, re.I))
    }
