"""What words are grounded to, in which order, and what is refused."""

from __future__ import annotations

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.expansion import longer_names
from core.model import Category, MatchKind, Outcome, Span, Term
from core.schema.definition import EnumDefinition, PermissibleValue, ValueSet

KINDS = [
    ("heart failure", "M:2", MatchKind.LABEL),
    ("cardiac insufficiency", "M:2", MatchKind.EXACT),
    ("Heart Failures", "M:2", MatchKind.NORMALISED),
    ("mammary carcinoma", "M:3", MatchKind.RELATED),
    ("severe hypertension", "M:4", MatchKind.PARTIAL),
    ("nalozone", "M:15", MatchKind.FUZZY),
    ("diabetes mellitus type II", "M:11", MatchKind.NORMALISED),
    ("old heart failure", "M:2", MatchKind.LABEL),
    ("M:4", "M:4", MatchKind.EXACT),
]


@pytest.mark.parametrize(("words", "id", "kind"), KINDS)
def test_first_candidate_says_how_its_name_matched(grounder, anything, words, id, kind):
    first = grounder.ground(words, anything)[0]
    assert (first.term.id, first.match) == (id, kind)
    assert 0 < first.score <= 1


def test_kinds_are_scored_in_their_order(grounder, anything):
    scores = [grounder.ground(words, anything)[0].score for words, _, _ in KINDS[:5]]
    assert scores == sorted(scores, reverse=True)


def test_an_abbreviation_means_what_the_text_says(grounder, anything):
    text = "Mitral stenosis (MS) is a disease of a valve. MS is rare."
    assert grounder.ground("MS", anything)[0].term.id == "M:7"
    first = grounder.ground("MS", anything, context=text, span=Span(46, 48))[0]
    assert (first.term.id, first.match) == ("M:6", MatchKind.ABBREVIATION)


def test_a_tie_is_shown_and_not_decided(grounder, anything):
    grounded = grounder.ground("twin name", anything)
    assert {candidate.term.id for candidate in grounded[:2]} == {"M:9", "M:10"}
    assert choose_candidate(grounded) == (None, Outcome.AMBIGUOUS)


def test_the_context_breaks_a_tie(grounder, anything):
    grounded = grounder.ground(
        "twin name", anything, context="The second helper, or twin name, binds."
    )
    assert choose_candidate(grounded)[0].id == "M:10"
    assert "context" in grounded[0].differed


def test_another_drug_one_letter_away_is_not_taken_for_a_misspelling(grounder, anything):
    assert grounder.ground("prednisolone", anything)[0].term.id == "M:17"
    assert grounder.ground("prednison", anything)[0].term.id == "M:16"


def test_unknown_words_ground_to_nothing(grounder, anything):
    assert choose_candidate(grounder.ground("chopped onion", anything)) == (
        None,
        Outcome.UNGROUNDED,
    )
    assert grounder.ground("  ", anything) == ()


def test_only_ids_of_the_id_space_are_given(grounder):
    assert grounder.ground("hypertension", Constraint(("mini",), prefixes=("HP",))) == ()
    assert (
        grounder.ground("hypertension", Constraint(("mini",), prefixes=("M",), pattern=r"M:\d"))[
            0
        ].term.id
        == "M:4"
    )
    assert grounder.ground("twin one", Constraint(("mini",), pattern=r"^M:[1-4]$")) == ()


def test_a_value_set_keeps_its_branch(grounder):
    inside = Constraint(("mini",), value_sets=(ValueSet("D", "mini", ("M:13",)),))
    assert [candidate.term.id for candidate in grounder.ground("Kleefstra syndrome 1", inside)] == [
        "M:14"
    ]
    assert grounder.ground("hypertension", inside) == ()


