"""The words behind normalisation: spellings, plurals, endings and equal words of biomedical
English.
"""

from __future__ import annotations

_GREEK_NAMES = """
        α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu
    ν nu ξ xi ο omicron     π pi ρ rho σ sigma ς sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega ϕ
    phi ϵ epsilon ϑ theta
"""
GREEK = dict(zip(_GREEK_NAMES.split()[::2], _GREEK_NAMES.split()[1::2], strict=True))

# British → American, as parts of words of five letters or more.
SPELLINGS = (
    ("ae", "e"),
    ("oe", "e"),
    ("tumour", "tumor"),
    ("colour", "color"),
    ("behaviour", "behavior"),
    ("odour", "odor"),
    ("labour", "labor"),
    ("humour", "humor"),
    ("vapour", "vapor"),
    ("sulph", "sulf"),
    ("aluminium", "aluminum"),
    ("isation", "ization"),
    ("neurone", "neuron"),
    ("grey", "gray"),
    ("mould", "mold"),
    ("analys", "analyz"),
    ("licence", "license"),
)

_IRREGULAR = """
        children child feet foot teeth tooth mice mouse women woman men man lice louse oxen ox
    geese goose     vertebrae vertebra bacteria bacterium bacilli bacillus fungi fungus nuclei
    nucleus thrombi thrombus emboli embolus     stimuli stimulus foci focus loci locus bronchi
    bronchus nevi nevus calculi calculus cortices cortex     cervices cervix apices apex indices
    index matrices matrix appendices appendix mitochondria mitochondrion     ganglia ganglion
    phenomena phenomenon criteria criterion atria atrium crania cranium ova ovum septa septum
    larvae larva antennae antenna fistulae fistula bursae bursa vaginae vagina lives life calves
    calf leaves leaf     knives knife halves half species species series series diabetes diabetes
    rabies rabies scabies scabies     herpes herpes caries caries measles measles mumps mumps
    rickets rickets feces feces faeces feces pus pus     testes testis pubes pubes lens lens gas
    gas gases gas biceps biceps triceps triceps forceps forceps ascites ascites     pancreas
    pancreas bias bias atlas atlas aids aids kras kras hras hras nras nras rhabdomyolyses
    rhabdomyolysis     oedema edema edemata edema stomata stoma
"""
IRREGULAR = dict(zip(_IRREGULAR.split()[::2], _IRREGULAR.split()[1::2], strict=True))

_STOP = (
    "a an the of in on to by for with from and or at as due associated type nos unspecified"
    " mellitus"
)
STOP = frozenset(_STOP.split())
_TYPES = "type stage grade class group factor phase complex"
TYPES = frozenset(_TYPES.split())

