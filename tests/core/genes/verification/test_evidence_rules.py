"""Each evidence rule takes the right field of the right record, and nothing else."""

from __future__ import annotations

import pytest

from core.genes.answer import AnswerStep, AnswerValue, RecordProof, StatementEnd
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.session import NcbiSession
from core.genes.verification import evidence_rules as rules
from core.genes.verification.answer_verification import values_in_records
from core.ncbi.client import Ncbi
from core.ncbi.example import ExampleFetcher
from core.ncbi.record import NcbiRecord

SEQUENCE = "ACGT" * 8


def record(db: str, id: str, **values: object) -> NcbiRecord:
    raw = {"fxn_class": "intron_variant"} if db == "snp" else {}
    return NcbiRecord(id, db, values, {name: f"/{id}/{name}" for name in values}, raw)


def gene(number: int = 1, symbol: str = "AAA1", **values: object) -> NcbiRecord:
    return record("gene", f"NCBIGene:{number}", **{"symbol": symbol, "taxid": "9606", **values})


def step(tool: str, *records: NcbiRecord, call: str = "c1", **more: object) -> AnswerStep:
    fields = {"arguments": {}, **more}
    return AnswerStep("ask[0]", "model", tool, call=call, records=records, **fields)


def session(
    kind: str, subject: str, *steps: AnswerStep, text: str = "", species: str = "human"
) -> NcbiSession:
    question = GeneQuestion(text or f"What of {subject}?", kind, subject, species)
    session = NcbiSession(Ncbi(ExampleFetcher()), question, "model")
    session.steps.extend(steps)
    return session


def given(kind: str, subject: str, *steps: AnswerStep, **more: str) -> list[AnswerValue]:
    return list(values_in_records(session(kind, subject, *steps, **more)) or [])


def values(kind: str, subject: str, *steps: AnswerStep, **more: str) -> list[str]:
    return [answer_value.value for answer_value in given(kind, subject, *steps, **more)]


def test_a_question_that_no_rule_knows_has_no_witness():
    assert values_in_records(session("something else", "AAA1")) is None


def test_the_newest_record_comes_first():
    old, new = gene(aliases=["OLD1"]), gene(symbol="AAA9", aliases=["OLD1"])
    steps = step("esummary", old, call="c1"), step("esummary", new, call="c2")
    assert [answer_value.call for answer_value in given(QuestionKind.ALIAS, "OLD1", *steps)] == [
        "c2",
        "c1",
    ]


def test_only_records_of_the_database_are_held():
    at = session(QuestionKind.ALIAS, "x", step("esummary", gene(), record("snp", "DBSNP:rs1")))
    assert [record.id for record, _ in rules.records_of_database(at, "gene")] == ["NCBIGene:1"]


# ------------------------------------------------------------------ one gene
def test_the_best_fit_of_a_name_leaves_out_weaker_ones():
    symbol, alias = gene(1, "OLD1"), gene(2, "BBB1", aliases=["OLD1"])
    for records in ((symbol, alias), (alias, symbol)):
        assert values(QuestionKind.ALIAS, "OLD1", step("esummary", *records)) == ["OLD1"]


def test_all_genes_that_fit_equally_well_are_given():
    both = gene(1, "AAA1", aliases=["OLD1"]), gene(2, "BBB1", aliases=["OLD1"])
    assert values(QuestionKind.ALIAS, "OLD1", step("esummary", *both)) == ["AAA1", "BBB1"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"taxid": "10090"},
        {"replaced_by": "7"},
        {"status": "Discontinued"},
        {"symbol": ""},
        {"aliases": ["OLD12"]},
    ],
)
def test_a_discontinued_nameless_or_foreign_gene_is_not_evidence(wrong: dict):
    unfit_gene = gene(**{"aliases": ["OLD1"], **wrong})
    assert values(QuestionKind.ALIAS, "OLD1", step("esummary", unfit_gene)) == []


