"""Searches of NCBI are read to their end, or to a limit that stands on the answer with numbers.

esearch sends at most `retmax` ids from `retstart` of `count` (NCBI's E-utilities help); the
loopback server here does the same, and every record is made up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.genes.kinds import clinvar_records, disease_search, inheritance, resolution
from core.ncbi.address import NcbiAddresses
from tests.core.genes.kinds.test_more_kinds import concept
from tests.core.genes.strategies.test_today import Served, gene


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    """NCBI that sends pages."""
    ncbi = Served(answering)
    whole = ncbi.respond

    def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        status, body = whole(path, parameters)
        if path.endswith("esearch.fcgi"):
            result = body["esearchresult"]
            start, most = int(parameters.get("retstart") or 0), int(parameters.get("retmax") or 20)
            result["idlist"] = result["idlist"][start : start + most]
            result["retstart"] = str(start)
        return status, body

    ncbi.respond = respond  # type: ignore[method-assign]
    return ncbi


def searches(served: Served, db: str) -> list[tuple[str, str]]:
    """Where each search of a database began, and how many it asked for."""
    return [
        (parameters.get("retstart", "0"), parameters["retmax"])
        for tool, parameters in served.asked
        if tool == "esearch" and parameters["db"] == db
    ]


def test_a_name_that_stands_only_on_the_second_page_is_found(served: Served):
    others = [gene(str(n), f"OTHER{n}") for n in range(2, 30)]
    meant = gene("99", "REAL1", otheraliases="ALIAS1")
    answer = served("What is the official gene symbol of ALIAS1?", gene=[*others, meant])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "REAL1")
    assert searches(served, "gene") == [("0", "20"), ("20", "20")]


def test_an_official_symbol_needs_no_further_page(served: Served):
    many = [gene("1", "AAA1"), *(gene(str(n), f"OTHER{n}") for n in range(2, 60))]
    answer = served("What is the official gene symbol of AAA1?", gene=many)
    assert answer.status is AnswerStatus.ANSWERED and len(searches(served, "gene")) == 1


def test_a_name_is_looked_for_up_to_a_limit_that_is_reported(
    served: Served, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(resolution, "MOST_NAMED", 40)
    many = [gene(str(n), f"OTHER{n}") for n in range(1, 60)]
    answer = served("What is the official gene symbol of ALIAS1?", gene=many)
    assert answer.status is AnswerStatus.FAILED  # nothing can be said of what was not read
    assert any("40 of 59 gene records on ALIAS1 read" in note for note in answer.notes)


def clinvar(uid: int) -> dict[str, Any]:
    return {
        "uid": str(uid), "accession_version": f"VCV{uid:09d}.1", "title": f"variant {uid}",
        "germline_classification": {
            "description": "Benign", "review_status": "no assertion criteria provided",
            "trait_set": [{"trait_name": "A", "trait_xrefs": [
                {"db_source": "OMIM", "db_id": "100100"}]}]},
        "variation_set": [{"variation_xrefs": [{"db_source": "dbSNP", "db_id": "12345"}]}],
    }  # fmt: skip


def test_all_records_of_clinvar_are_read(served: Served):
    answer = served(
        "What is the clinical significance of rs12345?", clinvar=[clinvar(n) for n in range(1, 251)]
    )
    assert answer.status is AnswerStatus.ANSWERED and len(answer.text) == 250
    assert searches(served, "clinvar") == [("0", "100"), ("100", "100"), ("200", "100")]


def test_clinvar_beyond_the_limit_is_counted(served: Served, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clinvar_records, "MOST_CLINVAR", 150)
    answer = served(
        "What is the clinical significance of rs12345?", clinvar=[clinvar(n) for n in range(1, 251)]
    )
    assert (answer.status, len(answer.text)) == (AnswerStatus.INCOMPLETE, 150)
    assert answer.missing == ("150 of 250 ClinVar records read",)


def test_a_page_that_fails_leaves_an_incomplete_answer(served: Served):
    whole = served.respond

    def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        if path.endswith("esearch.fcgi") and parameters.get("retstart") == "100":
            return 500, "broken"
        return whole(path, parameters)

    served.respond = respond  # type: ignore[method-assign]
    answer = served(
        "What is the clinical significance of rs12345?", clinvar=[clinvar(n) for n in range(1, 251)]
    )
    assert answer.status is AnswerStatus.INCOMPLETE
    assert answer.missing == ("100 of 250 ClinVar records read",)


def test_the_concepts_of_medgen_are_paged(served: Served, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inheritance, "MOST_CONCEPTS", 60)
    others = [concept(str(n), f"C{n:07d}", f"Other disease {n}") for n in range(1, 70)]
    known = [*others[:55], concept("900", "C0000900", "Made up disease"), *others[55:]]
    answer = served("How is made up disease inherited?", medgen=known)
    assert answer.text == "Autosomal recessive inheritance"
    assert answer.missing == ("60 of 70 MedGen concepts read",)


def test_organisms_that_were_not_sent_are_counted(served: Served):
    fish = [
        {"uid": str(n), "scientificname": f"Danio number{n}", "rank": "species", "taxid": n}
        for n in range(1, 31)
    ]
    answer = served("What is the taxid of Danio?", taxonomy=fish)
    assert answer.status is AnswerStatus.FAILED
    assert any("20 of 30 organisms read" in note for note in answer.notes)


def test_gene_records_that_speak_of_a_disease_are_counted_where_links_are_not_served(
    served: Served, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(disease_search, "MAX_SPEAKING", 20)
    whole = served.respond

    def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        return (404, "no") if path.endswith("elink.fcgi") else whole(path, parameters)

    served.respond = respond  # type: ignore[method-assign]
    entry = {"uid": "100100", "oid": "#100100", "title": "MADE UP DISEASE; MUD1", "locus": ""}
    tied = gene("1", "AAA1", otheraliases="MUD1")
    others = [gene(str(n), f"OTHER{n}") for n in range(2, 30)]
    answer = served(
        "What are genes related to made up disease?", omim=[entry], gene=[tied, *others]
    )
    assert answer.status is AnswerStatus.INCOMPLETE and answer.text in ("AAA1", ["AAA1"])
    assert answer.missing == ("20 of 29 gene records that mention made up disease read",)
