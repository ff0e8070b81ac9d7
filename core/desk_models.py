"""How an open project reaches language models: at which endpoint, with which settings."""

from __future__ import annotations

from core.desk_network import TurnAt, model_pace
from core.errors import SettingsError
from core.llm.connection import Connection
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.llm.openai_embedder import OpenAIEmbedder
from core.llm.profile import KnownModels
from core.settings import Settings


def untried_completer(settings: Settings, model: str, turn: TurnAt) -> OpenAICompleter:
    """A model as if nothing were known of it: to be tested. `turn` is one in the database, for
    workers on several machines. Raises SettingsError where it has no endpoint.
    """
    place = settings.located(model)
    if place is None:
        raise SettingsError(
            f"The model {model[:80]} has no endpoint.", "Write it as model@endpoint."
        )
    name, endpoint = place
    return OpenAICompleter(name, _options(settings, model, endpoint, turn))


def open_completer(
    settings: Settings, models: KnownModels, model: str, turn: TurnAt
) -> OpenAICompleter | None:
    """With what is known of the model, so that it is not asked for what it cannot do; None where it
    has no endpoint.
    """
    if settings.located(model) is None:
        return None
    opened, profile = untried_completer(settings, model, turn), models.profile(model)
    opened.capabilities.context = profile.context
    opened.capabilities.schema = profile.can("schema") is not False
    opened.capabilities.tools = profile.can("tools") is not False
    opened.capabilities.stream = profile.can("streaming") is not False
    return opened


def open_embedder(settings: Settings, turn: TurnAt) -> OpenAIEmbedder | None:
    """The embedding model; None where it has no endpoint."""
    place = settings.located(settings.embedding_model)
    if place is None:
        return None
    name, endpoint = place
    return OpenAIEmbedder(name, _options(settings, settings.embedding_model, endpoint, turn))


def _options(settings: Settings, model: str, endpoint: Connection, turn: TurnAt) -> EndpointOptions:
    return EndpointOptions(
        endpoint.key,
        endpoint.url,
        model,
        variables=endpoint.variables,
        first=settings.model_timeout,
        between=settings.model_silence,
        retries=settings.model_retries,
        parallel=settings.model_parallel,
        max_tokens=settings.max_tokens,
        streams=True,
        take_turn=model_pace(settings, turn, endpoint.url).wait,
    )
