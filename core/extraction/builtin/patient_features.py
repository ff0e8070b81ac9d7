"""What a text about one disease says of its patients: "affected children have seizures" states a
feature of the disease that no word of the sentence names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from core.model import Span
from core.support.reading.relation import Relation
from core.support.reading.stance_patterns import NEGATION, NO_NEGATION
from core.text.phrases import one_of, phrases
from core.text.span_index import CoveredParts, SpanIndex

RULE, WEIGHT = "feature of the patients", 0.65
_PEOPLE = (
    r"(?:patients?|children|boys?|girls?|infants?|neonates|newborns|adults?|men|women|man|woman"
    r"|males?|females?|individuals?|people|siblings?|brothers?|sisters?|probands?|carriers?"
    r"|subjects?|they|he|she|both|all|neither|none|most|some|many)"
)
# "Affected children have (seizures)", "Boys present at 3 to 5 years with (weakness)"
_HAVE = re.compile(
    rf"\b{_PEOPLE}\b[^;]{{0,80}}?\b(?:have|has|had|show\w*|present\w*|develop\w*|display\w*"
    r"|exhibit\w*|suffer\w*|manifest\w*|experienc\w*|with)\b"
)
# "Other features are (tall stature)", "It is characterised by (short stature)"
_FEATURE = one_of(
    "features? symptoms? signs? findings? manifestations? presentation phenotype hallmarks?"
)
_ARE = one_of("includes? included including are is were was comprises? of with")
_FEATURES = phrases(
    {
        rf"{_FEATURE}\b[^;]{{0,60}}?(?:\b(?:{_ARE}|such as)\b|:)": "Other features are",
        r"characteri[sz]ed by\b": "It is characterised by",
    },
    after="",
    flags=re.NOFLAG,
)
# "(Seizures) are common", "(Cleft palate) is absent", "(Cardiomyopathy) develops in adolescence"
_DEGREES = r"(?:(?:\w+ly|also|often|an?|the|most|very|more|less)\s){0,3}"
_TOLD = phrases(
    {
        "common|frequent|rare|typical|characteristic|usual|universal": " are very common",
        "present|absent|lacking|seen|found|observed|noted|reported": " is absent",
        "severe|mild|progressive": " was mild",
        "features?|symptoms?|signs?|hallmarks?": " is a feature",
    },
    before=rf"^[^;:.]{{0,40}}?\b(?:is|are|was|were|may be|can be)\s(?:not\s)?{_DEGREES}",
    also={
        r"^[^;:.]{0,40}?\b(?:often\s|usually\s)?(?:occurs?|develops?|appears?)\b": (
            " develops in adolescence"
        ),
    },
    flags=re.NOFLAG,
)
_NOT_ALL = re.compile(r"\bnot\s(?:all|always|every|uncommon|rare|infrequent|unusual)\b")
_ABSENT = re.compile(r"\b(?:not|absent|lacking|never)\b")
# A sentence on what something else does: a treatment, a harm
_OTHER = re.compile(
    r"\b(?:caus\w+|induc\w+|treat\w*|therap\w+|adverse|toxic\w*|unlike|in contrast|differs?"
    r"|differential|exclud\w+|parents?|mothers?|fathers?|relatives|unaffected|healthy|controls)\b"
)
# "Patients with (diabetes) had …": of those alone the sentence speaks
_OF_SOME = re.compile(rf"\b{_PEOPLE}\s(?:who\s)?with\s(?:an?\s)?$")
_THEN = re.compile(r"\s(?:(?:had|have|has|were|was|are|is|show|showed|develop|developed)\b)")
_CLAUSE = re.compile(r"[;:]\s|,?\s(?:but|whereas|although|while)\s")


# Names of signs of other diseases, too: only such a name is a disease's
_DISEASE = re.compile(
    r"(?:syndrome|disease|disorder|trophy|deficiency|(?:osis|pathy|itis|emia|uria|oma)s?)\b",
    re.IGNORECASE,
)


def has_patients(text: str, disease: Span, features: Set[Span]) -> bool:
    """Whether what a text is about is a disease, and not a sign of one that it does not name: of
    "mild intellectual disability in a patient with a TRIM8 mutation" the patient's other signs are
    no features.
    """
    return disease not in features or _DISEASE.search(disease.quote(text)) is not None


def patient_features(
    text: str,
    sentences: Sequence[Span],
    disease: Span,
    predicate: str,
    *,
    features: Sequence[Span],
    others: Sequence[Span],
) -> Iterator[Relation]:
    """`disease`, where the text names what it is about, with each of the `features` that a sentence
    gives to its patients. A sentence that names one of the `others` (another disease, a drug) is
    left to other rules.
    """
    features_at = SpanIndex((feature, None) for feature in features)
    of_others = CoveredParts(others)
    for sentence in sentences:
        words = sentence.quote(text).casefold()
        found = [feature for feature, _ in features_at.within(sentence.start, sentence.end)]
        if _OTHER.search(words) or of_others.overlap(sentence) or _is_of_some(text, found):
            continue
        for feature in found:
            before, after = words[: feature.start - sentence.start], words[
                feature.end - sentence.start :
            ]  # fmt: skip
            told_of = _TOLD.match(_CLAUSE.split(after, maxsplit=1)[0])
            cue = _last(_HAVE, before) or _last(_FEATURES, before)
            if not (cue or told_of):
                continue
            ends = [match.end() for match in _CLAUSE.finditer(before)]
            clause = before[ends[-1] if ends else 0 :]
            denied = NEGATION.search(NO_NEGATION.sub(" ", _NOT_ALL.sub(" ", clause))) is not None
            denied = denied or bool(told_of and _ABSENT.search(_NOT_ALL.sub(" ", told_of[0])))
            place = (
                Span(sentence.start + cue.start(), sentence.start + cue.end())
                if cue
                else Span(feature.end, feature.end + (told_of.end() if told_of else 0))
            )
            yield Relation(
                disease, feature, predicate, cue=place, rule=RULE, score=WEIGHT, negated=denied
            )


def _is_of_some(text: str, features: Sequence[Span]) -> bool:
    """Whether a sentence speaks of those patients alone that have one of the features."""
    return any(
        _OF_SOME.search(text[max(0, feature.start - 40) : feature.start].casefold())
        and _THEN.match(text, feature.end)
        for feature in features
    )


def _last(pattern: re.Pattern[str], words: str) -> re.Match[str] | None:
    """The last match, if nothing behind it parts it from the end of the words."""
    matches = list(pattern.finditer(words))
    if not matches or _CLAUSE.search(words, matches[-1].end()):
        return None
    return matches[-1]
