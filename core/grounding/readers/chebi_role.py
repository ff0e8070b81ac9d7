"""Roles of ChEBI by their names. They stand in its hierarchy, which its tables and some copies
lack; a role is no substance. They are told by the last word of the label. Nor is the nucleus of an
atom a substance, which would take the word from the cell's.
"""

from __future__ import annotations

import re

from core.text.phrases import one_of, phrases

# e.g. "inhibitor", "EC 3.4.23.15 (renin) inhibitor", "antineoplastic agent", "loop diuretic"
ROLE_WORDS = one_of("""
    inhibitors? agonists? antagonists? agents? drugs? role modulators? blockers? activators?
    metabolites? suppressants? stimulants? depressants? relaxants? vaccines? nucleus pollutant
    contaminant allergen biomarker
    acceptor acidulant additive adjuvant analg[ae]sic anaesthetic anthelminthic anticoagulant
    anticonvulsant antidepressant antidote antiemetic antimalarial antimetabolite antimitotic
    antioxidant antipsychotic antipyretic antitussive anxiolytic astringent attractant
    bronchodilator calcimimetic carcinogen cathartic chelator chemical.additive chemosterilant
    contraceptive cosmetic decongestant defoliant denaturant detergent disinfectant disruptor
    diuretic donor effector emetic emollient expectorant explosive fertili[sz]er fixative
    fluorochrome fuel hallucinogen humectant hypnotic immunomodulator indicator intercalator
    ionophore keratolytic laxative lubricant macronutrient micronutrient mimetic mitogen mucolytic
    mutagen mydriatic neurotransmitter nutraceutical nutrient peptidomimetic pharmaceutical
    pheromone plasticiser poison preservative prodrug propellant protectant radiopharmaceutical
    reactivator reagent refrigerant regulator repellent retardant sedative solvent stabili[sz]er
    sterilant surfactant sweetener sympatholytic sympathomimetic teratogen tocolytic tracer
    tranquili[sz]er vasoconstrictor vasodilator venom
""")
_KILLED = one_of(
    "acari avi ectoparasiti fungi herbi insecti mollusci nemati pediculi pesti rodenti scabi"
)
ROLE = phrases(
    # alone only: growth hormone and carbamate insecticides are substances
    {
        "(?:plant |pro)?hormone|(?:provi|vi)tamin|hapten|ligand|dye|mordant|miotic": "prohormone",
        "(?:geno|myco|nephro|neuro|phyto)?toxin|(?:immuno|anti)gen": "neurotoxin",
        "(?:pro)?(?:andro|estro|gesto)gen|(?:xeno|phyto)estrogen": "xenoestrogen",
        "cofactor|chromophore|siderophore|parasympatholytic|lachrymator": "cofactor",
        "antifeedant|antifolate|antimutagen|antipsoriatic|antiseborrheic": "antifolate",
        f"{_KILLED}cide|fumigant": "herbicide",
    },
    before="^",
    after="$",
    also={
        rf"(?:^|\s|-)(?:{ROLE_WORDS}|(?<!fatty )(?<!nucleic )probe|toxin role)$": "loop diuretic",
    },
    flags=re.NOFLAG,
)
