"""Vectors of texts from any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadAnswer, SettingsError
from core.llm.fault import VARIABLES
from core.llm.openai_client import OpenAICompleter


class OpenAIEmbedder:
    """An Embedder. Sends at most `batch` texts a request."""

    def __init__(
        self,
        model: str,
        api_key: str = "",
        base_url: str = "",
        *,
        timeout: float = 60.0,
        retries: int = 3,
        batch: int = 128,
        title: str = "",
        variables: tuple[str, str] = VARIABLES,
    ):
        if not model:
            raise SettingsError("No embedding model is named.", "Set GROUNDWORK_EMBEDDING_MODEL.")
        self._completer = OpenAICompleter(
            model,
            api_key,
            base_url,
            timeout=timeout,
            retries=retries,
            title=title,
            variables=variables,
        )
        self.batch = batch

    @property
    def model(self) -> str:
        return self._completer.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            vector
            for start in range(0, len(texts), self.batch)
            for vector in self._some(texts[start : start + self.batch])
        ]

    def _some(self, texts: Sequence[str]) -> list[list[float]]:
        given = [text if text.strip() else " . " for text in texts]
        found = self._completer.embeddings(given)
        if len(found) != len(given) or len({len(vector) for vector in found}) > 1:
            raise BadAnswer(
                f"The embedding model {self.model} gave {len(found)} vectors for {len(given)}"
                " texts."
            )
        return found