def test_an_alias_rests_on_the_list_of_other_names():
    evidence = given(QuestionKind.ALIAS, "OLD1", step("esummary", gene(aliases=["OLD1", "OLD2"])))
    assert [(piece.value, piece.field, piece.raw) for piece in evidence] == [
        ("AAA1", "/NCBIGene:1/aliases", "OLD1")
    ]
    assert evidence[0].object == StatementEnd("OLD1") and evidence[0].subject == StatementEnd(
        "AAA1", "NCBIGene:1"
    )


def test_all_other_names_are_values_only_where_all_are_asked_for():
    summaries = step("esummary", gene(aliases=["OLD1", "OLD2"]))
    assert values(QuestionKind.ALIAS, "AAA1", summaries) == ["AAA1"]
    text = "What are the aliases of AAA1?"
    assert values(QuestionKind.ALIAS, "AAA1", summaries, text=text) == ["AAA1", "OLD1", "OLD2"]


ENSEMBL = "ENSG00000000001"


def search(term: str, *ids: str, tool: str = "esearch") -> AnswerStep:
    return step(tool, call="s1", ids=ids, arguments={"term": term})


def test_a_search_for_the_ensembl_id_ties_only_the_genes_it_found():
    both = step("esummary", gene(1), gene(2, "BBB1"))
    searched = search(f"{ENSEMBL.lower()} AND human[orgn]", "1")
    assert values(QuestionKind.CONVERSION, ENSEMBL, searched, both) == ["AAA1"]
    assert values(QuestionKind.CONVERSION, ENSEMBL, search("another id", "1"), both) == []
    other_tool = search(ENSEMBL, "1", tool="elink")
    assert values(QuestionKind.CONVERSION, ENSEMBL, other_tool, both) == []


def test_a_name_that_is_not_an_ensembl_id_is_not_tied_by_a_search():
    assert (
        values(QuestionKind.CONVERSION, "OLD1", search("OLD1", "1"), step("esummary", gene())) == []
    )


def test_a_record_that_lists_the_ensembl_id_goes_before_a_search_alone():
    listed = gene(1, ensembl=[ENSEMBL])
    steps = search(ENSEMBL, "1"), step("datasets_gene", listed), step("esummary", gene(1))
    evidence = given(QuestionKind.CONVERSION, ENSEMBL, *steps)
    assert [piece.relation for piece in evidence] == ["", "unconfirmed"]
    assert evidence[0].field == "/NCBIGene:1/ensembl/0" and evidence[0].raw == ENSEMBL


def test_a_location_is_the_chromosome_of_the_gene_itself():
    summaries = step("esummary", gene(1, chromosome="7"), gene(2, "BBB1", chromosome="9"))
    assert values(QuestionKind.GENE_LOCATION, "AAA1", summaries) == ["chr7"]
    assert values(QuestionKind.GENE_LOCATION, "AAA1", step("esummary", gene())) == []


def test_a_recorded_type_goes_before_one_read_from_names():
    summary = step("esummary", gene(designations=["protein A"]), call="c1")
    typed = step("datasets_gene", gene(type="ncRNA"), call="c2")
    evidence = given(QuestionKind.CODING, "AAA1", summary, typed)
    assert {(piece.value, piece.call, piece.relation) for piece in evidence} == {
        ("ncRNA", "c2", "")
    }
    evidence = given(QuestionKind.CODING, "AAA1", summary)
    assert [(piece.value, piece.relation) for piece in evidence] == [("protein-coding", "inferred")]
    assert given(QuestionKind.CODING, "AAA1", step("esummary", gene())) == []


def test_a_newer_record_without_a_type_leaves_the_recorded_type():
    typed = step("datasets_gene", gene(type="ncRNA"), call="c1")
    summary = step("esummary", gene(designations=["protein A"]), call="c2")
    evidence = given(QuestionKind.CODING, "AAA1", typed, summary)
    assert {(piece.value, piece.call, piece.relation) for piece in evidence} == {
        ("ncRNA", "c1", "")
    }


def test_the_type_of_another_gene_does_not_count():
    summary = step("esummary", gene(1), call="c1")
    other = step("datasets_gene", gene(2, "BBB1", type="ncRNA"), call="c2")
    assert given(QuestionKind.CODING, "AAA1", summary, other) == []


