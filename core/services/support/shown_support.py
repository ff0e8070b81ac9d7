"""A verdict as it is shown wherever a claim is: in words, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.model import NOT_CALIBRATED, Evidence, Json, Support, SupportVerdict, best_of


def support_json(support: Support | None) -> Json:
    """{verdict, probability, calibrated, reasons, judges}; null where no judge looked at it."""
    if support is None:
        return None
    return {
        "verdict": str(support.verdict),
        "probability": support.probability,
        "calibrated": support.is_calibrated,
        "reasons": list(support.reasons),
        "judges": list(support.judges),
    }


def is_supported(support: Support | None) -> bool:
    """Whether the text says it, as far as judges looked: the field `supported` of JSON."""
    return support is not None and support.verdict is SupportVerdict.SUPPORTS


def supported_share(each: Iterable[bool]) -> bool | str:
    """`supported` of several claims together: true, false or "partly"; false of none.

    >>> supported_share([True, False])
    'partly'
    """
    kinds = set(each) or {False}
    return kinds.pop() if len(kinds) == 1 else "partly"


def support_words(support: Support | None) -> str:
    """A verdict as it is shown: what the evidence does to the claim, and why."""
    if support is None:
        return "Not judged: there is nothing to read."
    reasons = [reason for reason in support.reasons if reason != NOT_CALIBRATED][:2]
    why = "; ".join(reasons if support.is_calibrated else [*reasons, NOT_CALIBRATED])
    says = {
        SupportVerdict.SUPPORTS: "The text says so",
        SupportVerdict.UNCLEAR: "It is unclear whether the text says so",
        SupportVerdict.SILENT: "The text does not say so",
        SupportVerdict.CONTRADICTS: "The text contradicts it",
    }[support.verdict]
    return f"{says}: {why}." if why else f"{says}."


def likelihood_words(support: Support) -> str:
    """How likely the text says it, as it is shown: `73 %`, and whether that was learned."""
    chance = f"{support.probability:.0%}"
    return chance if support.is_calibrated else f"{chance} (not calibrated)"


def best_support(verdicts: Mapping[str, Support], evidence: Sequence[Evidence]) -> Support | None:
    """What a statement's evidence says of it: its best piece counts. None: not judged."""
    return best_of(verdicts[piece.id] for piece in evidence if piece.id in verdicts)
