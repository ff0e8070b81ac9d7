"""The log of the app: what it says, as text or as one JSON object a line, never a secret.

Text goes the way of Python's own logging. With `GROUNDWORK_LOG=json` each line has time, level,
logger and message, and what a message is about under its own name (`job`, `work`, `seconds`), so
that a collector can count without reading sentences.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from core.settings import Settings
from core.web.request import mask_secrets

JSON = "json"
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _JsonLines(logging.Formatter):
    """Lines of JSON; the settings' secrets are stars wherever they stand."""

    def __init__(self, secrets: tuple[str, ...]):
        super().__init__()
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return mask_secrets(json.dumps(line, ensure_ascii=False, default=str), self._secrets)


def start_log(settings: Settings) -> None:
    """Write what `core` logs as the settings say. Called again, the last settings count."""
    logger = logging.getLogger("core")
    for handler in [
        handler for handler in logger.handlers if isinstance(handler.formatter, _JsonLines)
    ]:
        logger.removeHandler(handler)
    logger.propagate = settings.log != JSON
    if settings.log == JSON:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_JsonLines(settings.secrets))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
