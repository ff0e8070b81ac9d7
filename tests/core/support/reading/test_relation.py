"""What the built-in relation rules join, deny and leave alone."""

from __future__ import annotations

import pytest

from core.model import Span
from core.support.reading.predicate import Predicate
from core.support.reading.relation import Relation, pair_relations

CAUSE, TREAT = Predicate("INDUCES"), Predicate("TREATS")


def place(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def joined(text: str, subject: str, object_: str, *predicates: Predicate) -> Relation | None:
    known = predicates or (CAUSE, TREAT)
    relations = pair_relations(
        text, Span(0, len(text)), [place(text, subject)], [place(text, object_)], predicates=known
    )
    return relations[0] if relations else None


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Veratin-induced tremor was seen.", "INDUCES"),
        ("Veratin causes tremor in rats.", "INDUCES"),
        ("The tremor was caused by veratin.", "INDUCES"),
        ("A tremor appeared after veratin.", "INDUCES"),
        ("The tremor was treated with veratin.", "TREATS"),
        ("Veratin is used in the treatment of tremor.", "TREATS"),
        ("Veratin alleviated the tremor.", "TREATS"),
    ],
)
def test_a_cue_between_two_mentions_states_a_predicate(text: str, predicate: str) -> None:
    relation = joined(text, "eratin", "tremor")
    assert relation is not None
    assert relation.predicate == predicate


@pytest.mark.parametrize(
    "text",
    [
        "Veratin did not cause tremor.",
        "There is no evidence that veratin causes tremor.",
        "Tremor was never due to veratin.",
    ],
)
def test_a_denied_relation_is_negated(text: str) -> None:
    relation = joined(text, "eratin", "remor")
    assert relation is not None
    assert relation.negated


@pytest.mark.parametrize(
    "text",
    [
        "Tremor was seen with veratin, whereas none of those on placebo had ataxia.",
        "Veratin caused nausea, whereas none of those on placebo had ataxia.",
    ],
)
def test_absence_on_placebo_is_not_a_denial_for_the_drug(text: str) -> None:
    assert joined(text, "eratin", "ataxia") is None


def test_subject_of_a_coordinated_clause_is_not_an_object() -> None:
    activates = Predicate("ACTIVATES")
    assert joined("Abc induces Def, and Ghi degrades Abc.", "Abc", "Ghi", activates) is None
    assert joined("Abc induces Def, and Ghi.", "Abc", "Ghi", activates)


def test_mediated_inhibition_is_an_inhibition_not_an_activation() -> None:
    relation = joined(
        "Veratin-mediated inhibition of Abc was seen.", "Veratin", "Abc",
        Predicate("ACTIVATES"), Predicate("INHIBITS"),
    )  # fmt: skip
    assert relation is not None
    assert relation.predicate == "INHIBITS"


def test_a_negation_before_another_clause_does_not_reach() -> None:
    relation = joined("Sleep did not change, but veratin caused tremor.", "veratin", "tremor")
    assert relation is not None
    assert not relation.negated


def test_a_supposed_relation_is_a_hypothesis() -> None:
    relation = joined("We suspect that veratin may cause tremor.", "veratin", "tremor")
    assert relation is not None
    assert relation.hypothesis
    assert not relation.negated


def test_two_mentions_without_a_cue_are_not_joined() -> None:
    assert joined("Veratin, an old remedy. Tremor", "Veratin", "Tremor") is None


def test_a_compound_belongs_to_the_nearest_subject() -> None:
    text = "Amlor reduced veratin-induced tremor."
    spans = [place(text, "Amlor"), place(text, "veratin")]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "tremor")], predicates=[CAUSE]
    )
    assert [relation.subject.quote(text) for relation in relations] == ["veratin"]


def test_a_condition_that_patients_had_is_not_an_outcome() -> None:
    assert joined("In patients with epilepsy after veratin", "veratin", "epilepsy", CAUSE) is None


def test_a_receptor_is_not_its_ligand() -> None:
    assert joined("Dopamine receptors cause tremor.", "Dopamine", "tremor") is None


def test_predicate_that_only_the_schema_has_is_found_by_its_words() -> None:
    relation = joined("Kinase Abc ubiquitinates Def.", "Abc", "Def", Predicate("UBIQUITINATES"))
    assert relation is not None
    assert relation.cue.quote("Kinase Abc ubiquitinates Def.") == "ubiquitinates"


