"""How many files a stranger must know: those of `core` and `pages` in which a function is entered
between a pasted text and its Turtle file.

python benchmarks/files_entered.py [--list]

An example text goes through `extract --send`, `decide approve` for what it proposed, and `export
ttl`, in one process. What runs only because a module is imported does not count.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
TEXT, SCHEMA = ROOT / "schemas/examples/disease_treatment.txt", "disease_treatment"
CURATOR = "0000-0002-1825-0097"
OURS = tuple(f"{ROOT / folder}/" for folder in ("core", "pages"))


def run_verb(project: Path, *arguments: str) -> str:
    """What a verb writes. Raises AssertionError where it fails."""
    from core.cli import main

    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        status = main(["--project", str(project), *arguments])
    assert status == 0, arguments
    return written.getvalue()


def text_to_turtle(project: Path) -> str:
    """Extract, approve and export; the Turtle."""
    schema = ("--schema", SCHEMA, "--engine", "builtin")
    run_verb(project, "extract", *schema, "--input", str(TEXT), "--send", "--curator", CURATOR)
    rows = map(json.loads, run_verb(project, "statements").splitlines())
    for row in rows:
        version = ("--version", str(row["version"]))
        run_verb(project, "decide", row["id"], "approve", *version, "--curator", CURATOR)
    file = project / "approved.ttl"
    run_verb(project, "export", "--format", "ttl", "--output", str(file))
    return file.read_text(encoding="utf-8")


def runs_by_import(frame: FrameType | None) -> bool:
    """Whether a frame is the body of a module or a class, or was called by one."""
    while frame is not None:
        is_function = frame.f_code.co_flags & CO_OPTIMIZED
        if not is_function and frame.f_code.co_filename.startswith(OURS):
            return True
        frame = frame.f_back
    return False


def files_entered(project: Path) -> list[str]:
    """The files in which a function was entered, sorted."""
    entered: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename not in entered and not runs_by_import(frame):
            entered.add(code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        turtle = text_to_turtle(project)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert "biolink:Association" in turtle
    return sorted(str(Path(name).relative_to(ROOT)) for name in entered if name.startswith(OURS))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        names = files_entered(Path(folder) / "project")
    if "--list" in sys.argv:
        print("\n".join(names))
    print(f"{len(names)} files are entered")
