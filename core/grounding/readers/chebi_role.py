"""Roles of ChEBI by their names. They stand in its hierarchy, which its tables and some copies
lack; a role is no substance. They are told by the last word of the label. Nor is the nucleus of an
atom a substance, which would take the word from the cell's.
"""

from __future__ import annotations

import re

# e.g. "inhibitor", "EC 3.4.23.15 (renin) inhibitor", "antineoplastic agent", "loop diuretic"
ROLE_WORDS = """
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
"""
ROLE = re.compile(
    rf"(?:^|\s|-)(?:{'|'.join(ROLE_WORDS.split())}|(?<!fatty )(?<!nucleic )probe|toxin role)$"
    # alone only: growth hormone and carbamate insecticides are substances
    r"|^(?:(?:plant |pro)?hormone|(?:provi|vi)tamin|(?:geno|myco|nephro|neuro|phyto)?toxin"
    r"|(?:pro)?(?:andro|estro|gesto)gen|(?:xeno|phyto)estrogen|(?:immuno|anti)gen|hapten|ligand|dye"
    r"|cofactor|chromophore|siderophore|antifeedant|antifolate|antimutagen|antipsoriatic"
    r"|antiseborrheic|parasympatholytic|lachrymator|mordant|miotic"
    r"|(?:acari|avi|ectoparasiti|fungi|herbi|insecti|mollusci|nemati|pediculi|pesti|rodenti|scabi)"
    r"cide|fumigant)$"
)