# Words that mean the same inside a name; the second stands for both.
_EQUAL = """
        renal kidney cardiac heart hepatic liver pulmonary lung cerebral brain gastric stomach
    ocular eye     dermal skin cutaneous skin dermatologic skin osseous bone muscular muscle
    vascular vessel     neoplasia neoplasm tumor neoplasm cancer neoplasm malignancy neoplasm
    cancerous neoplasm neoplastic neoplasm     tumorous neoplasm tumoral neoplasm tumour neoplasm
    anomaly disease abnormal disease malformation disease manifestation disease
    disorder disease illness disease diseased disease condition disease abnormality disease
    dysfunction disease     damage injury lesion injury insufficiency failure impairment failure
    hemorrhage bleeding hemorrhagic bleeding hemorrhaging bleeding convulsion seizure convulsive
    seizure     epileptic epilepsy psychotic psychosis toxic toxicity ischemic ischemia anemic
    anemia uremic uremia     thrombotic thrombosis thromboembolic thromboembolism embolic embolism
    necrotic necrosis fibrotic fibrosis     cirrhotic cirrhosis stenotic stenosis sclerotic
    sclerosis neurotic neurosis cyanotic cyanosis     hypotensive hypotension hypertensive
    hypertension depressive depression depressed depression     anxious anxiety manic mania
    amnesic amnesia amnestic amnesia ataxic ataxia dystonic dystonia     dyskinetic dyskinesia
    akinetic akinesia bradykinetic bradykinesia diabetic diabetes asthmatic asthma     allergic
    allergy obese obesity deaf deafness blind blindness paralytic paralysis paralyzed paralysis
    parkinsonian parkinson delirious delirium demented dementia autistic autism schizophrenic
    schizophrenia     leukemic leukemia lymphomatous lymphoma carcinomatous carcinoma nephrotic
    nephrosis arthritic arthritis     proteinuric proteinuria hypoxic hypoxia hyperglycemic
    hyperglycemia hypoglycemic hypoglycemia     arrhythmic arrhythmia dysrhythmia arrhythmia
    bradycardic bradycardia tachycardic tachycardia     nephrotoxic nephrotoxicity hepatotoxic
    hepatotoxicity neurotoxic neurotoxicity cardiotoxic cardiotoxicity     ototoxic ototoxicity
    infectious infection infected infection inflammatory inflammation inflamed inflammation
    painful pain aching ache swollen swelling itching itch febrile fever catatonic catatonia
    adrenal adrenals mammary breast colonic colon rectal rectum ovarian ovary uterine uterus
    prostatic prostate     vesical bladder thyroidal thyroid pancreatic pancreas splenic spleen
    nasal nose oral mouth lingual tongue     retinal retina corneal cornea aortic aorta venous
    vein arterial artery neural nerve     hereditary inherited inheritable inherited heritable
    inherited familial inherited     childhood child juvenile child infantile infant adulthood
    adult     deficit deficiency deficient deficiency lack deficiency absence deficiency
    encephalopathic encephalopathy neuropathic neuropathy myopathic myopathy nephropathic
    nephropathy     cardiomyopathic cardiomyopathy coagulopathic coagulopathy
    aural ear otic ear auricular ear ophthalmic eye facial face labial lip dental tooth
    gingival gingiva palatal palate palatine palate buccal cheek thoracic thorax
    abdominal abdomen pelvic pelvis vertebral vertebra spinal spine costal rib sternal sternum
    clavicular clavicle scapular scapula humeral humerus ulnar ulna femoral femur
    patellar patella tibial tibia fibular fibula articular joint cranial skull
    mandibular mandible maxillary maxilla esophageal esophagus duodenal duodenum ileal ileum
    intestinal intestine anal anus biliary bile laryngeal larynx tracheal trachea
    bronchial bronchus alveolar alveolus pleural pleura valvular valve cerebellar cerebellum
    cortical cortex thymic thymus lymphatic lymph ureteral ureter urethral urethra
    testicular testis vaginal vagina placental placenta umbilical umbilicus fetal fetus
    neonatal neonate pupillary pupil choroidal choroid scleral sclera conjunctival conjunctiva
    palpebral eyelid visual vision auditory hearing chromosomal chromosome
    mitochondrial mitochondrion dysplastic dysplasia hypoplastic hypoplasia aplastic aplasia
    atrophic atrophy hypertrophic hypertrophy hyperplastic hyperplasia dystrophic dystrophy
    numerous multiple
"""
EQUAL = dict(zip(_EQUAL.split()[::2], _EQUAL.split()[1::2], strict=True))

# Endings that change the word's form, not what it names; longest first.
ENDINGS = (
    "ically", "ations", "ation", "ional", "ition", "ness", "ions", "ities", "ical", "ated", "ates",
    "ous", "ion", "ive", "ity", "ial", "ian", "ing", "ic", "al", "ed", "ia", "y",
)  # fmt: skip

# Learned endings of one root: necrosis and necrotic, dialysis and dialytic, genesis and genetic.
GREEK_ENDINGS = {"osis": "ot", "otic": "ot", "ysis": "yt", "ytic": "yt", "esis": "et", "etic": "et"}

