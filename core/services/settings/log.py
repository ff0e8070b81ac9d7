"""The log of the app: what it says, as text or as one JSON object a line, never a secret.

With `GROUNDWORK_LOG=json` each line has time, level, logger and message, and what a message is
about under its own name (`job`, `work`, `seconds`), so that a collector can count without reading
sentences.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime

from core.settings import Settings
from core.web.request import mask_secrets

JSON = "json"
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


_PASSWORD = re.compile(r"(://[^\s:/@]*:)[^\s@/]+@")  # of an address: ://anna:secret@


class _TextLines(logging.Formatter):
    """Lines of text; the settings' secrets, and passwords in addresses, are stars."""

    def __init__(self, secrets: tuple[str, ...]):
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self.secrets = secrets

    def masked(self, words: str) -> str:
        return _PASSWORD.sub(r"\1***@", mask_secrets(words, self.secrets))

    def format(self, record: logging.LogRecord) -> str:
        return self.masked(super().format(record))


class _JsonLines(_TextLines):
    """The same as JSON, an object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.masked(record.getMessage()),
        }
        line |= {
            name: self.masked(value) if isinstance(value, str) else value
            for name, value in vars(record).items()
            if name not in _USUAL
        }
        if record.exc_info:
            line["error"] = self.masked(self.formatException(record.exc_info))
        return self.masked(json.dumps(line, ensure_ascii=False, default=str))


def start_log(settings: Settings) -> None:
    """Write what `core` logs as the settings say. Called again, the last settings count."""
    logger = logging.getLogger("core")
    for handler in [
        handler for handler in logger.handlers if isinstance(handler.formatter, _TextLines)
    ]:
        logger.removeHandler(handler)
    is_json = settings.log == JSON
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter((_JsonLines if is_json else _TextLines)(settings.secrets))
    logger.addHandler(handler)
    logger.propagate = not is_json
    if is_json:
        logger.setLevel(logging.INFO)
