"""Keywords of a question that a model names, on record; where it names none, rules make them."""

from __future__ import annotations

from core.desk_parts import HasProjectModels
from core.errors import RemoteError, SettingsError
from core.literature.query import keyword_model
from core.literature.query.keyword import Keyword
from core.model import Problem, Run
from core.services.settings.models import checked_model


def keywords_by_model(
    desk: HasProjectModels, question: str, model: str = ""
) -> tuple[tuple[Keyword, ...], tuple[Problem, ...]]:
    """The keywords that a model copies from a question, in its order, and what went wrong. `model`
    is asked in place of the project's. A model that fails names none, and a problem says so. Raises
    SettingsError where no model is configured or the one named has no endpoint.
    """
    completer = desk.completer("keywords", checked_model(desk, model))
    if completer is None:
        raise SettingsError(
            "No model is configured.", "Set one on the Settings page, or leave keywords to rules."
        )
    run = Run(
        desk.new_id(),
        "keywords",
        "model",
        model=completer.model,
        settings={"question": question},
        created=desk.clock(),
    )
    desk.store.runs.add(run)
    try:
        recorded = desk.recorder(run.id).completer(completer)
        keywords, trouble = keyword_model.ask_keywords(recorded, question)
    except RemoteError as error:
        return (), (_by_rules(str(error)),)
    if not keywords:
        return (), (_by_rules(trouble.message if trouble else "Its answer has no list of them."),)
    if trouble:
        return keywords, (Problem(trouble.code, f"{trouble.message} Check the keywords."),)
    return keywords, ()


def _by_rules(why: str) -> Problem:
    message = f"The keywords were found by rules, because the model gave none. {why}"
    return Problem("keywords-by-rules", message)
