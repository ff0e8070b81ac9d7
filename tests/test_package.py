"""The package: what its wheel holds, that it works where nothing else of ours is, and that the
files which build and test it elsewhere name what is there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email import message_from_bytes
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core import __version__
from core.settings import ENVIRONMENT

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "groundwork_desk"
HOLDS = ("app.py", "core", "pages", "schemas", ".streamlit", "requirements.txt")
EXAMPLE = Path("schemas") / "examples" / "chemical_disease.txt"
CURATOR = "0000-0002-1825-0097"
VOLUME = "/var/lib/groundwork"  # in the Dockerfile


def tracked(*places: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *places], cwd=ROOT, capture_output=True, check=True
    )
    names = listed.stdout.decode("utf-8").split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what git knows: nothing else that lies in a working folder comes in."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", ".", "--quiet", "--wheel-dir", str(folder)]
    options = ["--no-deps", "--no-index", "--no-build-isolation"]
    built = subprocess.run(
        command + options, cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr[-3000:]
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment with the wheel, and the packages that the tests have."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=True)
    packages = next(home.glob("lib/python*/site-packages"))
    others = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "others.pth").write_text("\n".join(sorted(others)), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    subprocess.run([*command, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    return home / "bin"


def site_folder(installed: Path) -> Path:
    return next(installed.parent.glob(f"lib/python*/site-packages/{FOLDER}"))


def own_environment(installed: Path, folder: Path) -> dict[str, str]:
    """Nothing of the tests' own: no path to the checkout, no setting."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {*ENVIRONMENT, "GROUNDWORK_PROJECT", "PYTHONPATH"}
    }
    return kept | {
        "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GROUNDWORK_BASE_SET": "off",
        "GROUNDWORK_CACHE": str(folder / "cache"),
    }


