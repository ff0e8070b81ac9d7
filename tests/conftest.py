"""Fixtures that every room may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where it is absent."""
    hidden = "GROUNDWORK_TESTS_WITHOUT_SHARED" in os.environ  # set by tests/mutation.py
    if hidden or not (SHARED / "data").is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return SHARED