# Single words that mean a disorder or state by their adjective; the noun is what vocabularies hold.
_ADJECTIVES = """
        hypertensive hypertension hypotensive hypotension epileptic epilepsy psychotic psychosis
    ischemic ischemia     anemic anemia uremic uremia thrombotic thrombosis necrotic necrosis
    fibrotic fibrosis cirrhotic cirrhosis     depressive depression depressed depression anxious
    anxiety manic mania amnesic amnesia amnestic amnesia     ataxic ataxia dystonic dystonia
    dyskinetic dyskinesia asthmatic asthma obese obesity demented dementia     autistic autism
    schizophrenic schizophrenia leukemic leukemia arthritic arthritis nephrotic nephrosis
    proteinuric proteinuria hypoxic hypoxia hyperglycemic hyperglycemia hypoglycemic hypoglycemia
    bradycardic bradycardia tachycardic tachycardia nephrotoxic nephrotoxicity hepatotoxic
    hepatotoxicity     neurotoxic neurotoxicity cardiotoxic cardiotoxicity ototoxic ototoxicity
    cataleptic catalepsy     hyperalgesic hyperalgesia parkinsonian parkinsonism febrile fever
    delirious delirium cyanotic cyanosis     convulsive convulsion diabetic diabetes arrhythmic
    arrhythmia
"""
ADJECTIVES = dict(zip(_ADJECTIVES.split()[::2], _ADJECTIVES.split()[1::2], strict=True))

# Words of English that are names of something too; in a text they are not meant as that.
_PARTICLES = """
        a an and are as at be but by can did do for from had has have he her him his how i if in
    into is it its me my no     nor not of off on or our out she so than that the their them then
    there these they this those to too up us was we     were what when where which who why will
    with would yes you your may might must shall should could been being both     each few more
    most other some such only own same very all any am pm et al ie eg vs per via mg ml kg cm mm iv
    im sc     po bid day days one two three four five six seven eight nine ten new non pre post
    sub anti
"""
PARTICLES = frozenset(_PARTICLES.split())
_COMMON = """
        patient patients case cases study studies group groups control controls time year years
    month months week weeks     age male female men women man woman human humans result results
    method methods effect effects change changes rate     rates level levels dose doses treatment
    therapy drug drugs agent agents test tests use role set rest light lead     large impact cat
    mice mouse rat rats dog dogs animal animals family families person people child children
    infant     data report reports review evidence risk factor factors response responses increase
    decrease loss gain high low     early late normal abnormal acute chronic severe mild disease
    diseases disorder disorders syndrome syndromes     condition conditions symptom symptoms sign
    signs complication complications lesion lesions infection infections     injury injuries death
    deaths toxicity pain cell cells tissue tissues organ organs body part parts activity protein
    proteins gene genes system systems function functions process type types form forms class
    classes association production
    water air food feeding diet weight height length size volume pressure
    temperature surface region area     state states stage stages phase phases period end onset
    course history outcome outcomes follow work life     home school hospital clinic nurse doctor
    training education research science model models theory analysis     maximum minimum mean
    range ratio score scale index total number amount unit units first second third last
    general local systemic clinical medical surgical oral solution compound compounds mixture
    product products     structure structures mechanism mechanisms pathway pathways target targets
    site sites position back face head hand     rest walk run move step point line band base side
    center cause causes reason problem problems need support     release release block blocker
    strain strains tablet tablets capsule capsules suspension suspensions solutions element
    elements ganglia
    uptake binding action actions reaction reactions interaction interactions     all none
    included emergency emergencies syndrome attention memory learning behavior performance
    exercise sleep stress mood moderate moderately frequent occasional rare profound borderline
    progressive transient variable triggered bilateral unilateral left right distal proximal
    adulthood childhood neonatal congenital inhibition enzyme enzymes
        fall signaling signalling medicine medicines medication medications radical radicals
    complete inherited severity severities tract tracts dissociation
"""
COMMON = frozenset(_COMMON.split()) - frozenset(
    ["pain", "infection", "infections", "death", "water", "toxicity"]
)