def test_a_relation_names_its_rule_and_cue() -> None:
    text = "Veratin-induced tremor"
    relation = joined(text, "Veratin", "tremor")
    assert relation is not None
    assert (relation.rule, relation.cue.quote(text)) == ("S-induced O", "-induced")


WORSE = Predicate("EXACERBATES")


def test_to_worsen_is_not_to_cause_and_to_cause_is_not_to_worsen() -> None:
    worse = joined("Veratin worsened tremor.", "Veratin", "tremor", CAUSE, WORSE)
    cause = joined("Veratin causes tremor.", "Veratin", "tremor", CAUSE, WORSE)
    assert worse is not None
    assert cause is not None
    assert (worse.predicate, cause.predicate) == ("EXACERBATES", "INDUCES")
    assert joined("Veratin causes tremor.", "Veratin", "tremor", WORSE) is None


def test_a_cue_of_one_clause_does_not_reach_into_the_next_that_has_a_subject() -> None:
    text = "Veratin is given for flares, but long use of veratin causes tremor."
    spans = [place(text, "Veratin"), place(text, "veratin")]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "tremor")], predicates=[TREAT]
    )
    assert [relation for relation in relations if relation.subject == spans[0]] == []


def test_a_passive_and_its_agent_are_not_a_place() -> None:
    text = "In cells, Abc is cut in the cytosol, and Abc is degraded by the proteasome."
    assert joined(text, "Abc", "proteasome", Predicate("LOCATED_IN")) is None
    relation = joined("Abc lies in the cytosol.", "Abc", "cytosol", Predicate("LOCATED_IN"))
    assert relation is not None


def test_in_the_absence_of_neither_acts_nor_negates_what_follows() -> None:
    text = "In the absence of Abc, Def inhibits Ghi."
    spans = [place(text, "Abc"), place(text, "Def")]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "Ghi")], predicates=[Predicate("INHIBITS")]
    )
    assert [(relation.subject, relation.negated) for relation in relations] == [(spans[1], False)]


def test_not_observed_after_an_induced_pair_negates_it() -> None:
    relation = joined("Veratin-induced tremor was not observed.", "Veratin", "tremor")
    assert relation is not None
    assert relation.negated


def test_the_verb_next_to_the_object_says_what_is_done_to_it() -> None:
    relation = joined(
        "Veratin was used to treat pain but worsened tremor.", "Veratin", "tremor", TREAT, WORSE
    )
    assert relation is not None
    assert relation.predicate == "EXACERBATES"


def test_inhibited_thing_is_not_the_subject_of_inhibits() -> None:
    assert (
        joined("When Abc is inhibited, Def accumulates.", "Abc", "Def", Predicate("INHIBITS"))
        is None
    )


def test_a_place_follows_its_preposition() -> None:
    text = "Veratin enters cells of the liver through the carrier Abc."
    assert joined(text, "Veratin", "cells", Predicate("LOCATED_IN")) is not None
    assert joined(text, "Veratin", "Abc", Predicate("LOCATED_IN")) is None
    assert (
        joined("Tremor is a feature of palsy.", "Tremor", "palsy", Predicate("LOCATED_IN")) is None
    )


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It failed to influence the tremor produced by veratin.", False),
        ("It did not reduce veratin-induced tremor.", False),
        ("There was no veratin-induced tremor.", True),
        ("No tremor was attributable to veratin.", True),
    ],
)
def test_a_denial_reaches_only_what_it_governs(text: str, negated: bool) -> None:
    relation = joined(text, "veratin", "tremor", CAUSE)
    assert relation is not None
    assert relation.negated is negated


@pytest.mark.parametrize(
    "text",
    [
        "Placebo caused tremor.",
        "Anti-TNF caused tremor.",
        "The inhibitor caused tremor.",
        "The penicillin model caused tremor.",
        "An antagonist of penicillin caused tremor.",
        "A penicillin oxidase caused tremor.",
    ],
)
def test_controls_models_and_opposites_are_no_agents(text: str) -> None:
    name = next(word for word in ("Placebo", "TNF", "inhibitor", "penicillin") if word in text)
    assert joined(text, name, "tremor", CAUSE) is None


