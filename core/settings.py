"""What the installation and the project are set to: environment, then the project's `project.toml`,
then defaults.

Keys, base URLs, hosts and the database come from the environment (or Streamlit secrets, which pages
pass in) only, so that nobody at the desk can redirect the operator's key. What `EDITABLE` names may
be set in `project.toml`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.llm.connection import MAIN, Connection, connections_in, locate_model
from core.project_file import read_project_file, to_toml, write_project_file
from core.setting_values import (
    base_iri,
    batch_shares,
    context_lengths,
    count_between,
    existing_file,
    existing_files,
    host_names,
    log_format,
    model_prices,
    number_between,
    plain_text,
    switch,
    web_address,
)

CODE = Path(__file__).resolve().parents[1]
NCBI_EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
NCBI_DATASETS = "https://api.ncbi.nlm.nih.gov/datasets/v2"
NCBI_BLAST = "https://blast.ncbi.nlm.nih.gov/Blast.cgi"
POLITE_NCBI = 0.4  # seconds between requests without a key (NCBI asks for at most 3 a second)
POLITE_NCBI_KEY = 0.11  # with a key (at most 10 a second)


class Secret(str):
    """A text that never shows itself: `repr` and formatting in a log give stars."""

    def __repr__(self) -> str:
        return "'***'" if self else "''"


NO_SECRET = Secret("")


def _cache() -> Path:
    """The user's folder for what can be made anew."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "groundwork"


@dataclass(frozen=True, slots=True)
class Settings:
    """Seconds, counts and addresses of one installation and project. `prices` is US dollars a
    million tokens: model → (in, out); `contexts` is tokens that a model can read at once,
    `batch_shares` what a batch costs of a model's price (0 to 1). `tokens` maps an API agent's name
    to its key.
    """

    project: Path
    openai_api_key: Secret = NO_SECRET
    openai_base_url: str = ""
    endpoints: Mapping[str, Connection] = field(default_factory=dict)  # that the operator named
    model: str = ""
    model_extraction: str = ""
    model_answers: str = ""
    model_keywords: str = ""
    model_interpretation: str = ""
    model_support: str = ""
    embedding_model: str = ""
    ncbi_api_key: Secret = NO_SECRET
    ncbi_email: Secret = NO_SECRET
    ncbi_eutils_url: str = NCBI_EUTILS
    ncbi_blast_url: str = NCBI_BLAST
    ncbi_interval: float = POLITE_NCBI
    database_url: Secret = NO_SECRET
    scheduler: str = ""  # address of a dask scheduler; empty: threads of this process
    api_hosts: tuple[str, ...] = ()
    tokens: Mapping[str, Secret] = field(default_factory=dict)
    api_urls: Mapping[str, str] = field(default_factory=dict)  # of agents that the operator serves
    grobid_url: str = ""
    datasets_url: str = ""
    reasoner_jars: tuple[Path, ...] = ()  # of HermiT or ELK, beside those that are installed
    nanopub_key: Path | None = None  # an RSA key in PEM: nanopublications may be signed with it
    vocabulary_url: str = ""  # where releases are served instead of at their authorities
    base_set: bool = True  # whether the vocabularies that come with the app stand in
    cache: Path = field(default_factory=_cache)
    recipe_pages: bool = True  # whether a curator may have a recipe's web page read
    trusted_header: str = ""  # of a proxy, which names the person who is signed in
    orcid_claim: str = ""  # of the sign-in provider, which holds the ORCID iD
    open_to_anyone: bool = False  # whether other machines may come in without a sign-in
    log: str = "text"  # or "json": an object a line
    project_name: str = ""
    base_iri: str = ""  # for a project that is being made; later the store's is used
    model_timeout: float = 60.0  # until an answer begins
    model_silence: float = 30.0  # within an answer that has begun
    model_parallel: int = 24
    model_per_minute: int = 0  # requests of all workers to one endpoint; 0: no limit
    model_retries: int = 3
    max_calls: int = 500
    max_tokens: int = 0
    job_threads: int = 4
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    contexts: Mapping[str, int] = field(default_factory=dict)
    batch_shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def has_model(self) -> bool:
        return self.located(self.model) is not None

    def has_model_for(self, task: str) -> bool:
        """Whether a kind of work (MODEL_TASKS) has a model: its own, or the project's."""
        return self.located(self.model_for(task)) is not None

    @property
    def connections(self) -> dict[str, Connection]:
        """Every endpoint of a model by its name, the main one first."""
        main = Connection(MAIN, self.openai_base_url, str(self.openai_api_key))
        return ({MAIN: main} if main.url or main.key else {}) | dict(self.endpoints)

    def located(self, model: str) -> tuple[str, Connection] | None:
        """A model's name at its endpoint, and the endpoint; None where it has none."""
        return locate_model(model, self.connections)

    def model_for(self, task: str) -> str:
        """The model of a kind of work (MODEL_TASKS): its own, or the project's."""
        return str(getattr(self, f"model_{task}", "") or self.model)

    @property
    def own_ncbi(self) -> bool:
        """Whether NCBI is served from addresses that the operator set."""
        return self.ncbi_eutils_url != NCBI_EUTILS and self.ncbi_blast_url != NCBI_BLAST

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every value that must be masked in messages and traces."""
        keys = (connection.key for connection in self.endpoints.values())
        own = (self.openai_api_key, self.ncbi_api_key, self.ncbi_email, *self.tokens.values())
        secret_values = (*own, *(Secret(key) for key in keys if key.casefold() != "none"))
        return tuple(str(secret) for secret in secret_values if secret)

    @property
    def database(self) -> str:
        """The SQLAlchemy URL of the project's database."""
        return str(self.database_url) or f"sqlite:///{self.project / 'groundwork.db'}"


