"""API agents as a use case: asking one, and handing one to a model as a tool."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from core.apis import agent, builder
from core.apis.agent import Api, ApiResult
from core.apis.builder import ProposedQueries
from core.apis.json_records import ApiRecord
from core.desk_parts import HasFolder, HasProjectModels, HasProjectNetwork, HasStore
from core.errors import InputError, NotFound, Refused, RemoteError, SettingsError
from core.genes.answer import AnswerStatus, AnswerStep, AnswerValue, GeneAnswer, StatementEnd
from core.genes.question.question import QuestionKind
from core.genes.session import OnStep
from core.llm.absent_model import AbsentCompleter
from core.llm.completer import Completer, Tool
from core.model import Json
from core.ncbi.record import NcbiRecord
from core.services.genes.api_catalogue import find_api, variable_name, why_inert
from core.services.genes.options import AskOptions

BUILDER = "builder"  # the place of the model's call
RESULT_CHARACTERS = 6000  # of an answer handed to a model


Wait = Callable[[float], None]  # seconds


@dataclass(frozen=True, slots=True)
class ApiSession:
    """What the queries of one run share."""

    desk: HasProjectNetwork
    run: str
    reuse: bool = True
    replay: str = ""
    wait: Wait | None = None

    def fetch(self, api: Api, parameters: BaseModel, path: str) -> ApiResult:
        """Raises Refused for an inert API, and what the API raises. A replay asks nobody, and needs
        no leave.
        """
        if not self.replay and (why := why_inert(self.desk, api)):
            raise Refused(f"{api.title} was not asked.", why)
        own = variable_name(api.name) in self.desk.settings.api_urls
        web = (
            self.desk.web("ncbi")
            if api.kind == "ncbi" and not own
            else self.desk.web("api", [api.host])
        )
        fetcher = self.desk.recorder(self.run, reuse=self.reuse, replay=self.replay).fetcher(web)
        token = str(self.desk.settings.tokens.get(api.token, "")) or ("none" if self.replay else "")
        wait = self.wait or time.sleep
        return agent.ask_api(api, parameters, fetcher, token=token, path=path, wait=wait)


def proposed_parameters(
    desk: HasProjectModels,
    run: str,
    api: Api,
    question: str,
    *,
    reuse: bool = True,
    replay: str = "",
    model: str = "",
) -> ProposedQueries:
    """Checked parameters for a question: as typed, by the model where there is one, else by the
    API's rules.
    """
    if typed := builder.parse_typed(api, question):
        return ProposedQueries(tuple(typed))
    completer = _asked_then(desk, replay) if replay else desk.completer("interpretation", model)
    if completer is None:
        return ProposedQueries(tuple(builder.by_rules(api, question)))
    recorded = desk.recorder(run, reuse=reuse, replay=replay).completer(completer)
    return builder.by_model(recorded, api, question, BUILDER)


def _asked_then(desk: HasStore, run: str) -> Completer | None:
    """The model that built the queries of a recorded run, of which only the record speaks; None:
    rules did.
    """
    model_call = next(
        (
            call
            for call in desk.store.calls.of_run(run)
            if call.kind == "model" and call.path == BUILDER
        ),
        None,
    )
    return AbsentCompleter(str(model_call.request["model"])) if model_call else None


def check_api_question(desk: HasProjectModels, name: str, question: str) -> None:
    """Raises InputError for a question that cannot be asked: looked at before anything is begun."""
    api = find_api(desk, name)
    if not builder.parse_typed(api, question) and desk.completer("interpretation") is None:
        builder.by_rules(api, question)


def answer_by_api(
    desk: HasProjectModels,
    run: str,
    question: str,
    name: str,
    *,
    options: AskOptions,
    watch: OnStep,
    wait: Wait | None = None,
) -> GeneAnswer:
    """An API's answer to a question; a failed fetch is a failed answer, and all queries are
    used.
    """
    api = find_api(desk, name)
    session = ApiSession(desk, run, options.reuse, replay=options.replay, wait=wait)
    try:
        proposed = proposed_parameters(
            desk,
            run,
            api,
            question,
            reuse=options.reuse,
            replay=options.replay,
            model=options.model,
        )
    except RemoteError as error:
        return GeneAnswer(
            question, QuestionKind.API, AnswerStatus.FAILED, notes=(str(error),), subject=api.name
        )
    return _answer(session, question, api, proposed, edits=options.edits, watch=watch)


def checked_parameters(desk: HasFolder, name: str, parameters: Mapping[str, Json]) -> BaseModel:
    """Parameters that a person put to an API. Raises InputError that names each wrong one."""
    return agent.check_parameters(find_api(desk, name), parameters)


def _answer(
    session: ApiSession,
    question: str,
    api: Api,
    proposed: ProposedQueries,
    *,
    edits: Mapping[str, Json],
    watch: OnStep,
) -> GeneAnswer:
    """The answer of these queries together, with those that a person put in their place."""
    steps: list[AnswerStep] = []
    answer_values: list[AnswerValue] = []
    notes: list[str] = [api.summary, *proposed.refused]
    missing: list[str] = []
    status, failed = AnswerStatus.NOT_FOUND, ""
    for number, parameters in enumerate(proposed.queries):
        path, origin = f"api[{number}]", proposed.origin
        if path in edits:
            parameters, origin = agent.check_parameters(api, edits[path]["arguments"]), "you"
        try:
            result = session.fetch(api, parameters, path)
        except NotFound:
            raise  # a replay without this call
        except (RemoteError, Refused, SettingsError, InputError) as error:
            failed = str(error)
            steps.append(
                _failed(
                    session, api, parameters, AnswerStep(path, origin, api.name, None, error=failed)
                )
            )
        else:
            steps.append(step_of(api, result, path, origin))
            answer_values += _values_of(result)
            notes.append(result.reading.note)
            if result.reading.missing:
                missing.append(f"{api.title}: {result.reading.missing}")
        watch(steps[-1])
    if failed:
        status, answer_values, notes = AnswerStatus.FAILED, [], [failed]
    elif answer_values:
        status = AnswerStatus.INCOMPLETE if missing else AnswerStatus.ANSWERED
    values = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    text: str | list[str] = "" if not values else values[0] if len(values) == 1 else values
    distinct_notes = tuple(dict.fromkeys(filter(None, notes)))
    return GeneAnswer(
        question,
        QuestionKind.API,
        status,
        text=text,
        values=tuple(answer_values),
        steps=tuple(steps),
        notes=distinct_notes,
        subject=api.name,
        missing=() if failed else tuple(missing),
    )


def _failed(session: ApiSession, api: Api, parameters: BaseModel, step: AnswerStep) -> AnswerStep:
    """A query that came to nothing, with the last call that was made for it, if any was."""
    call_ids = [
        call.id
        for call in session.desk.store.calls.of_run(session.run)
        if call.path in (step.path, step.path + ".second")
    ]
    arguments = parameters.model_dump(mode="json", exclude_none=True)
    return replace(
        step,
        arguments=arguments,
        why=api.summary,
        status="failed",
        call=call_ids[-1] if call_ids else "",
    )


def step_of(api: Api, result: ApiResult, path: str, origin: str = "planned") -> AnswerStep:
    last_answer = result.answers[-1]
    return AnswerStep(
        path,
        origin,
        api.name,
        result.arguments.model_dump(mode="json", exclude_none=True),
        why=api.summary,
        request=[fetch.payload() for fetch in result.requests],
        call=last_answer.call,
        seconds=sum(answer.seconds for answer in result.answers),
        waited=sum(answer.waited for answer in result.answers),
        size=sum(len(answer.text) for answer in result.answers),
        records=tuple(record(hit) for hit in result.reading.hits),
        cut=any(answer.cut for answer in result.answers),
    )


def record(hit: ApiRecord) -> NcbiRecord:
    return NcbiRecord(hit.id, "api", dict(hit.fields), dict(hit.pointers))


def _values_of(result: ApiResult) -> list[AnswerValue]:
    name, call = result.reading.field, result.answers[-1].call
    return [
        AnswerValue(
            hit.fields[name],
            hit.id,
            hit.pointers[name],
            raw=hit.fields[name],
            call=call,
            subject=StatementEnd(hit.fields[name], hit.id),
        )
        for hit in result.reading.hits
        if name in hit.fields
    ]


# ------------------------------------------------------------------ as tools
@dataclass(frozen=True, slots=True)
class ApiTool:
    """An API agent as one more tool of the way *tools*."""

    session: ApiSession
    api: Api

    @property
    def tool(self) -> Tool:
        schema = {**self.api.parameters.model_json_schema(), "additionalProperties": False}
        about = f"{self.api.title}: {self.api.summary}. {self.api.documentation[:800]}"
        return Tool("api_" + self.api.name.replace("-", "_"), about, schema)

    def use(
        self, arguments: Mapping[str, Json], path: str
    ) -> tuple[str, tuple[NcbiRecord, ...], str]:
        result = self.session.fetch(self.api, agent.check_parameters(self.api, arguments), path)
        records = [{"record": hit.id, **hit.fields} for hit in result.reading.hits]
        text = json.dumps({"records": records}, ensure_ascii=False)
        while len(text) > RESULT_CHARACTERS and records:
            records.pop()
            text = json.dumps({"records": records, "cut": True}, ensure_ascii=False)
        return text, tuple(record(hit) for hit in result.reading.hits), result.answers[-1].call


def as_tools(
    desk: HasProjectNetwork, run: str, names: Sequence[str], options: AskOptions
) -> list[ApiTool]:
    session = ApiSession(desk, run, options.reuse, options.replay)
    return [ApiTool(session, find_api(desk, name)) for name in names]
