import pytest

from core.errors import NotFound
from core.model import Document, TextVersion
from core.store import DocumentDetails, Store


def test_a_paper_is_one_document_under_any_of_its_ids(store: Store) -> None:
    store.documents.add(Document("PMID:1", "A title", ("DOI:10.1/x",)))
    again = store.documents.add(Document("PMC:7", "", ("DOI:10.1/x",)))
    assert again == Document("PMID:1", "A title", ("DOI:10.1/x", "PMC:7", "PMID:1"))
    assert store.documents.get("PMC:7") == again
    assert store.documents.all() == [again]


def test_papers_of_two_pmids_are_two_documents_whatever_doi_they_share(store: Store) -> None:
    store.documents.add(Document("PMID:1", "A paper", ("DOI:10.1/x",)))
    store.documents.add(Document("PMID:2", "Its erratum", ("DOI:10.1/x", "PMCID:PMC2")))
    assert [store.documents.get(id).title for id in ("PMID:1", "PMID:2", "DOI:10.1/x", "PMCID:PMC2")] == [  # noqa: E501
        "A paper", "Its erratum", "A paper", "Its erratum"]  # fmt: skip
    assert store.documents.add(Document("DOI:10.1/x", "", ("PMID:2",))).id == "PMID:2"


def entry(id: str, title: str, kind: str = "abstract") -> tuple:
    document = Document(id, title, ("DOI:10.1016/s",))
    return document, TextVersion(f"sha of {title}", id, title, kind), DocumentDetails()


MINERS, WELDERS = "Sleep apnoea in Andean miners", "Lung function of welders exposed to manganese"


def test_abstracts_of_other_titles_under_one_doi_are_two_documents(store: Store) -> None:
    first, second = store.documents.add_all(
        [entry("DOI:10.1016/s", MINERS), entry("DOI:10.1016/s", WELDERS)]
    )
    assert first == "DOI:10.1016/s"
    assert [store.documents.get(id).title for id in (first, second)] == [MINERS, WELDERS]
    again = store.documents.add_all(
        [entry("DOI:10.1016/s", WELDERS + "."), entry("DOI:10.1016/s", MINERS.upper())]
    )
    assert again == [second, first]


def test_a_file_whose_title_is_a_guess_is_the_paper_of_its_doi(store: Store) -> None:
    (first,) = store.documents.add_all([entry("DOI:10.1016/s", MINERS)])
    pdf = entry("DOI:10.1016/s", "Microsoft Word final version draft", "full text")
    assert store.documents.add_all([pdf]) == [first]


def test_abstracts_of_one_pmid_are_one_document_whatever_their_titles(store: Store) -> None:
    document = Document("PMID:1", MINERS, ("DOI:10.1016/s", "PMID:1"))
    store.documents.add_all(
        [(document, TextVersion("a", "", MINERS, "abstract"), DocumentDetails())]
    )
    document = Document("PMID:1", WELDERS, ("DOI:10.1016/s", "PMID:1"))
    text = TextVersion("b", "", WELDERS, "abstract")
    assert store.documents.add_all([(document, text, DocumentDetails())]) == ["PMID:1"]


def test_a_later_title_fills_an_empty_one_and_never_replaces_one(store: Store) -> None:
    store.documents.add(Document("PMID:1"))
    assert store.documents.add(Document("PMID:1", "First")).title == "First"
    assert store.documents.add(Document("PMID:1", "Second")).title == "First"


def test_a_text_version_is_kept_once_and_found_by_its_digest(store: Store) -> None:
    version = TextVersion("abc", "PMID:1", "Aspirin β helps.\nYes.", "abstract")
    store.documents.add_text(version)
    store.documents.add_text(version)
    assert store.documents.text("abc") == version
    assert store.documents.texts("PMID:1") == [version]


def test_equal_texts_of_two_documents_are_distinguished(store: Store) -> None:
    for name in ("PMID:1", "PMID:2"):
        store.documents.add_text(TextVersion("abc", name, "same", "pasted"))
    assert store.documents.text("abc", "PMID:2").document == "PMID:2"


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.documents.get("PMID:9"),
        lambda s: s.documents.text("9"),
        lambda s: s.runs.get("9"),
    ],
)
def test_missing_document_raises_not_found(store: Store, ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotFound, match="9"):
        ask(store)


def test_hostile_text_comes_back_as_it_went_in(store: Store) -> None:
    text = "</script> ' \" ; DROP TABLE texts -- \u202e 𝛼\n"
    store.documents.add_text(TextVersion("h", text, text, text))
    assert store.documents.text("h").text == text


def test_lone_surrogates_do_not_stop_the_store(store: Store) -> None:
    store.documents.add(Document("doc:1", "a \ud800 b"))
    assert store.documents.get("doc:1").title == "a \ufffd b"
