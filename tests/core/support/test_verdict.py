"""What the judges say of a claim, on sentences that a curator would read."""

from __future__ import annotations

import pytest

from core.model import Category, Modality, Span, SupportVerdict
from core.services.support.shown_support import likelihood_words, support_json
from core.support.claim import Claim, ClaimEnd, Passage, ThingInPassage
from core.support.registry import JUDGES
from core.support.verdict import judge

SUPPORTS, SILENT = SupportVerdict.SUPPORTS, SupportVerdict.SILENT
CONTRADICTS, UNCLEAR = SupportVerdict.CONTRADICTS, SupportVerdict.UNCLEAR


def drug(*names: str) -> ClaimEnd:
    return ClaimEnd(names, Category.CHEMICAL)


def disease(*names: str) -> ClaimEnd:
    return ClaimEnd(names, Category.DISEASE)


def gene(*names: str) -> ClaimEnd:
    return ClaimEnd(names, Category.GENE)


def claim(words: str, **more: object) -> Claim:
    """`lithium causes tremor`: a drug, a predicate of one word, a disease."""
    subject, predicate, object_ = words.split(" ", 2)
    return Claim(drug(subject), predicate, disease(object_), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claimed", "text", "verdict", "reason"),
    [
        ("lithium causes tremor", "Lithium caused tremor in two men.", SUPPORTS, "says so"),
        ("lithium causes tremor", "Lithium did not cause tremor.", CONTRADICTS, "denies it"),
        ("lithium causes tremor", "There is no evidence that lithium causes tremor.", CONTRADICTS,
         "no evidence that"),
        ("lithium causes tremor", "It is not true that lithium causes tremor.", CONTRADICTS,
         "not true that"),
        ("lithium causes tremor", "We aimed to determine whether lithium causes tremor.", SILENT,
         "the aim of the study"),
        ("lithium causes tremor", "Lithium may cause tremor.", UNCLEAR, "only supposed: “may”"),
        ("lithium treats tremor", "Lithium caused tremor in two men.", CONTRADICTS,
         "another thing"),
        ("lithium causes tremor", "The sky is blue.", SILENT, "“lithium”, is not named in it"),
        ("lithium causes ataxia", "Lithium caused tremor.", SILENT,
         "the object, “ataxia”, is not named in it"),
        ("lithium causes tremor", "Lithium was given to ten men. Two women had tremor.", SILENT,
         "no sentence of it names both"),
        ("zinc prevents cold",
         "We hypothesised that zinc prevents the cold. Zinc had no effect on the cold.",
         CONTRADICTS, "denies it"),
    ],
)  # fmt: skip
def test_a_sentence_is_read(claimed: str, text: str, verdict: SupportVerdict, reason: str) -> None:
    support = judge(claim(claimed), Passage(text))
    assert support.verdict is verdict, support
    assert reason in " · ".join(support.reasons)


@pytest.mark.parametrize(
    ("words", "calibrated"),
    [("zinc prevents tremor", False), ("zinc worsens tremor", False), ("zinc causes tremor", True)],
)
def test_a_verdict_says_where_nothing_was_learned_of_its_kind(words: str, calibrated: bool) -> None:
    subject, verb, object_ = words.split()
    support = judge(claim(words), Passage(f"{subject} clearly {verb} {object_} in men."))
    assert support.is_calibrated is calibrated
    assert support_json(support)["calibrated"] is calibrated
    assert ("not calibrated" in likelihood_words(support)) is not calibrated


def test_exchanged_ends_are_contradicted() -> None:
    text = "Lithium caused tremor in two men."
    support = judge(Claim(disease("tremor"), "causes", drug("lithium")), Passage(text))
    assert support.verdict is CONTRADICTS
    assert support.reasons[0].endswith("way round: “Lithium caused tremor”")


def test_two_genes_exchanged_are_contradicted() -> None:
    text = "TP53 is inhibited by MDM2."
    assert judge(Claim(gene("MDM2"), "inhibits", gene("TP53")), Passage(text)).verdict is SUPPORTS
    back = judge(Claim(gene("TP53"), "inhibits", gene("MDM2")), Passage(text))
    assert back.verdict is CONTRADICTS


def test_kinds_that_a_relation_cannot_join_are_held() -> None:
    support = judge(
        Claim(disease("epilepsy"), "treats", drug("valproate")),
        Passage("Epilepsy and valproate were discussed."),
    )
    assert support.held
    assert "a disease does not treat a chemical" in support.reasons


def test_a_passive_predicate_names_its_actor_last() -> None:
    text = "Lithium caused tremor in two men."
    support = judge(Claim(disease("tremor"), "caused by", drug("lithium")), Passage(text))
    assert support.verdict is SUPPORTS