def test_a_value_set_without_a_hierarchy_is_reported_as_unchecked(tmp_path):
    flat = tmp_path / "flat.tsv"
    flat.write_text("id\tlabel\nF:1\tone\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[flat]))
    constraint = Constraint(("flat", "nowhere"), value_sets=(ValueSet("D", "flat", ("F:0",)),))
    assert grounder.ground("one", constraint)[0].term.id == "F:1"
    assert [problem.code for problem in grounder.problems(constraint)] == [
        "missing-vocabulary",
        "branch-unchecked",
    ]


@pytest.mark.parametrize(
    ("nodes", "minus", "is_reported"),
    [
        (("MONDO:0000001",), (), False),
        (("MONDO:0004995",), (), True),
        (("MONDO:0004995", "MONDO:0005267"), (), True),
        (("MONDO:0000001",), ("MONDO:0004994",), True),
    ],
)
def test_a_branch_of_a_vocabulary_that_only_says_its_kind_is_reported_as_unchecked(
    tmp_path, nodes, minus, is_reported
):
    flat = tmp_path / "mondo.tsv"
    flat.write_text("# holds: disease\nid\tlabel\nMONDO:0004979\tasthma\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[flat]))
    left_out = (ValueSet("D", "mondo", minus),) if minus else ()
    branches = (ValueSet("D", "mondo", nodes, include_self=True, minus=left_out),)
    constraint = Constraint(("mondo",), value_sets=branches, category=Category.DISEASE)
    assert grounder.ground("asthma", constraint)[0].term.id == "MONDO:0004979"
    codes = [problem.code for problem in grounder.problems(constraint)]
    assert codes == (["branch-unchecked"] if is_reported else [])


def test_permissible_values_are_met_by_name_alias_and_meaning(grounder):
    enum = EnumDefinition("Yes", (PermissibleValue("is_true", ("yes",), "N:1", "a true thing"),))
    constraint = Constraint(enums=(enum,))
    for words in ("is true", "Yes", "N:1", "a true thing"):
        assert grounder.ground(words, constraint)[0].term == Term("N:1", "is_true")


def test_a_project_synonym_goes_first(mini, tmp_path):
    class Own:
        def lookup(self, normal, category=None):
            return (
                [Term("M:16", "prednisone", Category.CHEMICAL)] if normal == "heart failure" else []
            )

        def all(self):
            return []

        def refused(self, normal, category=None):
            return frozenset()

        def steady(self):
            return self

    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[mini]), Own())
    first = grounder.ground("Heart failure", Constraint(("mini",)))[0]
    assert (first.term.id, first.match) == ("M:16", MatchKind.PROJECT)


@pytest.mark.parametrize(
    ("id", "codes"),
    [
        ("m:4", []),
        ("M:90", ["obsolete-id"]),
        ("M:12345", ["unknown-id"]),
        ("not an id", ["malformed-id"]),
    ],
)
def test_a_typed_id_is_checked(grounder, anything, id, codes):
    candidate, problems = grounder.check(id, anything)
    assert [problem.code for problem in problems] == codes
    assert candidate is None or candidate.term.id == id.upper()


def test_a_typed_id_of_another_prefix_is_refused(grounder):
    candidate, problems = grounder.check("M:4", Constraint(("mini",), prefixes=("HP",)))
    assert candidate.term.label == "hypertension"
    assert [problem.code for problem in problems] == ["wrong-prefix"]


def test_a_vocabulary_is_meant_by_its_prefix_too(tmp_path):
    path = tmp_path / "my_diseases.tsv"
    path.write_text("id\tlabel\nMONDO:1\tone\n")
    registry = VocabularyRegistry(None, tmp_path / "i", files=[path])
    assert [lexicon.name for lexicon in registry.lexicons(("mondo",))] == ["my_diseases"]
    assert registry.missing(("mondo", "hp")) == ("hp",)


