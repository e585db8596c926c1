"""What is said in a run: half plain, every variant, the same in every run."""

from collections import Counter

import numpy as np
import pytest

from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.benchmarks.speech_variants import VARIANTS
from rt_avatar.benchmarks.turn.benchmark import TURNS, choose
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

RATE = 48_000


@pytest.fixture(scope="module")
def loaded() -> list[Utterance]:
    """Four sentences of 1.7 s with a pause of 100 ms."""
    rng = np.random.default_rng(0)
    room = rng.normal(0, 20, RATE // 10).astype(np.int16)
    voices = [rng.normal(0, 3000, 2 * 40_000).astype(np.int16) for _ in range(4)]
    return [
        Utterance(f"u{i}", np.concatenate([voice[:40_000], room, voice[40_000:]]))
        for i, voice in enumerate(voices)
    ]


@pytest.fixture(scope="module")
def chosen(loaded) -> list[Utterance]:
    return choose(loaded, VARIANTS, TURNS)


def test_half_of_the_turns_are_plain_and_the_rest_is_shared_out(chosen) -> None:
    counts = Counter(one.variant for one in chosen)
    assert counts["plain"] == TURNS // 2 >= 20
    assert set(counts) == set(VARIANTS)
    assert {count for name, count in counts.items() if name != "plain"} == {3}


def test_every_recording_is_spoken_plainly(loaded, chosen) -> None:
    plain = {one.name for one in chosen if one.variant == "plain"}
    assert plain == {one.name for one in loaded}


def test_every_run_says_the_same(loaded) -> None:
    first, second = (choose(loaded, ("pause-300", "pink-20"), 12) for _ in range(2))
    assert [one.name for one in first] == [one.name for one in second]
    assert all(np.array_equal(a.pcm, b.pcm) for a, b in zip(first, second, strict=True))


def test_plain_alone_is_plain(loaded) -> None:
    assert {one.variant for one in choose(loaded, ("plain",), 8)} == {"plain"}


def test_an_unknown_variant_is_refused(loaded) -> None:
    with pytest.raises(BadInputError, match="shout"):
        choose(loaded, ("plain", "shout"), 8)
