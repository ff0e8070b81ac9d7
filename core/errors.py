"""What can go wrong, as one tree.

    GroundworkError
    ├── InputError          what a person gave cannot be used (text, file, schema, CURIE)
    │   └── NotFound        a named thing does not exist in this project
    ├── SettingsError       the installation is not configured for what was asked
    ├── Refused             a rule of the desk forbids it
    │   ├── StaleVersion    a record changed since it was shown
    │   └── OverBudget      a run would cost more calls, tokens or time than allowed
    ├── RemoteError         something outside did not answer as needed
    │   ├── Unreachable     refused, timed out, dropped
    │   ├── Unauthorised    401, 403
    │   ├── RateLimited     429 after all retries
    │   └── BadAnswer       answered, but not with what was promised
    │       ├── GarbledAnswer  it came damaged; asked again, it may come whole
    │       ├── NotServed   this address does not offer what was asked, now or later
    │       ├── Filtered    a content filter refused the text, or stopped the answer
    │       └── ContextExceeded  the text is longer than the model can read at once
    ├── StoreError          the project's database or files are not usable
    │   └── StoreUnreachable  the database's server does not answer, as while it restarts
    └── Stopped             a person pressed Stop

Trouble that is expected in data (a value that is not in its text, an unknown prefix) is not raised:
it is a `model.Problem` inside the result.
"""

import errno
from typing import Any

from core import COMMAND


class GroundworkError(Exception):
    """What happened, and what to do next; `str(error)` is one or two sentences for a curator."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InputError(GroundworkError):
    """What a person gave cannot be used."""


class NotFound(InputError):
    """A named thing does not exist in this project."""


class NothingToSearch(InputError):
    """A query has no word that could be looked for."""


class SettingsError(GroundworkError):
    """The installation is not configured for what was asked."""


class Refused(GroundworkError):
    """A rule of the desk forbids it."""


class StaleVersion(Refused):
    """A record changed since it was shown."""


class Forbidden(Refused):
    """The person's role in this project does not allow it."""


class OverBudget(Refused):
    """A run would cost more calls, tokens or time than allowed."""


class RemoteError(GroundworkError):
    """Something outside did not answer as needed. `attempts`: what each try got (values of
    `core.web`), for the record.
    """

    attempts: tuple[Any, ...] = ()


class Unreachable(RemoteError):
    """Refused, timed out or dropped."""


class Unauthorised(RemoteError):
    """The key was not accepted (401, 403)."""


class RateLimited(RemoteError):
    """Asked to wait (429), and still so after all retries."""


class BadAnswer(RemoteError):
    """Answered, but not with what was promised."""


class GarbledAnswer(BadAnswer):
    """The answer came, but damaged on its way: asked again, the question may be answered well."""


class NotServed(BadAnswer):
    """This address does not offer what was asked; asking again is no use."""


class Filtered(BadAnswer):
    """A content filter refused the text, or stopped the answer."""


class ContextExceeded(BadAnswer):
    """The text is longer than the model can read at once. `limit` is its context in tokens, 0 where
    the endpoint did not tell.
    """

    def __init__(self, message: str, hint: str = "", limit: int = 0):
        super().__init__(message, hint)
        self.limit = limit


class StoreError(GroundworkError):
    """The project's database or files are not usable."""


class StoreUnreachable(StoreError):
    """The database's server does not answer, as while it restarts."""


class Stopped(GroundworkError):
    """A person pressed Stop."""


def file_trouble(error: OSError, name: object = "") -> StoreError:
    """A file that the system did not let us read or write, in words for people."""
    name = name or error.filename or "A file of the project"
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError(f"{name} cannot be written: the disk is full.", "Free some space.")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreError(
            f"{name} cannot be read or written: {reason}.",
            "Allow this user to read and write there, or choose another folder.",
        )
    return StoreError(
        f"{name} cannot be read or written: {reason}.",
        f"`{COMMAND} doctor` looks at folders, disk and database.",
    )


def recorded_error(recorded_text: str) -> RemoteError:
    """The error of a recorded call, raised again."""
    kinds = {
        kind.__name__: kind
        for kind in (
            *(Unreachable, Unauthorised, RateLimited, BadAnswer, NotServed),
            *(Filtered, ContextExceeded),
        )
    }
    name, _, message = recorded_text.partition(": ")
    return kinds.get(name, RemoteError)(
        message or recorded_text or "The recorded call was never answered."
    )
