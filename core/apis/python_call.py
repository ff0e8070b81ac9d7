"""Python API parameterisation (BioChatter's API agents): a model or a form fills a call, shown and
never run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.apis.agent import Api, Interpretation, Parameters, check
from core.errors import Refused
from core.model import Json


class FilterCells(Parameters):
    min_genes: int | None = Field(
        None, description="keep cells with at least this many genes", ge=0
    )
    max_genes: int | None = Field(None, description="keep cells with at most this many genes", ge=0)
    min_counts: int | None = Field(
        None, description="keep cells with at least this many counts", ge=0
    )
    max_counts: int | None = Field(
        None, description="keep cells with at most this many counts", ge=0
    )


class NormalizeTotal(Parameters):
    target_sum: float | None = Field(
        None, description="counts a cell after normalising; none: the median", gt=0
    )
    exclude_highly_expressed: bool = Field(
        False, description="leave highly expressed genes out of the sum"
    )


class Leiden(Parameters):
    resolution: float = Field(1.0, description="higher gives more clusters", gt=0, le=10)
    key_added: str = Field("leiden", description="name of the column", pattern=r"^\w{1,40}$")


class Umap(Parameters):
    min_dist: float = Field(0.5, description="least distance of points", ge=0, le=5)
    n_components: Literal[2, 3] = Field(2, description="dimensions")


@dataclass(frozen=True, slots=True)
class PythonCall:
    """A function that may be proposed: its written name and parameters; the first argument is the
    data object.
    """

    name: str
    function: str
    summary: str
    parameters: type[BaseModel]


CALLS = (
    PythonCall(
        "scanpy-filter-cells", "sc.pp.filter_cells", "Filter cells by counts and genes", FilterCells
    ),
    PythonCall(
        "scanpy-normalize-total", "sc.pp.normalize_total", "Normalise counts a cell", NormalizeTotal
    ),
    PythonCall("scanpy-leiden", "sc.tl.leiden", "Cluster cells", Leiden),
    PythonCall("scanpy-umap", "sc.tl.umap", "Embed cells in two or three dimensions", Umap),
)


def proposed(call: PythonCall, given: BaseModel) -> str:
    """The call as Python text with literals only; arguments at their default are left out."""
    said = given.model_dump(exclude_defaults=True)
    given_arguments = ", ".join(["adata", *(f"{name}={value!r}" for name, value in said.items())])
    return f"{call.function}({given_arguments})"


def propose(call: PythonCall, given: Mapping[str, Json]) -> str:
    """Checked parameters as a call to copy. Raises InputError."""
    return proposed(call, check(as_api(call), given))


def as_api(call: PythonCall) -> Api:
    """The call in the form that the builder knows; it can be filled, and not fetched."""

    def never(*given: object) -> Interpretation:
        raise Refused("A Python call is only proposed, never run.")

    return Api(call.name, call.function, call.summary, "", call.parameters, never, never)  # type: ignore[arg-type]
