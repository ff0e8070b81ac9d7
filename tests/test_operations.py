"""The files that operators copy: they are well formed, and what they start really runs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml

from core.settings import ENVIRONMENT

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "operations"
UNITS = sorted(FOLDER.glob("*.service"))
PLACE, PORT = "/opt/groundwork", "8501"  # in the files
SETTINGS = {"GROUNDWORK_PROJECT", *ENVIRONMENT}
TEXT, WORDS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
SPAN = {"type": "string", "pattern": r"^\d+(ms|s|m|h)$"}


def only(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The JSON schema of an object with these keys and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False} | more


# What https://github.com/compose-spec/compose-spec/blob/main/schema/compose-spec.json says of the
# keys in use
SERVICE = only(
    {
        "image": {"type": "string", "pattern": r"^[a-z0-9./-]+:[\w.-]+$"},
        "command": TEXT,
        "working_dir": {"type": "string", "pattern": "^/"},
        "environment": {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
        "env_file": WORDS,
        "volumes": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[^:]+:/[^:]+(:ro)?$"},
        },
        "ports": {
            "type": "array",
            "items": {"type": "string", "pattern": r"^127\.0\.0\.1:\d+:\d+$"},
        },
        "mem_limit": {"type": "string", "pattern": r"^\d+(b|k|m|g|kb|mb|gb)$"},
        "restart": {"enum": ["no", "always", "on-failure", "unless-stopped"]},
        "depends_on": {
            "type": "object",
            "additionalProperties": only(
                {"condition": {"enum": ["service_started", "service_healthy"]}},
                required=["condition"],
            ),
        },
        "healthcheck": only(
            {
                "test": WORDS,
                "interval": SPAN,
                "start_period": SPAN,
                "retries": {"type": "integer"},
                "disable": {"type": "boolean"},
            }
        ),
    },
    required=["image"],
)
COMPOSE = only(
    {
        "services": {"type": "object", "additionalProperties": SERVICE},
        "volumes": {"type": "object", "additionalProperties": only({})},
    }
)


def unit(path: Path) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    text = path.read_text("utf-8")
    parser.read_string(text)
    return parser


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
    return read


def started(name: str) -> list[str]:
    """The words that a container's shell runs once its packages are installed."""
    shell, option, script = shlex.split(compose()["services"][name]["command"])
    assert (shell, option) == ("sh", "-c")
    install, _, command = script.partition("&&")
    files = re.findall(r"-r (\S+)", install)
    assert files and all((ROOT / file).is_file() for file in files)
    return shlex.split(command)


@contextmanager
def running(command: list[str], project: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command of a file, in this checkout and at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    here = {"streamlit": [sys.executable, "-m", "streamlit"], "python": [sys.executable]}
    words = [str(port) if word == PORT else word for word in command]
    words = [*here[Path(words[0]).name], *words[1:]]
    own = {name: value for name, value in os.environ.items() if name not in ENVIRONMENT}
    own |= {"GROUNDWORK_PROJECT": str(project), "GROUNDWORK_BASE_SET": "off"}
    child = subprocess.Popen(words, cwd=ROOT, env=own, stderr=subprocess.PIPE, text=True)
    try:
        yield child, port
    finally:
        child.kill()
        child.wait()


def answers(port: int) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError):
            return bool(urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).status == 200)
    return False


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong_with_a_unit(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    for other in UNITS:  # one names the other
        text = other.read_text("utf-8").replace(f"{PLACE}/.venv/bin/", "/bin/")
        text = text.replace("/bin/streamlit ", "/bin/true ").replace("/bin/python ", "/bin/true ")
        (tmp_path / other.name).write_text(text, "utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / path.name)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    ours = [line for line in verified.stderr.splitlines() if "groundwork" in line]
    assert (verified.returncode, ours) == (0, [])


def test_both_units_keep_to_one_folder_and_one_pace() -> None:
    desk, worker = (
        unit(FOLDER / f"{name}.service") for name in ("groundwork", "groundwork-worker")
    )
    for key in ("User", "WorkingDirectory", "Environment", "EnvironmentFile", "StateDirectory"):
        assert desk["Service"][key] == worker["Service"][key]
    assert worker["Unit"]["JoinsNamespaceOf"] == "groundwork.service"
    written = f"/var/lib/{desk['Service']['StateDirectory']}/"
    for setting in shlex.split(desk["Service"]["Environment"]):
        name, _, value = setting.partition("=")
        assert name in SETTINGS
        assert value.startswith(written)  # nothing else can be written there


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_has_no_devices_and_no_rights_of_root(path: Path) -> None:
    service = unit(path)["Service"]
    assert service["PrivateDevices"] == "yes"
    assert service["CapabilityBoundingSet"] == ""  # empty: none at all
    assert service["User"] != "root"


def test_the_audit_of_packages_fails_where_it_could_not_look() -> None:
    assert re.search(
        r"`[^`]*pip-audit -r [^`]* --strict`",
        (ROOT / "docs" / "release-checklist.md").read_text("utf-8"),
    )


def test_the_compose_file_holds_together() -> None:
    read = compose()
    jsonschema.validate(read, COMPOSE)
    services, volumes = read["services"], read["volumes"]
    for name, service in services.items():
        assert "mem_limit" in service, name
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source in volumes or (FOLDER / source).resolve() == ROOT
    for name in ("desk", "worker"):
        settings = services[name]["environment"]
        assert {key for key in settings if key.startswith("GROUNDWORK_")} <= SETTINGS
        mounted = [volume.split(":")[1] for volume in services[name]["volumes"]]
        for key in ("GROUNDWORK_PROJECT", "GROUNDWORK_CACHE"):
            assert Path(settings[key]).parent.as_posix() in mounted
    assert services["desk"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]


@pytest.mark.parametrize("place", ["groundwork.service", "compose.yaml"])
def test_the_desk_of_a_file_answers(place: str, tmp_path: Path) -> None:
    files = place.endswith(".service")
    command = (
        shlex.split(unit(FOLDER / place)["Service"]["ExecStart"]) if files else started("desk")
    )
    command = ["127.0.0.1" if word == "0.0.0.0" else word for word in command]
    with running(command, tmp_path) as (_, port):
        assert answers(port)
        if not files:
            _, python, *check = compose()["services"]["desk"]["healthcheck"]["test"]
            assert python == "python"
            words = [word.replace(PORT, str(port)) for word in check]
            assert subprocess.run([sys.executable, *words], check=False).returncode == 0


@pytest.mark.parametrize("place", ["groundwork-worker.service", "compose.yaml"])
def test_the_worker_of_a_file_waits_for_work(place: str, tmp_path: Path) -> None:
    files = place.endswith(".service")
    command = (
        shlex.split(unit(FOLDER / place)["Service"]["ExecStart"]) if files else started("worker")
    )
    with running(command, tmp_path) as (child, _):
        assert child.stderr is not None
        assert "waiting for work" in child.stderr.readline()