def test_a_case_of_an_effect_is_not_a_condition_of_the_patient() -> None:
    assert joined("A case of tremor due to veratin is reported.", "veratin", "tremor", CAUSE)
    assert joined("A patient with tremor was given veratin.", "veratin", "tremor", CAUSE) is None


def test_finding_that_developed_later_is_not_what_a_drug_treats() -> None:
    text = "Veratin was started for ataxia and tremor developed two weeks later."
    assert joined(text, "Veratin", "ataxia", Predicate("TREATS"))
    assert joined(text, "Veratin", "tremor", Predicate("TREATS")) is None


def test_the_salt_of_a_drug_is_not_an_agent_beside_it() -> None:
    text = "Bupropion HCl caused seizures."
    spans = [place(text, "Bupropion"), place(text, "HCl")]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "seizures")], predicates=[CAUSE]
    )
    assert [relation.subject for relation in relations] == spans[:1]


def test_an_aim_is_distinguished_from_a_supposition() -> None:
    asked = joined("We examine whether veratin causes tremor.", "veratin", "tremor", CAUSE)
    supposed = joined("Veratin may cause tremor.", "Veratin", "tremor", CAUSE)
    assert asked is not None
    assert supposed is not None
    assert (asked.aim, supposed.aim) == (True, False)


@pytest.mark.parametrize("text", ["Potentiation by amlor of veratin-induced tremor.",
                                  "Amlor prevents veratin-induced tremor."])  # fmt: skip
def test_modifier_of_another_agents_effect_does_not_cause_it(text: str) -> None:
    name = "amlor" if "amlor" in text else "Amlor"
    spans = [place(text, name), place(text, "veratin")]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "tremor")], predicates=[CAUSE]
    )
    assert [relation.subject.quote(text) for relation in relations] == ["veratin"]


ACTIVATE, INHIBIT, TREATS = Predicate("ACTIVATES"), Predicate("INHIBITS"), Predicate("TREATS")


def pairs(text: str, names: list[str], *predicates: Predicate) -> set[tuple[str, str, str]]:
    """Every pair of the names that is joined, with its predicate."""
    spans = [place(text, name) for name in names]
    relations = pair_relations(text, Span(0, len(text)), spans, spans, predicates=predicates)
    return {
        (relation.subject.quote(text), relation.predicate, relation.object.quote(text))
        for relation in relations
    }


def test_mention_behind_a_second_verb_is_not_an_object_of_the_first() -> None:
    text = "Abcin activates Defase and lowers ghiose in klmitis."
    triples = pairs(text, ["Abcin", "Defase", "ghiose", "klmitis"], ACTIVATE)
    assert triples == {("Abcin", "ACTIVATES", "Defase")}


def test_the_object_of_a_verb_is_not_the_subject_of_the_next() -> None:
    text = "Abcin inhibits Defase and is used in klmitis."
    triples = pairs(text, ["Abcin", "Defase", "klmitis"], INHIBIT, TREATS)
    assert ("Defase", "TREATS", "klmitis") not in triples
    assert ("Abcin", "INHIBITS", "Defase") in triples


def test_a_verb_of_another_clause_joins_nothing_in_this_one() -> None:
    text = "ABC1 inhibits it, and the phosphatase is inhibited by a receptor with ghiose."
    assert not pairs(text, ["ABC1", "ghiose"], INHIBIT)


def test_production_is_not_a_cause() -> None:
    assert joined("Veratin production in tremor was measured.", "eratin", "tremor") is None
    relation = joined("Veratin soon produced tremor.", "eratin", "tremor")
    assert relation is not None and relation.predicate == "INDUCES"


def test_semicolon_before_a_new_verb_separates_subject_and_object() -> None:
    text = "Isoniazid led to hepatitis; no neuropathy was attributable to rifampicin."
    assert joined(text, "Isoniazid", "neuropathy") is None
    assert joined(text, "rifampicin", "hepatitis") is None
    assert joined(text, "Isoniazid", "hepatitis") is not None
    denied = joined(text, "rifampicin", "neuropathy")
    assert denied is not None and denied.negated


