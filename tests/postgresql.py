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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Server:
    """A PostgreSQL of this run alone, on a free port of loopback."""

    folder: Path
    port: int
    user: str | None

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://desk@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        loopback = "-c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        self._control("-w", "-l", f"{self.folder}/log", "-o",
                      f"-p {self.port} {loopback} -c fsync=off", "start")  # fmt: skip

    def stop(self) -> None:
        """As a machine that loses its power would, without a word to who is connected."""
        self._control("-m", "immediate", "stop")

    def initialise(self) -> None:
        self._run("initdb", "-U", "desk", "-A", "trust", "--locale=C.UTF-8")

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", *words)

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [f"{BIN}/{program}", "-D", f"{self.folder}/data", *words],
            user=self.user,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
        )


@contextmanager
def postgresql_server() -> Iterator[Server]:
    """A server that may be stopped and started meanwhile."""
    folder, user = Path(tempfile.mkdtemp(prefix="pg")), _user()
    if user:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = Server(folder, free.getsockname()[1], user)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):  # it is stopped
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_server() -> Iterator[str]:
    """A PostgreSQL of this run alone, on a free port of loopback: its address."""
    with postgresql_server() as server:
        yield server.url
