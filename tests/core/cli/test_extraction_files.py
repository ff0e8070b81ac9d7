"""The files that the verbs on texts take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli.batch import documents
from core.cli.extraction_options import read_bytes
from core.errors import InputError
from core.services.extract.batch import PaperText
from tests.core.documents.test_files import pdf

RIS = """TY  - JOUR
TI  - Aspirin and headache
AB  - Aspirin relieves headache.
DO  - 10.1000/a
ER  -

TY  - JOUR
TI  - Only a title
DO  - 10.1000/b
ER  -

TY  - JOUR
TI  - Aspirin and headache
DO  - 10.1000/a
ER  -

TY  - JOUR
PY  - 2020
ER  -
"""


def test_the_words_of_a_pdf_are_read(tmp_path: Path) -> None:
    (tmp_path / "paper").write_bytes(pdf("Aspirin relieves headache.", "It does so every day."))
    assert b"Aspirin relieves headache." in read_bytes(str(tmp_path / "paper"))


def test_a_pdf_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(InputError, match=r"broken\.pdf"):
        read_bytes(str(tmp_path / "broken.pdf"))


def test_a_file_that_cannot_be_read_does_not_end_a_batch(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (tmp_path / "b.pdf").write_bytes(pdf("Aspirin relieves headache."))
    (tmp_path / "c.txt.gz").write_bytes(b"\x1f\x8bno")
    broken, good, cut = (row for row in documents([str(tmp_path)]) if isinstance(row, PaperText))
    assert broken.refused
    assert cut.refused
    assert (good.id, good.name) == ("file:b.pdf", "file:b.pdf")
    assert "headache" in good.text


def test_each_record_of_a_list_is_a_document_of_a_batch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.ris").write_text(RIS, "utf-8")
    (tmp_path / "note.txt").write_text("Aspirin relieves headache.", "utf-8")
    *records, note = (row for row in documents([str(tmp_path)]) if isinstance(row, PaperText))
    assert [(row.id, row.title) for row in records if not row.refused] == [
        ("DOI:10.1000/a", "Aspirin and headache"),
        ("DOI:10.1000/b", "Only a title"),
    ]
    assert records[0].text.endswith("Aspirin relieves headache.")
    assert [row.name for row in records if row.refused] == ["the record at line 17 of list.ris"]
    assert note.text == "Aspirin relieves headache."
    messages = capsys.readouterr().err
    assert "list.ris holds 2 papers; 1 of them" in messages
    assert "1 came more" in messages and "1 record cannot" in messages


def test_a_collection_in_json_is_its_documents(tmp_path: Path) -> None:
    passage = {"infons": {"type": "abstract"}, "text": "Aspirin relieves headache."}
    collection = {"documents": [{"id": str(n), "passages": [passage]} for n in (1, 2)]}
    (tmp_path / "bioc.json").write_text(json.dumps(collection), "utf-8")
    rows = [row for row in documents([str(tmp_path)]) if isinstance(row, PaperText)]
    assert [row.id for row in rows] == ["PMID:1", "PMID:2"]
    (tmp_path / "bioc.json").write_text('{"id": "PMID:1", "text": "A."}\n', "utf-8")
    assert list(documents([str(tmp_path)])) == [("PMID:1", "A.")]


ONE = """TY  - JOUR
TI  - Aspirin and headache
AB  - Aspirin relieves headache.
DO  - 10.1000/a
PY  - 2019
JO  - Journal of Headaches
ER  -
"""


def test_a_file_of_one_record_is_that_paper_with_its_year_and_journal(tmp_path: Path) -> None:
    (tmp_path / "one.ris").write_text(ONE, "utf-8")
    (row,) = (row for row in documents([str(tmp_path)]) if isinstance(row, PaperText))
    assert (row.id, row.title) == ("DOI:10.1000/a", "Aspirin and headache")
    assert (row.details.year, row.details.journal) == ("2019", "Journal of Headaches")
