"""The cycle collector walks past what is old, and yet finds garbage among it in the end."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from core.collector_pause import OldLeftAlone


class Node:
    """One that refers to itself: only the cycle collector can free it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def old_left_alone() -> Iterator[OldLeftAlone]:
    rule = OldLeftAlone()
    gc.callbacks.append(rule)
    yield rule
    gc.callbacks.remove(rule)
    gc.unfreeze()


def test_a_full_collection_leaves_what_outlived_the_one_before(
    old_left_alone: OldLeftAlone,
) -> None:
    old = Node()
    gc.collect()
    new = Node()
    looked_at = gc.get_objects()
    assert any(each is new for each in looked_at)
    assert not any(each is old for each in looked_at)


def test_new_garbage_is_freed_at_once(old_left_alone: OldLeftAlone) -> None:
    gc.collect()
    gone = weakref.ref(Node())
    gc.collect()
    assert gone() is None


def test_old_garbage_is_freed_when_everything_is_looked_at_again(
    old_left_alone: OldLeftAlone,
) -> None:
    node = Node()
    gone = weakref.ref(node)
    gc.collect()
    del node
    gc.collect()
    assert gone() is not None
    old_left_alone.looked -= OldLeftAlone.LOOK_AGAIN
    gc.collect()
    assert gone() is None


def test_small_collections_leave_young_objects_to_the_next(old_left_alone: OldLeftAlone) -> None:
    node = Node()
    gc.collect(0)
    assert any(each is node for each in gc.get_objects())
