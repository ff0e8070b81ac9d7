"""API agents as a use case: which there are, adding one, asking one, and handing one to a model as a tool."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.apis import agent, builder, described
from core.apis.agent import Api, Hit, Result
from core.apis.described import read
from core.apis.python_call import CALLS, PythonCall
from core.apis.python_call import propose as propose_call
from core.apis.registry import SHIPPED
from core.desk import Desk
from core.errors import GroundworkError, InputError, NotFound, Refused, RemoteError
from core.genes.answer import Answer, Found, OnStep, Status, Step, Thing
from core.genes.question import Kind
from core.llm.completer import Tool
from core.model import Json
from core.ncbi.record import Record
from core.settings import NCBI_BLAST

if TYPE_CHECKING:
    from core.services.gene_questions import Options

FOLDER = "apis"


def agents(desk: Desk) -> list[Api]:
    """Those that ship, then the project's own by name. What cannot be read is left out (see `troubles`)."""
    found = [_own(desk, one) for one in SHIPPED]
    names = {one.name for one in found}
    for path in _files(desk):
        try:
            one = read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError):
            continue
        if one.name not in names:
            found.append(one)
    return found


def troubles(desk: Desk) -> dict[str, str]:
    """Files of the project's API folder that cannot be read, and why."""
    found = {}
    for path in _files(desk):
        try:
            read(path.read_text(encoding="utf-8"))
        except (GroundworkError, OSError) as error:
            found[path.name] = str(error)
    return found


def _files(desk: Desk) -> list[Path]:
    folder = desk.folder / FOLDER
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


def _own(desk: Desk, api: Api) -> Api:
    """BLAST where the operator serves it."""
    return agent.at(api, desk.settings.ncbi_blast_url) if api.base == NCBI_BLAST else api


def find(desk: Desk, name: str) -> Api:
    """Raises NotFound with the names there are."""
    known = {one.name: one for one in agents(desk)}
    if name not in known:
        raise NotFound(f"There is no API called {name[:40]!r}.", f"There are {', '.join(known)}.")
    return known[name]


def inert(desk: Desk, api: Api) -> str:
    """Why an API may not be asked yet; nothing when it may."""
    if api.added and api.host not in desk.settings.api_hosts:
        return f"It stays inert until the operator lists {api.host} in GROUNDWORK_API_HOSTS."
    if api.token and api.token not in desk.settings.tokens:
        return f"It needs a token: the operator sets GROUNDWORK_TOKEN_{api.token}."
    return ""


def add(desk: Desk, text: str, operation: str = "") -> Api:
    """Check a description and keep it in the project. Raises InputError when it is wrong or its name is taken."""
    api = read(text, operation)
    if any(one.name == api.name for one in SHIPPED):
        raise InputError(f"{api.name} is the name of an API that ships.", "Choose another name.")
    folder = desk.folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    kept = _described(text, operation) if operation else text
    (folder / f"{api.name}.yaml").write_text(kept, encoding="utf-8")
    return api


def _described(text: str, operation: str) -> str:
    """The description of one operation of an OpenAPI document, as YAML."""
    import yaml

    from core.apis.openapi import description

    return yaml.safe_dump(description(yaml.safe_load(text), operation), sort_keys=False, allow_unicode=True)


def remove(desk: Desk, name: str) -> None:
    (desk.folder / FOLDER / f"{find(desk, name).name}.yaml").unlink(missing_ok=True)


# ------------------------------------------------------------------ asking
@dataclass(frozen=True, slots=True)
class Session:
    """What the queries of one run share."""

    desk: Desk
    run: str
    reuse: bool = True
    replay: str = ""
    wait: Callable[[float], None] | None = None

    def fetch(self, api: Api, given: BaseModel, path: str) -> Result:
        """Raises Refused for an inert API, and what the API raises."""
        if why := inert(self.desk, api):
            raise Refused(f"{api.title} was not asked.", why)
        web = self.desk.web("ncbi") if api.kind == "ncbi" else self.desk.web("api", [api.host])
        fetcher = self.desk.recorder(self.run, reuse=self.reuse, replay=self.replay).fetcher(web)
        token = str(self.desk.settings.tokens.get(api.token, ""))
        extra = {"wait": self.wait} if self.wait else {}
        return agent.run(api, given, fetcher, token=token, path=path, **extra)


def proposals(desk: Desk, run: str, api: Api, question: str, reuse: bool = True, replay: str = "") -> list[BaseModel]:
    """Checked parameters for a question: by the model where there is one, else by the API's rules."""
    completer = desk.completer()
    if completer is None:
        return builder.by_rules(api, question)
    recorded = desk.recorder(run, reuse=reuse, replay=replay).completer(completer)
    return builder.by_model(recorded, api, question, "builder")


def answer(desk: Desk, run: str, question: str, name: str, options: Options, watch: OnStep) -> Answer:
    """An API's answer to a question; a failed fetch is a failed answer, and all queries are used."""
    api = find(desk, name)
    try:
        queries = proposals(desk, run, api, question, options.reuse, options.replay)
    except RemoteError as error:
        return Answer(question, Kind.UNKNOWN, Status.FAILED, notes=(str(error),))
    return answer_with(desk, run, question, api, queries, Session(desk, run, options.reuse, options.replay), watch)


