"""Groundwork without its screens: everything below works from Python and from the command line."""

__version__ = "0.1.0"

import sys

# Before anything is imported that older ones cannot read, in words that they can
if sys.version_info < (3, 11):  # noqa: UP036
    raise SystemExit(
        "Groundwork needs Python 3.11 or newer; this is " + sys.version.split()[0] + "."
    )
