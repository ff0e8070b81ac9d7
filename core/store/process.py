"""Which process holds a job or a unit, and whether it is gone."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def worker_name(id: str) -> str:
    """The name of a worker in this process: `host/process/start/id`."""
    return f"{platform.node()}/{os.getpid()}/{_started(os.getpid())}/{id}"


def worker_is_gone(worker: str) -> bool:
    """Whether the worker's process was on this machine and is no longer there. False where that
    cannot be known: on another machine its heartbeat or lease tells.
    """
    parts = worker.split("/")
    if os.name != "posix" or len(parts) != 4 or not parts[1].isdecimal():
        return False
    if parts[0] != platform.node():
        return False
    process = int(parts[1])
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return _started(process) != parts[2]  # its number was given to another process


def _started(process: int) -> str:
    """When a process began, in ticks since the machine did; "" where the system does not say. A
    process that ended and is not yet collected began at `ended`.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "ended" if fields[0] == "Z" else fields[19]
