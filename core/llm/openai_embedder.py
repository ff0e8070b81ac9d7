"""Vectors of texts from any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadAnswer, SettingsError
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import DEFAULTS, OpenAICompleter


class OpenAIEmbedder:
    """An Embedder. Sends at most `batch` texts a request."""

    def __init__(self, model: str, options: EndpointOptions = DEFAULTS, *, batch: int = 128):
        if not model:
            raise SettingsError("No embedding model is chosen.", "Set GROUNDWORK_EMBEDDING_MODEL.")
        self._completer = OpenAICompleter(model, options)
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
        nonempty_texts = [text if text.strip() else " . " for text in texts]
        vectors = self._completer.embeddings(nonempty_texts)
        if len(vectors) != len(nonempty_texts) or len({len(vector) for vector in vectors}) > 1:
            raise BadAnswer(
                f"The embedding model {self.model} gave {len(vectors)} vectors for"
                f" {len(nonempty_texts)} texts."
            )
        return vectors
