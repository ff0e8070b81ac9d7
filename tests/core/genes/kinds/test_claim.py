"""Yes-or-no questions that a record can settle, and answers that are coarser than the question, at
a loopback NCBI with made-up genes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.genes.kinds.disease_search import search_words
from core.genes.kinds.phenotype import phenotypes
from core.ncbi.address import NcbiAddresses
from core.ncbi.record import NcbiRecord
from tests.core.genes.kinds.test_change import variation
from tests.core.genes.kinds.test_fields import HISTORY, PLACES
from tests.core.genes.strategies.test_today import Served, entry, gene, placed, snp

GENE = gene("1", "AAA1", otheraliases="OLD1", summary="This gene makes things.")
DISEASES = [entry("200", "#", "MADE UP ANEMIA, TYPE 1; MUA1"), entry("300", "#", "OTHER FEVER; OF")]


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering, links={"1": ["200", "300"]})


def test_a_disease_that_is_linked_to_the_gene_is_confirmed_by_its_link(served: Served):
    answer = served("Is AAA1 associated with made up anaemia?", gene=[GENE], omim=DISEASES)
    assert (answer.status, answer.text) == (
        AnswerStatus.ANSWERED,
        "Yes (MADE UP ANEMIA, TYPE 1)",
    ), answer.notes
    assert [value.record for value in answer.values] == ["OMIM:200"]


def test_a_disease_that_is_not_linked_gets_no_verdict(served: Served):
    answer = served("Is AAA1 associated with gout?", gene=[GENE], omim=DISEASES)
    assert answer.status is AnswerStatus.NOT_FOUND and not answer.values
    assert any("does not show" in note for note in answer.notes)


@pytest.mark.parametrize(
    "text",
    [
        "Is OLD1 an alias of AAA1?",
        "Was AAA1 formerly called OLD1?",
        "Are OLD1 and AAA1 the same gene?",
        "Are AAA1 and OLD1 the same gene?",
    ],
)
def test_two_names_of_one_record_are_one_gene(served: Served, text: str):
    answer = served(text, gene=[GENE])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "Yes (AAA1)")
    assert answer.values[0].raw == "OLD1"


def test_a_name_that_the_record_does_not_list_gets_no_verdict(served: Served):
    answer = served("Is OLD1 an alias of BBB2?", gene=[GENE])
    assert answer.status is AnswerStatus.NOT_FOUND
    assert any(note.startswith("OLD1 ") and "AAA1" in note for note in answer.notes)


def test_the_gene_claimed_in_a_question_is_compared_with_dbsnp(served: Served):
    answer = served("Is rs5 in AAA1?", snp=[snp("5")])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "Yes (AAA1)")
    other = served("Is rs5 in the BBB2 gene?", snp=[snp("5")])
    assert (other.status, other.text) == (AnswerStatus.PARTLY, ["AAA1"])
    assert any("does not name BBB2" in note for note in other.notes)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("What is the function of AAA1 in the liver?", "in the liver"),
        ("How many exons does AAA1 have in the brain?", "in the brain"),
    ],
)
def test_whole_value_where_a_part_was_asked_for_is_a_partial_answer(
    served: Served, text: str, limit: str
):
    answer = served(text, gene=[GENE])
    assert answer.status is AnswerStatus.PARTLY and answer.values
    assert any(limit in note for note in answer.notes)


def test_a_frequency_is_that_of_the_study_or_partly_an_answer(served: Served):
    record = snp(
        "5",
        global_mafs=[
            {"study": "1000Genomes", "freq": "A=0.2/10"},
            {"study": "GnomAD_exomes", "freq": "A=0.1/5"},
        ],
    )
    of_study = served("What is the frequency of rs5 in gnomAD?", snp=[record])
    assert (of_study.status, of_study.text) == (AnswerStatus.ANSWERED, "GnomAD_exomes: A=0.1/5")
    of_people = served("What is the frequency of rs5 in East Asians?", snp=[record])
    assert of_people.status is AnswerStatus.PARTLY and len(of_people.values) == 2


def test_both_assemblies_are_given_where_both_are_asked_for(served: Served):
    whole = gene("1", "AAA1", genomicinfo=PLACES, locationhist=HISTORY)
    answer = served("AAA1 location hg19 and hg38", gene=[whole])
    assert answer.text == ["GRCh38 NC_000007.14:100-300(-)", "GRCh37 NC_000007.13:51-251(-)"]


def test_letters_that_may_be_bases_never_give_a_complete_answer(served: Served):
    title = "NM_000001.2(AAA1):c.5072G>C (p.Gly1691Ala)"
    answer = served("Is AAA1 G1691A pathogenic?", clinvar=[variation("1", title)])
    assert answer.status is AnswerStatus.INCOMPLETE
    assert "not as one" in answer.missing[0]
    certain = served("Is AAA1 p.G1691A pathogenic?", clinvar=[variation("1", title)])
    assert certain.status is AnswerStatus.ANSWERED
    nothing = served("Is AAA1 C677T pathogenic?", clinvar=[variation("1")])
    assert nothing.status is AnswerStatus.NOT_FOUND
    assert any("not as one" in note for note in nothing.notes)


def test_a_recessive_disease_is_not_listed_as_a_dominant_form():
    titles = ("DEAFNESS, AUTOSOMAL DOMINANT 1", "DEAFNESS, AUTOSOMAL RECESSIVE 1A", "DEAFNESS")
    forms = [
        NcbiRecord(f"OMIM:{number}", "omim", {"title": title, "kind": "phenotype"})
        for number, title in enumerate(titles, start=1)
    ]
    assert [form.id for form in phenotypes(forms, "recessive deafness")] == ["OMIM:2", "OMIM:3"]


def test_words_of_a_disease_are_no_operators_of_the_search():
    assert search_words("cystic fibrosis) OR (cancer AND NOT this") == (
        "cystic fibrosis) or (cancer and not this"
    )


def test_the_strand_of_a_claim_stays_with_its_gene(served: Served):
    record = gene("1", "AAA1", genomicinfo=[placed("NC_000007.14", 9, 19)])
    assert served("Is AAA1 on the plus strand?", gene=[record]).text == "plus (+)"


def test_a_frequency_in_a_people_is_that_of_its_studies(served: Served):
    record = snp(
        "5",
        global_mafs=[
            {"study": "TOMMO", "freq": "A=0.2/10"},
            {"study": "GnomAD_exomes", "freq": "A=0.1/5"},
        ],
    )
    answer = served("how common is rs5 in japanese people", snp=[record])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "TOMMO: A=0.2/10")
    other = served("how common is rs5 in Estonians", snp=[record])
    assert other.status is AnswerStatus.PARTLY and len(other.values) == 2


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("papers on AAA1 from 2023", ["PMID:8"]),
        ("AAA1 papers since 2020", ["PMID:8", "PMID:9"]),
        ("2019 papers on AAA1", ["PMID:7"]),
        ("publications about AAA1 between 2018 and 2023", ["PMID:7", "PMID:8"]),
        ("papers on aaa1 before 2020", ["PMID:7"]),
    ],
)
def test_papers_of_some_years_are_chosen_by_their_dates(
    served: Served, text: str, papers: list[str]
):
    dates = {"7": "2019 May", "8": "2023 Jan 4", "9": "2024", "10": ""}
    dated_papers = [
        {"uid": uid, "title": f"On {uid}", "source": "J", "pubdate": date}
        for uid, date in dates.items()
    ]
    served.links = {"1": list(dates)}
    answer = served(text, gene=[GENE], pubmed=dated_papers)
    assert answer.status is AnswerStatus.ANSWERED, answer.notes
    assert [value.record for value in answer.values] == papers
    assert all(value.ties[-1].field.endswith("pubdate") for value in answer.values)


def test_papers_of_a_year_without_any_are_not_found(served: Served):
    served.links = {"1": ["7"]}
    paper = {"uid": "7", "title": "On 7", "source": "J", "pubdate": "2019"}
    answer = served("papers on AAA1 from 2021", gene=[GENE], pubmed=[paper])
    assert answer.status is AnswerStatus.NOT_FOUND
    assert answer.notes[-1] == "None of the 1 linked entries is from 2021."
