import gzip
import io

import pytest

from core.errors import InputError
from core.text.unpack import read_up_to


def test_gzip_is_read_no_further_than_the_limit():
    class Counted(io.BytesIO):
        total = 0

        def read(self, size=-1):
            part = super().read(size)
            self.total += len(part)
            return part

    bomb = Counted(gzip.compress(b"\0" * 200_000_000))
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_up_to(bomb, 1_000_000, "bomb.gz")
    assert bomb.total <= 131_074


def test_members_of_a_gzip_are_read_one_after_another():
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0"
    assert read_up_to(io.BytesIO(packed), 100, "x") == b"one two"


def test_plain_file_is_read_as_it_is():
    assert read_up_to(io.BytesIO(b"words"), 5, "x") == b"words"
    with pytest.raises(InputError, match="larger than"):
        read_up_to(io.BytesIO(b"words"), 4, "x")


@pytest.mark.parametrize("size", [12, 200])
def test_cut_gzip_is_named(size):
    import random

    packed = gzip.compress(random.Random(1).randbytes(1000))[:size]
    with pytest.raises(InputError, match="cut off"):
        read_up_to(io.BytesIO(packed), 10_000, "x.gz")
