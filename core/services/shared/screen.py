"""What every page needs: a desk opened from settings and secrets, where a CURIE leads, how to
count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from core.app_secrets import SECRETS_FORM, app_secrets
from core.collector_pause import leave_old_alone
from core.curie import web_link
from core.desk import Desk, open_desk
from core.desk_parts import HasStore
from core.errors import NotFound, SettingsError
from core.services.shared.log import start_log
from core.settings import NO_SECRET, Settings, load_settings
from core.text.count import counted

__all__ = [
    "check_database",
    "counted",
    "open_project",
    "project_folder",
    "web_link",
]


def project_folder(project: str, secrets: Mapping[str, str]) -> str:
    """The absolute folder of a project: "" is the configured one, else a name of a project beside
    it.

    Raises NotFound for a name that is no project there.
    """
    settings = load_settings(None, secrets)
    return str(
        project_beside(settings, project)
        if project and project != settings.project.name
        else settings.project
    )


def project_beside(settings: Settings, name: str) -> Path:
    """The project folder of that name beside the configured one. Raises NotFound for what is no
    project there: a name from an address is never taken as a path.
    """
    folder = settings.project.parent / name
    is_plain_name = re.fullmatch(r"[\w-][\w.-]*", name) is not None
    if not is_plain_name or not any(
        (folder / file).is_file() for file in ("groundwork.db", "project.toml")
    ):
        raise NotFound(
            f"There is no project called {name[:60]!r} next to this one.",
            "Open one on the home page.",
        )
    return folder


def settings_written(folder: Path) -> int:
    """When the settings of a project were last written; 0 where it has none of its own."""
    try:
        return (folder / "project.toml").stat().st_mtime_ns
    except OSError:
        return 0


def open_project(folder: str, secrets: Mapping[str, str]) -> Desk:
    """The desk of a project folder; `secrets` are Streamlit's, which the process's environment
    overrides.
    """
    settings, configured = load_settings(Path(folder), secrets), load_settings(None, secrets)
    if settings.project != configured.project:  # the database that is set is the configured one's
        settings = replace(settings, database_url=NO_SECRET)
    start_log(settings)
    leave_old_alone()
    return open_desk(settings, patient=False)


def check_secrets() -> None:
    """Of a secrets file that Streamlit could not read: raises SettingsError that says where it is
    wrong.
    """
    app_secrets()
    raise SettingsError("Streamlit's file secrets.toml cannot be read.", SECRETS_FORM)


def check_database(desk: HasStore) -> None:
    """Open the project's database, so that an error is shown before a page is drawn. Raises
    StoreError.
    """
    _ = desk.store
