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
from core.apis.described.openapi import is_openapi, list_operations
from core.apis.registry import SHIPPED
from core.desk_parts import HasFolder, HasProject
from core.errors import GroundworkError, InputError, NotFound, Refused, StoreError
from core.model import Problem, Severity
from core.services.people import roles
from core.settings import NCBI_BLAST
from core.web import Fetched, masked_url

FOLDER = "apis"
EXAMPLE_DESCRIPTION = textwrap.dedent(
    (described.__doc__ or "").partition("```yaml\n")[2].partition("```")[0]
)
EXAMPLE_RESPONSE = """{"response": {"numFound": 1, "docs": [
  {"hgnc_id": "HGNC:11998", "symbol": "TP53", "name": "tumor protein p53"}
]}}
"""


def api_agents(desk: HasFolder) -> list[Api]:
    """Those that ship, then the project's own by name. What cannot be read is left out (see
    `unreadable_apis`).
    """
    by_name = dict(SHIPPED)
    for path in _files(desk):
        try:
            api = described.read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError, ValueError):
            continue
        by_name.setdefault(api.name, api)
    return [_as_served(desk, api) for api in by_name.values()]


def unreadable_apis(desk: HasFolder) -> dict[str, str]:
    """Files of the project's API folder that cannot be read, and why."""
    reasons = {}
    for path in _files(desk):
        try:
            described.read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError, ValueError) as error:
            reasons[path.name] = str(error)
    return reasons


def _files(desk: HasFolder) -> list[Path]:
    folder = desk.folder / FOLDER
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


def _as_served(desk: HasFolder, api: Api) -> Api:
    """The API where the operator serves it (GROUNDWORK_URL_…; BLAST: GROUNDWORK_NCBI_BLAST_URL)."""
    settings = desk.settings
    base = settings.ncbi_blast_url if api.base == NCBI_BLAST else ""
    return agent.at_address(api, settings.api_urls.get(variable_name(api.name), base))


def variable_name(name: str) -> str:
    """An API's name as it stands in GROUNDWORK_URL_…"""
    return name.upper().replace("-", "_")


def find_api(desk: HasFolder, name: str) -> Api:
    """Raises NotFound with the names there are."""
    by_name = {api.name: api for api in api_agents(desk)}
    if name not in by_name:
        raise NotFound(f"There is no API called {name[:40]!r}.", f"There are {', '.join(by_name)}.")
    return by_name[name]


def why_inert(desk: HasFolder, api: Api) -> str:
    """Why an API may not be asked yet; nothing when it may."""
    settings = desk.settings
    if (
        api.added
        and api.host not in settings.api_hosts
        and variable_name(api.name) not in settings.api_urls
    ):
        return (
            f"It stays switched off until your administrator lists {api.host} in "
            "GROUNDWORK_API_HOSTS."
        )
    if api.token and api.token not in settings.tokens:
        return f"It needs a token: your administrator sets GROUNDWORK_TOKEN_{api.token}."
    return ""


def for_operator(desk: HasFolder, api: Api) -> str:
    """Lines for the operator's environment that an API still lacks; nothing when it may be
    asked.
    """
    settings, lines = desk.settings, []
    if (
        api.added
        and api.host not in settings.api_hosts
        and variable_name(api.name) not in settings.api_urls
    ):
        lines.append(f"GROUNDWORK_API_HOSTS={','.join(sorted({*settings.api_hosts, api.host}))}")
    if api.token and api.token not in settings.tokens:
        lines.append(f"GROUNDWORK_TOKEN_{api.token}=the key that {api.host} gave you")
    return "\n".join(lines)


# ------------------------------------------------------------------ adding one
@dataclass(frozen=True, slots=True)
class DescriptionTrial:
    """A description that was checked: what is wrong, what would be asked, and what a sample answer
    would give.
    """

    checked: CheckedDescription
    question: str = ""
    rows: tuple[dict[str, str], ...] = ()
    values: tuple[str, ...] = ()

    @property
    def api(self) -> Api | None:
        return self.checked.api


