"""Settings of a project as a person edits them, and whether the model that they name answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core import settings as setting
from core.desk_parts import HasModels, HasProject
from core.errors import GroundworkError
from core.llm.completer import Message, Request
from core.model import Role
from core.services.people import roles
from core.services.releases import base_iri
from core.settings import Settings


def editable_settings(settings: Settings) -> dict[str, Any]:
    """What the Settings page may change, by name, as it is now."""
    names = {field.name for field in fields(Settings)}
    return {name: getattr(settings, name) for name in setting.EDITABLE if name in names}


def overridden(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Editable settings that the environment has set: what is edited has no effect there."""
    return tuple(name for name in setting.EDITABLE if setting.in_environment(name, environ))


def change_settings(
    desk: HasProject, changes: Mapping[str, Any], curator: str | None = None
) -> None:
    """Write settings of the project; they apply once it is opened again. Raises SettingsError, and
    Forbidden for somebody who is no owner.
    """
    roles.require_role(desk, curator, Role.OWNER)
    if changes.get("base_iri") and desk.store.project.base_iri:
        base_iri.say_base(desk, changes["base_iri"])
    setting.save_settings(desk.settings, changes)


def try_model(desk: HasModels) -> tuple[bool, str]:
    """Whether the configured model answers, and what to say about it. Sends one short question."""
    try:
        completer = desk.completer()
        if completer is None:
            return False, "No model is configured."
        reply = completer.complete(
            Request((Message("user", "Answer with the one word: ready"),), max_tokens=16)
        )
    except GroundworkError as error:
        return False, str(error)
    return True, f"{reply.model or completer.model} answered: {' '.join(reply.text.split())[:80]}"
