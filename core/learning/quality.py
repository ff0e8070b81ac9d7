"""How good engines are, from what people decided: precision with intervals, calibration."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z95 = 1.959964  # standard normal quantile of a two-sided 95 % interval
BINS = 10


@dataclass(frozen=True, slots=True)
class PrecisionEstimate:
    """Right ones among those decided, with the 95 % interval (0 to 1)."""

    right: int
    decided: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.right / self.decided if self.decided else 0.0


def precision(right: int, decided: int) -> PrecisionEstimate:
    """Wilson's score interval (Wilson 1927, eq. 4): honest for few decisions and near 0 and 1."""
    if not decided:
        return PrecisionEstimate(0, decided=0, low=0.0, high=1.0)
    share, square = right / decided, Z95 * Z95
    middle = share + square / (2 * decided)
    wide = Z95 * math.sqrt(share * (1 - share) / decided + square / (4 * decided * decided))
    denominator = 1 + square / decided
    low = max(0.0, (middle - wide) / denominator) if right else 0.0
    high = min(1.0, (middle + wide) / denominator) if right < decided else 1.0
    return PrecisionEstimate(right, decided, low, high)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Proposals with scores from `low` to `high`: their mean score, and how many were right."""

    low: float
    high: float
    score: float
    precision: PrecisionEstimate


def calibration(scored: Iterable[tuple[float, bool]]) -> list[CalibrationBin]:
    """Ten equal bins of score, those that are empty left out."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, right in scored:
        bins.setdefault(min(int(score * BINS), BINS - 1), []).append((score, right))
    return [
        CalibrationBin(
            number / BINS,
            (number + 1) / BINS,
            sum(score for score, _ in inside) / len(inside),
            precision(sum(right for _, right in inside), len(inside)),
        )
        for number, inside in sorted(bins.items())
    ]


def calibration_error(bins: Sequence[CalibrationBin]) -> float:
    """Expected calibration error, 0 to 1 (Guo et al. 2017, eq. 3)."""
    total = sum(calibration_bin.precision.decided for calibration_bin in bins)
    gaps = (
        calibration_bin.precision.decided
        * abs(calibration_bin.score - calibration_bin.precision.share)
        for calibration_bin in bins
    )
    return sum(gaps) / total if total else 0.0


def median(seconds: Sequence[float]) -> float | None:
    """The middle value; None of nothing."""
    ordered = sorted(seconds)
    if not ordered:
        return None
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
