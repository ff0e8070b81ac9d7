"""Asking a remote service of terms: optional, recorded as a Call of a run of its own, answered from
the record when it was asked before.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from core.codec import from_json, to_json
from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProjectNetwork, HasStore
from core.errors import InputError, NotFound, SettingsError
from core.grounding.remote.registry import SERVICES
from core.grounding.remote.service import RemoteService
from core.model import Candidate, Run
from core.services.vocabularies import mappings

KIND = "vocabulary"
LONGEST = 200  # characters that are sent
MOST_ANSWERS = 500  # recorded answers that are looked through for an id


def usable_services(desk: HasFolder) -> dict[str, RemoteService]:
    """Services that can be asked: those that need a key only where one is set."""
    return {
        name: remote_service
        for name, remote_service in SERVICES.items()
        if not remote_service.needs_token or _token(desk, name)
    }


def search_service(
    desk: HasProjectNetwork, service: str, words: str, *, vocabulary: str = "", curator: str = ""
) -> tuple[Candidate, ...]:
    """What a service offers for words (or an id), in its order; scores are the service's own, 0
    where it gives none. The project's own mappings answer without a network. Raises NotFound,
    InputError, SettingsError and the RemoteError tree.
    """
    if service == mappings.NAME:
        return mappings.equivalent_terms(desk, words.strip())
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
            f"{spec.title} needs a key.", f"Set GROUNDWORK_TOKEN_{_variable(service)}."
        )
    base = desk.settings.api_urls.get(_variable(service), spec.base).rstrip("/")
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
    candidate_by_id: dict[str, Candidate] = {}
    for candidate in spec.read(answer):
        candidate_by_id.setdefault(candidate.term.id, candidate)
    candidates = tuple(candidate_by_id.values())
    desk.store.runs.save_result(run.id, to_json(candidates))
    return candidates


def answered_terms(desk: HasStore) -> dict[str, Candidate]:
    """The terms that services answered with in this project, by id; of the newest answers, and of
    an id the newest.
    """
    terms: dict[str, Candidate] = {}
    for run in desk.store.runs.find(KIND, limit=MOST_ANSWERS):
        stored_answer = desk.store.runs.result(run.id) or []
        candidates: tuple[Candidate, ...] = from_json(tuple[Candidate, ...], stored_answer)
        for candidate in candidates:
            terms.setdefault(candidate.term.id, candidate)
    return terms


def _token(desk: HasFolder, name: str) -> str:
    return str(desk.settings.tokens.get(_variable(name)) or "")


def _variable(name: str) -> str:
    """How a service is called at the end of an environment variable: NODE_NORMALIZER."""
    return name.upper().replace("-", "_")