# ------------------------------------------------------------------ one variant
def snp(number: int = 5, *genes: tuple[str, int], **more: object) -> NcbiRecord:
    named = [
        {"symbol": symbol, "gene": f"NCBIGene:{uid}", "pointer": f"/genes/{n}"}
        for n, (symbol, uid) in enumerate(genes)
    ]
    return record("snp", f"DBSNP:rs{number}", gene_records=named, relation="variant of", **more)


def test_a_variant_is_the_one_that_was_asked_for_or_took_its_place():
    merged = step("esummary", snp(5, replaced_by="6"), snp(6, ("AAA1", 1)), snp(7, ("BBB1", 2)))
    assert values(QuestionKind.SNP_GENE, "rs5", merged) == ["AAA1"]
    assert values(QuestionKind.SNP_GENE, "rs7", merged) == ["BBB1"]


def test_every_gene_of_a_variant_is_given_with_its_functional_class():
    evidence = given(QuestionKind.SNP_GENE, "rs5", step("esummary", snp(5, ("A", 1), ("B", 2))))
    assert [piece.value for piece in evidence] == ["A", "B"]


def test_a_variant_on_several_chromosomes_or_none_has_no_place():
    def places(**more: object) -> list[str]:
        return values(QuestionKind.SNP_LOCATION, "rs5", step("esummary", snp(5, **more)))

    assert places(chromosome="7") == ["chr7"]
    assert places(chromosome="7,8") == [] and places() == []


def test_a_function_is_that_of_a_gene_the_variant_names():
    steps = (
        step("esummary", snp(5, ("AAA1", 1))),
        step("esummary", gene(1, summary="Does A."), gene(2, "BBB1", summary="Does B.")),
    )
    assert values(QuestionKind.SNP_FUNCTION, "rs5", *steps) == ["Does A."]
    bare = steps[0], step("esummary", gene(1))
    assert values(QuestionKind.SNP_FUNCTION, "rs5", *bare) == []


# ------------------------------------------------------------------ one disease
NAME = "made up disease"
FORM = record("omim", "OMIM:100100", kind="phenotype", title="MADE UP DISEASE 1", symbol="MUD1")
FORM_2 = record("omim", "OMIM:100200", kind="phenotype", title="MADE UP DISEASE 2", symbol="MUD2")
OTHER = record("omim", "OMIM:100300", kind="phenotype", title="ANOTHER ILLNESS")


def link(*pairs: str, source: str = "omim", tool: str = "elink") -> AnswerStep:
    places = {pair: f"/links/{n}" for n, pair in enumerate(pairs)}
    ids = tuple(pair.partition(">")[2] for pair in pairs)
    return step(tool, call="l1", ids=ids, places=places, arguments={"dbfrom": source})


def disease(*steps: AnswerStep) -> list[tuple[str, str, str]]:
    evidence = given(QuestionKind.DISEASE_GENES, NAME, *steps)
    return [(piece.value, piece.relation, piece.object.id) for piece in evidence]


OMIM = step("esummary", FORM, FORM_2, OTHER, call="o1")


def test_a_link_from_a_form_of_the_disease_ties_the_gene():
    tied = disease(OMIM, link("100100>1"), step("esummary", gene(1)))
    assert tied == [("AAA1", "", "OMIM:100100")]
    value = given(QuestionKind.DISEASE_GENES, NAME, OMIM, link("100100>1"), step("x", gene(1)))[0]
    assert (value.call, value.field, value.raw) == ("l1", "/links/0", "1")
    assert value.record == "NCBIGene:1" and isinstance(value.proofs[0], RecordProof)


def test_a_gene_of_two_forms_is_tied_to_both():
    links = link("100100>1", "100200>1")
    assert [tied[2] for tied in disease(OMIM, links, step("esummary", gene(1)))] == [
        "OMIM:100100",
        "OMIM:100200",
    ]


@pytest.mark.parametrize(
    "links",
    [
        link("100300>1"),
        link("100100>2"),
        link("100100>1", source="gene"),
        link("100100>1", tool="esummary"),
    ],
    ids=["of another disease", "to another gene", "from genes", "of another tool"],
)
def test_a_link_of_something_else_ties_nothing(links: AnswerStep):
    assert disease(OMIM, links, step("esummary", gene(1))) == [
        ("AAA1", "unconfirmed", "OMIM:100100")
    ]


