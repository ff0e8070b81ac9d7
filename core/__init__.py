"""Groundwork without its screens: everything below works from Python and from the command line."""

__version__ = "0.1.0"

import sys
from pathlib import Path

# Before anything is imported that older ones cannot read, in words that they can
if sys.version_info < (3, 11):  # noqa: UP036
    raise SystemExit(
        "Groundwork needs Python 3.11 or newer; this is " + sys.version.split()[0] + "."
    )

# How a person starts a verb: in a checkout, or by the command of an installed package (launch.py)
COMMAND = (
    "python -m core"
    if Path(__file__).resolve().parents[1].joinpath("pyproject.toml").exists()
    else "groundwork"
)