def _database(value: Any) -> Secret:
    if value and "://" not in str(value):
        raise ValueError("must be a database URL such as postgresql+psycopg://user@host/name")
    return Secret(value)


ENVIRONMENT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "OPENAI_API_KEY": ("openai_api_key", lambda v: Secret(str(v).strip())),
    "OPENAI_BASE_URL": ("openai_base_url", web_address),
    "NCBI_API_KEY": ("ncbi_api_key", lambda v: Secret(str(v).strip())),
    "NCBI_EMAIL": ("ncbi_email", lambda v: Secret(str(v).strip())),
    "GROUNDWORK_DATABASE_URL": ("database_url", _database),
    "GROUNDWORK_NCBI_EUTILS_URL": ("ncbi_eutils_url", web_address),
    "GROUNDWORK_NCBI_BLAST_URL": ("ncbi_blast_url", web_address),
    "GROUNDWORK_NCBI_INTERVAL": ("ncbi_interval", number_between(0, 60)),
    "GROUNDWORK_DATASETS_URL": ("datasets_url", web_address),
    "GROUNDWORK_GROBID_URL": ("grobid_url", web_address),
    "GROUNDWORK_REASONER_JAR": ("reasoner_jars", existing_files),
    "GROUNDWORK_NANOPUB_KEY": ("nanopub_key", existing_file),
    "GROUNDWORK_SCHEDULER": ("scheduler", plain_text),
    "GROUNDWORK_API_HOSTS": ("api_hosts", host_names),
    "GROUNDWORK_RECIPE_PAGES": ("recipe_pages", switch),
    "GROUNDWORK_VOCABULARY_URL": ("vocabulary_url", web_address),
    "GROUNDWORK_BASE_SET": ("base_set", switch),
    "GROUNDWORK_TRUSTED_HEADER": ("trusted_header", plain_text),
    "GROUNDWORK_ORCID_CLAIM": ("orcid_claim", plain_text),
    "GROUNDWORK_OPEN_TO_ANYONE": ("open_to_anyone", switch),
    "GROUNDWORK_LOG": ("log", log_format),
    "GROUNDWORK_CACHE": ("cache", lambda v: Path(str(v)).expanduser().resolve()),
}
EDITABLE: dict[str, Callable[[Any], Any]] = {
    "project_name": plain_text,
    "model": plain_text,
    "model_extraction": plain_text,
    "model_answers": plain_text,
    "model_keywords": plain_text,
    "model_interpretation": plain_text,
    "model_support": plain_text,
    "embedding_model": plain_text,
    "base_iri": base_iri,
    "model_timeout": number_between(1, 3600),
    "model_silence": number_between(1, 3600),
    "model_parallel": count_between(1, 64),
    "model_per_minute": count_between(0, 100_000),
    "model_retries": count_between(0, 10),
    "max_calls": count_between(1, 100_000),
    "max_tokens": count_between(0, 200_000),
    "job_threads": count_between(1, 64),
    "prices": model_prices,
    "contexts": context_lengths,
    "batch_shares": batch_shares,
}
ENVIRONMENT |= {f"GROUNDWORK_{name.upper()}": (name, reader) for name, reader in EDITABLE.items()}
TOKEN, URL = "GROUNDWORK_TOKEN_", "GROUNDWORK_URL_"
MODEL_TASKS = {  # kinds of work that may have a model of their own
    "extraction": "Reading texts",
    "answers": "Answering from papers",
    "keywords": "Keywords of a question",
    "interpretation": "Gene questions and web APIs",
    "support": "Judging what texts say, when you ask for it",
}


def load_settings(
    project: Path | None = None, environ: Mapping[str, str] | None = None, *, file: bool = True
) -> Settings:
    """The settings of `project` (default: GROUNDWORK_PROJECT, else ./project), with
    what its file sets unless `file` is False.

    `environ` holds more variables, such as Streamlit secrets; the process's environment goes before
    them. Raises SettingsError that names the variable, or the key and the file.
    """
    variables = {**(environ or {}), **os.environ}
    folder = (
        Path(project or variables.get("GROUNDWORK_PROJECT") or "project").expanduser().resolve()
    )
    settings = Settings(folder)
    settings = replace(settings, **settings_of_file(folder / "project.toml") if file else {})
    settings = replace(settings, **_from_environment(variables))
    return replace(
        settings, ncbi_interval=_polite(settings, "GROUNDWORK_NCBI_INTERVAL" in variables)
    )