def test_a_list_with_semicolons_is_one_clause() -> None:
    assert joined("Isoniazid causes fever, at times high; neuropathy.", "Isoniazid", "neuropathy")


@pytest.mark.parametrize(
    ("text", "object_", "rule", "negated"),
    [
        ("Veratin did not cause tremor but led to ataxia.", "tremor", "S causes O", True),
        ("Veratin did not cause tremor but led to ataxia.", "ataxia", "S results in O", False),
        ("Veratin led to tremor, but it did not cause ataxia.", "tremor", "S results in O", False),
        ("Veratin led to tremor, but it did not cause ataxia.", "ataxia", "S causes O", True),
        ("Veratin caused not only tremor but also ataxia.", "ataxia", "S causes O", False),
        ("Veratin, but not solbex, caused tremor.", "tremor", "S causes O", False),
    ],
)
def test_verbs_on_either_side_of_but_keep_their_own_negation(
    text: str, object_: str, rule: str, negated: bool
) -> None:
    relation = joined(text, "Veratin", object_, CAUSE)
    assert relation is not None
    assert (relation.rule, relation.negated) == (rule, negated)


@pytest.mark.parametrize(
    ("text", "names", "stated"),
    [
        ("Neither veratin nor solbex caused tremor.", ["veratin", "solbex"], {"veratin", "solbex"}),
        ("Compared with veratin, solbex caused tremor.", ["veratin", "solbex"], {"solbex"}),
        ("Veratin-solbex caused tremor.", ["Veratin", "solbex"], {"Veratin", "solbex"}),
        ("Veratin in the soil caused tremor.", ["Veratin", "soil"], {"Veratin"}),
        ("Veratin in drinking water led to tremor.", ["Veratin", "drinking water"], {"Veratin"}),
        ("Veratin, but not solbex, caused tremor.", ["Veratin", "solbex"], {"Veratin", "solbex"}),
    ],
)
def test_each_agent_of_a_verb_is_joined_and_no_other(
    text: str, names: list[str], stated: set[str]
) -> None:
    spans = [place(text, name) for name in names]
    relations = pair_relations(
        text, Span(0, len(text)), spans, [place(text, "tremor")], predicates=[CAUSE]
    )
    assert {relation.subject.quote(text) for relation in relations} == stated


def test_the_verb_of_an_unknown_actor_is_not_that_of_the_one_before() -> None:
    text = "Veratin can cause tremor, and solbex may worsen ataxia."
    assert joined(text, "Veratin", "ataxia", Predicate("EXACERBATES")) is None
    same = "Veratin can cause tremor, and it may worsen ataxia."
    assert joined(same, "Veratin", "ataxia", Predicate("EXACERBATES")) is not None


def test_treated_followed_by_a_noun_relates_drug_and_noun_only() -> None:
    assert joined("Veratin-treated plants showed tremor.", "Veratin", "tremor", TREAT) is None
    assert joined("Veratin-treated tremor improved.", "Veratin", "tremor", TREAT) is not None


@pytest.mark.parametrize(
    ("text", "rule", "negated", "hypothesis"),
    [
        ("Veratin did not reduce tremor and caused ataxia.", "S causes O", False, False),
        ("Veratin was not linked to tremor and caused ataxia.", "S causes O", False, False),
        ("Veratin does not relieve tremor and may cause ataxia.", "S causes O", False, True),
        ("Veratin never caused tremor and rarely caused ataxia.", "S causes O", False, False),
        ("Veratin did not relieve tremor, and it led to ataxia.", "S results in O", False, False),
        ("Although veratin did not cause tremor, it caused ataxia.", "S causes O", False, False),
        ("Veratin, which did not cause tremor, induced ataxia.", "S induces O", False, False),
        ("Veratin did not relieve tremor or cause ataxia.", "S causes O", True, False),
        ("Veratin did not relieve tremor and did not cause ataxia.", "S causes O", True, False),
        ("Veratin did not cause tremor and ataxia.", "S causes O", True, False),
        (
            "It is unlikely that veratin caused tremor and led to ataxia.",
            "S results in O",
            True,
            False,
        ),
    ],
)
def test_a_denial_reaches_no_verb_that_begins_a_new_predicate(
    text: str, rule: str, negated: bool, hypothesis: bool
) -> None:
    text = text.replace("veratin", "Veratin")
    relation = joined(text, "Veratin", "ataxia", CAUSE)
    assert relation is not None
    assert (relation.rule, relation.negated, relation.hypothesis) == (rule, negated, hypothesis)


