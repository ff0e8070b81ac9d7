"""Calls check their arguments."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.ncbi.call import (
    Align,
    Alignment,
    FullRecord,
    NcbiDatabase,
    Search,
    Summary,
    ids_of,
    sequence_of,
    shown_arguments,
)


def test_a_search_is_a_database_and_words_with_field_tags():
    call = Search(NcbiDatabase.GENE, "LMP10[sym] AND human[orgn]")
    assert shown_arguments(call) == {
        "tool": "esearch",
        "db": "gene",
        "term": "LMP10[sym] AND human[orgn]",
        "retmax": 20,
    }


@pytest.mark.parametrize(
    "term", ["", " ", "x" * 501, "http://169.254.169.254/", "<script>", "a\x00b", "a|b"]
)
def test_a_term_is_neither_an_address_nor_markup(term: str):
    with pytest.raises(InputError):
        Search(NcbiDatabase.GENE, term)


def test_rs_numbers_lose_their_prefix():
    assert Summary(NcbiDatabase.SNP, ("rs123", "123", "5")).ids == ("123", "5")


@pytest.mark.parametrize(
    ("db", "ids"),
    [
        (NcbiDatabase.GENE, "rs1"),
        (NcbiDatabase.GENE, "12 OR 1"),
        (NcbiDatabase.OMIM, "../x"),
        (NcbiDatabase.GENE, ""),
    ],
)
def test_ids_are_numbers_of_their_database(db: NcbiDatabase, ids: str):
    with pytest.raises(InputError):
        ids_of(db, ids)


def test_accessions_are_ids_of_nucleotides_only():
    assert ids_of(NcbiDatabase.NUCCORE, "NC_000015.10, AC018712") == ("NC_000015.10", "AC018712")
    with pytest.raises(InputError):
        ids_of(NcbiDatabase.GENE, "NC_000015.10")


def test_a_sequence_is_bases_in_lines_with_or_without_a_header():
    assert sequence_of(">mine\nacgtacgt acgt\nACGT") == "ACGTACGTACGTACGT"


@pytest.mark.parametrize("text", ["hello world", "ACGT", "ACGT" * 6000, "MKVLAAGIVGLLLAQWERTY"])
def test_blast_query_that_is_not_a_sequence_is_refused(text: str):
    with pytest.raises(InputError):
        Align(text)


def test_nt_is_core_nt_now():
    assert Align("ACGT" * 5, "nt").database == "core_nt"


def test_a_request_id_has_its_form():
    with pytest.raises(InputError):
        Alignment("../../etc")


def test_omim_has_no_whole_records():
    with pytest.raises(InputError):
        FullRecord(NcbiDatabase.OMIM, ("100",))
