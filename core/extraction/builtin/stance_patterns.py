"""Words around a relation that change what a sentence says of it: denials, suppositions and aims,
conditions that a patient had before, and names that are no agent.

Regular expressions over case-folded words, each with an example.
"""

from __future__ import annotations

# "Veratin did not cause tremor"; "no tremor was attributable to veratin".
NEGATION = (
    r"\b(?:not|no|none|without|never|neither|nor|cannot|lack\w*|absence of|absent|failed to"
    r"|fails to|free of|unrelated|unlikely|rather than|n't|ruled out|negative for|nil)\b"
)
# "not only tremor", "no doubt": a word of denial that denies nothing.
NO_NEGATION = (
    r"\bnot only\b|\bno(?:t)? (?:longer|doubt|uncommon|infrequent|unusual)\w*|\bif not\b"
    r"|\bwhether or not\b"
    # "veratin, but not solbex, caused tremor"
    r"|\bbut not [\w-]+(?:,|(?=\s(?:\w+ed|causes|induces|may|can|was|were|is|are|has)\b))"
)
# Before a noun that holds a relation ("veratin-induced tremor", "the tremor produced by veratin"):
# only "no", "without" and the like deny it; "did not reduce veratin-induced tremor" does not.
NO_SUCH = (
    r"\b(?:no|without|never|absence of|lack of|free of|neither|nor)"
    r"(?!\s(?:\w+\s)?(?:effect|influence|impact)s?\s(?:on|upon)\b)(?:\s[\w-]+){0,3}\s?$"
)
# "the tremor produced by veratin": no auxiliary, so the verb only tells which tremor is meant.
REDUCED = r"^[\s)\]]*(?:\w+ly\s)?\w+(?:ed|en|ing)\s(?:by|with|from|after|following)\b"
# "epilepsy patients", "tremor in a penicillin model", "apoptosis of leukemic cells"
CONDITION_AFTER = (
    r"[-\s](?:positive )?(?:patients?|subjects?|rats?|mice|individuals?|children|adults|women|men"
    r"|models?|cells?|cell lines?|blasts?)\b"
)
# "patients with epilepsy", "treatment of epilepsy"; not "men treated with veratin developed tremor"
CONDITION_BEFORE = (
    r"\b(?:patients?|subjects?|rats?|mice|child|children|adults?|wom[ae]n|m[ae]n|individuals?|boy"
    r"|girl|infants?|(?<!\bno )cases?|treatment|therapy|management|history|model)"
    r"\s(?:[\w-]+\s){0,2}?(?:with|of|for|suffering from|having)"
    r"\s(?:an?\s|the\s)?(?:(?!(?:developed|experienced|suffered|had)\b)[\w-]+\s){0,2}$"
)
# "a case of tremor due to veratin": an effect, not what the patient had before
CAUSED_AFTER = (
    r"\s(?:(?:that|which) (?:was|were) |\w+ly )?(?:due|secondary|attribut\w+|caused|induced"
    r"|produced|provoked|triggered|precipitated)\s"
)
# "veratin was started for ataxia and tremor developed": the second is no reason for the treatment
APPEARED = r"\s(?:\w+ly |then |later |soon )?(?:developed|occurred|appeared|ensued|supervened)\b"
# "In the absence of veratin, …", "Compared with veratin, …": before what only says where, without
# what or beside what.
SETTING = (
    r"(?:^|[;:,]\s)(?:in|without|unlike|despite|within|at|(?:as )?compared)(?:\s[\w-]+){0,4}\s$"
)
# "Without veratin, tremor …": what is not there; what follows is not denied.
ABSENT = r"^(?:in the absence of|without|lacking|unlike)\b[^,.;:]*,"
# "veratin did not cause tremor, but led to ataxia": what a verb behind "but" says is said there.
CONTRAST = r"\b(?:but|yet)\s(?!(?:also|not)\b)"
# "veratin did not relieve tremor and (rarely) caused ataxia", "…, which did not relieve tremor, may
# cause ataxia", "although …, it caused ataxia", "was not given because it may cause ataxia": a verb
# of its own, which no denial before it reaches. `begin` is where it begins, `helper` whether a
# helping verb or an adverb says so.
NEW_PREDICATE = (
    r"(?:\b(?:and|then)\s|(?:,\s(?:and\s)?|\bbecause\s)(?:it|they)\s"
    r"|,\s(?:which|who)\b[^,;]{0,120},\s)"
    r"(?P<begin>)(?P<helper>(?:(?:\w+ly|often|also|even|then|thus|itself|may|might|can|could|is|are"
    r"|was|were|has|have|had|be|been)\s){1,4})?(?=\w)"
)
# "caused", "causes", "led": not "did not relieve and cause".
FINITE = r"\w+(?:ed|s)\b|(?:led|gave|brought)\b"
# "veratin-induced"; "(the) veratin induced (tremor)"; "that veratin induced (tremor)" is a clause.
HYPHEN = r"[\s)\]]*[-\u2010\u2013]"
PARTICIPLE = r"[\s)\]]*(?:\w+ed|dependent|attributable)\b"
BEGINS_CLAUSE = (
    r"(?:^|[,;:]\s|\b(?:that|whether|if|whereas|while|but|although|though|because|since|and|or|nor"
    r"|not|when|which)\s)(?:(?:the|an?|oral|intravenous|\w+ly|\w+-dose|high|low)\s)?$"
)
# "tremor was more frequent with veratin than with solbex": solbex is only compared with.
COMPARED = (
    r"\b(?:than|compared (?:with|to)|versus|vs|unlike|as opposed to|in contrast (?:to|with)"
    r"|relative to|(?:superior|inferior|noninferior|preferable) to)\.?\s"
    r"(?:(?:with|after|in|on|during|by|for|the|those|that|of|receiving|given"
    r"|taking|treated)\s){0,4}$"
)
# "veratin caused tremor, and solbex may worsen it", "tremor in men given veratin, whereas none of
# those on placebo had ataxia": the actor of the second verb is another.
OTHER_ACTOR = (
    r",\s(?:and|but|while|whereas)\s(?:[\w-]+\s){0,4}(?:placebo|controls?|vehicle|saline)\b(?!,)|"
    r",\s(?:and|but|while|whereas)\s(?!it\b|they\b|th\w+\b|patients?\b|some\b|also\b|\w+ly\b)"
    r"[\w-]+\s(?:may|might|can|could)\s"
)
# "had no tremor but developed ataxia on veratin": the tremor stands before another outcome.
OTHER_OUTCOME = r"\bbut\s(?:\w+ly\s)?(?:had|develop|show|present|experienc|suffer|report)\w*\s"
OTHER_CLAUSE = r"[,;]\s(?:but(?! not\b)|whereas|while|although|though|and|or|then|so)\s"
# "dopamine receptors", "COX-2 inhibitors", "monoamine oxidase", "the penicillin model": the name is
# not the thing meant.
NOT_ITSELF = (
    r"[-\s]+(?:[\w-]+\s)?(?:receptors?|antagonists?|agonists?|blockers?|inhibitors?|antibod\w+"
    r"|transporters?|channels?|\w*(?:oxid|reduct|kin|phosphat|transfer|hydrol|ester|hydrogen|synth"
    r"|synthet|peptid|prote|lip|cycl|polymer|amin|carboxyl|hydroxyl)ases?|reuptake|uptake|release|models?"
    r"|vaccin\w+|immuni[sz]ation)\b"
)
# "anti-TNF", "a vaccine against measles", "an inhibitor of COX-2": the opposite of what is named
OPPOSITE = (
    r"\b(?:anti|non)[-\s]?$|\bagainst\s$"
    r"|\b(?:inhibitor|antagonist|blocker|suppressor)s? (?:of|to) (?:the )?$"
)
# "lack of thiamine", "knockdown of STAT3", "stopping lithium", "low potassium"; "alcohol
# withdrawal", "Keap1-/-": what is named is missing, or does not act
LACKING_BEFORE = (
    r"\b(?:lack|loss|absence|withdrawal|discontinuation|cessation|deprivation|depletion|deficiency"
    r"|interruption|omission|removal|knock-?down|knock-?out|silencing|deletion|ablation"
    r"|inactivation|inhibition|blockade|blocking|suppression|down-?regulation|disruption"
    r"|neutrali[sz]ation|antagonism|haploinsufficiency) of (?:the )?$"
    r"|\b(?:stopping|discontinuing|withdrawing|silencing|inhibiting|blocking|deleting|low|reduced)\s$"
)
LACKING_AFTER = (
    r"[-\s](?:withdrawal|deprivation|depletion|abstinence|discontinuation|cessation|starvation"
    r"|deficien\w+|knock-?down|knock-?out|silencing|deletion|ablation|inactivation|inhibition"
    r"|blockade|loss|null|haploinsufficiency|s[ih]rnas?)\b(?!\sof\b)|\s?[-‐-−]/[-‐-−]"
)
# "tremor was not observed"
DENIED_AFTER = (
    r"^[^,.;:]{0,25}?\b(?:was|were|is|are|has been|have been|did|does|do|could|can)"
    r" ?(?:not|never)\s(?:be )?"
    r"(?:observed|seen|found|reported|noted|detected|occur\w*|develop\w*|present|demonstrated"
    r"|confirmed|shown)\b"
)
# "we could not confirm that veratin causes tremor", "whether … was not determined": nobody knows
UNSETTLED = (
    r"\b(?:(?:not|never|unable to|failed to|fails to|fail to|cannot|impossible to)\s"
    r"(?:(?:yet|\w+ly)\s)?(?:been?\s)?"
    r"(?:confirm|verif|prov[ei]|establish|determin|conclud|exclud|ascertain)\w*"
    r"|(?:not|cannot)\s(?:be\s)?ruled?\sout"
    r"|(?:not|n't|cannot)\s(?:yet\s)?(?:know|known|clear|certain|say|tell)\b"
    r"|(?:unknown|unclear|uncertain|no proof)\s(?:if|that))\b"
)
# "veratin may cause tremor"
HYPOTHESIS = (
    r"\b(?:may|might|could|possibl[ey]|potential(?:ly)?|suspect\w*|hypothes\w*|whether|putative\w*"
    r"|presum\w*|speculat\w*|perhaps"
    r"|to (?:determine|assess|test|investigate|examine|evaluate|study)|aimed? (?:to|at)"
    r"|proposed?)\b"
)
# "to examine whether veratin causes tremor": a question, not even a supposition
AIM = (
    r"\b(?:whether|(?:to|we) (?:determine|assess|test|investigate|examine|evaluate|study|explore"
    r"|compare)|aims? (?:to|at|was|of)|aimed|objectives?|purpose)\b"
)
# "veratin reduced exacerbations of tremor", "halved the risk of tremor": before a cue, words that
# turn it round; "induced regression of tremor",
# "caused less tremor": behind it, words that do
LESSENED_BEFORE = (
    r"\b(?:reduc|prevent|decreas|lower|lessen|diminish|attenuat|abolish|halv|fewer|less|inhibit|block|suppress)\w*"
    r"\s(?:(?!and\b|but\b|or\b|then\b)[\w-]+\s){0,3}$"
)
LESSENED_AFTER = (
    r"\s(?:(?:less|fewer)\b|(?:[\w-]+\s){0,2}?(?:involution|regression|remission|resolution"
    r"|improvement|healing|reversal|reduction|decrease)s?\s(?:of|in)\b)"
)
# "veratin-mediated inhibition of COX-2": what "-mediated" brings about here is no activation
HINDERED_AFTER = (
    r"\s(?:inhibition|suppression|repression|blockade|downregulation|degradation|loss)\b"
)
# "A induces B, and C degrades A": C begins a clause of its own
NEXT_CLAUSE = r",\s(?:and|but|while|whereas)\s$"
ITS_VERB = (
    r"\s(?:(?:\w+ly|then|also)\s)?(?:activat|stimulat|inhibit|suppress|block|repress|induc|bind"
    r"|phosphorylat|degrad|antagoni[sz]|regulat|reduc|increas|caus|prevent|reliev|treat)(?:e?s|ed)\b"
)
# "COX-2 inhibition by veratin": behind a cue, who acts
BY = r"\s(?:\w+ly\s)?by\b"
# "veratin should be avoided in tremor", "use for a year was followed within days by tremor": no
# treatment
WARNED = (
    r"\bavoid\w*|\bcontra-?indicat\w*|\bnot recommended\b|\bcaution\b"
    r"|\bfollowed (?:[\w-]+ ){0,4}by\b"
    r"|(?<!-)\b(?:caus|induc)(?:ed|es)\b|\b(?:led|leads|lead|resulted) (?:to|in)\b"
    r"|\b(?:adverse|side) (?:effects?|events?|reactions?)\b"
)
# "should avoid veratin in patients with tremor": before a name, the same
WARNED_BEFORE = r"\b(?:avoid|withhold|discontinu|contra-?indicat|stop)\w*\s(?:[\w-]+\s){0,2}$"
AS_MODEL = r"\bas (?:an?|the) (?:[\w-]+ ){0,2}models?\b"  # "was used as a model of tremor"
# "veratin failed"; "its withdrawal caused tremor": behind a name, words that say it did not act
FAILED = r"\s(?:\w+\s)?(?:failed|proved (?:useless|ineffective))\b(?!\sto\b)"
ITS_LACK = (
    r"\b(?:its|their|whose)\s(?:\w+\s)?(?:withdrawal|discontinuation|cessation|deficiency|lack"
    r"|absence|loss|inhibition|blockade|removal|deletion)\b"
)
# "tremor was seen in two men and was treated with veratin": behind a cue, a verb of treatment
THEN_TREATED = (
    r"\b(?:and|that|which|but)\s(?:(?:was|were|is|are|had to be)\s)(?:\w+ly\s)?"
    r"(?:treated|managed|relieved|controlled|corrected|reversed|abolished|terminated)\b"
)
# "caused ataxia after tremor": another thing that only went before
ONLY_BEFORE = r"\b(?:after|following|before|despite)\s(?:an?\s|the\s)?(?:[\w-]+\s){0,2}$"
# "HAB1, a homologue of ABI1, …": a name that only says what the one before it is
APPOSED = r",\s(?:an?|the|its)\s(?:[\w-]+\s){1,4}?(?:of|to|for)\s(?:the\s)?$"
# "A inhibits a kinase by removing ubiquitin from B": what is done to B is how A does it
BY_DOING = r"\bby\s(?:\w+ly\s)?\w+ing\b"
# "In Tlr4-/- mice A did not induce B": what does not happen where a gene is missing
IN_MUTANTS = r"[-‐-−]/[-‐-−]|\b(?:knock-?outs?|null|lacking|deficient|mutants?|without)\b"
# "veratin relieves ataxia but may cause tremor": what stands at once before "but" is no subject;
# nor is PTEN in "PTEN and activating PIK3CA mutations"
NO_SUBJECT = r"[\s)\]]*,?\s?(?:(?:but|yet)\s(?!not\b)|(?:and|or)\s\w+ing\s+$)"
# "BCR-ABL1": two symbols that are one name, but not in "the TP53-MDM2 interaction"
FUSING = r"[-‐‑–]|::"
SYMBOL = r"[A-Z][A-Z0-9]{1,7}[a-z]?"
BETWEEN_TWO = (
    r"[-\s](?:\w+\s)?(?:interaction|complex|pathway|axis|signal|binding|loop|cascade|network|dimer"
    r"|heterodimer|association|crosstalk|feedback|module|assembl|docking|contact)"
)
# "more often than with veratin"
COMPARISON = r"\b(?:than|compared|versus|vs|unlike|as opposed|in contrast|rather)\b"
# "veratin reduced the tremor induced by solbex": what one agent does to the effect of another
MODULATION = (
    r"\b(?:prevent|attenuat|protect|antagoni[sz]|revers|reduc|ameliorat|block|inhibit|abolish"
    r"|suppress|potentiat|enhanc|counteract|alleviat|influenc|modif|diminish)\w*"
)
# "ferrous sulfate", of which a vocabulary may know the sulfate alone
METAL_BEFORE = r"(?:\b(?:ferr|cupr|stann|mercur)(?:ous|ic)|[a-z]ium)\s$"
# "veratin did not relieve tremor", "veratin failed": what a sentence denies of the name before it
DENIED_OF = (
    r"(?:\s[\w-]+)?\s(?:(?:is|are|was|were|has|have|had|does|do|did|could|can|should)\s"
    r"(?:not|no|never)\b|cannot\b|failed\b|(?:is|are|was|were)\s(?:useless|ineffective)\b)"
)
_WORDS_NO_AGENTS = """
    placebo placebos vehicle vehicles water saline inhibitor inhibitors agonist agonists antagonist
    antagonists antibody antibodies
    drug drugs agent agents medication medications solution solutions suspension
    suspensions tablet tablets capsule capsules gas gases dosage base
    ointment ointments cream creams gel gels emulsion emulsions prodrug prodrugs supplement
    supplements antidote antidotes soil soils sediment sediments
"""
_WORDS_SALTS = """
    hcl hydrochloride hydrobromide sodium potassium calcium magnesium chloride bromide sulfate
    sulphate maleate mesylate acetate citrate tartrate phosphate nitrate succinate fumarate
    carbonate hydrogen acid salt
"""
_TWO_WORDS = (
    "normal saline",
    "isotonic saline",
    "distilled water",
    "tap water",
    "drinking water",
    "sodium chloride",
)
# Controls and carriers that cause nothing in a study, and words for drugs in general.
NO_AGENTS = frozenset((*_WORDS_NO_AGENTS.split(), *_TWO_WORDS))
SALTS = frozenset(_WORDS_SALTS.split())  # parts of a drug's name: "bupropion HCl"
