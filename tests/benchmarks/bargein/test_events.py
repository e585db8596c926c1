"""What is played over the replies is what the table says: onsets at 0, levels, kinds and counts."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks import sounds
from rt_avatar.benchmarks.bargein.events import (
    BACKCHANNEL,
    BACKCHANNELS,
    CONTROL,
    ECHO,
    FULL,
    IMPULSES,
    INTERRUPTION,
    LONGEST_S,
    OVER_ECHO,
    OVER_S,
    QUICK,
    RECORDED,
    STEADY,
    Voices,
    scenes,
)
from rt_avatar.benchmarks.speech import loud_windows
from rt_avatar.engines.espeak import VOICES
from tests.media import folder_of, recorded, speech_folder

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module", params=["made", *recorded("recordings")])
def speech(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of what callers say."""
    if request.param == "recordings":
        return folder_of("speech")
    return speech_folder(tmp_path_factory.mktemp("speech"))


@pytest.fixture(scope="module")
def voices(speech: Path) -> Voices:
    return Voices(speech, None)


@pytest.fixture(scope="module")
def plan(voices):
    return scenes(voices, FULL, 1)


@pytest.fixture(scope="module")
def events(plan):
    return [event for scene in plan for event in scene.events]


def of(events, condition: str):
    return [event for event in events if event.condition == condition]


def level_db(event) -> float:
    return sounds.active_level_db(sounds.from_int16(event.pcm))


def test_people_of_every_age_and_recordings_interrupt_at_different_places(events):
    spoken = of(events, INTERRUPTION)
    names = Counter(event.name for event in spoken)
    assert len(spoken) == FULL.interruptions >= 40
    assert set(VOICES) <= set(names)
    assert sum(name.startswith(RECORDED) for name in names) >= 3
    places = sorted(event.after_s for event in spoken)
    assert OVER_S[0] <= places[0] < 1.3
    assert 2.6 < places[-1] <= OVER_S[1]


def test_every_voice_begins_with_its_onset_and_has_the_same_level(events):
    voiced = [e for e in events if len(e.pcm) and e.condition.split()[0] in (
        INTERRUPTION, BACKCHANNEL)]  # fmt: skip
    assert voiced
    for event in voiced:
        assert level_db(event) == pytest.approx(sounds.SPEECH_DB, abs=0.2), event.name
        assert len(event.pcm) <= LONGEST_S * 48_000
        if "mm-hm" not in event.condition:  # a hum swells
            assert loud_windows(event.pcm)[0], event.name


@pytest.mark.parametrize("text", BACKCHANNELS)
def test_every_listeners_sound_is_there_in_several_voices(events, text):
    made = of(events, f"{BACKCHANNEL} {text.strip('.').lower()}")
    assert len(made) == FULL.backchannels // len(BACKCHANNELS)
    assert len({event.pcm.tobytes() for event in made}) == len(made)
    assert all(0.2 < len(event.pcm) / 48_000 < 1.2 for event in made)


@pytest.mark.parametrize("condition", [*IMPULSES, *STEADY])
def test_noises_are_as_loud_against_a_voice_as_their_names_say(events, condition):
    made = of(events, condition)
    assert len(made) == FULL.noises[condition]
    above_db = IMPULSES[condition][1] if condition in IMPULSES else -float(condition.split()[1])
    for event in made:
        assert level_db(event) == pytest.approx(sounds.SPEECH_DB + above_db, abs=0.5)


def test_no_noise_comes_twice(events):
    noises = [event.pcm.tobytes() for kind in IMPULSES for event in of(events, kind)]
    assert len(set(noises)) == len(noises)


def test_each_call_begins_with_an_interruption_by_somebody_unheard_and_mixes_the_rest(plan):
    calls = [scene for scene in plan if scene.path is None]
    assert len(calls) == FULL.calls
    for call in calls:
        kinds = [event.condition for event in call.events]
        assert kinds[0] == INTERRUPTION
        half = kinds[: len(kinds) // 2]
        assert INTERRUPTION in half[1:]
        assert len(set(half)) > 4


def test_every_echo_has_a_call_of_its_own_with_replies_left_alone_and_one_interrupted(plan):
    calls = [scene for scene in plan if scene.path is not None]
    assert sorted(call.path for call in calls) == sorted(FULL.paths)
    for call in calls:
        *alone, over = call.events
        assert [event.condition for event in alone] == [
            f"{ECHO} {call.path[0]} dB {call.path[1]} ms"
        ] * FULL.echoes
        assert over.condition == OVER_ECHO
        assert len(over.pcm)
        impulse = np.zeros(960, np.int16)
        impulse[0] = 10_000
        path = call.echo(0)
        path.hear(impulse, 1.0)
        echo = path.take(1.0 + call.path[1] / 1000)
        assert int(np.argmax(np.abs(echo))) == 0


def test_the_same_seed_gives_the_same_plan(voices):
    first, second = (scenes(voices, QUICK, 4) for _ in range(2))
    assert [e.after_s for s in first for e in s.events] == [
        e.after_s for s in second for e in s.events
    ]


def test_recordings_of_listeners_take_part_however_short(speech):
    with_folder = Voices(None, speech)  # what is in them does not matter
    assert any(one.name.startswith(RECORDED) for one in with_folder.backchannels)
    assert not any(one.name.startswith(RECORDED) for one in with_folder.interruptions)


def test_a_reply_left_alone_is_measured_too(events):
    assert len(of(events, CONTROL)) == FULL.controls
    assert not any(len(event.pcm) for event in of(events, CONTROL))
