"""Projects: open another, make one, rename this one, back it up, restore one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.home import projects
from core.services.home.projects import BackupFile, ProjectEntry
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.page import (
    acting_orcid,
    begin_page,
    curator_orcid,
    plain_secrets,
    reopen_desks,
    use_project,
)
from pages.components.shared.problem import show_error

TITLE, NEW, RESTORED, FILE, JOB = (
    "project·title",
    "project·new",
    "project·restored",
    "project·file",
    "project·backup",
)
LARGEST = 2_000  # megabytes of a backup that is uploaded

desk: Desk = begin_page("Projects")


def size_words(count: int) -> str:
    """`1.4 MB`, of bytes."""
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.0f} kB"


def open_project_row(name: str) -> None:
    try:
        entry = projects.open_folder(desk.settings, name, plain_secrets())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    enter_project(entry)
    state.show_message(f"You are in {entry.title}.")


def enter_project(entry: ProjectEntry) -> None:
    """Go on in another project: what stood in the boxes was meant for the one before."""
    use_project(entry.folder)
    state.put(TITLE, entry.title)
    state.put(NEW, "")
    state.put(RESTORED, "")


def make_project_form() -> None:
    try:
        acting_orcid(desk)
        entry = projects.make_project(desk.settings, str(state.get(NEW, "")), plain_secrets())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    enter_project(entry)
    state.show_message(f"{entry.title} was created and is open now.")


def rename_form() -> None:
    try:
        projects.rename_project(desk, str(state.get(TITLE, "")), curator_orcid())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    reopen_desks()
    state.show_message("Renamed.")


def backup_form() -> None:
    try:
        job = projects.start_backup(desk, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(JOB, job.id)


def restore_form(backup_path: Path | None) -> None:
    """Restore a kept backup, or what was uploaded."""
    uploaded = state.get(FILE)
    title = str(state.get(RESTORED, ""))
    try:
        acting_orcid(desk)
        if backup_path is not None:
            entry = projects.restore_project(desk.settings, backup_path, title, plain_secrets())
        elif uploaded is not None:
            entry = _uploaded(uploaded.getvalue(), uploaded.name, title)
        else:
            return
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    enter_project(entry)
    state.show_message(f"{entry.title} was restored and is open now.")


def _uploaded(content: bytes, name: str, title: str) -> ProjectEntry:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(name).name[-100:] or "backup.tar.gz")
        path.write_bytes(content)
        return projects.restore_project(desk.settings, path, title, plain_secrets())


def project_list() -> None:
    for entry in projects.list_projects(desk.settings):
        is_open = entry.folder == desk.folder
        with st.container(border=True):
            title_column, act = st.columns([5, 1], vertical_alignment="center")
            title_column.text(entry.title + (" (you are here)" if is_open else ""))
            when = f"changed {entry.changed.replace('T', ' ')[:16]} UTC" if entry.changed else ""
            facts = [entry.name, when, size_words(entry.size) if entry.size else ""]
            if entry.example:
                facts.append("for trying things out: your own projects are not touched")
            title_column.caption(" · ".join(filter(None, facts)))
            act.button(
                "Open",
                key=f"open·{entry.name}",
                disabled=is_open,
                on_click=open_project_row,
                args=(entry.name,),
                width="stretch",
            )


def backup_row(backup_file: BackupFile) -> None:
    name, save = st.columns([2, 1], vertical_alignment="center")
    name.text(f"{backup_file.path.name} · {size_words(backup_file.size)}")
    save.download_button(
        "Download",
        data=backup_file.path.read_bytes,
        file_name=backup_file.path.name,
        key=f"download·{backup_file.path.name}",
        on_click="ignore",
        width="stretch",
    )


def this_project() -> None:
    st.markdown("#### This project")
    with st.form("rename", border=False):
        name, act = st.columns([3, 1], vertical_alignment="bottom")
        name.text_input(
            "Name", desk.settings.project_name or desk.folder.name, key=TITLE, max_chars=200
        )
        act.form_submit_button("Rename", on_click=rename_form, width="stretch")
    st.button(
        "Back up now",
        icon=":material/archive:",
        on_click=backup_form,
        help=(
            "The whole project in one file; others can keep working while it is written. It is"
            " stored in the project's folder; download it to keep a copy elsewhere."
        ),
    )
    if job := str(state.get(JOB, "")):
        job_panel(desk, job, "Backing up")
    backup_files = projects.kept_backups(desk.settings)
    for backup_file in backup_files[:5]:
        backup_row(backup_file)
    if len(backup_files) > 5:
        st.caption(f"The newest 5 of {len(backup_files)}.")


def new_project() -> None:
    st.markdown("#### New project")
    with st.form("new", border=False):
        name, act = st.columns([3, 1], vertical_alignment="bottom")
        name.text_input("Name of the new project", key=NEW, max_chars=100)
        act.form_submit_button(
            "Create", type="primary", on_click=make_project_form, width="stretch"
        )


def from_backup() -> None:
    st.markdown("#### Restore a backup")
    backup_files = projects.kept_backups(desk.settings)
    names = ["a file from this computer", *(backup_file.path.name for backup_file in backup_files)]
    source = st.selectbox("Backup", names, key="project·source", label_visibility="collapsed")
    if source == names[0]:
        st.file_uploader(
            "Backup file",
            type=["gz", "tgz", "tar"],
            key=FILE,
            max_upload_size=LARGEST,
            label_visibility="collapsed",
        )
    chosen = next(
        (backup_file.path for backup_file in backup_files if backup_file.path.name == source), None
    )
    name, act = st.columns([3, 1], vertical_alignment="bottom")
    name.text_input("Name of the restored project", key=RESTORED, max_chars=100)
    act.button(
        "Restore",
        on_click=restore_form,
        args=(chosen,),
        disabled=chosen is None and state.get(FILE) is None,
        help="As a new project; this one stays as it is.",
        width="stretch",
    )


try:
    left, right = st.columns([3, 2], gap="large")
    with left:
        project_list()
    with right:
        this_project()
        new_project()
        from_backup()
except GroundworkError as error:
    show_error(error)
