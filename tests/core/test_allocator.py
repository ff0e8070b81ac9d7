"""Free memory goes back to the machine where the C library can be told so."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Pages of text come and go, and something small stays behind them each time.
KEPT = """
from pathlib import Path
from core.desk import give_memory_back
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
{first}
before = resident()
for _ in range(3):
    pages = [bytes(1_000_000) for _ in range(30)] + [bytes(n * 1000) for n in range(200)]
    small = bytes(200_000)
    del pages
print(resident() - before)
"""


def kept(first: str) -> int:
    """Bytes that a process holds after it let all of them go."""
    command = [sys.executable, "-c", KEPT.format(first=first)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no choice")
def test_a_process_gives_back_what_it_let_go() -> None:
    assert kept("give_memory_back()") < kept("") / 3