@pytest.mark.parametrize(
    ("text", "negated", "hypothesis"),
    [
        ("We could not confirm that veratin causes tremor.", False, True),
        ("We were unable to prove that veratin causes tremor.", False, True),
        ("It cannot be ruled out that veratin causes tremor.", False, True),
        ("It is not known if veratin causes tremor.", False, True),
        ("It has not yet been established that veratin causes tremor.", False, True),
        ("It is unclear that veratin causes tremor.", False, True),
        ("We confirmed that veratin does not cause tremor.", True, False),
        ("It was not true that veratin causes tremor.", True, False),
        ("Veratin did not cause confirmed tremor.", True, False),
        ("Veratin was ruled out as a cause of tremor.", True, False),
    ],
)
def test_unsettled_relation_is_hypothetical_and_not_negated(
    text: str, negated: bool, hypothesis: bool
) -> None:
    text = text.replace("veratin", "Veratin")
    relation = joined(text, "Veratin", "tremor", CAUSE)
    assert relation is not None
    assert (relation.negated, relation.hypothesis) == (negated, hypothesis)


@pytest.mark.parametrize(
    "text",
    [
        "Tremor was more frequent with veratin than with solbex.",
        "Tremor was more common after veratin than after solbex.",
        "Tremor occurred more often with veratin than solbex.",
        "The tremor was higher in the veratin group than in the solbex group.",
        "Veratin had a higher incidence of tremor than solbex.",
        "Veratin, compared with solbex, caused tremor.",
        "Compared with solbex, veratin caused more tremor.",
    ],
)
def test_the_second_of_two_compared_things_is_not_an_agent(text: str) -> None:
    text = text.replace("Veratin", "veratin").replace("Tremor", "tremor")
    agents = [place(text, "veratin"), place(text, "solbex")]
    relations = pair_relations(
        text, Span(0, len(text)), agents, [place(text, "tremor")], predicates=[CAUSE]
    )
    assert [relation.subject.quote(text) for relation in relations] == ["veratin"]


def test_finding_less_frequent_with_a_drug_is_not_its_effect() -> None:
    assert joined("Tremor was less frequent with veratin.", "veratin", "Tremor", CAUSE) is None


@pytest.mark.parametrize(
    ("text", "rule", "negated"),
    [
        ("It is unlikely that veratin caused tremor.", "S causes O", True),
        ("Whereas veratin caused tremor, solbex did not.", "S causes O", False),
        ("Solbex did not reduce veratin induced tremor.", "S-induced O", False),
        ("Solbex did not reduce veratin-induced tremor.", "S-induced O", False),
    ],
)
def test_a_verb_behind_its_subject_is_not_part_of_a_compound(
    text: str, rule: str, negated: bool
) -> None:
    relation = joined(text, "veratin", "tremor", CAUSE)
    assert relation is not None
    assert (relation.rule, relation.negated) == (rule, negated)


def test_none_of_negates_a_relation() -> None:
    relation = joined("None of the tremor was attributed to veratin.", "veratin", "tremor", CAUSE)
    assert relation is not None
    assert relation.negated


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("veratin controlled the tremor.", "TREATS"),
        ("veratin attenuated solbex-induced tremor.", "TREATS"),
        ("veratin reduced exacerbations of tremor.", "TREATS"),
        ("veratin induced regression of the tremor.", "TREATS"),
        ("tremor followed treatment with veratin.", "INDUCES"),
        ("she had tremor two days after starting veratin.", "INDUCES"),
    ],
)
def test_words_around_a_cue_may_turn_it_round(text: str, predicate: str) -> None:
    relation = joined(f"And {text}", "veratin", "tremor", CAUSE, TREAT, Predicate("EXACERBATES"))
    assert relation is not None
    assert relation.predicate == predicate


