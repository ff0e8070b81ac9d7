"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
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
    with pytest.raises(StoreError, match=r"kb\.ttl could not be written: No space left"):
        replace_file(file, full_disk())
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


def test_a_folder_that_is_not_there_is_named(tmp_path):
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
