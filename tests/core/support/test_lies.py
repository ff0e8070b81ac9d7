"""What a lying model may claim of the shipped examples: each claim names two things of a text that
denies it, says the opposite, or says it of another. Judged before the whole text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model import Category, Support, SupportVerdict
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.verdict import judge

EXAMPLES = Path(__file__).resolve().parents[3] / "schemas" / "examples"
# The letter before an end is its kind.
KINDS = {
    "c": Category.CHEMICAL,
    "d": Category.DISEASE,
    "g": Category.GENE,
    "p": Category.PHENOTYPE,
    "o": Category.ORGANISM,
    "e": Category.ENVIRONMENT,
    "f": Category.FOOD,
    "v": Category.VARIANT,
    "r": Category.PROCESS,
}
LIES = {
    "chemical_disease": """
        c hydroxychloroquine | treats | d COVID-19
        c monosodium glutamate | induces | d headache
        c propranolol | treats | d asthma
        c amifostine | induces | d nephrotoxicity
        c cisplatin | prevents | d nephrotoxicity
        c carbamazepine | induces | d Stevens-Johnson syndrome
        c acetaminophen | treats | d acute liver failure
        c morphine | prevents | d nausea
        c lidocaine | treats | d cardiac arrest
        c methotrexate | induces | d rheumatoid arthritis
        c cocaine | treats | d seizures
        c propranolol | induces | d hypertension
        c N-acetylcysteine | induces | d acute liver failure
    """,
    "disease_treatment": """
        c azathioprine | causes | d pancreatitis
        c ibuprofen | treats | d ulcerative colitis
        c prednisone | treats | d osteoporosis
        c infliximab | treats | d tuberculosis
        c mesalamine | activates | g PTGS2
        c tofacitinib | activates | g JAK1
    """,
    "drug_mechanism": """
        c metformin | activates | r mitochondrial respiratory chain complex I
        g CRTC2 | phosphorylates | g AMPK
        c AMP | inhibits | g AMP-activated protein kinase
        c metformin | activates | r insulin secretion
        c metformin | treats | d lactic acidosis
        g G6PC1 | activates | g CRTC2
    """,
    "mendelian_disease": """
        d Marfan syndrome | has phenotype | p cleft palate
        d Marfan syndrome | has phenotype | p intellectual disability
        g TGFBR1 | causes | d Marfan syndrome
    """,
    "signaling_pathway": """
        g DKK1 | binds | g FZD8
        g GSK3B | inhibits | g WNT3A
        g CTNNB1 | phosphorylates | g GSK3B
        g DKK1 | activates | g LRP6
        g MYC | activates | g TCF7L2
        c lithium chloride | activates | g GSK3B
    """,
    "organism_habitat": """
        o Staphylococcus aureus | found in | e drinking water
        o Escherichia coli | found in | e raw milk
    """,
    "food_disease": """
        f green tea | prevents | d breast cancer
        f eggs | causes | d asthma
        f red meat | prevents | d colorectal cancer
        f milk | treats | d diarrhea
    """,
    "variant_effect": """
        v F508del | sensitive to | c ivacaftor
        v T790M | sensitive to | c gefitinib
        v rs11591147 | causes | d coronary artery disease
    """,
}
TRUTHS = {
    "chemical_disease": """
        c lidocaine | induces | d cardiac arrest
        c acetaminophen | induces | d acute liver failure
        c N-acetylcysteine | treats | d acute liver failure
        c amifostine | prevents | d nephrotoxicity
        c propranolol | treats | d hypertension
        c propranolol | exacerbates | d asthma
        c morphine | treats | d pain
        c cocaine | induces | d seizures
    """,
    "disease_treatment": """
        c mesalamine | inhibits | g prostaglandin-endoperoxide synthase 2
        c tofacitinib | inhibits | g JAK3
        c prednisone | causes | d osteoporosis
        c infliximab | binds | g tumor necrosis factor
        c mesalamine | treats | d ulcerative colitis
    """,
    "drug_mechanism": """
        c metformin | treats | d type 2 diabetes mellitus
        c AMP | activates | g AMP-activated protein kinase
        g AMPK | phosphorylates | g CRTC2
        g CRTC2 | activates | g G6PC1
    """,
    "mendelian_disease": """
        g FBN1 | causes | d Marfan syndrome
    """,
    "signaling_pathway": """
        g WNT3A | binds | g LRP6
        g GSK3B | phosphorylates | g CTNNB1
        g DKK1 | inhibits | g LRP6
        c Lithium chloride | inhibits | g GSK3B
    """,
    "food_disease": """
        f coffee | prevents | d type 2 diabetes mellitus
    """,
    "variant_effect": """
        v rs7903146 | associated with | d type 2 diabetes mellitus
    """,
}


def claims(table: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (name, line.strip())
        for name, rows in table.items()
        for line in rows.split("\n")
        if line.strip()
    ]


def judged(example: str, row: str) -> Support:
    subject, predicate, object_ = row.split(" | ")
    ends = [ClaimEnd((words[2:],), KINDS[words[0]]) for words in (subject, object_)]
    text = (EXAMPLES / f"{example}.txt").read_text(encoding="utf-8")
    return judge(Claim(ends[0], predicate, ends[1]), Passage(text))


@pytest.mark.parametrize(("example", "row"), claims(LIES))
def test_a_lie_is_held_with_a_reason(example: str, row: str) -> None:
    support = judged(example, row)
    assert support.held
    assert support.reasons


@pytest.mark.parametrize(("example", "row"), claims(TRUTHS))
def test_what_the_text_says_passes(example: str, row: str) -> None:
    assert judged(example, row).verdict is SupportVerdict.SUPPORTS