def test_genes_of_another_species_go_last(tmp_path):
    path = tmp_path / "genes.tsv"
    path.write_text("id\tlabel\ttaxon\nG:1\tTP53\tNCBITaxon:9606\nG:2\tTP53\tNCBITaxon:10090\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    assert choose_candidate(grounder.ground("TP53", Constraint(("genes",))))[1] == Outcome.AMBIGUOUS
    mouse = grounder.ground("TP53", Constraint(("genes",), taxon="NCBITaxon:10090"))
    assert choose_candidate(mouse)[0].id == "G:2"


def test_words_around_a_mention_make_a_longer_name(grounder, anything):
    text = "She has Kleefstra syndrome 1, they say."
    longer = longer_names(grounder, text, Span(8, 26), anything)
    assert [
        (name_around.span.quote(text), name_around.candidate.term.id) for name_around in longer
    ] == [("Kleefstra syndrome 1", "M:14")]


def test_the_organism_named_nearest_selects_a_gene(tmp_path):
    path = tmp_path / "genes.tsv"
    path.write_text("id\tlabel\ttaxon\nG:1\tTP53\tNCBITaxon:9606\nG:2\tTP53\tNCBITaxon:10090\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    genes = Constraint(("genes",), category=Category.GENE)
    text = "Humans were spared. In mice TP53 fell."
    grounded = grounder.ground("TP53", genes, context=text, span=Span(28, 32))
    assert choose_candidate(grounded)[0].id == "G:2"
    assert (
        choose_candidate(grounder.ground("TP53", genes, context="TP53 fell.", span=Span(0, 4)))[1]
        == Outcome.AMBIGUOUS
    )


def test_prefixes_are_preferred_in_their_order(tmp_path):
    path = tmp_path / "both.tsv"
    path.write_text("id\tlabel\nA:1\tbreast cancer\nB:1\tbreast cancer\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    for order in (("A", "B"), ("B", "A")):
        constraint = Constraint(("both",), prefixes=order)
        assert (
            choose_candidate(grounder.ground("breast cancers", constraint))[0].id == f"{order[0]}:1"
        )


def test_a_chain_of_merged_ids_leads_to_the_term_that_stands(mini, tmp_path):
    (tmp_path / "mini.obsolete.tsv").write_text(
        "id\tlabel\treplaced_by\nM:90\told\tM:91\nM:91\tyounger\tM:2\nM:92\tlost\tM:92\n"
    )
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[mini]))
    assert grounder.ground("M:90", Constraint(("mini",)))[0].term.id == "M:2"
    assert choose_candidate(grounder.ground("M:92", Constraint(("mini",))))[0] is None


def test_a_name_that_was_given_up_stands_for_what_took_its_place(grounder, anything):
    candidates = grounder.ground("old heart failure", anything)
    assert choose_candidate(candidates) == (candidates[0].term, Outcome.GROUNDED)
    assert candidates[0].term.id == "M:2" and "replaces M:90" in candidates[0].differed
    assert choose_candidate(grounder.ground("gone", anything))[0] is None


def test_every_merged_phenotype_id_resolves(shared, tmp_path):
    folder = shared / "data" / "grounding"
    rows = [line.split("\t") for line in (folder / "gold/hp_2014_to_2023.tsv").open().readlines()]
    merged = {row[0]: row[3] for row in rows if row[2] == "merged"}
    registry = VocabularyRegistry(
        None, tmp_path / "i", files=[folder / "lexicons" / "hp_2023.tsv.gz"]
    )
    grounder, anything = Grounder(registry), Constraint(("hp_2023",))
    resolved = {old: grounder.ground(old, anything, loose=False)[0].term.id for old in merged}
    assert len(merged) == 225 and resolved == merged


def test_a_name_that_the_text_completes_is_a_candidate(tmp_path):
    path = tmp_path / "cells.tsv"
    path.write_text("id\tlabel\nC:1\tretinal ganglion cell\nC:2\tspiral ganglion neuron\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    cells = Constraint(("cells",))
    text = "In the retina ganglion cells and other retinal neurons were lost."
    assert choose_candidate(grounder.ground("ganglion cells", cells, context=text))[0].id == "C:1"
    assert choose_candidate(grounder.ground("ganglion cells", cells))[0] is None


WORDED = """id\tlabel\tsynonym
T:1\tcisplatin\t
T:2\tKidney Diseases\t
T:3\tAcute Kidney Injury\t
T:4\tbreast neoplasms\tbreast cancer
T:5\tovarian neoplasms\tovarian cancer
T:6\tarteries\tartery
T:7\tbranchial fistula\t
T:8\tfever\t
T:9\tsome other thing\tCDDP
"""


@pytest.fixture
def worded(tmp_path):
    path = tmp_path / "worded.tsv"
    path.write_text(WORDED)
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("renal damage", "T:2"),  # something wrong with an organ
        ("breast and ovarian cancers", "T:4"),  # one of several
        ("branchial fistulae", "T:7"),
        ("calcification of the artery", ""),  # not the artery
        ("haemorrhagic fever", ""),  # says more than what is left of it
    ],
)
def test_longer_phrases_are_grounded_to_the_whole_meaning(worded, words, id):
    term, _ = choose_candidate(worded.ground(words, Constraint(("worded",))))
    assert (term.id if term else "") == id


def test_a_short_form_means_the_name_before_its_brackets(worded):
    text = "The toxicity of cisplatin (CDDP) is known. CDDP is a drug."
    grounded = worded.ground("CDDP", Constraint(("worded",)), context=text)
    assert [candidate.term.id for candidate in grounded] == ["T:1", "T:9"]
    assert choose_candidate(grounded)[0].id == "T:1"