def test_a_summary_that_names_the_disease_ties_the_gene_without_links():
    summarised_gene = gene(1, summary="Mutations cause made up disease.")
    assert disease(OMIM, step("esummary", summarised_gene)) == [("AAA1", "", "OMIM:100100")]


def test_a_gene_named_in_the_title_is_tied_by_the_title():
    titled = record("omim", "OMIM:1", kind="phenotype", title="AAA1 DEFICIENCY")
    steps = step("esummary", titled, call="o1"), step("esummary", gene(1))
    value = given(QuestionKind.DISEASE_GENES, "AAA1 deficiency", *steps)[0]
    assert (value.call, value.record, value.relation) == ("o1", "OMIM:1", "")


def test_an_entry_that_is_a_gene_is_unconfirmed_and_needs_a_symbol():
    entries = (
        record("omim", "OMIM:2", kind="gene", title="GENE A", symbol="AAA1"),
        record("omim", "OMIM:3", kind="gene and phenotype", title="GENE B", symbol="BBB1"),
        record("omim", "OMIM:4", kind="gene", title="GENE C"),
        record("omim", "OMIM:5", kind="removed", title="GENE D", symbol="DDD1"),
    )
    assert disease(OMIM, step("esummary", *entries)) == [
        ("AAA1", "unconfirmed", "OMIM:100100"),
        ("BBB1", "unconfirmed", "OMIM:100100"),
    ]


def test_without_an_entry_of_the_disease_its_words_are_the_object():
    evidence = given(QuestionKind.DISEASE_GENES, NAME, step("esummary", gene(1)))
    assert (evidence[0].object, evidence[0].relation) == (StatementEnd(NAME), "unconfirmed")
    entry = record("omim", "OMIM:2", kind="gene", title="GENE A", symbol="AAA1")
    evidence = given(QuestionKind.DISEASE_GENES, NAME, step("esummary", entry))
    assert evidence[0].object == StatementEnd(NAME)


def test_the_place_of_a_disease_gene_is_its_band():
    links, genes = link("100100>1"), step("esummary", gene(1, band="7q1"), gene(2, "BBB1"))
    evidence = given(QuestionKind.DISEASE_LOCATIONS, NAME, OMIM, links, genes)
    assert [(piece.value, piece.relation) for piece in evidence] == [("7q1", "")]


# ------------------------------------------------------------------ one sequence
def hit(accession: str, bits: float, **values: object) -> NcbiRecord:
    return record(
        "nuccore", f"RefSeq:{accession}", **{"accession": accession, "bits": bits, **values}
    )


def blast(
    *hits: NcbiRecord, query: str = SEQUENCE, rid: str = "R1", asked: str = "R1"
) -> list[AnswerStep]:
    put = step("blast_put", rid=rid, arguments={"query": query})
    return [put, step("blast_get", *hits, call="b1", arguments={"rid": asked})]


CHROMOSOME = {"kind": "GRCh38 chromosome", "chromosome": "7", "subject": [10, 41]}
HUMAN = {"organism": "Homo sapiens"}


def test_coordinates_come_from_the_best_chromosome_of_grch38():
    hits = (
        hit("NC_1", 60.0, **CHROMOSOME),
        hit("NC_2", 50.0, **{**CHROMOSOME, "chromosome": "8"}),
        hit("XM_1", 62.0, kind="transcript", **HUMAN),
    )
    assert values(QuestionKind.HUMAN_ALIGNMENT, SEQUENCE, *blast(*hits)) == ["chr7:10-41"]


@pytest.mark.parametrize(("bits", "place"), [(53.9, "chr9"), (54.0, "chr7:10-41")])
def test_a_much_better_hit_elsewhere_leaves_only_its_chromosome(bits: float, place: str):
    other = hit("AC_1", 60.0, kind="clone", chromosome="9", **HUMAN)
    steps = blast(hit("NC_1", bits, **CHROMOSOME), other)
    assert values(QuestionKind.HUMAN_ALIGNMENT, SEQUENCE, *steps) == [place]


