"""Which of the recognised names a reader would take for mentions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.extraction.builtin.groups import (
    MentionGroup,
    chosen_annotations,
    listed_once,
    outside_names,
    without_loose_symbols,
)
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Candidate, Category, MatchKind, Span, Term

TEXT = "tumor necrosis factor in necrosis of the liver"
KINDS = {
    "Chemical": Constraint(("chebi",), category=Category.CHEMICAL),
    "Disease": Constraint(("mondo",), category=Category.DISEASE),
}


def annotation(words: str, key: str, id: str, at: int = 0) -> RecognisedMention:
    start = TEXT.index(words, at)
    term = Candidate(Term(id, words), MatchKind.LABEL, 1.0)
    return RecognisedMention(Span(start, start + len(words)), key, (term,))


def test_a_condition_inside_the_name_of_a_molecule_is_not_a_mention():
    molecule = annotation("tumor necrosis factor", "Chemical", "CHEBI:1")
    inside = annotation("necrosis", "Disease", "MONDO:1")
    apart = annotation("necrosis", "Disease", "MONDO:1", at=20)
    assert chosen_annotations(TEXT, [molecule, inside, apart], KINDS) == [molecule, apart]


def test_a_molecule_inside_the_name_of_a_condition_is_kept():
    condition = annotation("tumor necrosis factor", "Disease", "MONDO:2")
    molecule = annotation("factor", "Chemical", "CHEBI:2")
    assert chosen_annotations(TEXT, [condition, molecule], KINDS) == [condition, molecule]


def test_a_symptom_stays_one_where_another_class_takes_diseases_and_symptoms():
    kinds = {
        "Symptom": Constraint(("hp",), category=Category.PHENOTYPE),
        "Condition": Constraint(("mondo", "hp"), category=Category.DISEASE),
    }
    sign = annotation("necrosis", "Symptom", "HP:1")
    either = annotation("necrosis", "Condition", "MONDO:1")
    assert chosen_annotations(TEXT, [sign, either], kinds) == [sign, either]


def test_a_part_of_a_longer_name_does_nothing_unless_the_name_says_so():
    text = "insulin resistance, insulin, and heparin-induced thrombocytopenia"

    def group(key: str, cls: str, *spans: Span) -> MentionGroup:
        return MentionGroup(key, cls, spans, ())

    inside, apart = Span(0, 7), Span(20, 27)
    heparin = group("CHEBI:2", "Chemical", Span(33, 40))
    conditions = [group("HP:1", "Disease", Span(0, 18)), group("HP:2", "Disease", Span(33, 65))]
    insulin = group("CHEBI:1", "Chemical", inside, apart)
    assert outside_names([insulin, heparin], conditions, text) == [
        group("CHEBI:1", "Chemical", apart),
        heparin,
    ]
    assert outside_names([group("CHEBI:1", "Chemical", inside)], conditions, text) == []


def test_a_name_inside_a_longer_one_is_found_wherever_the_longer_one_begins():
    text = "non small cell lung cancer of the lung, lung cancer"
    names = [Span(0, 26), Span(10, 26), Span(15, 19), Span(34, 38), Span(40, 51)]
    groups = [MentionGroup(str(place), "Disease", (span,), ()) for place, span in enumerate(names)]
    kept = [group.spans for group in outside_names(groups, groups, text)]
    assert kept == [((Span(0, 26)),), (Span(34, 38),), (Span(40, 51),)]


def test_a_symbol_goes_to_the_chemical_of_that_name_before_a_gene_that_lists_it():
    kinds = {
        "Gene": Constraint(("hgnc",), category=Category.GENE),
        "Molecule": Constraint(("hgnc", "chebi"), category=Category.THING),
    }

    def symbol(key: str, *candidates: Candidate) -> RecognisedMention:
        return RecognisedMention(Span(0, 3), key, candidates)

    def gene(match: MatchKind, score: float) -> Candidate:
        return Candidate(Term("HGNC:1", "C2"), match, score, "CO2", taxon="NCBITaxon:9606")

    gas = symbol("Molecule", Candidate(Term("CHEBI:1", "carbon dioxide"), MatchKind.EXACT, 0.9))
    listed = symbol("Gene", gene(MatchKind.RELATED, 0.8))
    called = symbol("Gene", gene(MatchKind.LABEL, 0.8))
    assert without_loose_symbols([listed, gas], kinds) == [gas]
    assert without_loose_symbols([called, gas], kinds) == [called, gas]


def test_a_list_names_a_gene_once_where_a_sentence_speaks_of_a_species_without_terms():
    text = "ABC1 was lost in mice. Patients lack ABC1 and DEF2."
    human = Candidate(Term("HGNC:1", "ABC1"), MatchKind.LABEL, 1.0, taxon="NCBITaxon:9606")
    held = replace(human, score=0.4, differed="species")
    of_mice = MentionGroup("HGNC:1", "Gene", (Span(0, 4),), (held,)), (Span(0, 4),)
    of_patients = MentionGroup("HGNC:1", "Gene", (Span(37, 41),), (human,)), (Span(37, 41),)
    unknown = MentionGroup("def2", "Gene", (Span(46, 50),), ()), (Span(46, 50),)
    assert listed_once([of_mice, of_patients, unknown], text) == [of_patients, unknown]
    assert listed_once([of_mice, unknown], text) == [of_mice, unknown]


@pytest.mark.parametrize(
    ("text", "surface", "kept"),
    [
        ("mutations in USH2A were found", "USH2A", ["Gene"]),  # a condition listed under a symbol
        ("the G6P dehydrogenase is low", "G6P dehydrogenase", ["Gene"]),
        ("neurofibromatosis (NF2) is rare", "neurofibromatosis 2", ["Disease", "Gene"]),
        ("the (NF2) gene is long", "neurofibromatosis 2", ["Gene"]),
    ],
)
def test_words_that_mean_a_gene_name_no_condition(text: str, surface: str, kept: list[str]) -> None:
    words = next(w for w in ("USH2A", "G6P dehydrogenase", "NF2") if w in text)
    span = Span(text.index(words), text.index(words) + len(words))
    kinds = KINDS | {"Gene": Constraint(("hgnc",), category=Category.GENE)}
    annotations = [
        RecognisedMention(span, key, (Candidate(Term(id, "thing"), MatchKind.EXACT, 0.98, name),))
        for key, id, name in (("Disease", "MONDO:1", surface), ("Gene", "HGNC:1", words))
    ]
    assert [one.key for one in chosen_annotations(text, annotations, kinds)] == kept
