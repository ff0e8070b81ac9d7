"""A model that is not asked: the replay of a recorded run."""

from __future__ import annotations

from core.errors import NotFound
from core.llm.completer import OnText, Reply, Request


class AbsentCompleter:
    """The model of a recorded run that is replayed: nothing is asked, whatever model is configured
    now, or none.
    """

    def __init__(self, model: str):
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        raise NotFound(
            "This request is not in the record, and a replay asks no model.", "Run it again."
        )
