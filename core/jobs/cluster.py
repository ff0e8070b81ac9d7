"""The way to a Dask scheduler that others run."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from core.errors import SettingsError, Unreachable


def connect(address: str, timeout: float = 10.0) -> Any:
    """A client of the scheduler at `address`. Raises SettingsError when dask is not installed,
    Unreachable.
    """
    try:
        client = import_module("dask.distributed").Client
    except ImportError as error:
        raise SettingsError(
            "A scheduler is configured, but dask is not installed.",
            "pip install 'dask[distributed]', or unset it.",
        ) from error
    try:
        return client(address, timeout=timeout)
    except (OSError, TimeoutError) as error:
        raise Unreachable(
            f"The scheduler at {address} does not answer.",
            "Start it, or unset GROUNDWORK_SCHEDULER.",
        ) from error
