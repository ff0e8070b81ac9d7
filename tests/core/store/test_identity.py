"""Records of one paper in the store: what is merged, asked, undone and kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, NotFound
from core.identity.judge import Identity, IdentityJudgement, judge_identity
from core.identity.record import PaperRecord
from core.model import Document, TextVersion
from core.store import Member, Store

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
