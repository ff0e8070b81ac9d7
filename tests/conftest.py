"""Fixtures that every room may use."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
LONG = {"reproduction", "test_style.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes begins first, so that no worker ends long after the others."""
    items.sort(key=lambda item: not LONG.intersection((item.path.name, item.path.parent.name)))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where it is absent."""
    hidden = "GROUNDWORK_TESTS_WITHOUT_SHARED" in os.environ  # set by tests/mutation.py
    if hidden or not (SHARED / "data").is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _small_vocabularies() -> Iterator[None]:
    """Projects of tests have the example starters only: small, and the same on every machine. Tests
    of the base set switch it on; its indexes are kept between runs.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "GROUNDWORK_BASE_SET" not in os.environ:
            patch.setenv("GROUNDWORK_BASE_SET", "off")
        patch.setenv("GROUNDWORK_CACHE", str(Path(tempfile.gettempdir()) / "groundwork-tests"))
        yield
