from __future__ import annotations

import pytest

from core.learning.quality import calibration, calibration_error, median, precision


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    interval = precision(81, 263)  # Newcombe 1998, table I, method 3
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.2553, 0.3662)


def test_interval_of_zero_in_ten_reaches_above_zero() -> None:
    interval = precision(0, 10)
    assert interval.low == 0
    assert interval.high == pytest.approx(0.2775, abs=1e-3)


def test_precision_without_decisions_is_unknown() -> None:
    interval = precision(0, 0)
    assert (interval.low, interval.high, interval.share) == (0.0, 1.0, 0.0)


def test_scores_that_keep_their_word_have_no_calibration_error() -> None:
    bins = calibration([(0.75, True), (0.75, True), (0.75, True), (0.75, False)])
    assert calibration_error(bins) == 0


def test_a_score_of_one_falls_into_the_last_bin() -> None:
    (last,) = calibration([(1.0, False)])
    assert (last.low, last.high, last.precision.share) == (0.9, 1.0, 0.0)
    assert calibration_error([last]) == 1


def test_the_median_of_nothing_is_none() -> None:
    assert median([]) is None
    assert median([3.0, 1.0]) == 2.0