def answer_with(
    desk: Desk, run: str, question: str, api: Api, queries: Sequence[BaseModel], session: Session, watch: OnStep
) -> Answer:
    """The answer of these queries together."""
    steps: list[Step] = []
    found: list[Found] = []
    notes: list[str] = [api.summary] if api.summary else []
    for number, given in enumerate(queries):
        path = f"api[{number}]"
        try:
            result = session.fetch(api, given, path)
        except GroundworkError as error:
            steps.append(Step(path, "planned", api.name, given.model_dump(), status="failed", error=str(error)))
            watch(steps[-1])
            return Answer(question, Kind.UNKNOWN, Status.FAILED, steps=tuple(steps), notes=(str(error),))
        steps.append(step_of(api, result, path))
        watch(steps[-1])
        found += _found(result)
        notes += [result.reading.note] if result.reading.note else []
    values = list(dict.fromkeys(one.value for one in found))
    status = Status.ANSWERED if values else Status.NOT_FOUND
    text: str | list[str] = values[0] if len(values) == 1 else values
    return Answer(
        question,
        Kind.UNKNOWN,
        status,
        text if values else "",
        tuple(found),
        tuple(steps),
        tuple(dict.fromkeys(notes)),
        api.name,
    )


def step_of(api: Api, result: Result, path: str) -> Step:
    last = result.answers[-1]
    return Step(
        path,
        "planned",
        api.name,
        result.given.model_dump(exclude_none=True),
        why=api.summary,
        request=[one.payload() for one in result.requests],
        call=last.call,
        seconds=sum(one.seconds for one in result.answers),
        waited=sum(one.waited for one in result.answers),
        size=sum(len(one.text) for one in result.answers),
        records=tuple(record(one) for one in result.reading.hits),
        cut=any(one.cut for one in result.answers),
    )


def record(hit: Hit) -> Record:
    return Record(hit.id, "api", dict(hit.fields), dict(hit.pointers))


def _found(result: Result) -> list[Found]:
    name, call = result.reading.field, result.answers[-1].call
    return [
        Found(one.fields[name], one.id, one.pointers[name], one.fields[name], call, Thing(one.fields[name], one.id))
        for one in result.reading.hits
        if name in one.fields
    ]


# ------------------------------------------------------------------ as tools
@dataclass(frozen=True, slots=True)
class ApiTool:
    """An API agent as one more tool of the way *tools*."""

    session: Session
    api: Api

    @property
    def tool(self) -> Tool:
        schema = {**self.api.parameters.model_json_schema(), "additionalProperties": False}
        about = f"{self.api.title}: {self.api.summary}. {self.api.documentation[:800]}"
        return Tool("api_" + self.api.name.replace("-", "_"), about, schema)

    def use(self, given: Mapping[str, Json], path: str) -> tuple[str, tuple[Record, ...], str]:
        result = self.session.fetch(self.api, agent.check(self.api, given), path)
        shown = [{"record": one.id, **one.fields} for one in result.reading.hits]
        text = json.dumps({"records": shown}, ensure_ascii=False)
        while len(text) > 6000 and shown:
            shown.pop()
            text = json.dumps({"records": shown, "cut": True}, ensure_ascii=False)
        return text, tuple(record(one) for one in result.reading.hits), result.answers[-1].call


def as_tools(desk: Desk, run: str, names: Sequence[str], options: Options) -> list[ApiTool]:
    session = Session(desk, run, options.reuse, options.replay)
    return [ApiTool(session, find(desk, name)) for name in names]


def asked_form(desk: Desk, api: Api, given: Mapping[str, Json], curator: str = "") -> tuple[str, Answer]:
    """An API asked by its form: the run and its answer."""
    from core.codec import to_json
    from core.services.gene_questions import Options, keep

    checked = agent.check(api, {name: value for name, value in given.items() if value not in ("", None)})
    question = f"{api.title}: {json.dumps(checked.model_dump(exclude_none=True), ensure_ascii=False)}"
    run = keep(desk, question, replace(Options(), api=api.name), curator)
    answer = answer_with(desk, run, question, api, [checked], Session(desk, run), lambda step: None)
    desk.store.save_result(run, to_json(answer))
    return run, answer


# ------------------------------------------------------------------ forms and Python calls
EXAMPLE = textwrap.dedent((described.__doc__ or "").partition("```yaml\n")[2].partition("```")[0])


@dataclass(frozen=True, slots=True)
class FormField:
    """One parameter as a form shows it."""

    kind: str  # string, integer, number, boolean
    description: str = ""
    required: bool = False
    default: Json = None
    choices: tuple[str, ...] = ()


def form(api: Api) -> dict[str, FormField]:
    """The fields of an API's form, from the JSON Schema of its parameters."""
    return fields_of(api.parameters.model_json_schema())


def fields_of(schema: Mapping[str, Json]) -> dict[str, FormField]:
    needed = schema.get("required", [])
    found = {}
    for name, one in (schema.get("properties") or {}).items():
        options = [each for each in one.get("anyOf", [one]) if each.get("type") != "null"]
        kind = options[0] if options else one
        choices = tuple(str(each) for each in kind.get("enum", []))
        said = str(one.get("description", kind.get("description", "")))
        found[name] = FormField(str(kind.get("type", "string")), said, name in needed, one.get("default"), choices)
    return found


def python_calls() -> dict[str, PythonCall]:
    return {one.name: one for one in CALLS}


def python_form(name: str) -> dict[str, FormField]:
    return fields_of(python_calls()[name].parameters.model_json_schema())


def propose(name: str, given: Mapping[str, Json]) -> str:
    """A call as Python text; it is never run. Raises InputError for parameters that do not fit."""
    call = python_calls()[name]
    fields = python_form(name)
    typed = {key: int(value) if fields[key].choices and str(value).isdigit() else value for key, value in given.items()}
    return propose_call(call, {key: value for key, value in typed.items() if value not in (None, "")})