_BODY_WORDS = """
    brain heart liver kidney lung stomach skin eye bone muscle spleen pancreas bladder breast colon
    thyroid ovary uterus prostate blood plasma serum urine tongue nose ear mouth tooth nerve
"""
BODY = frozenset(_BODY_WORDS.split())

# Formulas and laboratory abbreviations, written exactly so.
_FORMULAS = """
        Na=sodium Na+=sodium(1+)|sodium K=potassium K+=potassium(1+)|potassium Ca=calcium
    Ca2+=calcium(2+)|calcium     Mg=magnesium Mg2+=magnesium(2+)|magnesium Zn=zinc
    Zn2+=zinc(2+)|zinc Cu=copper Fe=iron Pb=lead Hg=mercury     Cd=cadmium Li=lithium Cl-=chloride
    H2O=water H2O2=hydrogen_peroxide CO2=carbon_dioxide CO=carbon_monoxide     NO=nitric_oxide
    O2=dioxygen|oxygen N2=dinitrogen|nitrogen N2O=nitrous_oxide NH3=ammonia NaCl=sodium_chloride
    KCl=potassium_chloride
    MgCl2=magnesium_dichloride|magnesium_chloride CaCl2=calcium_dichloride|calcium_chloride
    CaCl(2)=calcium_chloride     NaOH=sodium_hydroxide HCl=hydrochloric_acid H2SO4=sulfuric_acid
    NaHCO3=sodium_bicarbonate     CCl4=carbon_tetrachloride SDS=sodium_dodecyl_sulfate
    DTT=1,4-dithiothreitol|dithiothreitol EDTA=edetic_acid
    BrdU=5-bromo-2'-deoxyuridine|bromodeoxyuridine FITC=fluorescein_isothiocyanate
    PFA=paraformaldehyde     DMSO=dimethyl_sulfoxide EtOH=ethanol MeOH=methanol 5-HT=serotonin
    GABA=gamma-aminobutyric_acid ACh=acetylcholine     DA=dopamine NMDA=N-methyl-D-aspartate
    MPTP=1-methyl-4-phenyl-1,2,3,6-tetrahydropyridine L-dopa=levodopa     L-DOPA=levodopa
    AZT=zidovudine 5-FU=fluorouracil MTX=methotrexate CsA=cyclosporine ASA=aspirin INH=isoniazid
    BDNF=brain-derived_neurotrophic_factor ATP=adenosine_triphosphate cAMP=cyclic_AMP
    LPS=lipopolysaccharide LiCl=lithium_chloride FeCl3=iron_trichloride|ferric_chloride
    CdCl2=cadmium_dichloride|cadmium_chloride CdSO4=cadmium_sulfate CuSO4=copper(II)_sulfate
    NH4Cl=ammonium_chloride 3H=tritium_atom|tritium 14C=carbon-14_atom 32P=phosphorus-32_atom
    33P=phosphorus-33_atom 35S=sulfur-35_atom 125I=iodine-125_atom 131I=iodine-131_atom
    X-gal=5-bromo-4-chloro-3-indolyl_beta-D-galactoside
    X-Gal=5-bromo-4-chloro-3-indolyl_beta-D-galactoside G418=geneticin
    Tween-20=polysorbate_20 Tween_20=polysorbate_20 Tween-80=polysorbate_80 Tween_80=polysorbate_80
    PMSF=phenylmethanesulfonyl_fluoride|phenylmethylsulfonyl_fluoride ENU=N-ethyl-N-nitrosourea
    taxol=paclitaxel Taxol=paclitaxel Hepes=HEPES Cy3=Cy3_dye Cy5=Cy5_dye formalin=formaldehyde
    CDDP=cisplatin 6-OHDA=6-hydroxydopamine|oxidopamine MK-801=dizocilpine_maleate|dizocilpine
    ATRA=all-trans-retinoic_acid|tretinoin PTZ=pentylenetetrazole STZ=streptozocin|streptozotocin
    VPA=valproic_acid CBZ=carbamazepine AraC=cytarabine Ara-C=cytarabine PTU=propylthiouracil
    MDMA=3,4-methylenedioxymethamphetamine|N-methyl-3,4-methylenedioxyamphetamine
    L-NAME=NG-nitroarginine_methyl_ester TCDD=2,3,7,8-tetrachlorodibenzodioxin
    EtBr=ethidium_bromide
"""
# Names in order of preference, divided by |.
FORMULAS = {
    short.replace("_", " "): long.replace("_", " ")
    for short, _, long in (pair.partition("=") for pair in _FORMULAS.split())
}

