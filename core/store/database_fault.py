"""What a database's driver reports, in words for people: what is wrong, and what to do."""

from __future__ import annotations

import os
from pathlib import Path

BUSY = 30.0  # seconds a writer waits for another
MAY_WRITE = (
    "Allow this user to write there, or choose another with --project or GROUNDWORK_PROJECT."
)
_URL = "Check GROUNDWORK_DATABASE_URL"
_PERMISSIONS = "Check the permissions of the file and its folder."
# Words of PostgreSQL or its driver, what they mean for {place}, and what to do; first match counts
SERVER_FAULTS = (
    *(
        (sign, "The database {place} did not accept the password.", f"{_URL}: user and password.")
        for sign in ("password authentication failed", "no password supplied")
    ),
    ("no pg_hba.conf entry", "The server of {place} does not let this machine or user in.",
     "Its administrator allows them in pg_hba.conf."),
    ('fatal:  role "', "The server of {place} does not know this user.", f"{_URL}: its user."),
    ('fatal:  database "', "The server has no database of the name in {place}.",
     "Make it (`createdb`), or check the name in GROUNDWORK_DATABASE_URL."),
    ("permission denied", "The user of {place} may not make or change its tables.",
     "Grant that (GRANT ALL ON SCHEMA public TO the user), or make the user the database's owner."),
    *(
        (sign, "The server of {place} has no free connection.",
         "Raise its max_connections, or run fewer workers.")
        for sign in ("too many clients", "remaining connection slots")
    ),
    ("starting up", "The server of {place} is starting.", "Try again in a moment."),
)  # fmt: skip
# The same for any database, above all for SQLite's file
FAULTS = (
    ("deadlock", "Two writers to {place} blocked each other, and this one was cancelled.",
     "Try again."),
    ("locked", f"{{place}} is busy: another program has held it for {BUSY:.0f} seconds.",
     "Try again in a moment. If it stays so, close whatever else has opened it."),
    ("readonly", "{place} cannot be written: it is read-only.", _PERMISSIONS),
    ("read-only", "{place} cannot be written: its disk is read-only.", MAY_WRITE),
    ("permission", "{place} cannot be opened: permission denied.", _PERMISSIONS),
    *(
        (sign, "There is no space left on the disk of {place}.",
         "Nothing half-written was kept; free some space.")
        for sign in ("full", "no space")
    ),
    ("disk i/o", "{place} cannot be read or written: its disk is full or has an error.",
     "Free some space; if there is enough, check the disk."),
    ("not a database", "{place} is not a database of this app.",
     "Move it away, or restore a backup."),
    ("malformed", "{place} is damaged.",
     "Restore the newest backup; copies made before updates are in the same folder."),
    ("unable to open", "{place} cannot be opened.",
     "Check that its folder exists and may be written."),
    ("no such table", "{place} is not a database of this app.",
     "Move it away, or choose another project."),
    ("resolve host", "The host of {place} cannot be found.", f"{_URL}."),
    ("connect", "The database {place} does not answer.", f"{_URL} and that it runs."),
)  # fmt: skip


def explain_fault(error: Exception, place: str) -> tuple[str, str]:
    """What happened to the database at `place`, and what to do."""
    reason = str(getattr(error, "orig", None) or error).casefold()
    file = Path(place)
    if "://" not in place and (fault := _file_fault(file, reason)):
        return fault
    for sign, message, hint in (*(SERVER_FAULTS if "://" in place else ()), *FAULTS):
        if sign in reason:
            return message.replace("{place}", place), hint
    line = reason.splitlines()[0][:200] if reason else "no reason given"
    return f"The database {place} refused: {line}.", ""


def _file_fault(file: Path, reason: str) -> tuple[str, str] | None:
    """What its place says of a file that cannot be opened."""
    if not any(
        sign in reason for sign in ("readonly", "read-only", "permission", "unable to open")
    ):
        return None
    if file.is_dir():
        return f"{file} is a folder, where the database's file should be.", "Move it away."
    if file.parent.is_dir() and not os.access(file.parent, os.W_OK):
        return f"The project folder {file.parent} is read-only: {file} cannot be written there.", (
            MAY_WRITE
        )
    return None
