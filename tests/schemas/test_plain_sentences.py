"""A sentence that says a relation in the plainest words is proposed, by every schema that has the
relation, whatever annotators of corpora marked; the same words about something else are not.
"""

from __future__ import annotations

import pytest

from core.desk import Desk
from core.model import Modality
from core.services.extract import result
from core.services.extract.run import start_run
from tests.schemas.test_plain_abstracts import claims, desk

__all__ = ["desk"]

SAID = {
    "Gefitinib inhibits EGFR.": "gefitinib | inhibits | egfr",
    "TP53 directly inhibits MDM2 in fibroblasts.": "tp53 | inhibits | mdm2",
    "We show that IL6 activates STAT3.": "il6 | activates | stat3",
    "STAT3 is activated by IL6.": "il6 | activates | stat3",
    "AKT1 phosphorylates GSK3B.": "akt1 | phosphorylates | gsk3b",
    "BRCA1 binds BARD1.": "brca1 | binds | bard1",
    "SHH regulates GLI1.": "shh | regulates | gli1",
    "The NLRP3 inhibitor MCC950 was given.": "mcc950 | inhibits | nlrp3",
    "Olaparib, a potent PARP1 inhibitor, was well tolerated.": "olaparib | inhibits | parp1",
    "SHH and IHH activate GLI1.": "shh | activates | gli1",
    "Gefitinib inhibits EGFR, ERBB2 and ERBB4.": "gefitinib | inhibits | erbb4",
    "EGFR is inhibited by gefitinib and erlotinib.": "erlotinib | inhibits | egfr",
    "Salbutamol is a selective ADRB2 agonist.": "albuterol | activates | adrb2",
    "Loss of TET2 activates STAT3.": "tet2 | inhibits | stat3",
    "Knockdown of TET2 decreased the expression of IL6.": "tet2 | activates | il6",
    "A20 binds to TRAF6 and suppresses IL6 production.": "a20 | inhibits | il6",
    "MDM2 promotes the degradation of TP53.": "mdm2 | inhibits | tp53",
    "TP53 is a substrate of ATM.": "atm | phosphorylates | tp53",
    "ATM-mediated phosphorylation of TP53 was lost.": "atm | phosphorylates | tp53",
    "BRCA1 forms a complex with BARD1.": "brca1 | binds | bard1",
    "SOCS3 is a negative regulator of STAT3.": "socs3 | inhibits | stat3",
    "The EGFR inhibitors gefitinib and erlotinib were used.": "erlotinib | inhibits | egfr",
    "Cells were given imatinib, which blocks KIT phosphorylation.": "imatinib | inhibits | kit",
    "RAF1 phosphorylates and activates MAP2K1.": "raf1 | activates | map2k1",
    "SOCS3 in turn inhibits JAK2.": "socs3 | inhibits | jak2",
    "Rapamycin, an MTOR inhibitor, blocked S6K1 activation.": "sirolimus | inhibits | rps6kb1",
}


@pytest.mark.parametrize("sentence", SAID)
def test_a_plain_sentence_is_proposed(desk: Desk, sentence: str) -> None:
    assert claims(desk, "signaling_pathway", sentence) >= {SAID[sentence]}


@pytest.mark.parametrize(
    "sentence",
    [
        "Tocilizumab suppressed expansion of TET2-deficient cells.",  # it acts on cells
        "Gefitinib inhibited EGFR-mutant tumors.",
        "Gefitinib may inhibit EGFR.",
        "Gefitinib does not inhibit EGFR.",
        "BCR was high despite ibrutinib, a kinase inhibitor, and EGFR was low.",
        "Gefitinib hardly inhibits EGFR.",
        "Gefitinib allegedly inhibits EGFR.",
        "We doubt that gefitinib inhibits EGFR.",
        "The claim that gefitinib inhibits EGFR was refuted.",
        "There is no evidence that gefitinib inhibits EGFR.",
        "EGFR was measured and gefitinib was given.",
    ],
)
def test_what_is_said_of_something_else_or_not_asserted_is_not(desk: Desk, sentence: str) -> None:
    asserted = {
        claim
        for claim in claims(desk, "signaling_pathway", sentence)
        if not claim.startswith("NOT ") and claim.split(" | ")[1] in ("inhibits", "activates")
    }
    is_supposed = any(word in sentence for word in (" may ", "allegedly", "doubt"))
    hypotheses = {"gefitinib | inhibits | egfr"} if is_supposed else set()
    assert asserted <= hypotheses


def test_features_of_a_disease_are_plain_too(desk: Desk) -> None:
    text = "Marfan syndrome is characterized by tall stature and ectopia lentis."
    assert claims(desk, "mendelian_disease", text) >= {
        "marfan syndrome | has_feature | tall stature",
        "marfan syndrome | has_feature | ectopia lentis",
    }


