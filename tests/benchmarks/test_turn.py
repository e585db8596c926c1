"""What is said in a run: half plain, every variant, the same in every run."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.speech import Utterance, load_utterances
from benchmarks.speech_variants import VARIANTS
from benchmarks.turn import TURNS, choose
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

SPEECH = Path(__file__).parents[3] / "shared" / "media" / "speech"


@pytest.fixture(scope="module")
def loaded() -> list[Utterance]:
    return load_utterances(SPEECH)


def test_half_of_the_turns_are_plain_and_the_rest_is_shared_out(loaded) -> None:
    counts = Counter(one.variant for one in choose(loaded, VARIANTS, TURNS))
    assert counts["plain"] == TURNS // 2 >= 20
    assert set(counts) == set(VARIANTS)
    assert {count for name, count in counts.items() if name != "plain"} == {3}


def test_every_recording_is_spoken_plainly(loaded) -> None:
    plain = {one.name for one in choose(loaded, VARIANTS, TURNS) if one.variant == "plain"}
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
