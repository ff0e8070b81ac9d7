"""Asking a remote service of terms: optional, recorded as a Call of a run of its own, answered from
the record when it was asked before.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from core.desk import APP_VERSION, Desk
from core.errors import InputError, NotFound, SettingsError
from core.grounding.remote.registry import SERVICES
from core.grounding.remote.service import RemoteService
from core.model import Candidate, Run

KIND = "vocabulary"
LONGEST = 200  # characters that are sent


def usable(desk: Desk) -> dict[str, RemoteService]:
    """Services that can be asked: those that need a key only where one is set."""
    return {
        name: one for name, one in SERVICES.items() if not one.needs_token or _token(desk, name)
    }


def look_up(
    desk: Desk, service: str, words: str, vocabulary: str = "", curator: str = ""
) -> tuple[Candidate, ...]:
    """What a service offers for words (or an id), in its order; scores are the service's own, 0
    where it gives none. Raises NotFound, InputError, SettingsError and the RemoteError tree.
    """
    spec = SERVICES.get(service)
    if spec is None:
        raise NotFound(
            f"There is no service {service[:60]!r}.", f"There are: {', '.join(SERVICES)}."
        )
    words = " ".join(words.split())
    if not words or len(words) > LONGEST:
        raise InputError(f"Give 1 to {LONGEST} characters.")
    token = _token(desk, service)
    if spec.needs_token and not token:
        raise SettingsError(
            f"{spec.title} needs a key.", f"Set GROUNDWORK_TOKEN_{service.upper()}."
        )
    base = desk.settings.api_urls.get(service, spec.base).rstrip("/")
    run = desk.store.runs.add(
        Run(
            desk.new_id(),
            KIND,
            service,
            settings={"words": words, "vocabulary": vocabulary},
            app_version=APP_VERSION,
            created=desk.clock(),
            curator=curator,
        )
    )
    fetcher = desk.recorder(run.id).fetcher(desk.web("api", (urlsplit(base).hostname or "",)))
    answer = fetcher.fetch(spec.ask(words, vocabulary, base, token)).json()
    first: dict[str, Candidate] = {}
    for one in spec.read(answer):
        first.setdefault(one.term.id, one)
    return tuple(first.values())


def _token(desk: Desk, name: str) -> str:
    found = desk.settings.tokens
    return str(found.get(name) or found.get(name.upper()) or "")