def test_a_place_within_the_name_of_an_illness_is_no_place(desk: Desk) -> None:
    stated = claims(desk, "signaling_pathway", "Gefitinib inhibits EGFR in lung cancer cells.")
    assert not any(claim.endswith(" | lung") for claim in stated)


@pytest.mark.parametrize(
    ("template", "sentence", "claim"),
    [
        (
            "mendelian_disease",
            "Cystic fibrosis is caused by variants in CFTR.",
            "cystic fibrosis | genes | cftr",
        ),
        (
            "mendelian_disease",
            "Rett syndrome is caused by MECP2 mutations.",
            "rett syndrome | genes | mecp2",
        ),
        (
            "disease_treatment",
            "Rheumatoid arthritis responds well to methotrexate.",
            "methotrexate | treats | rheumatoid arthritis",
        ),
        (  # one item of the list is in no vocabulary
            "mendelian_disease",
            "Marfan syndrome is characterized by ectopia lentis, aortic dilation and tall stature.",
            "marfan syndrome | has_feature | tall stature",
        ),
        (
            "mendelian_disease",
            "Patients with Dravet syndrome have febrile seizures and ataxia.",
            "dravet syndrome | has_feature | ataxia",
        ),
        (
            "mendelian_disease",
            "FBN1 mutations cause Marfan syndrome.",
            "marfan syndrome | genes | fbn1",
        ),
        (  # a change of a protein is known by the gene before it, or by its own ending
            "variant_effect",
            "EGFR T790M causes resistance to gefitinib.",
            "t790m | confers_resistance_to | gefitinib",
        ),
        (
            "variant_effect",
            "F508del causes cystic fibrosis.",
            "f508del | causes | cystic fibrosis",
        ),
        (  # a verb is no part of the name before it
            "drug_mechanism",
            "Donepezil inhibits acetylcholinesterase.",
            "donepezil | inhibits | ache",
        ),
        (
            "disease_treatment",
            "Clarithromycin is effective for H. pylori infection.",
            "clarithromycin | treats | helicobacter pylori infectious disease",
        ),
        (  # what is denied is another thing
            "chemical_disease",
            "Ibuprofen had no effect on fever but relieved headache.",
            "ibuprofen | treats | headache",
        ),
    ],
)
def test_a_plain_sentence_is_proposed_by_its_template(
    desk: Desk, template: str, sentence: str, claim: str
) -> None:
    assert claim in claims(desk, template, sentence)


def test_a_process_is_not_treated(desk: Desk) -> None:
    text = "Metformin reduces hepatic gluconeogenesis."
    assert "metformin | treats | gluconeogenesis" not in claims(desk, "drug_mechanism", text)


@pytest.mark.parametrize(
    ("schema", "sentence", "said"),
    [
        ("chemical_disease", "Seizures stopped after diazepam was given.", "treats"),
        ("chemical_disease", "Ibuprofen contributes to the prevention of migraine.", "prevents"),
        ("food_disease", "Coffee was inversely associated with Parkinson disease.", "prevents"),
        ("variant_effect", "Carriers of rs429358 had a higher risk of gout.", "causes"),
    ],
)
def test_words_that_turn_a_relation_round_are_read(
    desk: Desk, schema: str, sentence: str, said: str
) -> None:
    found = claims(desk, schema, sentence)
    assert found
    assert all(said in claim for claim in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "Topiramate was inferior to standard therapy for migraine.",
        "Digoxin increased adverse outcomes in patients with atrial fibrillation.",
    ],
)
def test_what_does_less_or_harm_treats_nothing(desk: Desk, sentence: str) -> None:
    assert not claims(desk, "chemical_disease", sentence)


def test_a_gene_that_a_wider_class_takes_too_is_a_target(desk: Desk) -> None:
    found = claims(desk, "drug_mechanism", "Bosutinib is an inhibitor of SRC and ABL1.")
    assert {"bosutinib | targets | src", "bosutinib | targets | abl1"} <= found


@pytest.mark.parametrize(
    "sentence",
    [
        "Seizures stopped after valproate was withdrawn.",
        "Myalgia disappeared 2 weeks after atorvastatin was stopped.",
        "Pancreatitis subsided after azathioprine had been discontinued.",
        "Tremor ended after lithium was replaced by valproate.",
        "Diarrhea resolved after colchicine was reduced.",
        "Nausea disappeared on dose reduction of metformin.",
        "AML cells were treated with ibuprofen.",
        "Patients with gout taking allopurinol had less pain.",
        "Prednisone induced more remissions than placebo in ulcerative colitis.",
        "Seizures did not stop after diazepam.",
    ],
)
def test_what_was_taken_away_or_did_nothing_to_a_patient_is_not_asserted(
    desk: Desk, sentence: str
) -> None:
    assert not claims(desk, "chemical_disease", sentence)


