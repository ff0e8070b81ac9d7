"""The log of the app: what it says, as text or as one JSON object a line, never a secret.

With `GROUNDWORK_LOG=json` each line has time, level, logger and message, and what a message is
about under its own name (`job`, `work`, `seconds`), so that a collector can count without reading
sentences. Packages log too (urllib3 an address with its parameters, Streamlit a trace): their lines
are masked where they are made, whichever handler writes them.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

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


class _MaskedRecords:
    """Makes the records of every logger of this process: one that would tell a secret tells it no
    longer. A record without secrets stays as it is made, with its arguments.
    """

    def __init__(self, lines: _TextLines):
        self.lines = lines

    def __call__(self, *arguments: Any, **keywords: Any) -> logging.LogRecord:
        record = logging.LogRecord(*arguments, **keywords)
        with suppress(Exception):  # arguments that do not fit: the handler says so
            words = record.getMessage()
            if (masked := self.lines.masked(words)) != words:
                record.msg, record.args = masked, ()
            if record.exc_info:
                record.exc_text = self.lines.masked(self.lines.formatException(record.exc_info))
        return record


def start_log(settings: Settings) -> None:
    """Write what `core` logs as the settings say, and mask what is logged by anyone; as JSON also
    what packages warn of. Called again, the last settings count.
    """
    is_json = settings.log == JSON
    lines = (_JsonLines if is_json else _TextLines)(settings.secrets)
    logging.setLogRecordFactory(_MaskedRecords(lines))
    logger, every = logging.getLogger("core"), logging.getLogger()
    for place in (logger, every):
        for handler in [h for h in place.handlers if isinstance(h.formatter, _TextLines)]:
            place.removeHandler(handler)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(lines)
    logger.addHandler(handler)
    logger.propagate = not is_json
    if is_json:
        every.addHandler(handler)
        logger.setLevel(logging.INFO)
