"""Half of the places at most are one client's."""

import itertools

import pytest

from rt_avatar.errors import AdmissionError
from rt_avatar.signaling.shares import Shares

pytestmark = pytest.mark.unit

NUMBERS = itertools.count()


def keep(shares: Shares, kept: list[str], client: str) -> bool:
    """Let a client keep one more if there is a place; return whether there was."""
    try:
        shares.check(client, kept)
    except AdmissionError:
        return False
    kept.append(f"{client} {next(NUMBERS)}")
    shares.note(client, kept[-1])
    return True


@pytest.mark.parametrize(("places", "most"), [(1, 1), (2, 1), (3, 2), (4, 2), (100, 50)])
def test_one_client_gets_half_of_the_places_and_at_least_one(places, most):
    shares, kept = Shares(places, "voices_full"), []
    assert [keep(shares, kept, "one") for _ in range(most + 2)] == [True] * most + [False] * 2
    assert keep(shares, kept, "other")


def test_what_is_kept_no_more_counts_no_more():
    shares, kept = Shares(4, "voices_full"), []
    assert [keep(shares, kept, "one") for _ in range(3)] == [True, True, False]
    kept.pop(0)  # deleted by its owner, or too old
    assert [keep(shares, kept, "one") for _ in range(2)] == [True, False]


def test_files_of_before_are_nobodys():
    shares, kept = Shares(4, "voices_full"), ["of before", "another"]
    assert [keep(shares, kept, "one") for _ in range(3)] == [True, True, False]


def test_a_client_who_deletes_and_keeps_again_and_again_takes_no_memory():
    shares = Shares(4, "voices_full")
    for number in range(1000):
        shares.check("one", [])
        shares.note("one", str(number))
    shares.check("one", [])
    assert not shares._client_of
