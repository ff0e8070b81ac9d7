"""Files built to do harm: small ones that unpack to gigabytes."""

import gzip
import io
import zipfile

import pytest

from core.documents import files
from core.errors import InputError


def test_text_in_a_zip_is_read_no_further_than_a_text_may_be_long():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", b"a " * 50_000_000)
    papers = list(files.read_bytes(packed.getvalue(), "bombs.zip"))
    assert "larger than" in papers[0].problems[0].message


def test_text_in_a_gzip_is_read_no_further_than_a_text_may_be_long():
    with pytest.raises(InputError, match="larger than 8 MB"):
        list(files.read_bytes(gzip.compress(b"a " * 50_000_000), "bomb.txt.gz"))


def test_line_without_an_end_is_refused():
    packed = gzip.compress(b"[" * 60_000_000)
    with pytest.raises(InputError, match="line is longer"):
        list(files.read_bytes(packed, "bomb.jsonl.gz"))