def groundwork(installed: Path, folder: Path, *words: str) -> str:
    """What the command prints, run in a folder elsewhere."""
    ran = subprocess.run(
        [str(installed / "groundwork"), *words],
        cwd=folder,
        env=own_environment(installed, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


def test_the_wheel_holds_every_file_of_the_app_in_one_folder(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert sorted(names) == sorted(f"{FOLDER}/{name}" for name in tracked(*HOLDS))


def test_the_wheel_names_its_version_and_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = message_from_bytes(archive.read(name))
    assert metadata["Version"] == __version__
    needs = [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert [str(need) for need in needs if need.marker is None] == [
        str(Requirement(line.partition("#")[0].strip())) for line in lines if line.strip()
    ]
    extras = {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert set(metadata.get_all("Provides-Extra", [])) == extras


def test_the_installed_command_leads_from_a_text_to_a_turtle_file(
    installed: Path, tmp_path: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in site_folder(installed).rglob("*")}
    text = str(site_folder(installed) / EXAMPLE)
    extract = ("extract", "--schema", "chemical_disease", "--input", text)
    draft = json.loads(groundwork(installed, tmp_path, *extract, "--send", "--curator", CURATOR))
    assert draft["statements"]
    lines = groundwork(installed, tmp_path, "statements", "--state", "proposed").splitlines()
    waiting = json.loads(lines[0])
    decide = ("decide", waiting["id"], "approve", "--version", str(waiting["version"]))
    groundwork(installed, tmp_path, *decide, "--curator", CURATOR)
    groundwork(installed, tmp_path, "export", "--format", "ttl", "--output", "kb.ttl")
    assert waiting["id"] in (tmp_path / "kb.ttl").read_text(encoding="utf-8")
    assert (tmp_path / "project" / "groundwork.db").is_file()
    assert {path: path.stat().st_mtime_ns for path in site_folder(installed).rglob("*")} == before


def test_the_installed_command_says_its_name_and_version(installed: Path, tmp_path: Path) -> None:
    assert groundwork(installed, tmp_path, "--version") == f"Groundwork {__version__}\n"
    assert groundwork(installed, tmp_path, "--help").startswith("usage: groundwork ")


def test_processes_of_an_installed_app_find_its_code(installed: Path, tmp_path: Path) -> None:
    """A worker of a job begins in whatever folder the app was started in; files are read in a
    child process of its own.
    """
    code = (
        "import subprocess, sys\n"
        "from groundwork_desk.core.launch import APP\n"
        "sys.path.insert(0, str(APP))\n"
        "from core.settings import child_environment, load_settings\n"
        "command = [sys.executable, '-m', 'core', '--version']\n"
        "sys.exit(subprocess.call(command, env=child_environment(load_settings())))\n"
    )
    started = subprocess.run(
        [str(installed / "python"), "-c", code],
        cwd=tmp_path,
        env=own_environment(installed, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.stdout == f"Groundwork {__version__}\n", started.stderr[-3000:]
    (tmp_path / "page.html").write_text("<h1>A title</h1><p>Words of a page.</p>", "utf-8")
    assert "Words of a page." in groundwork(installed, tmp_path, "read", "page.html")


def test_the_home_page_of_an_installed_app_opens(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from groundwork_desk.core.launch import APP\n"
        "sys.path.insert(0, str(APP))\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file(str(APP / 'app.py'), default_timeout=120).run()\n"
        "print([str(error.value) for error in app.exception], app.title[0].value)\n"
    )
    opened = subprocess.run(
        [str(installed / "python"), "-c", code],
        cwd=tmp_path,
        env=own_environment(installed, tmp_path) | {"GROUNDWORK_OPEN_TO_ANYONE": "on"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert opened.stdout == "[] Home\n", opened.stderr[-3000:]


def test_the_command_alone_starts_the_app_with_the_settings_that_it_brings(
    installed: Path, tmp_path: Path
) -> None:
    """Without them the app would listen on every address."""
    words = [str(installed / "groundwork"), f"--server.port={free_port()}"]
    environment = own_environment(installed, tmp_path)
    with serving(words, tmp_path, environment) as app:
        assert app.stdout is not None
        address = next(line for line in app.stdout if "URL" in line)
    assert f"http://127.0.0.1:{words[1].partition('=')[2]}" in address


# ---------------------------------------------------------------- the container


def dockerfile() -> list[tuple[str, str]]:
    """Instructions and what follows them, in order, without comments."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    instructions = re.sub(r"\\\n\s*", " ", lines).splitlines()
    words = [line.split(None, 1) for line in instructions if line.strip()]
    return [(name, rest) for name, rest in words]


def of_last_stage(name: str) -> list[str]:
    stages = [number for number, (word, _) in enumerate(dockerfile()) if word == "FROM"]
    return [rest for word, rest in dockerfile()[stages[-1] :] if word == name]


@contextmanager
def serving(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        command, cwd=folder, env=dict(environment), stdout=subprocess.PIPE, text=True
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def answers(port: int) -> bool:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with suppress(OSError):
            return bool(urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).status == 200)
    return False


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_the_app_of_the_dockerfile_starts_and_its_health_check_sees_it(
    installed: Path, tmp_path: Path
) -> None:
    port = str(free_port())
    [command], [check] = of_last_stage("CMD"), of_last_stage("HEALTHCHECK")
    words = [word.replace("8501", port) for word in json.loads(command)]
    words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]
    settings = dict(
        setting.split("=", 1) for line in of_last_stage("ENV") for setting in shlex.split(line)
    )
    assert settings["GROUNDWORK_PROJECT"].startswith(VOLUME + "/")
    own = {name: value.replace(VOLUME, str(tmp_path)) for name, value in settings.items()}
    environment = own_environment(installed, tmp_path) | own
    health = [word.replace("8501", port) for word in json.loads(check.partition("CMD ")[2])]
    with serving([str(installed / words[0]), *words[1:]], tmp_path, environment):
        assert answers(int(port))
        assert subprocess.run(health, env=environment, check=False).returncode == 0
    unheard = subprocess.run(health, env=environment, capture_output=True, check=False)
    assert unheard.returncode != 0


def test_the_container_is_no_root_and_keeps_the_project_on_a_volume() -> None:
    instructions = [name for name, _ in dockerfile()]
    assert set(instructions) <= {
        *("FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK"),
        "CMD",
    }
    [user], [volume] = of_last_stage("USER"), of_last_stage("VOLUME")
    assert user != "root" and f"useradd --create-home --home-dir {volume}" in " ".join(
        of_last_stage("RUN")
    )
    assert volume == VOLUME
    after = instructions[len(instructions) - instructions[::-1].index("USER") :]
    assert "RUN" not in after


def test_the_container_installs_this_package_at_the_pinned_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [install] = [line for line in of_last_stage("RUN") if "pip install" in line]
    words = shlex.split(install)
    wanted = Requirement(words[-1])
    assert wanted.name == project["project"]["name"]
    assert wanted.extras <= set(project["tool"]["setuptools"]["dynamic"]["optional-dependencies"])
    assert words[words.index("--constraint") + 1] == "/tmp/constraints.txt"
    copied = [line.split() for line in of_last_stage("COPY")]
    assert ["constraints.txt", "/tmp/constraints.txt"] in copied
    pinned = {
        canonicalize_name(Requirement(line).name)
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    }
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    named = [Requirement(line.partition("#")[0].strip()).name for line in lines if line.strip()]
    assert [name for name in named if canonicalize_name(name) not in pinned] == []


# ---------------------------------------------------------------- on GitHub


def test_the_workflow_runs_the_test_command_of_the_readme() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    workflow: dict[Any, Any] = yaml.safe_load(text)
    assert workflow[True].keys() == {"push", "pull_request"}  # YAML reads `on` as a truth value
    [job] = workflow["jobs"].values()
    assert [step.get("run") for step in job["steps"]][-1] == ".ci/run"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^ {4}(python3 .*pytest.*)$", readme, re.MULTILINE)
    assert command in script.replace("pip install -q ", "pip install ")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_citation_names_what_the_format_requires() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert cited["license"] == project["license"]
    assert "version" not in cited  # it stands in one place, core/__init__.py
