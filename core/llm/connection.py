"""Endpoints that the operator named, and what setting one up takes.

A model is written `gpt-4.1-mini`, or `llama3.1@ollama` where it is another endpoint's than the main
one. Only names that the operator gave are looked for after the last @, so names of models that
hold an @ stay whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MAIN = "main"  # the endpoint of OPENAI_API_KEY and OPENAI_BASE_URL
PREFIX = "GROUNDWORK_ENDPOINT_"
OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Connection:
    """An OpenAI-compatible endpoint. The key never shows itself; an empty `url` is OpenAI's own."""

    name: str
    url: str = ""
    key: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        return self.url or OPENAI

    @property
    def variables(self) -> tuple[str, str]:
        """The environment variables of its key and its address."""
        if self.name == MAIN:
            return "OPENAI_API_KEY", "OPENAI_BASE_URL"
        stem = PREFIX + self.name.upper().replace("-", "_")
        return f"{stem}_KEY", f"{stem}_URL"


@dataclass(frozen=True, slots=True)
class EndpointPreset:
    """A kind of endpoint that many have: its two lines of set-up, as TOML and the shell read them,
    and what to know about it.
    """

    name: str
    title: str
    lines: tuple[str, str]
    note: str


def _variables(name: str, url: str, key: str) -> tuple[str, str]:
    stem = PREFIX + name.upper()
    return f'{stem}_URL="{url}"', f'{stem}_KEY="{key}"'


PRESETS = (
    EndpointPreset(
        "openai",
        "OpenAI",
        ('OPENAI_API_KEY="sk-…"', 'GROUNDWORK_MODEL="gpt-4.1-mini"'),
        "Enforces a JSON Schema on answers; has tools, streaming and embeddings.",
    ),
    EndpointPreset(
        "azure",
        "Azure OpenAI",
        _variables("azure", "https://RESOURCE.openai.azure.com/openai/v1", "…"),
        "The /v1 address of the resource; a model is the name of its deployment. Its content filter"
        " may refuse medical texts.",
    ),
    EndpointPreset(
        "openrouter",
        "OpenRouter",
        _variables("openrouter", "https://openrouter.ai/api/v1", "sk-or-…"),
        "Reports prices and context lengths of its models. Not every model has tools or schemas.",
    ),
    EndpointPreset(
        "anthropic",
        "Anthropic, by its compatible address",
        _variables("anthropic", "https://api.anthropic.com/v1", "sk-ant-…"),
        "Has tools; it silently ignores a JSON Schema, so test the model: questions are then "
        "asked in words.",
    ),
    EndpointPreset(
        "ollama",
        "Ollama",
        _variables("ollama", "http://127.0.0.1:11434/v1", "none"),
        "Silently cuts prompts off beyond its context (4,096 tokens on cards below 24 GB): start"
        " it with OLLAMA_CONTEXT_LENGTH=32768, or let the test find the length.",
    ),
    EndpointPreset(
        "vllm",
        "vLLM",
        _variables("vllm", "http://127.0.0.1:8000/v1", "none"),
        "Reports its context length and enforces a JSON Schema on answers; tools need"
        " --enable-auto-tool-choice and the --tool-call-parser of the model.",
    ),
    EndpointPreset(
        "llamacpp",
        "llama.cpp",
        _variables("llamacpp", "http://127.0.0.1:8080/v1", "none"),
        "-c is its context length (by default the model's own, as memory allows); tools need"
        " --jinja, which newer builds have by default.",
    ),
)


def connections_in(variables: Mapping[str, str]) -> dict[str, Connection]:
    """The named endpoints of an environment, by name. Raises ValueError that names a variable which
    cannot be used.
    """
    parts_by_name: dict[str, dict[str, str]] = {}
    for variable, value in variables.items():
        if not variable.startswith(PREFIX) or not value.strip():
            continue
        stem, _, field = variable.removeprefix(PREFIX).rpartition("_")
        name = stem.casefold().replace("_", "-")
        if field not in ("URL", "KEY") or not name or name == MAIN:
            raise ValueError(f"{variable} must be {PREFIX}NAME_URL or {PREFIX}NAME_KEY")
        parts_by_name.setdefault(name, {})[field] = value.strip()
    for name, parts in parts_by_name.items():
        if "URL" not in parts:
            raise ValueError(f"{Connection(name).variables[1]} is missing: the endpoint needs it")
    return {
        name: Connection(name, parts["URL"], parts.get("KEY", ""))
        for name, parts in sorted(parts_by_name.items())
    }


def locate_model(
    model: str, connections: Mapping[str, Connection]
) -> tuple[str, Connection] | None:
    """The endpoint's own name of a model, and the endpoint; None where there is no endpoint. A
    model without one is the main endpoint's, or that of the only other.
    """
    words, at, name = model.rpartition("@")
    if at and words and name in connections:
        return words, connections[name]
    if not model or not connections:
        return None
    if MAIN in connections:
        return model, connections[MAIN]
    return (model, next(iter(connections.values()))) if len(connections) == 1 else None
