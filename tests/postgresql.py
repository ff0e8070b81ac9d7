"""A PostgreSQL server for tests and benchmarks, from the programs that Debian installs."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BIN = next(
    (
        path
        for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if (path / "initdb").exists()
    ),
    None,
)
MISSING = BIN is None or importlib.util.find_spec("psycopg") is None


def _user() -> str | None:
    """initdb refuses root: the server then runs as another user."""
    if os.geteuid() != 0:
        return None
    return next(
        name for name in ("postgres", "nobody") if name in {user.pw_name for user in pwd.getpwall()}
    )


@contextmanager
def running_server() -> Iterator[str]:
    """A PostgreSQL of this run alone, on a free port of loopback: its address."""
    folder, user = Path(tempfile.mkdtemp(prefix="pg")), _user()
    if user:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    try:
        for command in (
            [
                f"{BIN}/initdb",
                "-D",
                f"{folder}/data",
                "-U",
                "desk",
                "-A",
                "trust",
                "--locale=C.UTF-8",
            ],
            [
                f"{BIN}/pg_ctl",
                "-D",
                f"{folder}/data",
                "-w",
                "-l",
                f"{folder}/log",
                "-o",
                options,
                "start",
            ],
        ):
            subprocess.run(
                command,
                user=user,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=folder,
            )
        yield f"postgresql+psycopg://desk@127.0.0.1:{port}/postgres"
    finally:
        stop = [f"{BIN}/pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop"]
        subprocess.run(stop, user=user, check=False, capture_output=True, cwd=folder)
        shutil.rmtree(folder, ignore_errors=True)