def test_a_denied_claim_is_supported_by_a_denial_and_contradicted_without() -> None:
    denied = claim("lithium causes tremor", negated=True)
    assert judge(denied, Passage("Lithium did not cause tremor.")).verdict is SUPPORTS
    assert judge(denied, Passage("Lithium caused tremor.")).verdict is CONTRADICTS


def test_a_hypothesis_is_supported_by_one() -> None:
    supposed = claim("lithium causes tremor", modality=Modality.HYPOTHESIS)
    assert judge(supposed, Passage("Lithium may cause tremor.")).verdict is SUPPORTS


def test_synonyms_and_abbreviations_name_an_end() -> None:
    text = "Acetylsalicylic acid (ASA) is an old drug. ASA caused bleeding in two men."
    quote = Span(text.index("ASA caused"), len(text))
    aspirin = drug("aspirin", "acetylsalicylic acid")
    support = judge(Claim(aspirin, "causes", disease("bleeding")), Passage(text, quote))
    assert support.verdict is SUPPORTS
    assert "“ASA” stands for “aspirin” in this text" in support.reasons


@pytest.mark.parametrize(
    ("name", "text", "verdict"),
    [
        ("pure red-cell aplasia", "Lithium caused red cell aplasia.", UNCLEAR),
        ("Vasculitis, Cutaneous", "Lithium caused vasculitis.", UNCLEAR),
        ("lymphoproliferative syndrome", "Lithium caused a lymphoproliferative disease.", UNCLEAR),
        ("kidney disease", "Lithium caused a disease.", SILENT),
        ("nephropathy", "Lithium caused nephrotoxicity.", SUPPORTS),
        ("leukaemia", "Lithium caused leukemia.", SUPPORTS),
    ],
)
def test_a_part_of_a_name_makes_a_claim_no_more_than_unclear(
    name: str, text: str, verdict: SupportVerdict
) -> None:
    support = judge(Claim(drug("lithium"), "causes", disease(name)), Passage(text))
    assert support.verdict is verdict, support


def test_what_is_named_by_a_kind_of_it_is_named() -> None:
    text = "Lithium caused hepatitis in two men."
    place = Span(text.index("hepatitis"), text.index(" in two"))
    liver = ClaimEnd(("liver disease",), Category.DISEASE, kinds=(place,))
    support = judge(Claim(drug("lithium"), "causes", liver), Passage(text))
    assert support.verdict is SUPPORTS
    assert "“hepatitis” is a kind of “liver disease”" in support.reasons


def test_that_something_is_not_so_needs_a_word_that_denies() -> None:
    denied = claim("lithium causes tremor", negated=True)
    text = "Tremor was seen in the lithium group."
    assert judge(denied, Passage(text)).held


def test_one_word_is_not_taken_to_mean_both_ends() -> None:
    text = "Lithium and tremor were studied. The condition lasted for years."
    ends = (ClaimEnd(("lithium",)), ClaimEnd(("tremor",)))
    quote = Span(text.index("The condition"), len(text))
    assert judge(Claim(ends[0], "causes", ends[1]), Passage(text, quote)).verdict is SILENT


def test_a_treatment_during_which_something_happened_is_not_its_cure() -> None:
    text = "Two men developed hypotension and bradycardia during combined therapy with veratin."
    support = judge(claim("veratin causes bradycardia"), Passage(text))
    assert not support.held, support


def test_what_a_drug_guards_against_was_caused_by_another() -> None:
    text = "Solbex protects against veratin-induced tremor."
    assert judge(claim("veratin causes tremor"), Passage(text)).verdict is SUPPORTS


def test_a_pronoun_names_the_subject_of_the_sentence_before() -> None:
    text = "Lithium was given to ten men. It caused tremor in two."
    quote = Span(text.index("It caused"), len(text))
    support = judge(claim("lithium causes tremor"), Passage(text, quote))
    assert support.verdict is SUPPORTS
    assert any(reason.startswith("“It” ") and "“lithium”" in reason for reason in support.reasons)


def test_what_is_said_of_another_drug_is_not_said_of_this_one() -> None:
    text = "Unlike lithium, solbex often caused severe tremor in these men."
    place = text.index("solbex")
    solbex = ThingInPassage("solbex", (Span(place, place + 6),), Category.CHEMICAL)
    support = judge(claim("lithium causes tremor"), Passage(text, things=(solbex,)))
    assert support.verdict is not SUPPORTS
    assert "said of “solbex”, not of “lithium”" in support.reasons


def test_a_verdict_names_its_judges_and_its_version() -> None:
    support = judge(claim("lithium causes tremor"), Passage("Lithium caused tremor."))
    assert support.judges[0] == "rules"
    assert set(support.judges) <= set(JUDGES)
    assert support.rules
    assert 0 <= support.probability <= 1