# Formulas that a running text uses for much else.
_DOUBTFUL = "K NO CO DA ASA INH Li Pb Cd Fe PFA"
DOUBTFUL = frozenset(_DOUBTFUL.split())

# Learned words for a disease of an organ, which vocabularies list under plain ones.
_LEARNED = """
        nephropathy=kidney_diseases encephalopathy=brain_diseases hepatopathy=liver_diseases
    neuropathy=nervous_system_diseases enteropathy=intestinal_diseases
    vasculopathy=vascular_diseases     hepatotoxicity=drug-induced_liver_injury
    nephrotoxicity=kidney_diseases cardiotoxicity=cardiotoxicity     toxicity=drug_toxicity
    overdose=drug_overdose rigidity=muscle_rigidity bruising=contusions
    calcification=calcinosis incontinence=urinary_incontinence hyperactivity=hyperkinesis
    haematuria=hematuria dyspepsia=dyspepsia immunodeficiency=immunologic_deficiency_syndromes
    chondrodysplasia=osteochondrodysplasias acrochordon=skin_tag
    depression=depressive_disorder anxiety=anxiety_disorder neurotoxicity=neurotoxicity_syndrome
    weakness=muscle_weakness spasticity=muscle_spasticity agitation=psychomotor_agitation
    swelling=edema diabetes=diabetes_mellitus
    coagulopathy=blood_coagulation_disorder
"""
# What is wrong with the organ or faculty before it, for which vocabularies have its disease or
# disorder: "hematologic toxicity", "memory impairment". Of such readings 35 of 47 were right on
# BC5CDR train, 27 of 43 on dev; of the same with "injury", "lesion", "event" fewer than half.
HARM = frozenset(["damage", "toxicity", "impairment", "disturbance", "deficit"])
# The same of several words, folded; names in order of preference, divided by |.
LEARNED_PHRASES = {
    "qt prolongation": "prolonged qt interval|long qt syndrome",
    "qtc prolongation": "prolonged qt interval|long qt syndrome",
    "qt interval prolongation": "prolonged qt interval|long qt syndrome",
    "qtc interval prolongation": "prolonged qt interval|long qt syndrome",
    "prolongation of the qt interval": "prolonged qt interval|long qt syndrome",
    "prolongation of the qtc interval": "prolonged qt interval|long qt syndrome",
    "autosomal dominant disease": "genetic disease inborn",
    "autosomal dominant disorder": "genetic disease inborn",
    "autosomal recessive disease": "genetic disease inborn",
    "autosomal recessive disorder": "genetic disease inborn",
    "preterm infant": "premature birth",
    "extrapyramidal symptom": "extrapyramidal disorder",
    "extrapyramidal side effect": "extrapyramidal disorder",
    "extrapyramidal sign": "extrapyramidal disorder",
    "sleep disturbance": "sleep disorder",
    "cognitive deficit": "cognition disorder",
    "cognitive impairment": "cognition disorder",
    "cognitive dysfunction": "cognition disorder",
    "renal dysfunction": "kidney disease",
    "renal injury": "kidney disease",
    "hepatic dysfunction": "liver disease",
    "liver dysfunction": "liver disease",
    "cardiac dysfunction": "heart disease",
    "myocardial injury": "heart disease",
    "ventricular arrhythmia": "cardiac arrhythmia",
    "hepatic toxicity": "drug induced liver injury",
    "liver toxicity": "drug induced liver injury",
}
LEARNED = {
    short: long.replace("_", " ")
    for short, _, long in (pair.partition("=") for pair in _LEARNED.split())
}
