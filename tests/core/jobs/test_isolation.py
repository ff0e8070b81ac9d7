"""Readers in a child process. The functions below are called there by name."""

import time

import pytest

from core.errors import InputError, Refused
from core.jobs import isolation
from core.model import Span


@pytest.fixture
def reader():
    from tests.core.jobs import isolated_reader

    return isolated_reader


def test_result_of_a_child_is_what_the_function_gives(reader):
    assert isolation.run_in_child(reader.spans, 2) == (Span(0, 1), Span(1, 2))


def test_error_of_the_reader_is_passed_on_with_its_hint(reader):
    with pytest.raises(Refused, match="Never") as caught:
        isolation.run_in_child(reader.refuse)
    assert caught.value.hint == "Never."


def test_memory_limit_is_named(reader):
    with pytest.raises(InputError, match=r"bomb.pdf is not read: .*400 MB"):
        isolation.run_in_child(reader.swell, name="bomb.pdf", megabytes=400)


def test_time_limit_is_named(reader):
    began = time.monotonic()
    with pytest.raises(InputError, match="takes more than 1 seconds"):
        isolation.run_in_child(reader.hang, seconds=1)
    assert time.monotonic() - began < 20


def test_reader_that_breaks_down_costs_one_message(reader):
    with pytest.raises(InputError, match="crashed"):
        isolation.run_in_child(reader.crash)


def test_a_crash_is_reported_by_what_is_known_of_it(reader):
    with pytest.raises(InputError, match=r"The query was ended: it crashed \(SIGABRT\)") as caught:
        isolation.run_in_child(
            reader.abort, name="The query", failing="was ended", hint="Ask for less."
        )
    assert "MB" not in caught.value.message  # that it was the memory is a guess
    assert caught.value.hint.startswith("It may need") and "1,500 MB" in caught.value.hint
    assert caught.value.hint.endswith("Ask for less.")


def test_a_process_killed_for_lack_of_memory_is_reported_as_that(reader):
    with pytest.raises(InputError, match="needs more than 1,500 MB of memory") as caught:
        isolation.run_in_child(reader.abort_for_memory, hint="Ask for less.")
    assert caught.value.hint == "Ask for less."


def test_child_cannot_make_the_parent_call_a_function(reader):
    with pytest.raises(InputError, match="crashed"):
        isolation.run_in_child(reader.evil)


def test_progress_of_the_child_arrives_and_can_end_it(reader):
    seen = []
    assert isolation.run_in_child(reader.pages, progress=lambda *step: seen.append(step)) == "read"
    assert seen == [(1, 2), (2, 2)]
