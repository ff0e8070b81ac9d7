"""The models that the desk can ask: endpoints of the operator, what they list, tests of what a
model can do, and which model does which work.

Nothing here takes an address or a key: those come from the environment.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from core.app_secrets import misnamed_secrets
from core.codec import to_json
from core.desk_parts import (
    HasFolder,
    HasModels,
    HasProject,
    HasProjectJobs,
    HasProjectModels,
    HasStore,
)
from core.errors import BadAnswer, InputError, NotServed, RemoteError, SettingsError
from core.jobs.runner import JobContext, register_job
from core.llm.answer_size import AnswerTooLarge
from core.llm.connection import MAIN, PRESETS, Connection, EndpointPreset
from core.llm.probe import TOKENS, probe_model
from core.llm.profile import SET, ModelProfile, listed_key, price_key, tested_key
from core.llm.refusal import was_refused
from core.model import Job, Json, Run
from core.services.settings import editing
from core.settings import MODEL_TASKS
from core.text.count import counted

__all__ = [
    "MODEL_TASKS",
    "PRESETS",
    "SET",
    "TOKENS",
    "EndpointPreset",
    "EndpointState",
    "ModelProfile",
    "misnamed_secrets",
]

JOB = "model test"
MOST_LISTED = 1000  # models of one endpoint that are kept
LIST_SECONDS = 5.0  # that a run waits for a list nobody asked for


@dataclass(frozen=True, slots=True)
class EndpointState:
    """An endpoint as the desk knows it: its names for `models`, and when it told them (ISO 8601, ""
    for never). `offers` is how many it named: of a long list not all are kept. `variables` are
    those that hold its key and its address.
    """

    name: str
    address: str
    has_key: bool
    variables: tuple[str, str]
    models: tuple[str, ...] = ()
    listed: str = ""
    offers: int = 0

    @property
    def offer_words(self) -> str:
        """`32 models`, or how many of a long list are kept."""
        words = counted(self.offers, "model")
        kept = f", of which the first {len(self.models):,} are listed; others can be typed"
        return words + kept * (self.offers > len(self.models))


def model_endpoints(desk: HasProject) -> list[EndpointState]:
    """Every endpoint that the operator set up, the main one first."""
    return [_state(desk, connection) for connection in desk.settings.connections.values()]


def _state(desk: HasStore, endpoint: Connection) -> EndpointState:
    stored_list = desk.store.project.get(listed_key(endpoint.name)) or {}
    names = tuple(full_name(row["id"], endpoint.name) for row in stored_list.get("models", ()))
    return EndpointState(
        endpoint.name,
        endpoint.address,
        bool(endpoint.key) and endpoint.key.casefold() != "none",
        variables=endpoint.variables,
        models=names,
        listed=stored_list.get("time", ""),
        offers=int(stored_list.get("offers") or len(names)),
    )


def full_name(model: str, endpoint: str) -> str:
    """How a model is written in settings and records."""
    return model if endpoint == MAIN else f"{model}@{endpoint}"


def learn_from_list(desk: HasProjectModels, model: str) -> None:
    """Before a model is first used: where its price or length is unknown and its endpoint was never
    asked for its list, ask for it, as the list may tell both. One that cannot be had changes
    nothing.
    """
    profile, place = desk.models.profile(model), desk.settings.located(model)
    if place is None or (profile.price is not None and profile.context):
        return
    endpoint = place[1].name
    if desk.store.project.get(listed_key(endpoint)) is None:
        with suppress(RemoteError):
            refresh_models(desk, endpoint, LIST_SECONDS)


def refresh_models(
    desk: HasProjectModels, endpoint: str, most_seconds: float = 30.0
) -> EndpointState:
    """Ask an endpoint for its models and keep the list. Raises InputError for a name that the
    operator did not give, and the RemoteError tree.
    """
    from core.llm.endpoint_options import EndpointOptions
    from core.llm.openai_client import OpenAICompleter

    place = desk.settings.connections.get(endpoint)
    if place is None:
        raise InputError(
            f"There is no endpoint {endpoint[:60]}.",
            f"Configured endpoints: {', '.join(desk.settings.connections) or 'none'}.",
        )
    seconds = min(most_seconds, desk.settings.model_timeout)
    client = OpenAICompleter(
        "any",
        EndpointOptions(
            place.key,
            place.url,
            f"list of {endpoint}",
            variables=place.variables,
            first=seconds,
            retries=0,
        ),
    )
    try:
        offered = client.offered()
    except BadAnswer as error:
        if isinstance(error.__cause__, AnswerTooLarge):
            raise BadAnswer(
                f"The list of models of {endpoint} is longer than"
                f" {error.__cause__.limit >> 20} MB and was not read.",
                f"Name a model yourself, as {full_name('NAME', endpoint)}.",
            ) from error
        if not was_refused(error):
            raise
        raise NotServed(
            f"The endpoint {endpoint} does not list its models.", _unlisted_hint(place)
        ) from error
    rows = [to_json(model) for model in offered[:MOST_LISTED]]
    listed = {"time": desk.clock(), "models": rows, "offers": len(offered)}
    desk.store.project.set(listed_key(endpoint), listed)
    desk.forget_models()
    return _state(desk, place)


def _unlisted_hint(place: Connection) -> str:
    """Most addresses end in /v1, and to forget it is the usual mistake."""
    named = f"name a model yourself, as {full_name('NAME', place.name)}."
    if place.address.rstrip("/").endswith("/v1"):
        return f"You can still use it: {named}"
    return (
        f"Its address does not end in /v1, as most do: check {place.variables[1]}. If it is right,"
        f" {named}"
    )


def model_names(desk: HasProject) -> list[str]:
    """Every model that can be named: those in use, those tested, those that endpoints list."""
    settings = desk.settings
    used = [settings.model, *(settings.model_for(task) for task in MODEL_TASKS)]
    listed = [name for endpoint in model_endpoints(desk) for name in endpoint.models]
    tested = desk.store.project.starting(tested_key(""))
    return [
        name
        for name in dict.fromkeys([*used, *tested, *settings.contexts, *settings.prices, *listed])
        if name and settings.located(name)
    ]


def model_profile(desk: HasModels, model: str) -> ModelProfile:
    """What is known of a model."""
    return desk.models.profile(model)


def known_profiles(desk: HasProjectModels) -> list[ModelProfile]:
    """The models in use, tested or with a price or length of the project's own."""
    settings = desk.settings
    used = [settings.model, *(settings.model_for(task) for task in MODEL_TASKS)]
    tested = desk.store.project.starting(tested_key(""))
    model_names = dict.fromkeys([*used, *tested, *settings.prices, *settings.contexts])
    return [desk.models.profile(name) for name in model_names if name]


