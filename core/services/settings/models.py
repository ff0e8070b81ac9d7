"""The models that the desk can ask: endpoints of the operator, what they list, tests of what a
model can do, and which model does which work.

Nothing here takes an address or a key: those come from the environment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from core.codec import to_json
from core.desk import Desk
from core.errors import InputError, SettingsError
from core.jobs.runner import JobContext, register
from core.llm.connection import MAIN, PRESETS, Connection, Preset
from core.llm.probe import TOKENS, probe
from core.llm.profile import SET, ModelProfile, listed_key, tested_key
from core.model import Job, Json, Run
from core.services.home import project
from core.settings import TASKS

__all__ = ["PRESETS", "SET", "TASKS", "TOKENS", "EndpointState", "ModelProfile", "Preset"]

JOB = "model test"
MOST_LISTED = 1000  # models of one endpoint that are kept


@dataclass(frozen=True, slots=True)
class EndpointState:
    """An endpoint as the desk knows it: its names for `models`, and when it told them (ISO 8601, ""
    for never). `variables` are those that hold its key and its address.
    """

    name: str
    address: str
    has_key: bool
    variables: tuple[str, str]
    models: tuple[str, ...] = ()
    listed: str = ""


def endpoints(desk: Desk) -> list[EndpointState]:
    """Every endpoint that the operator set up, the main one first."""
    return [_state(desk, connection) for connection in desk.settings.connections.values()]


def _state(desk: Desk, endpoint: Connection) -> EndpointState:
    kept = desk.store.project.get(listed_key(endpoint.name)) or {}
    names = tuple(full_name(row["id"], endpoint.name) for row in kept.get("models", ()))
    return EndpointState(
        endpoint.name,
        endpoint.address,
        bool(endpoint.key),
        endpoint.variables,
        names,
        kept.get("time", ""),
    )


def full_name(model: str, endpoint: str) -> str:
    """How a model is written in settings and records."""
    return model if endpoint == MAIN else f"{model}@{endpoint}"


def refresh(desk: Desk, endpoint: str) -> EndpointState:
    """Ask an endpoint for its models and keep the list. Raises InputError for a name that the
    operator did not give, and the RemoteError tree.
    """
    from core.llm.openai_client import OpenAICompleter

    place = desk.settings.connections.get(endpoint)
    if place is None:
        raise InputError(
            f"There is no endpoint {endpoint[:60]}.",
            f"Those set up are: {', '.join(desk.settings.connections) or 'none'}.",
        )
    client = OpenAICompleter(
        "any",
        place.key,
        place.url,
        timeout=min(30.0, desk.settings.model_timeout),
        retries=0,
        title=f"list of {endpoint}",
        variables=place.variables,
    )
    rows = [to_json(one) for one in client.offered()[:MOST_LISTED]]
    desk.store.project.set(listed_key(endpoint), {"time": desk.clock(), "models": rows})
    desk.forget_models()
    return _state(desk, place)


def model_names(desk: Desk) -> list[str]:
    """Every model that can be named: those in use, those tested, those that endpoints list."""
    settings = desk.settings
    used = [settings.model, *(settings.model_for(task) for task in TASKS)]
    listed = [name for endpoint in endpoints(desk) for name in endpoint.models]
    tested = desk.store.project.starting(tested_key(""))
    return [
        name
        for name in dict.fromkeys([*used, *tested, *settings.contexts, *settings.prices, *listed])
        if name and settings.located(name)
    ]


def profile(desk: Desk, model: str) -> ModelProfile:
    """What is known of a model."""
    return desk.models.profile(model)


def known_profiles(desk: Desk) -> list[ModelProfile]:
    """The models in use, tested or with a price or length of the project's own."""
    settings = desk.settings
    used = [settings.model, *(settings.model_for(task) for task in TASKS)]
    tested = desk.store.project.starting(tested_key(""))
    named = dict.fromkeys([*used, *tested, *settings.prices, *settings.contexts])
    return [desk.models.profile(name) for name in named if name]


def set_known(
    desk: Desk, model: str, context: int | None, price: tuple[float, float] | None
) -> None:
    """Set what the project says of a model; None takes it back. Raises SettingsError."""
    contexts = {k: v for k, v in desk.settings.contexts.items() if k != model}
    prices = {k: v for k, v in desk.settings.prices.items() if k != model}
    contexts |= {model: context} if context else {}
    prices |= {model: price} if price else {}
    project.change(desk, {"contexts": contexts or None, "prices": prices or None})


def asked_at(desk: Desk, task: str, model: str = "") -> str:
    """Which model does a kind of work and at which host, for people to read before anything is
    sent; "" where there is none.
    """
    name = model or desk.settings.model_for(task)
    place = desk.settings.located(name)
    host = urlsplit(place[1].address).hostname if place else ""
    return f"the model {name} at {host}" if host else ""


# ------------------------------------------------------------------ testing


def start_test(desk: Desk, model: str, curator: str = "") -> Job:
    """Test a model in the background. Raises SettingsError where it has no endpoint."""
    _placed(desk, model)
    return desk.runner.start(JOB, {"model": model}, curator)


@register(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    model = str(arguments["model"])
    context.progress(0, 0, f"asking {model}")
    try_out(context.context, model, context.check)
    return {"model": model}


def try_out(desk: Desk, model: str, check: Callable[[], None] = lambda: None) -> ModelProfile:
    """Try what a model can do, and keep what was found. Its calls are on record. Raises
    SettingsError where the model has no endpoint, and Stopped.
    """
    endpoint = _placed(desk, model)
    run = desk.store.runs.add(
        Run(desk.new_id(), "model test", "probe", model=model, created=desk.clock())
    )
    recorder = desk.recorder(run.id, reuse=False)
    embedder, place = desk.embedder(), desk.settings.located(desk.settings.embedding_model)
    recorded = recorder.embedder(embedder) if embedder and place and place[1] == endpoint else None
    model_profile = probe(
        recorder.completer(desk.untried_completer(model)),
        desk.models.told(model),
        desk.clock(),
        recorded,
        check,
    )
    desk.store.project.set(
        tested_key(model), to_json(replace(model_profile, price=None, price_from=""))
    )
    desk.forget_models()
    return desk.models.profile(model)


def _placed(desk: Desk, model: str) -> Connection:
    place = desk.settings.located(model)
    if place is None:
        raise SettingsError(
            f"The model {model[:80] or '(none)'} has no endpoint.",
            "Write it as model@endpoint, with an endpoint that the operator set up.",
        )
    return place[1]