def listed_operations(text: str) -> dict[str, str]:
    """The GET operations of an OpenAPI document: id → path and summary. Raises InputError for what
    is none.
    """
    spec = document.parse_document(text).value
    if not is_openapi(spec):
        raise InputError("This is not an OpenAPI document.", "One begins with openapi: 3…")
    by_operation = list_operations(spec)
    if not by_operation:
        raise InputError(
            "The document has no GET operation.",
            "Other operations are not offered, because they might change something there.",
        )
    return by_operation


def description_of_operation(text: str, operation: str) -> CheckedDescription:
    """A description of one operation of an OpenAPI document, to look at and change; mistakes that
    are left are the check's to name. Raises InputError where none can be made.
    """
    checked = described.check_description(text, operation)
    if checked.text == text:
        wrong = checked.problems[0]
        raise InputError(wrong.message, wrong.hint)
    return checked


def try_description(desk: HasFolder, text: str, sample: str = "") -> DescriptionTrial:
    """Check a description without asking anyone; `sample` is an answer of the API, pasted."""
    checked = described.check_description(text)
    if checked.api is None:
        return DescriptionTrial(checked)
    refusal = _name_clash(desk, checked.api)
    if refusal:
        wrong = Problem("api-taken", refusal.message, Severity.ERROR, hint=refusal.hint)
        return DescriptionTrial(CheckedDescription(None, text, (*checked.problems, wrong)))
    if not checked.api.examples:
        message = "It has no example, so what would be asked cannot be shown."
        return DescriptionTrial(
            CheckedDescription(
                checked.api,
                text,
                (Problem("api-example", message, Severity.NOTE, hint="Add one under examples."),),
            )
        )
    return _tried(checked, checked.api, sample)


def _tried(checked: CheckedDescription, api: Api, sample: str) -> DescriptionTrial:
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    request_line = f"GET {masked_url(api.first(parameters))}"
    if not sample.strip():
        return DescriptionTrial(checked, request_line)
    try:
        reading = api.interpret(parameters, [Fetched(200, sample)] * (2 if api.second else 1))
    except GroundworkError as error:
        wrong = Problem(
            "api-sample",
            error.message,
            Severity.WARNING,
            where="sample answer",
            hint="Compare answer.records with it.",
        )
        return DescriptionTrial(
            CheckedDescription(api, checked.text, (*checked.problems, wrong)), request_line
        )
    rows = tuple({"record": hit.id, **hit.fields} for hit in reading.hits[:20])
    return DescriptionTrial(checked, request_line, rows, reading.values[:20])


def _name_clash(desk: HasFolder, api: Api) -> InputError | None:
    """Why an API may not be saved with the existing ones."""
    if api.name in SHIPPED:
        return InputError(
            f"{api.name} is the name of an API that comes with the app.", "Choose another name."
        )
    for other_api in [*SHIPPED.values(), *api_agents(desk)]:
        if (
            api.token
            and other_api.token == api.token
            and other_api.name != api.name
            and other_api.host != api.host
        ):
            message = (
                f"The token {api.token} is for {other_api.host} ({other_api.title}); it is"
                " sent nowhere else."
            )
            return InputError(message, "Choose another name for the token.")
    return None


def add_api(desk: HasProject, text: str, operation: str = "", curator: str | None = None) -> Api:
    """Check a description, or an operation of an OpenAPI document, and keep it in the project, in
    place of an earlier one of the same name. Raises InputError when it is wrong or its name is
    taken, and Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    api = described.read(text, operation)
    if refusal := _name_clash(desk, api):
        raise refusal
    folder = desk.folder / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{api.name}.yaml").write_text(api.source, encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{api.name} cannot be kept in {folder}: {error.strerror}.",
            "Allow the user who runs the app to write there.",
        ) from error
    return api


def remove_api(desk: HasProject, name: str, curator: str | None = None) -> None:
    """Raises Refused for one that ships, and Forbidden for a reader."""
    roles.require_role(desk, curator)
    if name in SHIPPED:
        raise Refused(f"{name} comes with the app and cannot be removed.")
    (desk.folder / FOLDER / f"{find_api(desk, name).name}.yaml").unlink(missing_ok=True)
