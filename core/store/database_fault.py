"""The troubles of the project's database, in words for people."""

from __future__ import annotations

import os
from pathlib import Path

BUSY = 30.0  # seconds a writer waits for another
MAY_WRITE = (
    "Allow this user to write there, or choose another with --project or GROUNDWORK_PROJECT."
)
SEALED = ("readonly", "read-only", "permission", "unable to open")  # of a folder, or of the file
# What a driver's message says (the first that fits), what happened to {place}, and what to do.
CAUSES = (
    (
        "deadlock",
        "Two writers to {place} blocked each other, and this one was cancelled.",
        "Try again.",
    ),
    (
        "locked",
        f"{{place}} is busy: another program has held it for {BUSY:.0f} seconds.",
        "Try again in a moment.",
    ),
    (
        "readonly",
        "{place} cannot be written: it is read-only.",
        "Check the permissions of the file and its folder.",
    ),
    ("read-only", "{place} cannot be written: its disk is read-only.", MAY_WRITE),
    (
        "permission",
        "{place} cannot be opened: permission denied.",
        "Check the permissions of the file and its folder.",
    ),
    (
        "full",
        "There is no space left on the disk of {place}.",
        "Nothing half-written was kept; free some space.",
    ),
    (
        "no space",
        "There is no space left on the disk of {place}.",
        "Nothing half-written was kept; free space.",
    ),
    (
        "not a database",
        "{place} is not a database of this app.",
        "Move it away, or restore a backup.",
    ),
    (
        "malformed",
        "{place} is damaged.",
        "Restore the newest backup; copies made before updates are in the same folder.",
    ),
    (
        "unable to open",
        "{place} cannot be opened.",
        "Check that its folder exists and may be written.",
    ),
    (
        "no such table",
        "{place} is not a database of this app.",
        "Move it away, or choose another project.",
    ),
    ("resolve host", "The host of {place} cannot be found.", "Check GROUNDWORK_DATABASE_URL."),
    (
        "connect",
        "The database {place} does not answer.",
        "Check GROUNDWORK_DATABASE_URL and that it runs.",
    ),
)


def explain(error: Exception, place: str) -> tuple[str, str]:
    """What happened to the database, and what to do."""
    reason = str(getattr(error, "orig", None) or error).casefold()
    folder = Path(place).parent
    sealed = folder.is_dir() and not os.access(folder, os.W_OK)
    if sealed and any(sign in reason for sign in SEALED):
        return (
            f"The project folder {folder} is read-only: {place} cannot be written there.",
            MAY_WRITE,
        )
    for sign, message, hint in CAUSES:
        if sign in reason:
            return message.replace("{place}", place), hint
    first_line = reason.splitlines()[0][:200] if reason else "no reason given"
    return f"The database {place} refused: {first_line}.", ""
