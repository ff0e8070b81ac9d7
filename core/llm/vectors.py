"""Vectors as endpoints write them: numbers, or the bytes of 32-bit floats in base64."""

from __future__ import annotations

import base64
import math
import struct

from core.model import Json


def vectors_in(body: Json) -> list[list[float]]:
    """The vectors of an answer, in the order of the texts. Raises ValueError for anything else."""
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("not a list of vectors")
    places = [row.get("index", place) for place, row in enumerate(rows)]
    if sorted(map(str, places)) != sorted(map(str, range(len(rows)))):
        raise ValueError("vectors of unknown texts")
    vectors = {
        str(place): _vector(row.get("embedding")) for place, row in zip(places, rows, strict=True)
    }
    return [vectors[str(place)] for place in range(len(rows))]


def _vector(value: Json) -> list[float]:
    if isinstance(value, str):
        packed = base64.b64decode(value, validate=True)
        value = (
            list(struct.unpack(f"<{len(packed) // 4}f", packed)) if len(packed) % 4 == 0 else None
        )
    if not isinstance(value, list) or not value:
        raise ValueError("no vector")
    vector = [float(number) for number in value if isinstance(number, int | float)]
    if len(vector) != len(value) or not all(map(math.isfinite, vector)):
        raise ValueError("no vector of numbers")
    return vector
