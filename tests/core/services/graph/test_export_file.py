"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import StoreError
from core.services.graph.export_file import replace_file


def full_disk():
    yield b"new"
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_old_file_whole_and_names_it(tmp_path):
    file = tmp_path / "kb.ttl"
    file.write_bytes(b"old")
    with pytest.raises(StoreError, match=r"kb\.ttl could .*: No space left") as failure:
        replace_file(file, full_disk())
    assert "Free some space" in str(failure.value.hint)
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["kb.ttl"]


def test_a_writer_that_fails_leaves_the_old_file_whole(tmp_path):
    file = tmp_path / "kb.ttl"
    file.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError):
        replace_file(file, (bytes([1 // 0]) for _ in range(1)))
    assert file.read_bytes() == b"old"


def test_a_whole_file_takes_the_old_ones_place(tmp_path):
    file = tmp_path / "kb.ttl"
    assert replace_file(file, [b"a", b"bc"]) == 3
    assert replace_file(file, [b"d"]) == 1
    assert file.read_bytes() == b"d"


def test_missing_folder_is_named_in_the_error(tmp_path):
    with pytest.raises(StoreError, match="nowhere"):
        replace_file(tmp_path / "nowhere" / "kb.ttl", [b"a"])


def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_bytes)
        assert replace_file(pipe, [b"a", b"bc"]) == 3
        assert read.result(10) == b"abc"
    assert pipe.is_fifo()


def test_a_link_stays_a_link(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "kb.ttl")
    replace_file(link, [b"a"])
    assert link.is_symlink() and (tmp_path / "kb.ttl").read_bytes() == b"a"


SLOW = """
import sys, time
from pathlib import Path
from core.services.graph.export_file import replace_file

def pieces():
    yield b"new" * 100_000
    print("under way", flush=True)
    time.sleep(600)

replace_file(Path(sys.argv[1]), pieces())
"""


@pytest.fixture
def writer(tmp_path):
    """Another process in the middle of writing kb.ttl, which was there before."""
    (tmp_path / "kb.ttl").write_bytes(b"old")
    command = [sys.executable, "-c", SLOW, str(tmp_path / "kb.ttl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"under way\n"
        yield process
        process.kill()


def test_kill_9_leaves_the_old_file_whole_and_the_next_writing_clears_up(tmp_path, writer):
    writer.kill()
    writer.wait(10)
    assert (tmp_path / "kb.ttl").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
    replace_file(tmp_path / "kb.ttl", [b"newer"])
    assert [path.name for path in tmp_path.iterdir()] == ["kb.ttl"]


def test_concurrent_writer_of_an_export_file_is_left_alone(tmp_path, writer):
    replace_file(tmp_path / "kb.ttl", [b"newer"])
    assert len(list(tmp_path.iterdir())) == 2
    assert (tmp_path / "kb.ttl").read_bytes() == b"newer"
