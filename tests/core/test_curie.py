import pytest

from core import curie
from core.errors import InputError


@pytest.mark.parametrize(
    ("id", "iri"),
    [
        ("CHEBI:15365", "http://purl.obolibrary.org/obo/CHEBI_15365"),
        ("mesh:D001241", "http://id.nlm.nih.gov/mesh/D001241"),
        ("PMID:1", "http://www.ncbi.nlm.nih.gov/pubmed/1"),
        ("biolink:treats", "https://w3id.org/biolink/vocab/treats"),
        ("UCUM:[cup_us]", None),
        ("DOI:10.1/a<b", None),
    ],
)
def test_a_curie_becomes_its_iri(id: str, iri: str | None) -> None:
    if iri is None:
        with pytest.raises(InputError):
            curie.expand_curie(id)
    else:
        assert curie.expand_curie(id) == iri


@pytest.mark.parametrize(
    "id",
    [
        "CHEBI:15365",
        "MONDO:0005148",
        "NCBITaxon:9606",
        "HGNC:1100",
        "DBSNP:rs1217074595",
        "DOI:10.1/x(1)",
    ],
)
def test_an_iri_becomes_its_curie_again(id: str) -> None:
    assert curie.contract_iri(curie.expand_curie(id)) == id


def test_a_schemas_own_prefix_goes_first() -> None:
    own = {"CHEBI": "https://own.example/", "mine": "https://mine.example/"}
    assert curie.expand_curie("CHEBI:1", own) == "https://own.example/1"
    assert curie.contract_iri("https://mine.example/7", own) == "mine:7"


@pytest.mark.parametrize(
    "text",
    ["", "aspirin", "CHEBI", ":1", "CHEBI:", "CHEBI:1 2", 'CHEBI:1"', "https://x.org/1", "A:<b>"],
)
def test_strings_that_are_no_curies_are_recognised(text: str) -> None:
    assert not curie.is_curie(text)
    assert curie.web_link(text) == ""
    with pytest.raises(InputError):
        curie.split_curie(text)


def test_an_unknown_prefix_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"nonsense.*prefixes"):
        curie.expand_curie("nonsense:1")
    assert curie.web_link("nonsense:1") == ""
    assert curie.contract_iri("https://nowhere.example/1") == ""


@pytest.mark.parametrize(
    ("prefix_or_curie", "normal"),
    [
        ("mesh:D1", "MESH:D1"),
        ("hgnc:HGNC:5", "HGNC:5"),
        ("uniprot:P1", "UniProtKB:P1"),
        (" chebi:1 ", "CHEBI:1"),
        ("pubmed:1", "PMID:1"),
    ],
)
def test_prefixes_are_written_one_way(prefix_or_curie: str, normal: str) -> None:
    assert curie.normal_curie(prefix_or_curie) == normal


@pytest.mark.parametrize("prefix", sorted(curie.PREFIXES))
def test_every_prefix_makes_a_link_that_a_browser_may_open(prefix: str) -> None:
    link = curie.web_link(f"{prefix}:1")
    assert link == "" or link.startswith("https://")


def test_a_hostile_local_id_cannot_leave_its_address() -> None:
    assert not curie.is_curie("PMID:1\nLocation: x")
    assert "javascript:" not in curie.web_link("PMID:javascript:alert(1)").split("/pubmed")[0]
