"""The session of the HTTP package, without what it would do by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import requests

from core.web.address import OperatorAdapter, PinnedAdapter


class OwnSession(requests.Session):
    """Follows no redirect, and does not look where one leads: the client checks that, and an
    address that is none would raise in the package.
    """

    def resolve_redirects(self, *all: Any, **named: Any) -> Iterator[Any]:
        return iter(())


def new_session(
    resolve: Callable[..., Sequence[str]], own: Iterable[tuple[str, str, int]]
) -> requests.Session:
    """One that connects to the addresses that `resolve` gives, and to the operator's `own`."""
    own = tuple(own)
    session = OwnSession()
    session.trust_env = not own
    session.auth = _unchanged  # else a .netrc would take the place of a token
    session.mount("https://", PinnedAdapter(resolve))
    for scheme, host, port in own:
        session.mount(f"{scheme}://{host}:{port}", OperatorAdapter())
        session.mount(f"{scheme}://{host}/", OperatorAdapter())
    return session


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request
