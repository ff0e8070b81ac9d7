"""Who is at the desk: by a sign-in provider, by a trusted proxy, or, on this machine alone, by
their own word.

A sign-in proves an ORCID iD only where the provider is ORCID, or where the operator says which
claim holds it. Any other sign-in is connected to an iD once: by the first owner to themself, by an
owner for others.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.desk_parts import HasStore
from core.errors import Forbidden, InputError, NotFound, Refused
from core.model import Curator, Role
from core.services.people.orcid import add_curator, checked_curator
from core.settings import Settings
from core.text.clean import without_deceptive_signs

ORCID_HOSTS = ("orcid.org", "www.orcid.org", "sandbox.orcid.org")
CONNECTED, WAITING = "sign_ins", "sign_ins_waiting"  # properties of the project
MOST_WAITING = 200


@dataclass(frozen=True, slots=True)
class SignIn:
    """Somebody whom a provider or a proxy vouches for. `key` is theirs alone; `orcid` is empty
    where nothing proves one.
    """

    key: str
    name: str
    orcid: str = ""


def sign_in_of_claims(settings: Settings, claims: Mapping[str, object]) -> SignIn:
    """The sign-in that an OpenID provider's claims are. Raises Forbidden without a subject."""
    issuer, subject = str(claims.get("iss") or ""), str(claims.get("sub") or "")
    if not subject:
        raise Forbidden(
            "The sign-in sent no user id (subject).",
            "Ask your administrator to check the sign-in provider.",
        )
    by_orcid = urlsplit(issuer).hostname in ORCID_HOSTS
    claim = settings.orcid_claim or ("sub" if by_orcid else "")
    name = str(claims.get("name") or claims.get("email") or "")
    if not name:
        name = f"{claims.get('given_name') or ''} {claims.get('family_name') or ''}"
    return SignIn(f"{issuer} {subject}", _words(name), _proven(claims.get(claim) if claim else ""))


def sign_in_of_header(value: str) -> SignIn:
    """The sign-in that a trusted proxy's header names: an ORCID iD, or a name of the proxy's.
    Raises Forbidden for an empty one: somebody came past the proxy.
    """
    words = _words(value)
    if not words:
        raise Forbidden(
            "The sign-in proxy sent no user name.", "Open the proxy's address and sign in there."
        )
    proven = _proven(words)
    return SignIn(f"header {words}", "" if proven else words, proven)


def signed_in_curator(desk: HasStore, sign_in: SignIn) -> Curator | None:
    """The curator who signed in; None while the sign-in is not connected to an ORCID iD, which is
    noted for the project's owners.
    """
    orcid = sign_in.orcid or _table(desk, CONNECTED).get(sign_in.key, "")
    if orcid:
        curator = desk.store.curators.get(orcid)
        if curator and (curator.name or not sign_in.name):
            return curator
        return add_curator(desk, orcid, sign_in.name)
    noted = _table(desk, WAITING)
    if sign_in.key not in noted and len(noted) < MOST_WAITING:
        desk.store.project.set(WAITING, {**noted, sign_in.key: sign_in.name})
    return None


def may_connect_oneself(desk: HasStore) -> bool:
    """Whether the project waits for its first owner."""
    return not any(curator.role is Role.OWNER for curator in desk.store.curators.all())


def connect_oneself(desk: HasStore, sign_in: SignIn, orcid: str) -> Curator:
    """The first who comes connects their sign-in to their ORCID iD and owns the project. Raises
    Refused once it has an owner.
    """
    if not may_connect_oneself(desk):
        raise Refused("The project has an owner.", "Ask them to connect your sign-in.")
    own = add_curator(desk, orcid, sign_in.name)
    _connect(desk, sign_in.key, own.orcid)
    desk.store.curators.set_role(own.orcid, Role.OWNER)
    return own


def connect_sign_in(desk: HasStore, key: str, orcid: str, owner: str) -> Curator:
    """Say that a sign-in is this person. Raises Forbidden unless an owner says so."""
    desk.store.curators.need(owner, Role.OWNER)
    return vouch_for_sign_in(desk, key, orcid)


def vouch_for_sign_in(desk: HasStore, key: str, orcid: str) -> Curator:
    """The same by the operator's word, on the machine itself: whoever may write the database may do
    this. Raises NotFound for a sign-in that nobody tried.
    """
    noted = _table(desk, WAITING)
    if key not in noted:
        raise NotFound(
            f"No sign-in {key[:80]!r} is waiting.", "They sign in once, then it is listed."
        )
    curator = add_curator(desk, orcid, noted[key])
    _connect(desk, key, curator.orcid)
    return curator


def waiting_sign_ins(desk: HasStore) -> dict[str, str]:
    """Sign-ins that are connected to nobody yet: key → name."""
    return _table(desk, WAITING)


def why_not_served(settings: Settings, address: str, *, signs_in: bool) -> str:
    """Why the app must not be served at this address of this machine; "" where it may. Without a
    sign-in everybody is whoever they say, so other machines are kept out.
    """
    if signs_in or settings.trusted_header or settings.open_to_anyone or is_loopback(address):
        return ""
    return (
        f"The app listens on {address or 'every address'} of this machine, and nobody signs in:"
        " anybody who reaches it could decide in anybody's name. Configure a sign-in"
        " ([auth] in Streamlit's secrets), or a proxy's header (GROUNDWORK_TRUSTED_HEADER), or"
        " listen on 127.0.0.1. To let everybody in all the same, set GROUNDWORK_OPEN_TO_ANYONE=on."
    )


def is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _connect(desk: HasStore, key: str, orcid: str) -> None:
    desk.store.project.set(CONNECTED, {**_table(desk, CONNECTED), key: orcid})
    still_waiting = {name: word for name, word in _table(desk, WAITING).items() if name != key}
    desk.store.project.set(WAITING, still_waiting)


def _table(desk: HasStore, name: str) -> dict[str, str]:
    stored_table = desk.store.project.get(name, {})
    return (
        {str(k): str(v) for k, v in stored_table.items()} if isinstance(stored_table, dict) else {}
    )


def _proven(value: object) -> str:
    """The ORCID iD that a claim holds, or "" for what is none."""
    try:
        return checked_curator(str(value or ""), "").orcid
    except InputError:
        return ""


def _words(value: str) -> str:
    return " ".join(without_deceptive_signs(value).split())[:200]
