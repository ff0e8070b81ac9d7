"""Which API agents a project has: those that ship and its own; checking, keeping and removing
one.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

from core.apis import agent, described
from core.apis.agent import Api
from core.apis.described import CheckedDescription, document
from core.apis.described.openapi import is_openapi, operations
from core.apis.registry import SHIPPED
from core.desk import Desk
from core.errors import GroundworkError, InputError, NotFound, Refused, StoreError
from core.model import Problem, Severity
from core.settings import NCBI_BLAST
from core.web import Fetched, masked_url

FOLDER = "apis"
EXAMPLE = textwrap.dedent((described.__doc__ or "").partition("```yaml\n")[2].partition("```")[0])
SAMPLE = """{"response": {"numFound": 1, "docs": [
  {"hgnc_id": "HGNC:11998", "symbol": "TP53", "name": "tumor protein p53"}
]}}
"""


def agents(desk: Desk) -> list[Api]:
    """Those that ship, then the project's own by name. What cannot be read is left out (see
    `troubles`).
    """
    found = {one.name: one for one in SHIPPED}
    for path in _files(desk):
        try:
            one = described.read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError, ValueError):
            continue
        found.setdefault(one.name, one)
    return [_here(desk, one) for one in found.values()]


def troubles(desk: Desk) -> dict[str, str]:
    """Files of the project's API folder that cannot be read, and why."""
    found = {}
    for path in _files(desk):
        try:
            described.read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError, ValueError) as error:
            found[path.name] = str(error)
    return found


def _files(desk: Desk) -> list[Path]:
    folder = desk.folder / FOLDER
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


def _here(desk: Desk, api: Api) -> Api:
    """The API where the operator serves it (GROUNDWORK_URL_…; BLAST: GROUNDWORK_NCBI_BLAST_URL)."""
    settings = desk.settings
    base = settings.ncbi_blast_url if api.base == NCBI_BLAST else ""
    return agent.at_address(api, settings.api_urls.get(variable(api.name), base))


def variable(name: str) -> str:
    """An API's name as it stands in GROUNDWORK_URL_…"""
    return name.upper().replace("-", "_")


def find(desk: Desk, name: str) -> Api:
    """Raises NotFound with the names there are."""
    known = {api.name: api for api in agents(desk)}
    if name not in known:
        raise NotFound(f"There is no API called {name[:40]!r}.", f"There are {', '.join(known)}.")
    return known[name]


def inert(desk: Desk, api: Api) -> str:
    """Why an API may not be asked yet; nothing when it may."""
    settings = desk.settings
    if (
        api.added
        and api.host not in settings.api_hosts
        and variable(api.name) not in settings.api_urls
    ):
        return f"It stays inert until the operator lists {api.host} in GROUNDWORK_API_HOSTS."
    if api.token and api.token not in settings.tokens:
        return f"It needs a token: the operator sets GROUNDWORK_TOKEN_{api.token}."
    return ""


def for_operator(desk: Desk, api: Api) -> str:
    """Lines for the operator's environment that an API still lacks; nothing when it may be
    asked.
    """
    settings, lines = desk.settings, []
    if (
        api.added
        and api.host not in settings.api_hosts
        and variable(api.name) not in settings.api_urls
    ):
        lines.append(f"GROUNDWORK_API_HOSTS={','.join(sorted({*settings.api_hosts, api.host}))}")
    if api.token and api.token not in settings.tokens:
        lines.append(f"GROUNDWORK_TOKEN_{api.token}=the key that {api.host} gave you")
    return "\n".join(lines)


# ------------------------------------------------------------------ adding one
@dataclass(frozen=True, slots=True)
class Trial:
    """A description that was checked: what is wrong, what would be asked, and what a sample answer
    would give.
    """

    checked: CheckedDescription
    asked: str = ""
    rows: tuple[dict[str, str], ...] = ()
    values: tuple[str, ...] = ()

    @property
    def api(self) -> Api | None:
        return self.checked.api


def listed(text: str) -> dict[str, str]:
    """The GET operations of an OpenAPI document: id → path and summary. Raises InputError for what
    is none.
    """
    given = document.parse(text).value
    if not is_openapi(given):
        raise InputError("This is no OpenAPI document.", "One begins with openapi: 3…")
    found = operations(given)
    if not found:
        raise InputError(
            "The document has no GET operation.",
            "Others are not made: they may change something there.",
        )
    return found


def made(text: str, operation: str) -> CheckedDescription:
    """A description of one operation of an OpenAPI document, to look at and change; mistakes that
    are left are the check's to name. Raises InputError where none can be made.
    """
    found = described.check(text, operation)
    if found.text == text:
        wrong = found.problems[0]
        raise InputError(wrong.message, wrong.hint)
    return found


def trial(desk: Desk, text: str, sample: str = "") -> Trial:
    """Check a description without asking anyone; `sample` is an answer of the API, pasted."""
    found = described.check(text)
    if found.api is None:
        return Trial(found)
    taken = _taken(desk, found.api)
    if taken:
        wrong = Problem("api-taken", taken.message, Severity.ERROR, "", taken.hint)
        return Trial(CheckedDescription(None, text, (*found.problems, wrong)))
    if not found.api.examples:
        said = "It has no example, so what would be asked cannot be shown."
        return Trial(
            CheckedDescription(
                found.api,
                text,
                (Problem("api-example", said, Severity.NOTE, "", "Add one under examples."),),
            )
        )
    return _tried(found, found.api, sample)


def _tried(found: CheckedDescription, api: Api, sample: str) -> Trial:
    given = agent.check_parameters(api, api.examples[0].parameters)
    asked = f"GET {masked_url(api.first(given))}"
    if not sample.strip():
        return Trial(found, asked)
    try:
        reading = api.interpret(given, [Fetched(200, sample)] * (2 if api.second else 1))
    except GroundworkError as error:
        wrong = Problem(
            "api-sample",
            error.message,
            Severity.WARNING,
            "sample answer",
            "Compare answer.records with it.",
        )
        return Trial(CheckedDescription(api, found.text, (*found.problems, wrong)), asked)
    rows = tuple({"record": hit.id, **hit.fields} for hit in reading.hits[:20])
    return Trial(found, asked, rows, reading.values[:20])


def _taken(desk: Desk, api: Api) -> InputError | None:
    """Why an API may not be kept beside those there are."""
    if any(one.name == api.name for one in SHIPPED):
        return InputError(f"{api.name} is the name of an API that ships.", "Choose another name.")
    for one in [*SHIPPED, *agents(desk)]:
        if api.token and one.token == api.token and one.name != api.name and one.host != api.host:
            said = (
                f"The token {api.token} is for {one.host} ({one.title}); it is sent nowhere else."
            )
            return InputError(said, "Choose another name for the token.")
    return None


def add(desk: Desk, text: str, operation: str = "") -> Api:
    """Check a description, or an operation of an OpenAPI document, and keep it in the project, in
    place of an earlier one of the same name. Raises InputError when it is wrong or its name is
    taken.
    """
    api = described.read(text, operation)
    if taken := _taken(desk, api):
        raise taken
    folder = desk.folder / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{api.name}.yaml").write_text(api.source, encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{api.name} cannot be kept in {folder}: {error.strerror}.", "Give this user the right."
        ) from error
    return api


def remove(desk: Desk, name: str) -> None:
    """Raises Refused for one that ships."""
    if any(one.name == name for one in SHIPPED):
        raise Refused(f"{name} ships with the desk and stays.")
    (desk.folder / FOLDER / f"{find(desk, name).name}.yaml").unlink(missing_ok=True)
