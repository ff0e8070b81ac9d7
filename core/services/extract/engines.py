"""The engines as pages and the command line offer them."""

from __future__ import annotations

from core.desk_parts import HasFolder
from core.errors import SettingsError
from core.extraction.registry import (
    AUTO,
    AUTO_TITLE,
    best_engine,
    engine_names,
    engine_spec,
    is_engine,
)


def engine_choices() -> tuple[str, ...]:
    """Every name that `--engine` takes."""
    return (AUTO, *engine_names())


def engine_titles(desk: HasFolder) -> dict[str, str]:
    """Name → title of the engines that can run in this project."""
    return {
        name: engine_spec(name).title
        for name in engine_names(desk.settings.has_model_for("extraction"))
    }


def offered_engines(desk: HasFolder) -> dict[str, str]:
    """What can run in this project, with the automatic choice where a model is configured."""
    best = {AUTO: AUTO_TITLE} if desk.settings.has_model_for("extraction") else {}
    return best | engine_titles(desk)


def needs_model(name: str) -> bool:
    """Whether an engine asks a language model."""
    return engine_spec(name).needs_model


def asks_model(desk: HasFolder, name: str, model: str = "") -> bool:
    """The same of a choice that may be automatic, in this project, with the `model` of one run."""
    if name == AUTO:
        return bool(model) or desk.settings.has_model_for("extraction")
    return needs_model(name)


def engine_line(name: str, model: str) -> str:
    """Who made a result, in words: the engine's title and note, or the engine and its model."""
    if not is_engine(name):  # of a package that was removed since
        return f"{name}, which is no longer installed"
    spec = engine_spec(name)
    return f"{spec.title} · {model}" if spec.needs_model else f"{spec.title}: {spec.note}"


def engine_title(name: str) -> str:
    """The engine that a statement or a result names, in words; any other maker as it is named."""
    return engine_spec(name).title.split(",")[0] if is_engine(name) else name


def chosen_by_hand(chooser: str) -> bool:
    """Whether a curator chose a term: no engine, and no synonym of the project."""
    return bool(chooser) and chooser not in ("engine", "project") and not is_engine(chooser)


def resolve_engine(desk: HasFolder, engine: str, model: str = "") -> str:
    """The engine that is meant: `auto` is SPIRES where a model is configured, or named for the run,
    and the built-in engine elsewhere.
    """
    has_model = bool(model) or desk.settings.has_model_for("extraction")
    if engine == AUTO:
        return best_engine(has_model)
    if engine_spec(engine).needs_model and not has_model:
        raise SettingsError(
            f"The engine {engine} needs a language model, and none is configured.",
            "Set GROUNDWORK_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, or use the built-in"
            " engine.",
        )
    return engine