def test_of_a_switch_of_drugs_the_second_helps(desk: Desk) -> None:
    text = "Cough resolved after switching from enalapril to losartan."
    assert claims(desk, "chemical_disease", text) == {"losartan | treats | cough"}


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "Warfarin, not aspirin, caused hemorrhage.",
            {
                "warfarin | induces | hemorrhage",
                "NOT acetylsalicylic acid | induces | hemorrhage",
            },
        ),
        (
            "Warfarin rather than aspirin caused hemorrhage.",
            {"warfarin | induces | hemorrhage"},
        ),
        (
            "Amlodipine rather than atenolol lowers the risk of stroke.",
            {"amlodipine | prevents | stroke disorder"},
        ),
        ("Warfarin instead of aspirin prevents stroke.", {"warfarin | prevents | stroke disorder"}),
    ],
)
def test_of_two_drugs_the_one_that_is_meant_acts(desk: Desk, sentence: str, said: set[str]) -> None:
    assert claims(desk, "chemical_disease", sentence) == said


@pytest.mark.parametrize(
    ("sentence", "genes"),
    [
        ("Cystic fibrosis is not caused by mutations in BRCA1.", set()),
        ("Phenylketonuria was studied. CD4 and CD8A were measured by flow cytometry.", set()),
        ("BRCA1 was excluded as a cause of cystic fibrosis.", set()),
        ("In phenylketonuria, GAPDH was used as a control.", set()),
        ("We screened FBN1 in Marfan syndrome; no mutations were found.", set()),
        ("Patients with phenylketonuria had normal CFTR.", set()),
        ("Neurofibromatosis is caused by NF1, not by NF2.", {"nf1"}),
        ("Huntington disease is characterised by chorea. It is caused by HTT.", {"htt"}),
        ("The gene for cystic fibrosis, CFTR, was cloned in 1989.", {"cftr"}),
        (
            "Gaucher disease is caused by mutations in GBA1, whereas Fabry disease is caused by"
            " GLA.",
            {"gba1"},
        ),
    ],
)
def test_a_disease_has_the_genes_of_which_a_sentence_says_so(
    desk: Desk, sentence: str, genes: set[str]
) -> None:
    found = claims(desk, "mendelian_disease", sentence)
    assert {claim.split(" | ")[2] for claim in found if " | genes | " in claim} == genes


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("GATA2 is negatively regulated by GATA1.", {"gata1 | inhibits | gata2"}),
        ("GATA2 is positively regulated by GATA1.", {"gata1 | activates | gata2"}),
        ("SOCS3 suppresses STAT3 activated by IL6.", {"il6 | activates | stat3"}),
        (
            "STAT3 is activated by IL6 and suppressed by SOCS3.",
            {"il6 | activates | stat3", "socs3 | inhibits | stat3"},
        ),
    ],
)
def test_of_a_passive_verb_the_one_behind_by_acts(
    desk: Desk, sentence: str, said: set[str]
) -> None:
    assert claims(desk, "gene_regulation", sentence) == said


@pytest.mark.parametrize(
    ("sentence", "is_found"),
    [
        ("Listeria monocytogenes was looked for in cheese.", False),
        ("Vibrio cholerae dies in fresh water.", False),
        ("Brucella was sought in milk but never found.", False),
        ("Growth of Listeria monocytogenes in milk was inhibited by nisin.", False),
        ("Toxins of Clostridium perfringens accumulate in the intestine.", False),
        ("Genes of Escherichia coli were expressed in the liver.", False),
        ("Listeria monocytogenes was found in cheese.", True),
        ("Cells of Clostridium perfringens accumulate in the intestine.", True),
    ],
)
def test_an_organism_is_where_it_was_found(desk: Desk, sentence: str, is_found: bool) -> None:
    assert bool(claims(desk, "organism_habitat", sentence)) is is_found


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("A diet poor in vegetables causes colon cancer.", None),
        ("A gluten-free diet relieves celiac disease.", None),
        ("A diet without gluten relieves celiac disease.", None),
        ("Wine protects against dementia.", "prevents"),
        ("Cranberry juice prevents urinary tract infection.", "prevents"),
    ],
)
def test_a_food_acts_where_it_is_eaten(desk: Desk, sentence: str, said: str | None) -> None:
    found = {claim.split(" | ")[1] for claim in claims(desk, "food_disease", sentence)}
    assert found == ({said} if said else set())


def test_what_an_if_clause_says_is_a_hypothesis(desk: Desk) -> None:
    text = "If aspirin caused asthma, we would have seen it."
    job = start_run(desk, "chemical_disease", text.encode(), engine="builtin")
    said = [statement.modality for statement, _ in result.wait_for_job(desk, job).statements]
    assert said == [Modality.HYPOTHESIS]