def test_a_hit_without_coordinates_or_of_no_human_sequence_gives_none():
    bare = hit("NC_1", 60.0, kind="GRCh38 chromosome", chromosome="7")
    assert values(QuestionKind.HUMAN_ALIGNMENT, SEQUENCE, *blast(bare)) == ["chr7"]
    mouse = hit("NC_1", 60.0, kind="clone", chromosome="7", organism="Mus musculus")
    assert values(QuestionKind.HUMAN_ALIGNMENT, SEQUENCE, *blast(mouse)) == []
    nowhere = hit("NC_1", 60.0, kind="clone", **HUMAN)
    assert values(QuestionKind.HUMAN_ALIGNMENT, SEQUENCE, *blast(nowhere)) == []


@pytest.mark.parametrize("wrong", [{"query": "TTTT" * 8}, {"asked": "R2"}])
def test_the_hits_of_another_search_are_no_evidence(wrong: dict):
    blast_hit = hit("NC_1", 60.0, **CHROMOSOME, **HUMAN)
    for kind in (QuestionKind.HUMAN_ALIGNMENT, QuestionKind.SPECIES_ALIGNMENT):
        assert values(kind, SEQUENCE, *blast(blast_hit), *[]) and not values(
            kind, SEQUENCE, *blast(blast_hit, **wrong)
        )


def test_the_species_comes_from_the_best_hits_with_a_named_species():
    hits = (
        hit("A_1", 70.0),
        hit("A_2", 60.0, organism="Mus musculus"),
        hit("A_3", 50.0, organism="Homo sapiens"),
    )
    assert values(QuestionKind.SPECIES_ALIGNMENT, SEQUENCE, *blast(*hits)) == ["Mus musculus"]


def test_the_names_of_a_sequence_are_those_of_the_gene_its_best_human_hits_name():
    hits = (
        hit("NM_1", 60.0, title="Homo sapiens thing (AAA1), mRNA", **HUMAN),
        hit("NM_2", 53.0, title="Homo sapiens thing (BBB1), mRNA", **HUMAN),
        hit("NM_3", 90.0, title="Mus musculus thing (CCC1), mRNA", organism="Mus musculus"),
        hit("NM_4", 60.0, title="Homo sapiens chromosome 7", **HUMAN),
    )
    genes = step(
        "esummary",
        gene(1, aliases=["OLD1"]),
        gene(2, "BBB1"),
        gene(3, "CCC1"),
        gene(4, "DDD1"),
    )
    evidence = given(QuestionKind.SEQUENCE_ALIASES, SEQUENCE, *blast(*hits), genes)
    assert [(piece.value, piece.field.rpartition("/")[2]) for piece in evidence] == [
        ("AAA1", "symbol"),
        ("OLD1", "aliases"),
    ]


def test_a_hit_at_nine_tenths_of_the_best_score_still_names_the_gene():
    hits = (
        hit("NM_1", 60.0, title="Homo sapiens chromosome 7", **HUMAN),
        hit("NM_2", 54.0, title="Homo sapiens thing (BBB1), mRNA", **HUMAN),
    )
    genes = step("esummary", gene(2, "BBB1"))
    assert values(QuestionKind.SEQUENCE_ALIASES, SEQUENCE, *blast(*hits), genes) == ["BBB1"]


def test_the_exact_places_of_a_variant_are_given_besides_its_chromosome():
    variant = snp(
        5, chromosome="7", location="NC_000007.14:150", assembly="GRCh38", previous="7:90"
    )
    assert values(QuestionKind.SNP_LOCATION, "rs5", step("esummary", variant)) == [
        "chr7",
        "GRCh38 NC_000007.14:150",
        "GRCh37 chr7:90",
    ]


def test_a_step_that_only_holds_the_sequence_is_not_a_search_for_it():
    put, got = blast(hit("A_1", 60.0, organism="Mus musculus"))
    other = step("esearch", rid="R1", arguments={"query": SEQUENCE})
    assert values(QuestionKind.SPECIES_ALIGNMENT, SEQUENCE, other, got) == []
    assert values(QuestionKind.SPECIES_ALIGNMENT, SEQUENCE, put, got) == ["Mus musculus"]