def child_environment(settings: Settings) -> dict[str, str]:
    """The environment of a process that works on the project beside this one; what this process
    was given as Streamlit secrets goes along, and it finds `core` wherever it is started.
    """
    variables = {
        "OPENAI_API_KEY": str(settings.openai_api_key),
        "OPENAI_BASE_URL": settings.openai_base_url,
        "GROUNDWORK_DATABASE_URL": str(settings.database_url),
    }
    if settings.nanopub_key:
        variables["GROUNDWORK_NANOPUB_KEY"] = str(settings.nanopub_key)
    for endpoint in settings.endpoints.values():
        key, url = endpoint.variables
        variables |= {key: endpoint.key, url: endpoint.url}
    own = {name: value for name, value in os.environ.items() if name != "GROUNDWORK_DATABASE_URL"}
    path = os.pathsep.join(filter(None, (str(CODE), own.get("PYTHONPATH"))))
    return {**own, **{name: value for name, value in variables.items() if value}} | {
        "PYTHONPATH": path
    }


def in_environment(name: str, environ: Mapping[str, str] | None = None) -> bool:
    """Whether the environment sets what EDITABLE calls `name`."""
    return bool({**(environ or {}), **os.environ}.get(f"GROUNDWORK_{name.upper()}"))


def _from_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable, (name, reader) in ENVIRONMENT.items():
        if (value := variables.get(variable)) not in (None, ""):
            values[name] = _checked(reader, value, f"The environment variable {variable}")
    tokens = {k.removeprefix(TOKEN): Secret(v) for k, v in _set(variables, TOKEN)}
    urls = {
        k.removeprefix(URL): _checked(web_address, v, f"The environment variable {k}")
        for k, v in _set(variables, URL)
    }
    return values | {"tokens": tokens, "api_urls": urls, "endpoints": _endpoints(variables)}


def _endpoints(variables: Mapping[str, str]) -> dict[str, Connection]:
    """The endpoints that the operator named, with addresses that are checked."""
    try:
        connections = connections_in(variables)
    except ValueError as error:
        raise SettingsError(f"{error}.", "See the operator's guide, Models.") from error
    return {
        name: replace(
            connection,
            url=_checked(web_address, connection.url, f"The variable {connection.variables[1]}"),
        )
        for name, connection in connections.items()
    }


def _set(variables: Mapping[str, str], prefix: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in variables.items() if name.startswith(prefix) and value]


def settings_of_file(path: Path) -> dict[str, Any]:
    """What a project's file sets. Raises SettingsError that names the key and the file."""
    values = {}
    for name, value in read_project_file(path).items():
        if name in EDITABLE:
            values[name] = _checked(EDITABLE[name], value, f"The setting {name} in {path}")
        elif name in _FIELDS:
            raise SettingsError(
                f"{path} sets {name}, which only the environment may set.",
                "Remove the line and set the variable.",
            )
    return values


def save_settings(settings: Settings, changes: Mapping[str, Any]) -> None:
    """Write `changes` (names of EDITABLE; None removes one) into the project's `project.toml`,
    keeping the rest.
    """
    path = settings.project / "project.toml"
    values = read_project_file(path)
    for name, value in changes.items():
        if name not in EDITABLE:
            raise SettingsError(
                f"{name} cannot be set in a project.",
                "Keys and addresses come from the environment.",
            )
        if value is None:
            values.pop(name, None)
        else:
            values[name] = _checked(EDITABLE[name], value, f"The setting {name}")
    write_project_file(path, to_toml(values))


def _checked(reader: Callable[[Any], Any], value: Any, where: str) -> Any:
    try:
        return reader(value)
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        starts_as_sentence = re.match(
            r"must|of|names", str(error)
        )  # by `setting_values`, which goes on
        number = re.match(r"could not convert|invalid literal", str(error))  # by Python
        words = " is not a number" if number else f" cannot be read: {error}"
        raise SettingsError(f"{where}{f' {error}' if starts_as_sentence else words}.") from error


def _polite(settings: Settings, set_by_operator: bool) -> float:
    """Seconds between requests to NCBI: never below the polite minimum, except at addresses of
    one's own.
    """
    minimum = POLITE_NCBI_KEY if settings.ncbi_api_key else POLITE_NCBI
    if not set_by_operator:
        return minimum
    return settings.ncbi_interval if settings.own_ncbi else max(settings.ncbi_interval, minimum)


_FIELDS = {setting_field.name for setting_field in fields(Settings)}
