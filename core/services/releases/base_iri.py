"""The base IRI of a project: asked for before the first release, which fixes it."""

from __future__ import annotations

import re

from core.desk_parts import HasProject
from core.errors import InputError, Refused, SettingsError
from core.kb.rdf.iri import normalised_base
from core.setting_values import PLACEHOLDER_BASE
from core.setting_values import base_iri as read_base

W3ID = "https://w3id.org/"  # permanent addresses that their owners redirect; free, by pull request


def is_placeholder(iri: str) -> bool:
    """Whether an IRI leads nowhere, because nobody has given the project one of its own."""
    return iri.startswith(PLACEHOLDER_BASE)


def is_fixed(desk: HasProject) -> bool:
    """Whether something was released with the base IRI, so that others may cite it."""
    return bool(desk.store.releases.all())


def suggested_base(desk: HasProject) -> str:
    """A pattern to offer: the project's name at w3id.org, where anyone can claim a name."""
    title = (desk.settings.project_name or desk.folder.name).casefold()
    return f"{W3ID}{re.sub(r'[^a-z0-9]+', '-', title).strip('-') or 'my-project'}/"


def checked_base(iri: str) -> str:
    """The base IRI as it is kept. Raises InputError for what is none."""
    try:
        return read_base(normalised_base(iri.strip()))
    except (ValueError, InputError) as error:
        raise InputError(
            f"{iri[:80]!r} is not a base IRI.", "Give one such as https://w3id.org/my-project/."
        ) from error


def say_base(desk: HasProject, iri: str) -> str:
    """Give the project its base IRI, and give it back as it is kept. Raises InputError for what is
    none, SettingsError once there is a release.
    """
    base = checked_base(iri)
    if base != normalised_base(desk.base_iri):
        if is_fixed(desk):
            raise SettingsError(
                "The base IRI of a project is fixed by its first release.",
                "Releases would contradict each other.",
            )
        desk.store.project.set("base_iri", base)
    return base


def need_own_base(desk: HasProject, iri: str, *, placeholder: bool) -> None:
    """Raises Refused where a release would have the placeholder's addresses and nobody said so.
    `iri` is what the release is to have instead of the project's own; empty: that one.
    """
    base = checked_base(iri) if iri else desk.base_iri
    if not is_placeholder(base) or placeholder:
        return
    advice = (
        "The first release was made with them: confirm the placeholder once more."
        if is_fixed(desk)
        else f"Give a base IRI of your own, such as {suggested_base(desk)} (names at w3id.org are"
        " free), or confirm the placeholder."
    )
    raise Refused(
        f"The project's addresses begin with {base}, a placeholder that leads nowhere.", advice
    )


def placeholder_words(base: str) -> str:
    """What a release says of itself where it has the placeholder's addresses."""
    return (
        f"Its addresses begin with {base}, a placeholder that leads nowhere; whoever made the"
        " release confirmed it."
    )