@pytest.mark.parametrize(
    ("claimed", "text", "verdict", "reason"),
    [
        ("warfarin causes bleeding", "Apixaban reduced bleeding; warfarin did not.", CONTRADICTS,
         "warfarin did not"),
        ("lactoferrin causes constipation", "Iron caused constipation; lactoferrin caused none.",
         CONTRADICTS, "lactoferrin caused none"),
        ("apixaban causes bleeding", "Bleeding was less frequent with apixaban.", CONTRADICTS,
         "less frequent"),
        ("coffee causes cancer", "Coffee was associated with a lower risk of cancer.", CONTRADICTS,
         "lower risk"),
        ("quinine treats babesiosis", "Quinine is ineffective against babesiosis.", CONTRADICTS,
         "ineffective"),
        ("statins treats cirrhosis", "Statins are contraindicated in cirrhosis.", CONTRADICTS,
         "contraindicated"),
        ("cannabis causes psychosis", "Cannabis causes psychosis, but our data refute this.",
         CONTRADICTS, "denies it"),
        ("statins treats myalgia", "Myalgia resolved when statins were withdrawn.", SILENT,
         "was stopped"),
        ("chloroquine treats malaria", "Chloroquine-resistant malaria was seen with mefloquine.",
         SILENT, "part of another name"),
        ("warfarin treats bleeding", "Both warfarin and bleeding were recorded.", SILENT,
         "only named side by side"),
        ("zinc treats ataxia", "We asked whether zinc slows ataxia over time.", SILENT,
         "the aim of the study"),
        ("cadmium causes ataxia", "Cadmium has been suggested to cause ataxia.", UNCLEAR,
         "only supposed"),
        ("clonidine causes tremor", "Discontinuation of clonidine caused tremor.", UNCLEAR,
         "the lack of “clonidine”"),
        ("rifampicin treats thrombosis",
         "Rifampicin abolished the effect of warfarin on thrombosis.", UNCLEAR, "another does"),
        ("zinc prevents tremor", "If zinc prevents tremor, it should be sold.", UNCLEAR,
         "on a condition"),
        ("zinc prevents tremor", "Zinc would have prevented tremor in these men.", UNCLEAR,
         "on a condition"),
        ("ibuprofen causes ataxia", "Fever, for which ibuprofen was given, led to ataxia.",
         UNCLEAR, "“ibuprofen” is not what does it"),
        ("nifedipine treats hypotension",
         "Nifedipine overdose was treated with calcium, and hypotension resolved.", UNCLEAR,
         "the harm of “Nifedipine”"),
        ("quinine treats tremor", "Quinine and placebo were equally effective in tremor.",
         UNCLEAR, "placebo"),
        ("ketamine treats psychosis", "Ketamine was used to induce a model of psychosis.",
         UNCLEAR, "brings that about"),
        ("propranolol treats asthma", "Men with asthma who received propranolol were excluded.",
         UNCLEAR, "left out"),
    ],
)  # fmt: skip
def test_a_liar_is_held(claimed: str, text: str, verdict: SupportVerdict, reason: str) -> None:
    said = judge(claim(claimed), Passage(text))
    assert said.verdict is verdict, said
    assert any(reason in words for words in said.reasons), said.reasons


@pytest.mark.parametrize(
    ("claimed", "text"),
    [
        ("apixaban causes bleeding", "Apixaban and warfarin both caused bleeding."),
        ("statins causes myalgia", "Myalgia resolved when statins were withdrawn."),
        ("coffee causes cancer", "Coffee was associated with a higher risk of cancer."),
        ("quinine treats malaria", "Quinine is effective against malaria."),
    ],
)
def test_what_only_looks_like_it_is_not(claimed: str, text: str) -> None:
    assert not judge(claim(claimed), Passage(text)).held


def test_what_happens_without_a_gene_says_what_it_does() -> None:
    text = "Loss of PTEN activates AKT1."
    said = judge(Claim(gene("PTEN"), "inhibits", gene("AKT1")), Passage(text))
    assert said.verdict is SUPPORTS
    said = judge(Claim(gene("PTEN"), "activates", gene("AKT1")), Passage(text))
    assert said.verdict is CONTRADICTS


def test_what_is_only_present_is_not_acted_on() -> None:
    text = "BRAF binds RAF1 only in the presence of HRAS."
    said = judge(Claim(gene("BRAF"), "binds", gene("HRAS")), Passage(text))
    assert said.verdict is UNCLEAR
    assert judge(Claim(gene("BRAF"), "binds", gene("RAF1")), Passage(text)).verdict is SUPPORTS


def test_what_another_is_less_frequent_than_is_not_contradicted() -> None:
    text = "Bleeding was less frequent with apixaban than warfarin."
    assert judge(claim("warfarin causes bleeding"), Passage(text)).verdict is not CONTRADICTS
