"""Which addresses a description may name: public hosts over https, and paths that stay where they
are.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import unquote, urlsplit

from core.errors import InputError

LOCAL = (
    ".local",
    ".internal",
    ".localhost",
    ".lan",
    ".home",
    ".corp",
    ".intranet",
    ".test",
    ".invalid",
    ".arpa",
)


def check_base(base: str) -> str:
    """The base address: https, a public host name, no user, port, query or fragment. Raises
    InputError.
    """
    hint = "Write https://host/path."
    try:
        parts = urlsplit(base.rstrip("/"))
        port = parts.port
    except ValueError as error:
        raise InputError("The base is not an address.", hint) from error
    host = (parts.hostname or "").lower()
    if parts.scheme != "https":
        raise InputError(
            f"The base must begin with https://, not {parts.scheme[:20] or 'this'}.", hint
        )
    if (
        parts.username
        or parts.password
        or "@" in parts.netloc
        or port not in (None, 443)
        or parts.query
        or parts.fragment
    ):
        raise InputError("The base must be a plain address without user, port, ? or #.", hint)
    if _numeric(host):
        raise InputError("The base must name a host, not a number.", hint)
    if not re.fullmatch(r"(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*[a-z]", host) or host.endswith(LOCAL):
        raise InputError(f"{host[:60] or 'It'} is not the name of a public host.", hint)
    if not re.fullmatch(r"[\w./~+:-]*", parts.path) or leads_elsewhere(parts.path):
        raise InputError("The path of the base has characters that are not allowed.", hint)
    return f"https://{host}{parts.path}"


def _numeric(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(re.fullmatch(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+))*\.?", host))
    return True


def leads_elsewhere(path: str) -> bool:
    """Whether a part of a path is `.` or `..`, also written with %2e: it would lead elsewhere on
    the host.
    """
    return any(
        unquote(unquote(part)) in (".", "..")
        for part in re.split(r"/|%2f|\\|%5c", path, flags=re.I)
    )
