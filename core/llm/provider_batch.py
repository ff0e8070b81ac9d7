"""The batch interface of an endpoint (`/files`, `/batches`): many requests handed over at once and
answered within a day, as a rule at half the price.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from core.errors import BadAnswer, NotServed, RemoteError, SettingsError
from core.llm.completer import Completer, Reply, Request
from core.llm.fault import ErrorInAnswer, explain_status, translate_error
from core.llm.openai_client import OpenAICompleter
from core.llm.refusal import was_refused
from core.model import Json

WINDOW = "24h"  # the only one that endpoints offer
PATH = "/v1/chat/completions"
MOST_REQUESTS = 1_000_000  # of a batch; no interface takes as many
LOOKED_AT = 50  # newest batches, when one that was begun is looked for
GOING = ("validating", "in_progress", "finalizing", "cancelling")
ENDED = ("completed", "failed", "expired", "cancelled")
SHOWN = 40  # characters of a state that no interface knows

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class SubmittedBatch:
    """A batch as its endpoint tells of it. `files` hold answers and refusals, once it is over."""

    id: str
    status: str
    done: int = 0
    failed: int = 0
    total: int = 0
    files: tuple[str, ...] = ()
    why: str = ""

    @property
    def going(self) -> bool:
        return self.status in GOING

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def answered(self) -> bool:
        """Whether it came to an end of its own, with answers to fetch."""
        return self.status == "completed" or (self.ended and bool(self.files))

    @property
    def unprocessed(self) -> int:
        """The requests that it may have left without an answer or a refusal."""
        if self.status == "completed":
            return 0
        return max(0, self.total - self.done - self.failed) if self.total else MOST_REQUESTS


class ProviderBatches:
    """Hands requests over to the endpoint of a completer. Methods raise the RemoteError tree."""

    def __init__(self, completer: Completer):
        """Raises SettingsError for a completer that is no endpoint."""
        if not isinstance(completer, OpenAICompleter):
            raise SettingsError(
                "This model's endpoint has no batch interface.", "Read the texts one by one."
            )
        self._completer = completer

    def submit(self, requests: Mapping[str, Request], mark: str) -> str:
        """Hand requests over, each under a name of its own (64 characters at the most); the batch's
        id. `mark` is by which `find` knows it again.
        """
        lines = [
            {
                "custom_id": name,
                "method": "POST",
                "url": PATH,
                "body": self._completer.body(request),
            }
            for name, request in requests.items()
        ]
        request_lines = "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in lines
        ).encode()
        try:
            return self._submitted(request_lines, mark)
        except BadAnswer as error:
            if was_refused(error):
                status = getattr(error.__cause__, "status_code", "")
                raise NotServed(
                    f"The endpoint of {self._completer.model} takes no batches ({status}).",
                    "Run it without the batch interface.",
                ) from error
            raise

    def _submitted(self, request_lines: bytes, mark: str) -> str:
        with self._translated():
            client = self._completer.opened()
            file = client.files.create(file=("requests.jsonl", request_lines), purpose="batch")
            batch = client.batches.create(
                input_file_id=_id_of(file),
                endpoint=PATH,
                completion_window=WINDOW,
                metadata={"groundwork": mark},
            )
            return _id_of(batch)

    def find(self, mark: str) -> str:
        """The batch that was handed over with this mark, "" where there is none to be seen: not
        every endpoint lists them.
        """
        try:
            listed = self._asked(lambda client: client.batches.list(limit=LOOKED_AT).data)
        except RemoteError as error:
            if was_refused(error):
                return ""
            raise
        for batch in listed or ():
            marks = getattr(batch, "metadata", None)
            if isinstance(marks, dict) and marks.get("groundwork") == mark:
                return _id_of(batch)
        return ""

    def state(self, id: str) -> SubmittedBatch:
        return self._asked(lambda client: _state(id, client.batches.retrieve(id)))

    def cancel(self, id: str) -> None:
        with self._translated():
            self._completer.opened().batches.cancel(id)

    def replies(
        self, state: SubmittedBatch, requests: Mapping[str, Request]
    ) -> Iterator[tuple[str, Reply | RemoteError]]:
        """What came back, by the names of the requests; names that were not asked are passed
        over, and files that the endpoint does not have.
        """
        for file in state.files:
            for line in self._lines(file):
                name, body, status = _line(line)
                if name in requests:
                    yield name, self._reply(body, status, requests[name])

    def _lines(self, file: str) -> list[bytes]:
        try:
            return self._asked(
                lambda client: bytes(client.files.content(file).content).splitlines()
            )
        except RemoteError as error:
            if was_refused(error):
                return []
            raise

    def _reply(self, body: Json, status: int, request: Request) -> Reply | RemoteError:
        completer = self._completer
        if status != 200:
            error_body = body.get("error") if isinstance(body, dict) else None
            told_error = ErrorInAnswer.of(error_body or body, status)
            words = [message.content for message in request.messages]
            return explain_status(
                told_error,
                completer.model,
                completer.secrets,
                prompts=words,
                variables=completer.options.variables,
            )
        try:
            return completer.reply_in(body, request)
        except RemoteError as error:
            return error
        except (ValueError, AttributeError, TypeError, RecursionError):
            return BadAnswer(f"The model {completer.model} gave no answer.", "Run it again.")

    def _asked(self, ask: Callable[[Any], Found]) -> Found:
        """What the endpoint tells, asked again after trouble that may pass."""

        def once() -> Found:
            with self._translated():
                return ask(self._completer.opened())

        return self._completer.patiently(once)

    def _translated(self) -> Any:
        completer = self._completer
        return translate_error(
            completer.model, completer.secrets, variables=completer.options.variables
        )


def _line(line: bytes) -> tuple[str, Json, int]:
    """The name, the body and the status of a line of answers."""
    try:
        row = json.loads(line)
        answer = row.get("response") or {}
        body = answer.get("body") if answer else {"error": row.get("error")}
        return str(row.get("custom_id")), body, int(answer.get("status_code") or 500)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return "", None, 500


def _id_of(made: Any) -> str:
    """The id of a file or a batch. Raises ValueError where the endpoint gave none."""
    if not isinstance(made.id, str) or not made.id:
        raise ValueError("no id")
    return made.id


def _state(id: str, batch: Any) -> SubmittedBatch:
    counts = getattr(batch, "request_counts", None)
    files = (getattr(batch, name, None) for name in ("output_file_id", "error_file_id"))
    return SubmittedBatch(
        id,
        _plain(batch.status)[:SHOWN],
        done=_count(getattr(counts, "completed", 0)),
        failed=_count(getattr(counts, "failed", 0)),
        total=_count(getattr(counts, "total", 0)),
        files=tuple(file for file in files if file and isinstance(file, str)),
        why=_why(batch),
    )


def _count(number: Any) -> int:
    return number if isinstance(number, int) and 0 <= number <= MOST_REQUESTS else 0


def _plain(word: Any) -> str:
    """A word of the endpoint as it may be shown: without markup."""
    return re.sub(r"[^\w .:-]", "", str(word or ""))


def _why(batch: Any) -> str:
    """The endpoint's own reason why a batch failed, one short line."""
    errors = getattr(getattr(batch, "errors", None), "data", None)
    codes = [getattr(error, "code", "") for error in errors] if isinstance(errors, list) else []
    return ", ".join(dict.fromkeys(filter(None, map(_plain, codes))))[:160]
