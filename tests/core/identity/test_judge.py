"""Whether two records are one paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.identity.candidates import blocking_keys
from core.identity.judge import Identity, judge_identity
from core.identity.record import PaperRecord, record_of
from core.identity.relation import RelationKind, may_belong

TRIAL = PaperRecord(
    "Alpha-1 protein in chronic kidney disease: a randomised trial",
    ("Müller, Jörg", "Roe, Ann"),
    "2019",
    "J Tests",
    volume="7",
    pages="12-19",
    abstract="Alpha-1 protein was raised in ninety patients with chronic kidney disease.",
)
BARE = replace(TRIAL, volume="", pages="", abstract="")
REPORT = PaperRecord("Annual report of the national registry of alpha disease", ("Doe, J",), "2020")


def outcome(one: PaperRecord, other: PaperRecord) -> Identity:
    said, turned = judge_identity(one, other), judge_identity(other, one)
    assert (said.outcome, said.score, said.relation) == (
        turned.outcome, turned.score, turned.relation)  # fmt: skip
    return said.outcome


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Alpha-1 protein in chronic kidney disease: a randomized trial"},
        {"title": "ALPHA-1 PROTEIN IN CHRONIC KIDNEY DISEASE: A RANDOMISED TRIAL."},
        {"title": "α-1 protein in <i>chronic</i> kidney disease: a randomised trial"},
        {"title": "Alpha1 protein in chronic kidney disease - a randomised trial"},
        {"authors": ("Mueller J",)},
        {"authors": ("Jörg Müller",)},
        {"authors": ("von Muller, J.",)},
        {"authors": ("Muller J.Roe A.",)},
        {"journal": "Journal of Tests"},
        {"journal": "Journal of Tests (London, England)"},
    ],
)
def test_another_spelling_is_the_same_paper_even_by_title_author_and_year_alone(change) -> None:
    assert outcome(BARE, replace(BARE, **change)) is Identity.SAME
    other = replace(TRIAL, **change)
    assert outcome(TRIAL, other) is Identity.SAME
    assert set(blocking_keys(TRIAL)) & set(blocking_keys(other))


@pytest.mark.parametrize(
    "change",
    [
        {"year": "2020"},
        {"authors": ()},
        {"title": "Alpha-1 protein in chronic kidney disease"},
        {"title": "Alpha-1 protein in chronic kidny disease: a randomised trial"},
    ],
)
def test_what_one_source_leaves_out_or_mistypes_needs_more_that_agrees(change) -> None:
    assert outcome(TRIAL, replace(TRIAL, **change)) is Identity.SAME
    bare = replace(BARE, journal="")
    assert outcome(bare, replace(bare, **change)) is Identity.ASK


@pytest.mark.parametrize(
    "change",
    [
        {"pages": "112-119"},
        {"abstract": "Nothing was measured here, and no patients came to the clinic in that year."},
        {"ids": ("DOI:10.1000/b",)},
        {"authors": ("Doe, Jane", "Poe, Edgar")},
        {"title": "Alpha-2 protein in chronic kidney disease: a randomised trial", "volume": "8"},
        {"title": "Alpha-1 protein in chronic liver disease: a randomised trial", "volume": "8"},
        {"year": "2009", "pages": ""},
        {"volume": "9", "journal": "Archives of Medicine", "pages": ""},
    ],
)
def test_one_field_that_differs_is_another_paper(change) -> None:
    known = replace(TRIAL, ids=("DOI:10.1000/a",))
    other = replace(TRIAL, **change)
    assert outcome(known, other) is not Identity.SAME
    if "pages" not in change or change["pages"]:
        assert outcome(known, other) is Identity.DIFFERENT


@pytest.mark.parametrize(
    "one, other",
    [
        (replace(REPORT, pages="1"), replace(REPORT, pages="201")),
        (replace(REPORT, abstract="First quarter."), replace(REPORT, abstract="Third, others.")),
        (replace(REPORT, title=REPORT.title + " 2019"),
         replace(REPORT, title=REPORT.title + " 2020")),
        (replace(REPORT, title="Alpha cancer. Part I. Design of a registry of cancer"),
         replace(REPORT, title="Alpha cancer. Part II. Design of a registry of cancer")),
        (replace(BARE, title="Safety of aspirin in acute stroke of old people"),
         replace(BARE, title="Efficacy of aspirin in acute stroke of old people")),
        (replace(BARE, journal="Journal of Digital Studies"),
         replace(BARE, journal="Workshop of Digital Studies")),
    ],
)  # fmt: skip
def test_papers_of_nearly_one_title_are_kept_apart(one, other) -> None:
    assert outcome(one, other) is Identity.DIFFERENT


@pytest.mark.parametrize(
    "one, other",
    [
        (replace(TRIAL, pages="221-8"), replace(TRIAL, pages="221-228")),
        (replace(TRIAL, pages="566-582"), replace(TRIAL, pages="1-17", volume="", year="2018")),
        (replace(TRIAL, pages="e1234"), TRIAL),  # an article's number and pages
        (TRIAL, replace(TRIAL, abstract=TRIAL.abstract[:40])),
        (replace(TRIAL, ids=("DOI:10.1000/TEST.19",)),
         replace(BARE, ids=("DOI:https://doi.org/10.1000/test.19.",), year="", authors=())),
    ],
)  # fmt: skip
def test_what_is_cut_or_ahead_of_its_issue_is_no_contradiction(one, other) -> None:
    assert outcome(one, other) is Identity.SAME


@pytest.mark.parametrize(
    "word, other",
    [
        ("nitrite", "nitrate"), ("sulfate", "sulfite"), ("insulin", "inulin"),
        ("cystine", "cysteine"), ("ethane", "ethene"), ("chlorine", "chloride"),
    ],
)  # fmt: skip
def test_a_letter_that_may_name_another_thing_is_asked_about(word: str, other: str) -> None:
    one = replace(TRIAL, title=f"Serum {word} in adults with diabetes: a cohort", abstract="")
    two = replace(one, title=one.title.replace(word, other))
    assert outcome(replace(one, pages=""), two) is Identity.ASK
    short = replace(two, title=two.title.partition(":")[0])
    assert outcome(replace(one, pages=""), short) is Identity.ASK
    assert outcome(one, two) is Identity.SAME  # one place of one journal
    assert outcome(replace(one, abstract=TRIAL.abstract, pages=""),
                   replace(two, abstract=TRIAL.abstract)) is Identity.SAME  # fmt: skip
    about = [replace(paper, pages="", abstract=f"{TRIAL.abstract} It was {name}.")
             for paper, name in ((one, word), (two, other))]  # fmt: skip
    assert outcome(*about) is Identity.ASK  # companion papers in the same words


@pytest.mark.parametrize(
    "one, other, said",
    [
        ("Smith, Ann", "Jones, Ann", Identity.DIFFERENT),
        ("Smith A", "Jones, Ann", Identity.DIFFERENT),
        ("Smith, Ann", "Ann Jones", Identity.ASK),
        ("Ann Smith", "Ann Jones", Identity.ASK),
        ("Smith, Ann", "Smith, Bob", Identity.ASK),
        ("Smith, Ann", "Smith AB", Identity.SAME),
        ("Smith, Ann", "Ann Smith", Identity.SAME),
        ("García López, Ana", "Lopez A", Identity.SAME),
        ("Smith, John, Jr.", "J. A. Smith", Identity.SAME),
    ],
)
def test_a_given_name_in_common_makes_no_one_author(one: str, other: str, said: Identity) -> None:
    record = replace(BARE, authors=(one,))
    assert outcome(record, replace(BARE, authors=(other,))) is said


def test_other_pmids_are_other_papers_whatever_doi_they_share() -> None:
    one = replace(TRIAL, ids=("PMID:1", "DOI:10.1/x"))
    assert outcome(one, replace(TRIAL, ids=("PMID:2", "DOI:10.1/x"))) is Identity.DIFFERENT
    assert outcome(one, replace(BARE, ids=("PMID:1", "DOI:10.1/y"))) is Identity.SAME


def test_two_titles_at_one_place_of_a_journal_are_asked_about() -> None:
    assert outcome(TRIAL, replace(TRIAL, title="Alpha-1-Protein bei Nierenleiden")) is Identity.ASK


def test_a_doi_of_a_whole_congress_makes_no_one_of_its_abstracts() -> None:
    one = PaperRecord("Sleep apnoea in Andean miners", ids=("DOI:10.1016/s",))
    other = replace(one, title="Lung function of welders exposed to manganese")
    assert outcome(one, other) is not Identity.SAME
    assert outcome(one, replace(other, title_sure=False)) is Identity.SAME  # the title of a PDF


@pytest.mark.parametrize(
    "change, kind",
    [
        ({"journal": "medRxiv", "ids": ("DOI:10.1101/2019.1",)}, RelationKind.PREPRINT),
        ({"title": f"Correction to: {TRIAL.title}", "pages": "300"}, RelationKind.CORRECTION),
        ({"title": f"Erratum: {TRIAL.title}", "ids": ("DOI:10.1/x",)}, RelationKind.CORRECTION),
        ({"title": f"Retraction: {TRIAL.title}", "pages": ""}, RelationKind.RETRACTION),
        ({"title": f"Comment on: {TRIAL.title}", "pages": ""}, RelationKind.COMMENT),
    ],
)
def test_papers_that_belong_together_are_not_one(change, kind) -> None:
    known = replace(TRIAL, ids=("DOI:10.1/x",))
    said = judge_identity(known, replace(TRIAL, **change))
    assert said.outcome is Identity.DIFFERENT
    assert said.relation is not None and said.relation.kind is kind
    assert set(blocking_keys(known)) & set(blocking_keys(replace(TRIAL, **change)))


def test_a_mark_of_retraction_before_its_title_leaves_a_paper_what_it_is() -> None:
    marked = replace(TRIAL, title=f"RETRACTED: {TRIAL.title}", ids=("DOI:10.1/x",))
    assert outcome(replace(TRIAL, ids=("DOI:10.1/x",)), marked) is Identity.SAME


def test_versions_of_a_preprint_belong_together() -> None:
    one = replace(BARE, journal="bioRxiv", ids=("DOI:10.1101/2019.01.01.1.v1",))
    said = judge_identity(one, replace(one, ids=("DOI:10.1101/2019.01.01.1.v2",)))
    assert said.relation is not None and said.relation.kind is RelationKind.VERSION


def test_a_title_that_many_papers_bear_is_asked_about() -> None:
    reply = replace(BARE, title="Reply to the comments on our registry study of alpha cancer")
    assert outcome(reply, reply) is Identity.ASK
    assert outcome(
        replace(reply, pages="3", volume="1"), replace(reply, pages="3", volume="1")
    ) is (Identity.SAME)


def test_reasons_name_what_agrees_and_what_forbids() -> None:
    said = judge_identity(TRIAL, replace(TRIAL, pages="112"))
    assert {"the same title", "the same year"} <= set(said.reasons)
    assert any("12-19" in reason and "112" in reason for reason in said.reasons)
    assert 0 < said.score < 1


def test_the_first_line_of_an_abstract_is_its_title() -> None:
    record = record_of("A title", ["PMID:1"], {"year": "2020"}, "A title\nAlpha rose.")
    assert (record.abstract, record.title_sure) == ("Alpha rose.", True)
    assert not record_of("A guess", [], {}).title_sure


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("RetractionIn", RelationKind.RETRACTION),
        ("RepublishedFrom", RelationKind.REPUBLISHED),
        ("RetractedandRepublishedIn", RelationKind.REPUBLISHED),
        ("ErratumFor", RelationKind.CORRECTION),
        ("ExpressionOfConcernIn", RelationKind.CONCERN),
        ("UpdateIn", RelationKind.VERSION),
        ("OriginalReportIn", RelationKind.SUMMARY),
        ("TranslationOf", RelationKind.TRANSLATION),
        ("CommentOn", RelationKind.COMMENT),
    ],
)
def test_what_a_source_links_belongs_together(link, kind, turned) -> None:
    paper = PaperRecord("Alpha is high in adults", ids=("PMID:1", "DOI:10.1000/a"))
    linked = PaperRecord("Something else altogether", ids=("PMID:2",), links=((link, "PMID:1"),))
    said = judge_identity(*((linked, paper) if turned else (paper, linked)))
    assert said.outcome is Identity.DIFFERENT
    assert said.relation is not None and said.relation.kind is kind
    assert set(blocking_keys(paper)) & set(blocking_keys(linked))


def test_an_update_of_a_preprint_is_its_published_paper() -> None:
    preprint = PaperRecord("Alpha is high", journal="bioRxiv", ids=("PMID:1",))
    paper = PaperRecord("Beta, not alpha", ids=("PMID:2",), links=(("UpdateOf", "PMID:1"),))
    said = judge_identity(preprint, paper)
    assert said.relation is not None and said.relation.kind is RelationKind.PREPRINT


def test_a_title_that_pubmed_translated_is_the_translation_of_another_paper() -> None:
    german = PaperRecord("[Alpha protein in children with asthma].", ("Doe J",), ids=("PMID:1",))
    english = PaperRecord("Alpha protein in children with asthma", ("Doe J",), ids=("PMID:2",))
    said = judge_identity(german, english)
    assert said.relation is not None and said.relation.kind is RelationKind.TRANSLATION
    assert outcome(german, replace(english, ids=())) is not Identity.DIFFERENT


PART = "Alpha cancer incidence in a national registry. Part "


@pytest.mark.parametrize(
    ("second", "author", "kind"),
    [
        (PART + "II. Results", "Doe, J", RelationKind.PART),
        (PART + "2: results and outlook", "Doe, J", RelationKind.PART),
        (PART + "II. Results", "Roe, Ann", None),
        (PART + "of a series", "Doe, J", None),
    ],
)
def test_parts_of_one_work_belong_together(second, author, kind) -> None:
    one = PaperRecord(PART + "I. Design", ("Doe, J",), "2020", ids=("PMID:1",))
    said = judge_identity(one, PaperRecord(second, (author,), "2020", ids=("PMID:2",)))
    assert (said.relation and said.relation.kind) == kind


def test_parts_with_other_pmids_are_compared() -> None:
    assert may_belong(PaperRecord(PART + "I. Design"))
    assert not may_belong(PaperRecord("Alpha cancer incidence in a national registry"))


@pytest.mark.parametrize("other", [{"journal": "Other Annals"}, {"volume": "9"}])
def test_the_digest_of_title_and_author_does_not_outweigh_the_journal(other) -> None:
    one = replace(BARE, ids=("doc:1",), volume="7")
    assert outcome(one, replace(one, **other)) is not Identity.SAME
