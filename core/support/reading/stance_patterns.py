"""Words around a relation that change what a sentence says of it, as `stance_rules.tsv` lists
them: one row a pattern, with an example and a counterexample that a test reads.

The rows of a kind make one regular expression over case-folded words.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("stance_rules.tsv")


@dataclass(frozen=True, slots=True)
class StanceRule:
    """One row. A `|` in the examples is where the name stands that is spoken of; `where` says what
    of them the pattern is tried on: "within" all, "before" or "behind" the mark, or the "whole".
    """

    kind: str
    where: str
    pattern: str
    example: str
    counterexample: str


def stance_rules() -> list[StanceRule]:
    """Every row of the table, in its order."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(
        (line for line in lines if line and not line.startswith("#")),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    return [StanceRule(**row) for row in rows]


def _patterns() -> dict[str, re.Pattern[str]]:
    rows: dict[str, list[str]] = {}
    for rule in stance_rules():
        rows.setdefault(rule.kind, []).append(rule.pattern)
    return {kind: re.compile("|".join(patterns)) for kind, patterns in rows.items()}


_BY_KIND = _patterns()

NEGATION = _BY_KIND["denial"]
NO_NEGATION = _BY_KIND["no denial"]
NO_SUCH = _BY_KIND["no such"]
REDUCED = _BY_KIND["reduced clause"]
CONDITION_AFTER = _BY_KIND["condition behind"]
CONDITION_BEFORE = _BY_KIND["condition before"]
CAUSED_AFTER = _BY_KIND["caused"]
APPEARED = _BY_KIND["appeared"]
SETTING = _BY_KIND["setting"]
ABSENT = _BY_KIND["absent"]
CONTRAST = _BY_KIND["contrast"]
NEW_PREDICATE = _BY_KIND["new predicate"]
FINITE = _BY_KIND["finite verb"]
HYPHEN = _BY_KIND["hyphen"]
PARTICIPLE = _BY_KIND["participle"]
BEGINS_CLAUSE = _BY_KIND["begins a clause"]
COMPARED = _BY_KIND["compared"]
OTHER_ACTOR = _BY_KIND["other actor"]
OTHER_OUTCOME = _BY_KIND["other outcome"]
OTHER_CLAUSE = _BY_KIND["other clause"]
NOT_ITSELF = _BY_KIND["not itself"]
BEARER = _BY_KIND["bearer behind"]
STIMULUS = _BY_KIND["stimulus behind"]
OPPOSITE = _BY_KIND["opposite"]
LACKING_BEFORE = _BY_KIND["lacking before"]
LACKING_AFTER = _BY_KIND["lacking behind"]
DENIED_AFTER = _BY_KIND["denied behind"]
DENIED_WHOLE = _BY_KIND["denied whole"]
UNSETTLED = _BY_KIND["unsettled"]
HYPOTHESIS = _BY_KIND["supposed"]
AIM = _BY_KIND["aim"]
LESSENED_BEFORE = _BY_KIND["lessened before"]
LESSENED_AFTER = _BY_KIND["lessened behind"]
HINDERED_AFTER = _BY_KIND["hindered"]
NEXT_CLAUSE = _BY_KIND["next clause"]
ITS_VERB = _BY_KIND["its verb"]
BY = _BY_KIND["by"]
WARNED = _BY_KIND["warned"]
WARNED_BEFORE = _BY_KIND["warned before"]
AS_MODEL = _BY_KIND["as a model"]
FAILED = _BY_KIND["failed"]
ITS_LACK = _BY_KIND["its lack"]
THEN_TREATED = _BY_KIND["then treated"]
ONLY_BEFORE = _BY_KIND["only before"]
APPOSED = _BY_KIND["apposed"]
SAID_TO_BE = _BY_KIND["said to be"]
BY_DOING = _BY_KIND["by doing"]
IN_MUTANTS = _BY_KIND["in mutants"]
NO_SUBJECT = _BY_KIND["no subject"]
FUSING = _BY_KIND["fusing"]
SYMBOL = _BY_KIND["symbol"]
BETWEEN_TWO = _BY_KIND["between two"]
COMPARISON = _BY_KIND["comparison"]
MODULATION = _BY_KIND["modulation"]
METAL_BEFORE = _BY_KIND["metal"]
DENIED_OF = _BY_KIND["denied of"]
ANOTHERS_EFFECT = _BY_KIND["another's effect"]
IN_PRESENCE = _BY_KIND["in the presence of"]
ONLY_IF = _BY_KIND["only if"]
UNREAL = _BY_KIND["unreal"]
HARM_OF = _BY_KIND["harm of"]
WHICH_WAS_GIVEN = _BY_KIND["which was given"]
LIKE_PLACEBO = _BY_KIND["like placebo"]
TO_BRING_ABOUT = _BY_KIND["to bring about"]
LEFT_OUT = _BY_KIND["left out"]
NOT_THIS = _BY_KIND["not this"]
LESS_OF_IT = _BY_KIND["less of it"]
STOPPED = _BY_KIND["stopped"]
WHEN = _BY_KIND["when"]
CELLS_OF = _BY_KIND["cells of"]
PRODUCT_OF = _BY_KIND["product of"]
SOUGHT = _BY_KIND["sought"]
GROWTH_OF = _BY_KIND["growth of"]
IS_HINDERED = _BY_KIND["is hindered"]

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