@pytest.mark.parametrize(
    "text",
    [
        "Veratin halved the risk of tremor.",
        "Solbex lowers veratin but may cause tremor.",
        "Solbex led to tremor after an injection; veratin helped.",
    ],
)
def test_lowering_a_risk_and_standing_apart_are_no_causation(text: str) -> None:
    assert joined(text, "eratin", "remor", CAUSE) is None


def test_a_cue_behind_its_object_belongs_to_the_agent_next_to_it() -> None:
    text = "Tremor triggered by solbex was treated with veratin."
    subjects = [place(text, "solbex"), place(text, "veratin")]
    relations = pair_relations(
        text, Span(0, len(text)), subjects, [place(text, "Tremor")], predicates=(CAUSE, TREAT)
    )
    assert {(way.subject.quote(text), way.predicate) for way in relations} == {
        ("solbex", "INDUCES"),
        ("veratin", "TREATS"),
    }


def test_a_name_that_holds_its_cause_says_so() -> None:
    text = "Veratin-induced tremor was seen."
    whole = place(text, "Veratin-induced tremor")
    relations = pair_relations(
        text, Span(0, len(text)), [place(text, "Veratin")], [whole], predicates=(CAUSE,)
    )
    assert [way.rule for way in relations] == ["S-induced O"]
    assert relations[0].cue.quote(text) == "-induced"


def test_an_activating_mutation_is_activated_by_no_gene_named_before_it() -> None:
    text = "Loss of ABC and activating DEF mutations are common."
    assert joined(text, "ABC", "DEF", Predicate("ACTIVATES")) is None


@pytest.mark.parametrize(
    ("text", "subject", "predicate"),
    [
        ("ABC binds XYZ and thereby inhibits DEF.", "ABC", "INHIBITS"),
        ("ABC is induced by XYZ and inhibits DEF.", "ABC", "INHIBITS"),
        ("ABC raises the XYZ level and activates DEF.", "ABC", "ACTIVATES"),
    ],
)
def test_a_second_verb_is_that_of_the_first_subject(
    text: str, subject: str, predicate: str
) -> None:
    asked = (Predicate("INHIBITS"), Predicate("ACTIVATES"))
    subjects = [place(text, "ABC"), place(text, "XYZ")]
    relations = pair_relations(
        text, Span(0, len(text)), subjects, [place(text, "DEF")], predicates=asked
    )
    assert [(way.subject.quote(text), way.predicate) for way in relations] == [(subject, predicate)]


def test_the_actor_behind_by_is_acted_on_by_nothing() -> None:
    assert joined("DEF inhibition by ABC was seen.", "DEF", "ABC", Predicate("INHIBITS")) is None
    relation = joined("DEF inhibited by ABC was seen.", "ABC", "DEF", Predicate("INHIBITS"))
    assert relation is not None


@pytest.mark.parametrize(
    "text",
    [
        "Veratin should be avoided in patients with tremor.",
        "Veratin use for one year was followed by tremor.",
        "Veratin therapy in men led to tremor.",
        "Veratin, given for ataxia, was followed within two days by tremor.",
        "Veratin-treated mice were used as a model of tremor.",
        "The tremor was treated with solbex when veratin failed.",
    ],
)
def test_harmful_or_contraindicated_drug_is_not_a_treatment(text: str) -> None:
    assert joined(text, "eratin", "remor", TREAT) is None


def test_but_developed_relates_only_the_finding_after_it() -> None:
    text = "He had no tremor but developed ataxia while taking veratin."
    assert joined(text, "veratin", "tremor") is None
    relation = joined(text, "veratin", "ataxia")
    assert relation is not None
    assert (relation.rule, relation.negated) == ("developed O while on S", False)


def test_fewer_of_them_are_not_caused() -> None:
    assert joined("Veratin caused less tremor.", "Veratin", "tremor", CAUSE) is None


def test_a_drug_before_an_effect_is_one_name() -> None:
    text = "No veratin tremor was seen, nor solbex ataxia."
    relation = joined(text, "veratin", "tremor", CAUSE)
    assert relation is not None
    assert relation.negated
    assert relation.cue.quote(text) == "tremor"


def test_an_adjective_of_the_next_name_is_not_an_agent() -> None:
    text = "Inorganic arsenic caused tremor."
    subjects = [place(text, "Inorganic"), place(text, "arsenic")]
    relations = pair_relations(
        text, Span(0, len(text)), subjects, [place(text, "tremor")], predicates=(CAUSE,)
    )
    assert [way.subject.quote(text) for way in relations] == ["arsenic"]