def test_a_term_that_says_less_or_more_than_the_words_is_marked(worded):
    grounded = worded.ground("haemorrhagic fever", Constraint(("worded",)))
    assert "broader than" in grounded[0].differed
    narrower = worded.ground("kidney injury", Constraint(("worded",)))
    marks = {candidate.term.id: candidate.differed for candidate in narrower}
    assert "narrower than" in marks["T:3"]


@pytest.fixture
def diseases(tmp_path):
    path = tmp_path / "diseases.tsv"
    names = (
        "Consciousness", "Carcinoma", "Adenocarcinoma", "Psoriatic arthropathy",
        "Acute tubular kidney necrosis", "Hereditary breast and ovarian cancer syndrome",
        "Breast cancer", "Ovarian cancer", "Lens opacities",
    )  # fmt: skip
    rows = [f"D:{number}\t{name}" for number, name in enumerate(names, 1)]
    path.write_text("\n".join(["id\tlabel", *rows]) + "\n")
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path])), Constraint(
        ("diseases",)
    )


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("impaired consciousness", ""),  # what was wrong would be lost
        ("carcinoma of the bladder", ""),  # a short head is broader than the words
        ("adenocarcinoma of the liver", ""),  # so is a longer one: of such answers 59 % were right
        ("arthropathy", ""),  # one telling word, and the name says more
        ("acute tubular necrosis", "D:5"),
        ("cortical, or mixed lens opacities", ""),  # names said together are not the last of them
        ("hereditary breast and ovarian cancer", "D:6"),  # the whole before its parts
    ],
)
def test_a_name_broader_or_narrower_than_the_words_is_chosen_only_where_it_tells(
    diseases, words, meant
):
    grounder, constraint = diseases
    context = f"Psoriatic skin and kidney disease with {words} was seen."
    term, _ = choose_candidate(grounder.ground(words, constraint, context=context))
    assert (term.id if term else "") == meant


@pytest.fixture
def inherited(tmp_path):
    rows = [
        ("D:1", "Genetic Diseases, Inborn"), ("D:2", "Breast Cancer"), ("D:3", "Ovarian Cancer"),
        ("D:4", "Hereditary Breast and Ovarian Cancer Syndrome"), ("D:5", "Inflammation"),
        ("D:6", "Immunologic Deficiency Syndromes"), ("D:7", "Premature Birth"),
    ]  # fmt: skip
    path = tmp_path / "inherited.tsv"
    path.write_text("id\tlabel\n" + "".join(f"{id}\t{label}\n" for id, label in rows))
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("genetic disease", "D:1"),
        ("autosomal recessive disorder", "D:1"),
        ("immunodeficiency", "D:6"),
        ("preterm infants", "D:7"),
        ("inherited breast and ovarian cancer", "D:4"),  # one syndrome
        ("breast and ovarian cancer", "D:2"),  # the first of two
        ("bladder inflammation", ""),  # says next to nothing without its organ
    ],
)
def test_diseases_as_papers_call_them(inherited, words, id):
    candidates = inherited.ground(words, Constraint(("inherited",)), context=f"Of {words}.")
    term, _ = choose_candidate(candidates)
    assert (term.id if term else "") == id


def test_a_family_of_genes_is_offered_and_not_chosen(tmp_path):
    path = tmp_path / "genes.tsv"
    path.write_text(
        "id\tlabel\tsynonym\tscope\ttaxon\nG:1\tTXK\ttyrosine kinase\tRELATED\tNCBITaxon:9606\n"
    )
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    candidates = grounder.ground("tyrosine kinase", Constraint(("genes",)))
    assert [candidate.term.id for candidate in candidates] == ["G:1"]
    assert choose_candidate(candidates) == (None, Outcome.UNGROUNDED)


def test_a_name_as_it_is_written_goes_before_another_genes_symbol(tmp_path):
    path = tmp_path / "genes.tsv"
    path.write_text(
        "id\tlabel\tsynonym\tscope\ttaxon\n"
        "G:1\tCOX2\tCOX2\tlabel\tNCBITaxon:9606\n"
        "G:2\tPTGS2\tPTGS2\tlabel\tNCBITaxon:9606\n"
        "G:2\tPTGS2\tCOX-2\tRELATED\t\n"
    )
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    for words, id in (("COX-2", "G:2"), ("COX2", "G:1"), ("COX 2", "G:1")):
        assert choose_candidate(grounder.ground(words, Constraint(("genes",))))[0].id == id
