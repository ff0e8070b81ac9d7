"""Records of one paper in the store: what is merged, asked, undone and kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, NotFound
from core.identity.judge import Identity, IdentityJudgement, judge_identity
from core.identity.record import PaperRecord
from core.model import Document, DocumentShow, TextVersion
from core.store import DocumentFilter, Member, Store

TITLE = "Alpha-1 protein in chronic kidney disease: a randomised trial"
ABSTRACT = "Alpha-1 protein was raised in ninety patients with chronic kidney disease."
ME = "0000-0002-1825-0097"


def member(id: str, title: str = TITLE, abstract: str = ABSTRACT, **body: object) -> Member:
    text = f"{title}\n{abstract}" if abstract else title
    version = TextVersion(f"sha of {text}", id, text, "abstract")
    facts = {"year": "2019", "authors": ["Roe, Ann"]} | body
    return Member(Document(id, title, (id,)), version, facts, not abstract)


def added(store: Store, *members: Member) -> list[str]:
    store.namespaces.add("ns")
    for one in members:
        store.namespaces.add_members("ns", [one])
    return [kept.document.id for kept in store.namespaces.members("ns")]


ONE = member("PMID:1", journal="J Tests", pages="12-19")
AGAIN = member("DOI:10.1/x", TITLE.replace("is", "iz", 1), journal="Journal of Tests", pages="12")
UNSURE = member("DOI:10.1/x", abstract="", year="2020")


def test_what_every_source_said_is_kept_and_the_reasons_with_it(store: Store) -> None:
    assert added(store, ONE, AGAIN) == ["PMID:1"]
    (merged,) = store.identity.merged()
    assert merged.document == "PMID:1" and merged.reasons and merged.score > 0.8
    said = [record.body["journal"] for record in store.identity.records("PMID:1")]
    assert said == ["J Tests", "Journal of Tests"]


def test_the_same_record_again_is_no_second_record(store: Store) -> None:
    added(store, ONE, AGAIN, ONE, AGAIN)
    assert len(store.identity.records("PMID:1")) == 2


def test_a_merge_is_undone_and_stays_undone(store: Store) -> None:
    added(store, ONE, AGAIN)
    (merged,) = store.identity.merged()
    own = store.identity.separate(merged.number, ME)
    assert own == "DOI:10.1/x"
    kept = {m.document.id: m.body["journal"] for m in store.namespaces.members("ns")}
    assert kept == {"PMID:1": "J Tests", own: "Journal of Tests"}
    assert store.documents.get("DOI:10.1/x").id == own
    assert added(store, AGAIN, ONE) == ["PMID:1", own]
    (pair,) = store.identity.pairs()
    assert (pair.outcome, pair.curator) == (Identity.DIFFERENT, ME)


def test_a_pair_to_ask_about_becomes_one_by_a_word_and_two_again(store: Store) -> None:
    assert added(store, ONE, UNSURE) == ["PMID:1", "DOI:10.1/x"]
    (pair,) = store.identity.asked(["DOI:10.1/x"])
    assert pair.reasons
    store.identity.say(pair.first, pair.second, Identity.SAME, ME)
    (kept,) = store.namespaces.members("ns")
    assert kept.document.id == "PMID:1" and kept.text.text.endswith(ABSTRACT)
    assert store.documents.get("DOI:10.1/x").id == "PMID:1"
    assert not store.identity.asked(["PMID:1"])
    store.identity.say(pair.first, pair.second, Identity.DIFFERENT, ME)
    assert [m.document.id for m in store.namespaces.members("ns")] == ["PMID:1", "DOI:10.1/x"]
    assert store.documents.get("DOI:10.1/x").id == "DOI:10.1/x"


def test_the_paper_that_a_screening_rests_on_stays(store: Store) -> None:
    from core.store import RelevanceJudgement

    added(store, ONE, UNSURE)
    store.judgements.add(RelevanceJudgement("ns", "DOI:10.1/x", "include"))
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    assert [m.document.id for m in store.namespaces.members("ns")] == ["DOI:10.1/x"]


def test_text_that_was_merged_comes_back_with_its_record(store: Store) -> None:
    cut = member("DOI:10.1/x", abstract=ABSTRACT[:50], pages="12", journal="J Tests")
    added(store, ONE, cut)
    (merged,) = store.identity.merged()
    own = store.identity.separate(merged.number, ME)
    texts = {m.document.id: m.text.text for m in store.namespaces.members("ns")}
    assert texts[own].endswith(ABSTRACT[:50]) and texts["PMID:1"].endswith(ABSTRACT)


def test_what_a_paper_was_made_from_is_not_taken_out(store: Store) -> None:
    added(store, ONE)
    (record,) = store.identity.records("PMID:1")
    with pytest.raises(InputError):
        store.identity.separate(record.number, ME)
    with pytest.raises(NotFound):
        store.identity.separate(99, ME)
    with pytest.raises(NotFound):
        store.identity.say("PMID:1", "PMID:9", Identity.SAME, ME)


def test_a_record_between_two_papers_asks_whether_they_are_one(store: Store) -> None:
    one = member("PMID:1", abstract="")
    other = member("DOI:10.1/x", abstract="", year="2021")
    assert added(store, one, other) == ["PMID:1", "DOI:10.1/x"]
    added(store, Member(Document("PMID:1", TITLE, ("DOI:10.1/x", "PMID:1")), ONE.text, ONE.body))
    (pair,) = store.identity.pairs()
    assert (pair.first, pair.second, pair.outcome) == ("DOI:10.1/x", "PMID:1", Identity.ASK)


def test_a_title_that_a_thousand_papers_bear_is_not_judged_a_million_times(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = list[str]()

    def counted(one: PaperRecord, other: PaperRecord) -> IdentityJudgement:
        judged.append(other.title)
        return judge_identity(one, other)

    monkeypatch.setattr("core.store.known_papers.judge_identity", counted)
    title = "Highlights of the issue, and a word of thanks to all who reviewed it"
    many = [member(f"PMID:{n}", "Editorial" if n % 2 else title, "", pages=str(n), journal="J")
            for n in range(1, 1001)]  # fmt: skip
    store.namespaces.add("ns")
    assert store.namespaces.add_members("ns", many).new == 1000 and not judged
    others = [replace(one, document=Document(f"DOI:10.1/{n}", one.document.title,
                                             (f"DOI:10.1/{n}",)))
              for n, one in enumerate(many) if one.document.title == "Editorial"]  # fmt: skip
    others = [replace(one, body=one.body | {"authors": []}) for one in others]
    assert len({*store.namespaces.add_members("ns", others).ids}) == 500
    assert 500 <= len(judged) < 2_000  # by first page and year


def test_a_reply_with_a_pmid_of_its_own_still_belongs_to_its_paper(store: Store) -> None:
    reply = member("PMID:2", f"Reply to: {TITLE}", "", pages="300")
    assert added(store, ONE, reply) == ["PMID:1", "PMID:2"]
    assert [pair.relation for pair in store.identity.pairs()] == ["comment"]


THIRD = member("PMCID:PMC9", abstract="", year="2018")


def test_what_is_said_of_a_paper_that_went_into_another_is_said_of_that(store: Store) -> None:
    added(store, member("PMID:1", abstract="", year="2019"), UNSURE, THIRD)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    said = store.identity.say("DOI:10.1/x", "PMCID:PMC9", Identity.SAME, ME)
    assert (said.first, said.second) == ("PMCID:PMC9", "PMID:1")
    names = ("PMID:1", "DOI:10.1/x", "PMCID:PMC9")
    assert {store.documents.get(name).id for name in names} == {"PMID:1"}
    assert len(store.identity.records("PMID:1")) == 3
    with pytest.raises(InputError):
        store.identity.say("DOI:10.1/x", "PMCID:PMC9", Identity.SAME, ME)
    store.identity.say("PMCID:PMC9", "PMID:1", Identity.DIFFERENT, ME)
    assert store.documents.get("DOI:10.1/x").id == "PMID:1"
    assert store.documents.get("PMCID:PMC9").id == "PMCID:PMC9"


def test_a_merge_that_others_followed_is_not_taken_back_before_them(store: Store) -> None:
    from core.store import RelevanceJudgement

    added(store, member("PMID:1", abstract="", year="2019"), UNSURE, THIRD)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    store.judgements.add(RelevanceJudgement("ns", "PMCID:PMC9", "include"))
    store.identity.say("PMID:1", "PMCID:PMC9", Identity.SAME, ME)
    with pytest.raises(InputError):
        store.identity.say("PMID:1", "DOI:10.1/x", Identity.DIFFERENT, ME)
    store.identity.say("PMID:1", "PMCID:PMC9", Identity.DIFFERENT, ME)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.DIFFERENT, ME)
    names = ("PMID:1", "DOI:10.1/x", "PMCID:PMC9")
    assert [store.documents.get(name).id for name in names] == [*names]


def test_pairs_are_of_the_papers_that_there_are_now(store: Store) -> None:
    added(store, member("PMID:1", abstract="", year="2019"), UNSURE,
          member("PMCID:PMC9", abstract="", year=""))  # fmt: skip
    assert len(store.identity.pairs()) == 3
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    asked = [pair for pair in store.identity.pairs() if pair.outcome is Identity.ASK]
    assert [(pair.first, pair.second) for pair in asked] == [("PMCID:PMC9", "PMID:1")]
    assert store.identity.pairs(document="PMCID:PMC9") == asked == store.identity.asked(["PMID:1"])
    (kept,) = [pair for pair in store.identity.pairs() if pair.outcome is Identity.SAME]
    assert (kept.first, kept.second) == ("DOI:10.1/x", "PMID:1")


def test_a_merged_paper_has_the_status_of_both_and_loses_it_when_taken_apart(store: Store) -> None:
    other = "DOI:10.1/x"
    added(store, ONE, replace(UNSURE, body=UNSURE.body | {"flags": ["corrected", "retracted"]}))
    store.identity.say("PMID:1", other, Identity.SAME, ME)
    both = store.document_overview.notices(["PMID:1", other])
    assert both["PMID:1"] == both[other] and {"retracted", "corrected"} <= set(
        both[other].replace(";", ",").replace(", ", ",").split(",")
    )
    store.identity.say("PMID:1", other, Identity.DIFFERENT, ME)
    assert list(store.document_overview.notices(["PMID:1", other])) == [other]
    row, _ = store.document_overview.rows(["PMID:1", other])
    assert (row.year, row.journal, row.status) == ("2019", "J Tests", "")


def test_a_record_that_is_taken_out_takes_its_status_along(store: Store) -> None:
    added(store, ONE, replace(AGAIN, body=AGAIN.body | {"flags": ["retracted"]}))
    assert store.document_overview.notices(["PMID:1"])
    own = store.identity.separate(store.identity.merged()[0].number, ME)
    assert list(store.document_overview.notices(["PMID:1", own])) == [own]


def test_what_a_curator_marked_stays_with_a_merged_paper(store: Store) -> None:
    added(store, ONE, UNSURE)
    overview = store.document_overview
    overview.set_labels("withdrawn", {"DOI:10.1/x": ["Invented."]}, ME)
    overview.set_labels("tag", {"DOI:10.1/x": ["kidney"]}, ME)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    assert "Invented." in overview.notices(["PMID:1"])["PMID:1"]
    assert "PMID:1" in overview.every_notice()
    (row,) = overview.rows(["PMID:1"])
    assert row.marked and row.tags == ("kidney",)
    listed = store.document_list.page(DocumentFilter(tag="kidney"))
    assert listed == ["PMID:1"] == store.document_list.page(
        DocumentFilter(show=DocumentShow.WITHDRAWN))  # fmt: skip
    overview.set_labels("withdrawn", {"PMID:1": []}, ME)
    assert not overview.notices(["PMID:1", "DOI:10.1/x"])


def test_a_merged_paper_stands_once_in_the_list(store: Store) -> None:
    added(store, ONE, UNSURE)
    assert store.document_list.count() == 2
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    assert store.document_list.page() == ["PMID:1"] and store.document_list.count() == 1
    assert [document.id for document in store.documents.all()] == ["PMID:1"]
    of_evidence = {document.id: document.ids for document in store.documents.all(joined=True)}
    assert of_evidence == dict.fromkeys(("PMID:1", "DOI:10.1/x"), ("DOI:10.1/x", "PMID:1"))


def test_papers_that_come_apart_have_their_own_newest_text(store: Store) -> None:
    other = member("PMID:2", "Zinc for the common cold", "Zinc shortened colds by a day.")
    assert added(store, ONE, other) == ["PMID:1", "PMID:2"]
    store.identity.say("PMID:1", "PMID:2", Identity.SAME, ME)
    store.identity.say("PMID:1", "PMID:2", Identity.DIFFERENT, ME)
    newest = store.documents.newest_texts(["PMID:1", "PMID:2"])
    assert newest == {"PMID:1": ONE.text.text, "PMID:2": other.text.text}


def test_a_record_that_is_taken_out_takes_its_text_along(store: Store) -> None:
    added(store, ONE, AGAIN)
    (merged,) = store.identity.merged()
    own = store.identity.separate(merged.number, ME)
    newest = store.documents.newest_texts(["PMID:1", own])
    assert newest == {"PMID:1": ONE.text.text, own: AGAIN.text.text}


def test_what_came_in_for_a_merged_paper_goes_back_with_it(store: Store) -> None:
    two = member("PMID:2", abstract="Beta fell.", year="2020")
    added(store, ONE, two)
    store.identity.say("PMID:1", "PMID:2", Identity.SAME, ME)
    newer = member("PMID:2", abstract="Beta fell, it was said.", flags=["retracted"])
    newer = replace(newer, document=replace(newer.document, ids=("DOI:10.1/two", "PMID:2")))
    of_doi = member("DOI:10.1/two", abstract="", pages="7")
    added(store, newer, of_doi)
    assert len(store.identity.records("PMID:1")) == 4
    store.identity.say("PMID:1", "PMID:2", Identity.DIFFERENT, ME)
    assert list(store.document_overview.notices(["PMID:1", "PMID:2"])) == ["PMID:2"]
    assert store.documents.get("DOI:10.1/two").id == "PMID:2"
    texts = {m.document.id: m.text.text for m in store.namespaces.members("ns")}
    assert texts["PMID:2"].endswith("it was said.") and texts["PMID:1"].endswith(ABSTRACT)
    assert [len(store.identity.records(id)) for id in ("PMID:1", "PMID:2")] == [1, 3]
    assert store.namespaces.add_members("ns", [newer]).ids == ("PMID:2",)


def test_what_names_both_papers_stays_when_they_come_apart(store: Store) -> None:
    added(store, ONE, member("PMID:2", abstract="Beta fell.", year="2020"))
    store.identity.say("PMID:1", "PMID:2", Identity.SAME, ME)
    both = member("PMID:1", abstract="", pages="7")
    both = replace(both, document=replace(both.document, ids=("PMID:1", "PMID:2")))
    added(store, both, member("PMID:2", abstract="", volume="8"))
    store.identity.say("PMID:1", "PMID:2", Identity.DIFFERENT, ME)
    volumes = [record.body.get("volume") for record in store.identity.records("PMID:2")]
    assert volumes == [None, "8"] and len(store.identity.records("PMID:1")) == 2


def test_a_paper_deleted_from_pubmed_stays_so_whatever_a_file_says_later(store: Store) -> None:
    added(store, replace(ONE, body=ONE.body | {"flags": ["deleted from PubMed"]}), UNSURE)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    assert "deleted" in store.document_overview.notices(["PMID:1"])["PMID:1"]


def test_the_last_word_on_two_papers_counts_by_whichever_name_it_was_said(store: Store) -> None:
    added(store, member("PMID:1", abstract="", year="2019"), UNSURE, THIRD)
    for one, other, outcome in (
        ("DOI:10.1/x", "PMID:1", Identity.ASK),
        ("DOI:10.1/x", "PMCID:PMC9", Identity.ASK),
        ("PMCID:PMC9", "PMID:1", Identity.SAME),
        ("DOI:10.1/x", "PMID:1", Identity.DIFFERENT),
    ):
        store.identity.say(one, other, outcome, ME)
    (pair,) = [pair for pair in store.identity.pairs() if pair.outcome is not Identity.SAME]
    assert (pair.first, pair.second, pair.outcome) == ("DOI:10.1/x", "PMID:1", Identity.DIFFERENT)
    assert not store.identity.asked(["PMID:1", "DOI:10.1/x"])


def test_a_label_stays_on_the_document_that_it_was_given_to(store: Store) -> None:
    added(store, ONE, UNSURE)
    overview, other = store.document_overview, "DOI:10.1/x"
    overview.set_labels("tag", {"PMID:1": ["both", "one"], other: ["both", "other", "gone"]}, ME)
    store.identity.say("PMID:1", other, Identity.SAME, ME)
    assert overview.labels(["PMID:1"], "tag") == {"PMID:1": ("both", "one", "other", "gone")}
    overview.set_labels("tag", {"PMID:1": ["both", "one", "other", "new"], other: ["new"]}, ME)
    assert overview.rows(["PMID:1"])[0].tags == ("both", "new", "one", "other")
    store.identity.say("PMID:1", other, Identity.DIFFERENT, ME)
    kept = {id: set(tags) for id, tags in overview.labels(["PMID:1", other], "tag").items()}
    assert kept == {"PMID:1": {"both", "one", "new"}, other: {"both", "other"}}


def test_what_went_into_a_paper_is_retracted_with_it(store: Store) -> None:
    added(store, ONE, UNSURE)
    store.identity.say("PMID:1", "DOI:10.1/x", Identity.SAME, ME)
    added(store, replace(ONE, body=ONE.body | {"flags": ["retracted"]}))
    assert set(store.document_overview.every_notice()) == {"PMID:1", "DOI:10.1/x"}
