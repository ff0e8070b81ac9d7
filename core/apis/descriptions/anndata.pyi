# Signatures of anndata (https://anndata.readthedocs.io/en/stable/api.html), the arguments that
# users set. The second line of a docstring holds the words that lead to a call.
from typing import Literal

Name = str  # a variable

class io:
    def read_h5ad(filename: str, backed: Literal["r", "r+"] | None = None):
        r"""Read an h5ad file
        \.?h5ad\b"""
    def read_csv(filename: str, delimiter: str = ",", first_column_names: bool | None = None):
        r"""Read a table with commas
        \.?csv\b"""
    def read_text(
        filename: str, delimiter: str | None = None, first_column_names: bool | None = None
    ):
        r"""Read a text table
        \.(?:txt|tsv|tab)\b"""
    def read_excel(filename: str, sheet: str):
        r"""Read a sheet of a workbook
        \.xlsx?\b|excel"""
    def read_loom(filename: str, sparse: bool = True):
        r"""Read a loom file
        \.?loom\b"""
    def read_mtx(filename: str):
        r"""Read a matrix market file
        \.?mtx\b|matrix market"""
    def read_zarr(store: str):
        r"""Read a zarr store
        \.?zarr\b"""
    def read_hdf(filename: str, key: str):
        r"""Read an HDF5 file
        \.hdf5?\b|\.h5\b"""
    def read_umi_tools(filename: str):
        r"""Read a table of UMI-tools
        umi[- _]?tools"""

def concat(
    adatas: list[Name],
    axis: Literal["obs", "var"] = "obs",
    join: Literal["inner", "outer"] = "inner",
    merge: Literal["same", "unique", "first", "only"] | None = None,
    label: str | None = None,
    index_unique: str | None = None,
):
    r"""Put several AnnData objects together
    concat\w*|merge|combine|\bjoin\b"""

def map_values(
    adata: Name, column: str, values: dict[str, str], part: Literal["obs", "var"] = "obs"
):
    r"""Replace the values of a column
    replace|re-?map|rename"""
