"""What an API agent is, and how one query runs: one or two requests to a fixed host, then records
with evidence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from core.apis.json_records import ApiRecord
from core.errors import BadAnswer, InputError, Refused, SettingsError
from core.model import Json
from core.web import Fetch, Fetched, Fetcher

MAX_LOOKS = 30
MAX_RECORDS = 100
MAX_FIELD = 2000  # characters of one field


class Parameters(BaseModel):
    """The base of every API's parameters: unknown names are refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What an answer says: records, and which field of theirs answers; `missing` is what the
    service has and did not send, with numbers.
    """

    hits: tuple[ApiRecord, ...] = ()
    field: str = ""
    note: str = ""
    missing: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(hit.fields[self.field] for hit in self.hits if self.field in hit.fields)


@dataclass(frozen=True, slots=True)
class ApiExample:
    question: str
    parameters: Mapping[str, Json]


First = Callable[[Any], Fetch]
Second = Callable[[Any, Fetched], Fetch | None]
Interpret = Callable[[Any, Sequence[Fetched]], Interpretation]


@dataclass(frozen=True, slots=True)
class Api:
    """One API. `base` is where it lives; `first` and `second` make requests below it from checked
    parameters.

    `pending` says how many seconds to wait while an answer is not ready (0: it is). `guess` reads
    parameters from a question by rules, for use without a model. `token` is the name after
    GROUNDWORK_TOKEN_.
    """

    name: str
    title: str
    summary: str
    base: str
    parameters: type[BaseModel]
    first: First
    interpret: Interpret
    documentation: str = ""
    second: Second | None = None
    pending: Callable[[Fetched], float] | None = None
    before: Callable[[Fetched], float] | None = None  # seconds to wait before the second request
    guess: Callable[[str], Mapping[str, Json] | None] | None = None
    token: str = ""
    token_header: str = "Authorization"
    token_prefix: str = "Bearer "
    examples: tuple[ApiExample, ...] = ()
    kind: str = "api"  # `ncbi`: asked as NCBI's usage policy wants
    added: bool = False  # by a curator: inert until the operator lists its host
    source: str = ""

    @property
    def host(self) -> str:
        return (urlsplit(self.base).hostname or "").lower()


@dataclass(frozen=True, slots=True)
class ApiResult:
    """One query that ran: its parameters, answers in order, and what they say."""

    arguments: BaseModel
    answers: tuple[Fetched, ...]
    reading: Interpretation
    requests: tuple[Fetch, ...] = field(default=())


def check_parameters(api: Api, raw_parameters: Mapping[str, Json]) -> BaseModel:
    """The parameters, checked. Raises InputError that names each wrong one."""
    try:
        return api.parameters.model_validate(dict(raw_parameters))
    except ValidationError as error:
        mistakes = "; ".join(
            f"{'.'.join(map(str, mistake['loc'])) or 'parameters'}: {mistake['msg']}"
            for mistake in error.errors()[:5]
        )
        raise InputError(
            f"{api.title} does not take these parameters: {mistakes}.", "Change them."
        ) from error


def ask_api(
    api: Api,
    parameters: BaseModel,
    fetcher: Fetcher,
    *,
    token: str = "",
    path: str = "",
    wait: Callable[[float], None] = time.sleep,
) -> ApiResult:
    """One query: one or two requests. Raises SettingsError without a needed token, and the
    RemoteError tree. `wait` gets seconds.
    """
    if api.token and not token:
        raise SettingsError(
            f"{api.title} needs a token.", f"Your administrator sets GROUNDWORK_TOKEN_{api.token}."
        )
    first_request = _request(api, api.first(parameters), token, path)
    answers, requests = [_fetch(api, first_request, fetcher)], [first_request]
    if api.second is not None and (following := api.second(parameters, answers[0])) is not None:
        second = _request(api, following, token, path + ".second")
        requests.append(second)
        if api.before is not None and (seconds := api.before(answers[0])):
            wait(seconds)
        answers.append(_until_ready(api, second, fetcher, wait))
    reading = api.interpret(parameters, answers)
    return ApiResult(parameters, tuple(answers), _capped(reading), tuple(requests))


def at_address(api: Api, base: str) -> Api:
    """The same API where the operator serves it."""
    if not base or base == api.base:
        return api

    def moved(request: Fetch) -> Fetch:
        return replace(request, url=base + request.url.removeprefix(api.base))

    def second(parameters: Any, answer: Fetched) -> Fetch | None:
        request = api.second(parameters, answer) if api.second else None
        return moved(request) if request else None

    return replace(
        api,
        base=base,
        first=lambda parameters: moved(api.first(parameters)),
        second=second if api.second else None,
    )


def _request(api: Api, request: Fetch, token: str, path: str) -> Fetch:
    """Raises Refused for a request that would leave the API's base."""
    at_home = request.url == api.base or request.url.startswith(api.base.rstrip("/") + "/")
    if not at_home or (urlsplit(request.url).hostname or "").lower() != api.host:
        raise Refused(f"{api.title} may only use addresses below {api.base}.")
    headers = ((api.token_header, api.token_prefix + token),) if token else ()
    accept = (("Accept", "application/json"),) if api.kind == "api" else ()
    return replace(request, headers=(*request.headers, *accept, *headers), kind=api.kind, path=path)


def _fetch(api: Api, request: Fetch, fetcher: Fetcher) -> Fetched:
    answer = fetcher.fetch(request)
    if not answer.text.strip():
        raise BadAnswer(f"{api.title} sent an empty answer.", "Try again later.")
    return answer


def _until_ready(
    api: Api, request: Fetch, fetcher: Fetcher, wait: Callable[[float], None]
) -> Fetched:
    for _ in range(MAX_LOOKS):
        answer = _fetch(api, request, fetcher)
        seconds = api.pending(answer) if api.pending else 0.0
        if not seconds:
            return answer
        wait(seconds)
    raise BadAnswer(f"{api.title} had no answer ready after {MAX_LOOKS} tries.", "Try again later.")


def _capped(reading: Interpretation) -> Interpretation:
    hits = tuple(
        replace(hit, fields={k: v[:MAX_FIELD] for k, v in hit.fields.items()})
        for hit in reading.hits[:MAX_RECORDS]
    )
    count = len(reading.hits)
    cut = f"{MAX_RECORDS} of {count} records read" if count > MAX_RECORDS else reading.missing
    return replace(reading, hits=hits, missing=cut)
