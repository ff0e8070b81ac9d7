"""Which call of a Python library a question asks for, and with which arguments, by rules. What the
question says and no argument takes is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args, get_origin

from core.apis.agent import check_parameters
from core.apis.python_call import CALLS, PythonCall, as_api, call_text
from core.errors import InputError
from core.model import Json

# which part of a library a question means, where the words of several fit
_PLOT = (
    r"\bplot\w*|\bplt\b|\bshow\b|\bdraw\b|\bcolou?red\b|\bcolou?rs?\b|\bfigure\b"
    r"|\bheat ?map|\bviolin|\bdot ?plot|\bmatrix ?plot"
)
# no call that writes is known
_WRITE = r"\b(?:sav(?:e|ing)|writ(?:e|ing)|export\w*|dump)\b"


def call_for_question(question: str) -> str:
    """The call that a question asks for, as text to copy. Raises InputError."""
    call, parameters = call_and_parameters(question)
    return call_text(call, check_parameters(as_api(call), parameters), keep_defaults=True)


def named_by(question: str) -> str:
    """The name of the call that a question means, though it may lack a value; else nothing."""
    call = _chosen(question)
    return call.name if call else ""


def call_and_parameters(question: str) -> tuple[PythonCall, dict[str, Json]]:
    """The call that a question asks for, and the parameters that stand in it. Raises InputError
    where no call, or no value for a parameter that is needed, is found.
    """
    question = _two_words(question)
    call = _chosen(question)
    if len(several := _chosen_of_parts(question)) > 1:
        raise InputError(
            f"Several calls are meant ({', '.join(several)}).", "Ask for one at a time."
        )
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
    if unplaced := _unplaced_numbers(question, parameters):
        raise InputError(
            f"What is {', '.join(unplaced)} in a call of {call.function}?",
            "Write it as name=value, or fill in the form.",
        )
    return call, parameters


def _two_words(question: str) -> str:
    """`log-normalize` as what it stands for."""
    return re.sub(r"\blog[- ]?(normali[sz]\w*)", r"\1 and log1p", question, flags=re.I)


def _chosen_of_parts(question: str) -> list[str]:
    """The calls that the parts of a question joined by `and` or `then` select (`normalize and
    log-transform`); none of a plot, where such words name columns.
    """
    if re.search(_PLOT, question, re.I):
        return []
    parts = re.split(r"\band then\b|\band\b|\bthen\b|[,;]", question)
    calls = [call for part in parts if (call := _chosen(part))]
    computing = [call.function for call in calls if call.function.startswith(("sc.pp.", "sc.tl."))]
    return list(dict.fromkeys(computing))


def _unplaced_numbers(question: str, parameters: Mapping[str, Json]) -> list[str]:
    """Numbers of the question that no parameter took: they are asked for, never left out."""
    placed = re.findall(r"\d+(?:\.\d+)?", str(list(parameters.values())))
    numbers = re.findall(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-]|\.\w)", question)
    return [number for number in dict.fromkeys(numbers) if number not in placed]


def _chosen(question: str) -> PythonCall | None:
    """Of the calls whose words fit: a reader for a file, a plot where one is asked for,
    else the one that is named first.
    """
    places = {
        call: match.start()
        for call in CALLS
        if call.words and (match := re.search(call.words, question, re.I))
    }
    fits = list(places)
    file = re.search(r"\b[\w-]+\.[a-z0-9]{2,5}\b|\b(?:load|read|open|file)\b", question, re.I)
    of_anndata = [fit for fit in fits if fit.function.startswith("anndata")]
    readers = [call for call in of_anndata if ".io." in call.function]
    if readers and file:
        return None if re.search(_WRITE, question, re.I) else readers[0]
    if of_anndata and not readers:
        return of_anndata[0]
    plots = [fit for fit in fits if fit.function.startswith("sc.pl.")]
    others = [fit for fit in fits if fit.function.startswith(("sc.pp.", "sc.tl."))]
    if plots and (re.search(_PLOT, question, re.I) or not others):
        plot = max(plots, key=lambda call: len(call.words.split("|")[0]))
        return plot if re.search(_PLOT, question, re.I) else _computing(plot, question) or plot
    return min(others, key=places.__getitem__) if others else None


def _computing(plot: PythonCall, question: str) -> PythonCall | None:
    """The call that computes what `plot` shows, where the question gives a number that only it
    takes (`PCA with 50 components`).
    """
    title = plot.function.rpartition(".")[2]
    siblings = [call for call in CALLS if call.function in (f"sc.pp.{title}", f"sc.tl.{title}")]
    return next((call for call in siblings if _numbers(call, question)), None)


_COLUMN = r"[A-Za-z]\w*_\w+|[a-z]+\d+\w*"
_LISTED = r"\w[\w.-]*(?:(?:,? and |, ?)\w[\w.-]*)*"
_COLORED = re.compile(
    rf"\bcolou?r(?:ed|ing)? (?:by|with) (?:the )?(?:number of )?(?P<names>{_LISTED})", re.I
)
_GROUPED = re.compile(
    r"\b(?:by|per|across|between|each) (?:the )?(?!(?:clusters?|groups?|cells?|samples?)\b)"
    r"(?P<name>[A-Za-z]\w*)",
    re.I,
)
_GENE = r"(?-i:\b[A-Z][A-Z0-9]*\d[A-Z0-9-]*|\b(?!UMAP|PCA|QC)[A-Z]{3,}[A-Z0-9-]*)\b"


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
    elif "color" in fields and (match := _COLORED.search(question.rstrip("?.! "))):
        names = re.split(r",? and |, ?", match["names"])
        parameters["color"] = names[0] if len(names) == 1 else list(names)
    elif "color" in fields and columns:
        parameters["color"] = columns[0] if len(columns) == 1 else list(columns)
    elif fields.keys() & {"groupby", "keys"}:
        parameters |= _grouped(call, question, columns) | parameters
    for name in ("filename", "store"):
        if name in fields:
            match = re.search(r"[\w./-]*\w\.[a-z0-9]{2,5}\b", question)
            parameters |= {name: match[0]} if match else {}
    if call.function == "anndata.concat":
        parameters |= _joined(question)
    if call.function == "anndata.map_values":
        parameters |= _replaced(question)
    if call.function.startswith("sc."):
        parameters = _choices(call, question) | parameters
    return _numbers(call, question) | parameters


def _grouped(call: PythonCall, question: str, columns: list[str]) -> dict[str, Json]:
    """Columns or genes to show, and the column that groups the cells: `n_genes per leiden`."""
    fields, parameters = call.parameters.model_fields, dict[str, Json]()
    grouped = _GROUPED.search(question)
    groupby = grouped["name"] if grouped else ""
    if "groupby" in fields and not groupby and "keys" not in fields and columns:
        groupby = columns[0]
    if "groupby" in fields and groupby:
        parameters["groupby"] = groupby
    if keys := [column for column in columns if column != groupby]:
        parameters |= {"keys": list(keys)} if "keys" in fields else {}
    if genes := list(dict.fromkeys(re.findall(_GENE, question))):
        parameters |= {"var_names": list(genes)} if "var_names" in fields else {}
    return parameters


def _choices(call: PythonCall, question: str) -> dict[str, Json]:
    """Words that a parameter takes out of a few: `wilcoxon`, `seurat`."""
    chosen: dict[str, Json] = {}
    for name, field in call.parameters.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        words = [w for kind in kinds if get_origin(kind) is Literal for w in get_args(kind)]
        said = [
            word
            for word in words
            if isinstance(word, str)
            and len(word) > 2
            and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", question, re.I)
        ]
        if len(said) == 1:
            chosen[name] = said[0]
    return chosen


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
    (r"to (\d+) (?:cells|observations)", "n_obs"),
    (r"resolution (?:of |to )?([\d.]*\d)", "resolution"),
    (r"(?:target(?: sum)?|to) (?:of )?(\d[\d.e]*)(?: counts)?", "target_sum"),
    (r"(\d+) (?:principal )?(?:components|comps|pcs)", "n_comps"),
    (r"(\d+) (?:principal components|pcs)", "n_pcs"),
    (r"(\d+)[- ]?d(?:imension\w*)?\b", "n_components"),
    (r"(\d+) neighbou?rs", "n_neighbors"),
    (r"top (\d+)", "n_top_genes"),
    (r"(\d+) (?:most |highly )?(?:highly )?variable", "n_top_genes"),
    (r"perplexity (?:of )?(\d+)", "perplexity"),
)


def _numbers(call: PythonCall, question: str) -> dict[str, Json]:
    fields = call.parameters.model_fields
    kinds = {
        name: (field.annotation, *get_args(field.annotation)) for name, field in fields.items()
    }
    by_name = tuple(
        (rf"\b{name.replace('_', '[ _-]')} (?:of |to |at |is |=+ ?)?(\d[\d.]*(?<!\.))", name)
        for name in fields
        if {int, float} & set(kinds[name])
    )
    return {
        name: int(match[1]) if match[1].isdigit() else match[1]
        for pattern, name in (*_SAID, *by_name)
        if name in fields and (match := re.search(pattern, question, re.I))
    }
