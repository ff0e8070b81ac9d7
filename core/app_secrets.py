"""Streamlit's secrets file: what the operator wrote into it, and one that was misnamed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from core.errors import SettingsError
from core.settings import CODE

MISNAMED = re.compile(r"secrets?(\.toml)?(\.(txt|rtf|toml|docx))?")
SECRETS = Path(".streamlit") / "secrets.toml"
SECRETS_FORM = (
    'Each line is NAME="value", with straight quotes (" and not “ ”), in a plain text file. Then'
    " restart the app."
)


def app_secrets(file: Path | None = None) -> dict[str, str]:
    """What the operator wrote for the app into Streamlit's secrets, so that the command line and a
    worker beside the app know the same endpoints; plain values only, as the app takes them: from
    `file`, or as Streamlit does from the current folder and then from the app's, which goes first.
    Raises SettingsError for a file that is not TOML.
    """
    if file is None:
        return app_secrets(Path.cwd() / SECRETS) | app_secrets(CODE / SECRETS)
    try:
        secrets = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError:
        return {}
    except ValueError as error:
        raise SettingsError(f"{file} cannot be read: {error}.", SECRETS_FORM) from error
    return {
        name: str(value) for name, value in secrets.items() if not isinstance(value, dict | list)
    }


def misnamed_secrets(folder: Path = CODE) -> str:
    """A file beside which the app looks for its secrets in vain, such as secrets.toml.txt, relative
    to the app's folder; "" where there is none.
    """
    if (folder / ".streamlit" / "secrets.toml").is_file():
        return ""
    near = [
        path for place in (".streamlit", "streamlit", ".") for path in (folder / place).glob("*")
    ]
    wrong = (path for path in near if path.is_file() and MISNAMED.fullmatch(path.name.casefold()))
    return next((str(path.relative_to(folder)) for path in sorted(wrong)), "")
