"""How an open project reaches other machines: which hosts, at what pace, with which keys."""

from __future__ import annotations

import getpass
import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from core.settings import NCBI_BLAST, NCBI_DATASETS, NCBI_EUTILS, Settings
from core.web import Fetcher, JointPace, Pace, WebClient
from core.web.pace import Keep, Turn

TurnAt = Callable[[str], AbstractContextManager[tuple[float, int, Keep]]]  # by a pace's name
TRAVEL = 0.2  # seconds in which a request reaches NCBI's door, also from a busy machine


def open_web(settings: Settings, turn_at_ncbi: Turn, kind: str, hosts: Sequence[str]) -> Fetcher:
    """A client for NCBI (kind `ncbi`), for a GROBID service (`grobid`), or for constant `hosts`.
    `turn_at_ncbi` takes a turn in the database, for workers on several machines.
    """
    if kind == "ncbi":
        addresses = (settings.ncbi_eutils_url, settings.ncbi_blast_url, settings.datasets_url)
        names, own = ncbi_hosts(settings)
        interval = settings.ncbi_interval
        paces = [Pace(interval, _pace_file(addresses[0]), travel=TRAVEL)]
        if settings.database_url.startswith("postgresql"):  # other machines' workers ask too
            paces.append(Pace(interval, travel=TRAVEL, turn=turn_at_ncbi))
        added = [
            ("tool", "groundwork"),
            ("email", settings.ncbi_email),
            ("api_key", settings.ncbi_api_key),
        ]
        # Datasets takes no tool and no e-mail, and its key as a header
        key = [("api-key", settings.ncbi_api_key)]
        headers = {addresses[2] or NCBI_DATASETS: key}
        return WebClient(
            names,
            own,
            pace=JointPace(paces),
            added=added,
            by_header=headers,
            secrets=settings.secrets,
        )
    own = [url for url in (settings.grobid_url,) if url and kind == "grobid"]
    if kind == "api":
        own = [url for url in settings.api_urls.values() if urlsplit(url).hostname in hosts]
    return WebClient(hosts, own, interval=0.2, redirects=kind != "api", secrets=settings.secrets)


def model_pace(settings: Settings, turn: TurnAt, address: str) -> JointPace:
    """When the next request may go to an endpoint of models: `model_per_minute` of all workers on
    this machine and on the project's database together, at even distances.
    """
    interval = 60 / settings.model_per_minute if settings.model_per_minute else 0.0
    paces = [Pace(interval, _pace_file(address or "openai"))]
    if settings.database_url.startswith("postgresql"):
        paces.append(Pace(interval, turn=partial(turn, f"pace of {address or 'openai'}")))
    return JointPace(paces)


def ncbi_hosts(settings: Settings) -> tuple[list[str], list[str]]:
    """Host names of NCBI that may be asked, and base URLs that the operator set instead."""
    own = [settings.datasets_url]
    own += [settings.ncbi_eutils_url] if settings.ncbi_eutils_url != NCBI_EUTILS else []
    own += [settings.ncbi_blast_url] if settings.ncbi_blast_url != NCBI_BLAST else []
    names = [
        "eutils.ncbi.nlm.nih.gov",
        "blast.ncbi.nlm.nih.gov",
        "api.ncbi.nlm.nih.gov",
        "www.ncbi.nlm.nih.gov",
    ]
    return names, [url for url in own if url]


def _pace_file(address: str) -> Path:
    """One file for each service and user of this machine, whatever the project."""
    name = re.sub(r"[^a-z0-9]+", "-", address.casefold()).strip("-")
    return Path(tempfile.gettempdir()) / f"groundwork-{_user()}" / f"{name}.pace"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "anyone"