def test_only_the_head_of_a_sentence_has_a_second_verb() -> None:
    text = "ABC in KLM binds XYZ and inhibits DEF."
    subjects = [place(text, words) for words in ("ABC", "KLM", "XYZ")]
    asked = (Predicate("INHIBITS"),)
    relations = pair_relations(
        text, Span(0, len(text)), subjects, [place(text, "DEF")], predicates=asked
    )
    assert [way.subject.quote(text) for way in relations] == ["ABC"]


ACTS = tuple(Predicate(name) for name in ("ACTIVATES", "INHIBITS", "PHOSPHORYLATES", "BINDS"))


def test_a_promoter_is_nothing_that_promotes() -> None:
    relation = joined("Abcl binds the promoter of Defl.", "Abcl", "Defl", *ACTS)
    assert relation is not None and relation.predicate == "BINDS"
    assert joined("Abcl lies near the promoter of Defl.", "Abcl", "Defl", *ACTS) is None
    assert joined("Abcl promotes Defl.", "Abcl", "Defl", *ACTS) is not None


def test_first_verb_belongs_to_the_thing_that_was_used() -> None:
    text = "Veratin binds the ion channel and was once used against tremor."
    predicates = (CAUSE, TREAT, *ACTS)
    relations = pair_relations(
        text,
        Span(0, len(text)),
        [place(text, "eratin"), place(text, "ion channel")],
        [place(text, "tremor")],
        predicates=predicates,
    )
    assert [relation.subject.quote(text) for relation in relations] == ["eratin"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tremor stopped after veratin was withdrawn.", None),
        ("tremor stopped after veratin was given.", "TREATS"),
        ("tremor cells were treated with veratin.", None),
        ("men taking veratin had less tremor.", None),
        ("men taking veratin had tremor.", "INDUCES"),
        ("veratin induced more remissions than placebo in tremor.", None),
    ],
)
def test_words_around_a_cue_may_say_the_opposite(text: str, says: str | None) -> None:
    relation = joined(text, "veratin", "tremor")
    assert (relation.predicate if relation else None) == says


def test_of_two_subjects_the_one_behind_not_is_denied() -> None:
    text = "Veratin, not solbex, caused tremor."
    ends = [place(text, "Veratin"), place(text, "solbex")], [place(text, "tremor")]
    read = pair_relations(text, Span(0, len(text)), *ends, predicates=(CAUSE,))
    assert [relation.negated for relation in read] == [False, True]


def test_what_an_if_clause_says_is_supposed() -> None:
    relation = joined("If veratin caused tremor, it was stopped.", "veratin", "tremor")
    assert relation
    assert relation.hypothesis
    assert not relation.plain


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("SOCS3 suppresses STAT3 activated by IL6.", {("IL6", "STAT3")}),
        (
            "STAT3 is activated by IL6 and activated by SOCS3.",
            {("IL6", "STAT3"), ("SOCS3", "STAT3")},
        ),
        ("SOCS3 and STAT3 are activated by IL6.", {("IL6", "SOCS3"), ("IL6", "STAT3")}),
    ],
)
def test_a_passive_verb_acts_on_the_name_that_it_belongs_to(
    text: str, ends: set[tuple[str, str]]
) -> None:
    names = [place(text, name) for name in ("SOCS3", "STAT3", "IL6")]
    predicates = (Predicate("ACTIVATES"),)
    read = pair_relations(text, Span(0, len(text)), names, names, predicates=predicates)
    assert {(one.subject.quote(text), one.object.quote(text)) for one in read} == ends


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("Bacillus was looked for in milk.", False),
        ("Toxins of Bacillus accumulate in milk.", False),
        ("Growth of Bacillus in milk was inhibited.", False),
        ("Growth of Bacillus in milk was rapid.", True),
        ("Bacillus was found in milk.", True),
    ],
)
def test_a_thing_is_where_it_is_said_to_be(text: str, is_there: bool) -> None:
    relation = joined(text, "Bacillus", "milk", Predicate("FOUND_IN"))
    assert bool(relation and not relation.negated) is is_there