def set_known(
    desk: HasProject,
    model: str,
    context: int | None,
    price: tuple[float, float] | None,
    *,
    batch_share: float | None = None,
) -> None:
    """Set what the project says of a model; None takes it back. Raises SettingsError."""
    contexts = {k: v for k, v in desk.settings.contexts.items() if k != model}
    prices = {k: v for k, v in desk.settings.prices.items() if k != model}
    contexts |= {model: context} if context else {}
    prices |= {model: price} if price else {}
    shares = {k: v for k, v in desk.settings.batch_shares.items() if k != model}
    shares |= {} if batch_share is None else {model: batch_share}
    if price and desk.settings.prices.get(model) != price:
        dated = {"price": list(price), "date": desk.clock()[:10]}
        desk.store.project.set(price_key(model), dated)
    changes = {"contexts": contexts, "prices": prices, "batch_shares": shares}
    editing.change_settings(desk, {name: value or None for name, value in changes.items()})


def batch_price_words(desk: HasModels, model: str) -> str:
    """What the batch interface of a model's endpoint costs of its price, in words."""
    profile = desk.models.profile(model)
    if profile.batch_share is None:
        return f"What a batch of {model} costs is not known: the full price is counted."
    return (
        f"A batch of {model} costs {profile.batch_share:.0%} of its price"
        f" ({profile.batch_share_from})."
    )


def asked_at(desk: HasFolder, task: str, model: str = "") -> str:
    """Which model does a kind of work and at which host, for people to read before anything is
    sent; "" where there is none.
    """
    name = model or desk.settings.model_for(task)
    place = desk.settings.located(name)
    host = urlsplit(place[1].address).hostname if place else ""
    return f"the model {name} at {host}" if host else ""


def checked_model(desk: HasFolder, model: str) -> str:
    """A model named for one run; "" is the project's. Raises SettingsError where it has no
    endpoint.
    """
    if model:
        _placed(desk, model)
    return model


# ------------------------------------------------------------------ testing


def start_test(desk: HasProjectJobs, model: str, curator: str = "") -> Job:
    """Test a model in the background. Raises SettingsError where it has no endpoint."""
    _placed(desk, model)
    return desk.runner.start(JOB, {"model": model}, curator)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    model = str(arguments["model"])
    context.progress(0, 0, f"asking {model}")
    try_out(context.context, model, context.check)
    return {"model": model}


def try_out(
    desk: HasProjectModels, model: str, check: Callable[[], None] = lambda: None
) -> ModelProfile:
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
    tried = probe_model(
        recorder.completer(desk.untried_completer(model)),
        desk.models.untested_profile(model),
        desk.clock(),
        embedder=recorded,
        check=check,
    )
    desk.store.project.set(
        tested_key(model),
        to_json(
            replace(
                tried,
                price=None,
                price_from="",
                price_date="",
                batch_share=None,
                batch_share_from="",
            )
        ),
    )
    desk.forget_models()
    return desk.models.profile(model)


def _placed(desk: HasFolder, model: str) -> Connection:
    if not model:
        raise SettingsError(
            "No model is chosen.",
            "Name one, such as llama3.1@ollama, or choose one for everything (Settings, Models, or"
            " GROUNDWORK_MODEL).",
        )
    place = desk.settings.located(model)
    if place is None:
        raise SettingsError(
            f"The model {model[:80]} has no endpoint.",
            "Write it as model@endpoint, with an endpoint that the operator set up.",
        )
    return place[1]
