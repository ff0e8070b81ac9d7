"""The command `groundwork` of an installed package: alone it starts the app, with a verb it is
`python -m core VERB …`.

A wheel holds the app as one folder, `groundwork_desk`, so that no other package meets a top-level
`core`. Inside it imports are as in a checkout: this module puts that folder on the path before
anything else is imported; child processes get it by `core.settings.child_environment`.
"""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

APP = Path(__file__).resolve().parents[1]
STREAMLIT_OPTION = re.compile(r"--[a-z]+\.\w+(=.*)?")  # --server.port 8600, --server.port=8600


def main() -> int:
    """Exit status as `core.cli.main` gives it; the app's is Streamlit's."""
    sys.path.insert(0, str(APP))
    if len(sys.argv) > 1 and not STREAMLIT_OPTION.fullmatch(sys.argv[1]):
        from core.cli import main as run_verb

        return run_verb()
    sys.argv = ["streamlit", "run", str(APP / "app.py"), *sys.argv[1:]]
    runpy.run_module("streamlit", run_name="__main__")
    return 0
