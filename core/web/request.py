"""What is asked and what is answered, and how both are shown and stored without a key."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from core.errors import (
    BadAnswer,
)
from core.model import Json

MASK = "***"
# how many records there are, where a service says it in a header only (UniProt)
TOTALS = ("x-total-results", "x-total-count")
PRIVATE = ("api_key", "apikey", "key", "token", "access_token", "email", "tool_email", "password")


@dataclass(frozen=True, slots=True)
class Fetch:
    """A request. `params` and `headers` are (name, value) pairs in order; `path` is its place in
    the run's tree.

    `data` is a form (pairs), JSON (dict or list), a text body, or bytes, which are on record by
    their digest. `fresh`: never answered from the cache (polling).
    """

    url: str
    method: str = "GET"
    params: tuple[tuple[str, str], ...] = ()
    data: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "api"
    path: str = ""
    max_bytes: int = 5_000_000
    timeout: float = 30.0
    fresh: bool = False

    def payload(self) -> Json:
        """The request as JSON without keys, e-mail addresses and its place: what is stored, shown
        and hashed.
        """
        parts = urlsplit(self.url)
        params = [*parse_qsl(parts.query, keep_blank_values=True), *self.params]
        payload_data = (
            [list(pair) for pair in self.data] if isinstance(self.data, tuple) else self.data
        )
        if isinstance(payload_data, bytes):
            payload_data = {
                "bytes": len(payload_data),
                "sha256": hashlib.sha256(payload_data).hexdigest(),
            }
        return {
            "method": self.method,
            "url": urlunsplit(parts._replace(query="", fragment="")),
            "params": [[name, value] for name, value in params if not is_private_field(name)],
            "data": [pair for pair in payload_data if not is_private_field(pair[0])]
            if isinstance(self.data, tuple)
            else payload_data,
        }


SHOWN = 2000  # characters of a failed try's body that are kept


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that gave no usable answer: status (0: none came), what was wrong, seconds it took,
    seconds waited before it, bytes, and the beginning of its body.
    """

    status: int
    why: str
    seconds: float = 0.0
    waited: float = 0.0
    size: int = 0
    body: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. `seconds` from sending to the last byte, `waited` before that and why; `cut` when
    the body was longer than the cap. `call` is the id of the stored Call, `reused` that of the
    earlier call whose answer this is. `attempts` are the tries before this answer.
    """

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False
    call: str = ""
    waited: float = 0.0
    why_waited: str = ""
    reused: str = ""
    attempts: tuple[Attempt, ...] = ()

    def attempt(self, why: str) -> Attempt:
        """This answer as a try that was of no use."""
        size = len(self.text.encode())
        return Attempt(
            self.status, why, self.seconds, waited=self.waited, size=size, body=self.text[:SHOWN]
        )

    def json(self) -> Json:
        """The body as JSON. Raises BadAnswer."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError) as error:
            trouble = "was cut off" if self.cut else "is not JSON"
            raise BadAnswer(
                f"The answer {trouble}: {self.text[:80]!r}.", "Try again later."
            ) from error


class Fetcher(Protocol):
    """Anything that answers a Fetch. Raises the RemoteError tree, or Refused for an address that is
    not allowed.
    """

    def fetch(self, request: Fetch) -> Fetched: ...


@runtime_checkable
class RememberingFetcher(Fetcher, Protocol):
    """A Fetcher with a record of its own, which answers what it knows without sending it."""

    def is_recorded(self, request: Fetch) -> bool: ...


def is_private_field(name: str) -> bool:
    """Whether a parameter or header holds a key or a person's address."""
    return name.casefold().replace("-", "_") in (*PRIVATE, "authorization", "x_api_key", "cookie")


def mask_secrets(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` with secret values as stars, however an address or a page would write them."""
    forms = {form for secret in filter(None, secrets) for form in _written(secret)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, MASK)
    return text


def mask_json(value: Json, secrets: Sequence[str]) -> Json:
    """JSON with secret values as stars."""
    if not secrets:
        return value
    if isinstance(value, str):
        return mask_secrets(value, secrets)
    if isinstance(value, dict):
        return {mask_json(key, secrets): mask_json(item, secrets) for key, item in value.items()}
    return (
        [mask_json(item, secrets) for item in value] if isinstance(value, list | tuple) else value
    )


def _written(secret: str) -> set[str]:
    coded = quote(secret, safe="")
    low = re.sub("%..", lambda match: match[0].lower(), coded)
    return {secret, coded, low, quote(coded, safe=""), escape(secret), json.dumps(secret)[1:-1]}


def is_telling_secret(secret: str) -> bool:
    """Whether a secret is one: a local endpoint's key is often a plain word ("x", "none", "EMPTY"),
    and stars in its place would spoil what texts and answers say.
    """
    longest_word = 8 if secret.isupper() else 20
    plain = secret.isupper() or secret.islower() or secret.istitle()
    return len(secret) > 3 and not (secret.isalpha() and plain and len(secret) < longest_word)


def masked_url(request: Fetch) -> str:
    """The full address as a person may see it."""
    parts = urlsplit(request.url)
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *request.params]
    query = urlencode(
        [(name, MASK if is_private_field(name) else value) for name, value in pairs],
        safe="*:,[]()/",
    )
    return urlunsplit(parts._replace(query=query, fragment=""))
