"""The flow of papers through a review: counts that add up, and a diagram of them."""

from __future__ import annotations

from xml.etree import ElementTree

from core.literature.triage.flow import (
    WITHOUT_TITLE_AND_ABSTRACT,
    flow_csv,
    flow_svg,
    review_flow,
)

VERDICTS = (
    [("include", "")] * 3
    + [("exclude", "wrong species")] * 4
    + [("exclude", "no full text")] * 2
    + [("no evidence here", "")]
    + [("maybe", "")]
)
FLOW = review_flow({"scopus.ris": 30, "PubMed": 20}, 40, VERDICTS)


def test_prisma_counts_add_up():
    assert (FLOW.identified, FLOW.duplicates, FLOW.papers) == (50, 10, 40)
    assert FLOW.screened + FLOW.not_screened == FLOW.papers
    assert FLOW.included + FLOW.undecided + sum(FLOW.excluded.values()) == FLOW.screened


def test_papers_of_no_known_source_are_counted():
    assert review_flow({"a.ris": 5}, 8, []).sources == {"a.ris": 5, "other": 3}


def test_records_without_words_are_removed_for_another_reason_than_duplicates():
    flow = review_flow({"scopus.ris": 520}, 490, [], wordless=20)
    assert (flow.identified, flow.duplicates, flow.wordless, flow.not_screened) == (
        520,
        10,
        20,
        490,
    )
    assert f"other reasons,removed before screening: {WITHOUT_TITLE_AND_ABSTRACT},20" in flow_csv(
        flow
    )
    words = " ".join(ElementTree.fromstring(flow_svg(flow)).itertext())
    assert "Removed before screening (n = 30)" in words and "abstract (n = 20)" in words


def test_the_table_names_each_reason():
    rows = flow_csv(FLOW).splitlines()
    assert "excluded,wrong species,4" in rows
    assert "excluded,no reason given,1" in rows


def test_the_diagram_shows_every_count():
    drawn = ElementTree.fromstring(flow_svg(FLOW))
    words = " ".join(drawn.itertext())
    for part in ("Records found (n = 50)", "(n = 10)", "Records screened (n = 11)",
                 "Reports not retrieved (n = 2)", "review (n = 3)"):  # fmt: skip
        assert part in words


def test_names_of_files_are_escaped_in_the_diagram():
    drawn = flow_svg(review_flow({"<script>alert(1)</script>.ris": 1}, 1, []))
    assert "<script" not in drawn
    ElementTree.fromstring(drawn)
