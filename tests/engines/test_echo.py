import numpy as np
import pytest

from rt_avatar.engines import echo
from rt_avatar.engines.echo import WINDOW_SAMPLES, EchoDetector
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from tests.media import recorded, sound_of

pytestmark = pytest.mark.unit

ROOMS = [(1, 0.03, -12.0), (2, 0.18, -25.0), (3, 0.40, -32.0)]  # seed, delay in s, attenuation dB


def load(name: str, seconds: float) -> Pcm:
    """Return somebody who speaks at -23 dBFS, repeated to that length."""
    return at_level(np.resize(sound_of(name), int(seconds * INPUT_RATE_HZ)), -23)


def at_level(sound: np.ndarray, level_db: float) -> Pcm:
    return (sound * 10 ** (level_db / 20) / np.sqrt((sound**2).mean())).astype(np.float32)


def room(far: Pcm, seed: int, delay_s: float, attenuation_db: float) -> Pcm:
    """Send sound through a loudspeaker, a room with 0.3 s of reverberation and the uplink."""
    rng = np.random.default_rng(seed)
    tail = int(0.3 * INPUT_RATE_HZ)
    response = 0.15 * rng.standard_normal(tail) * np.exp(-6.9 * np.arange(tail) / tail)
    response[0] = 1.0
    size = len(far) + tail
    hz = np.fft.rfftfreq(size, 1 / INPUT_RATE_HZ)
    colour_db = np.interp(hz, np.linspace(0, 8000, 9), rng.normal(0, 5, 9))
    speaker = 10 ** (colour_db / 20) / (1 + (250 / np.maximum(hz, 1)) ** 4)
    echo = np.fft.irfft(np.fft.rfft(far, size) * np.fft.rfft(response, size) * speaker, size)
    delay = int(delay_s * INPUT_RATE_HZ)
    return at_level(np.concatenate((np.zeros(delay), echo))[: len(far)], -23 + attenuation_db)


def hiss(samples: int) -> Pcm:
    return (np.random.default_rng(5).standard_normal(samples) * 10 ** (-68 / 20)).astype(np.float32)


def detect(near: Pcm, far: Pcm, chunk: int = 320) -> np.ndarray:
    detector = EchoDetector()
    scores: list[float] = []
    for start in range(0, len(near), chunk):
        scores += detector.push(near[start : start + chunk], far[start : start + chunk])
    return np.array(scores)


def loud(sound: Pcm, below_peak_db: float = 20.0) -> np.ndarray:
    """Tell which windows are within so many dB of the loud ones."""
    windows = sound[: len(sound) // WINDOW_SAMPLES * WINDOW_SAMPLES].reshape(-1, WINDOW_SAMPLES)
    level = 10 * np.log10((windows**2).mean(axis=1) + 1e-12)
    return level > max(np.percentile(level, 95) - below_peak_db, -62)


@pytest.fixture(
    scope="module",
    params=[pytest.param(("reply", "mother"), id="made"), *recorded(("librivox-0870", "jfk-1961"))],
)
def voices(request: pytest.FixtureRequest) -> tuple[Pcm, Pcm]:
    """The avatar's and the caller's."""
    avatar, caller = request.param
    return load(avatar, 8), load(caller, 8)


@pytest.fixture
def far(voices: tuple[Pcm, Pcm]) -> Pcm:
    return voices[0]


@pytest.fixture
def near(voices: tuple[Pcm, Pcm]) -> Pcm:
    return voices[1]


@pytest.mark.parametrize("space", ROOMS)
def test_echo_is_known_as_echo_half_a_second_after_it_began(
    far: Pcm, space: tuple[int, float, float]
) -> None:
    echo = room(far, *space)
    is_echo = loud(echo)
    scores = detect(echo + hiss(len(echo)), far)
    begin = int(np.argmax(is_echo)) + 16
    assert (scores[begin:][is_echo[begin:]] >= 0.5).mean() > 0.9


@pytest.mark.parametrize("space", ROOMS)
def test_a_caller_who_speaks_over_the_echo_is_not_echo(
    far: Pcm, near: Pcm, space: tuple[int, float, float]
) -> None:
    echo = room(far, *space)
    caller = at_level(near, -23 + space[2] + 15)
    caller[: 3 * INPUT_RATE_HZ] = 0
    speaks = loud(caller)
    scores = detect(echo + caller + hiss(len(echo)), far)
    assert (scores[speaks] < 0.5).mean() > 0.85
    onset = int(np.argmax(speaks))
    assert (scores[onset : onset + 4] < 0.5).sum() >= 3


@pytest.mark.parametrize(
    "names",
    [
        ("reply", "sister"),
        ("reply", "offer"),
        ("reply", "birthday"),
        *recorded(
            ("librivox-0870", "jfk-1961"),
            ("librivox-0870", "librivox-0880"),
            ("librivox-0870", "librivox-0890"),
        ),
    ],
)
def test_a_caller_with_headphones_is_not_echo_even_with_the_same_voice(
    names: tuple[str, str],
) -> None:
    far, caller = (load(name, 8) for name in names)
    caller[: 3 * INPUT_RATE_HZ // 2] = 0  # after the first second, in which loudness decides
    scores = detect(caller + hiss(len(far)), far)
    assert (scores[loud(caller)] < 0.5).mean() > 0.9


def test_before_anything_is_learnt_what_is_quieter_than_the_avatar_is_taken_for_echo(
    far: Pcm,
) -> None:
    first = loud(far)[:31]
    scores = detect(0.3 * far + hiss(len(far)), far)[:31]
    assert (scores[first] >= 0.5).mean() > 0.9


def test_two_who_begin_together_are_told_apart_within_two_seconds(far: Pcm, near: Pcm) -> None:
    scores = detect(near + hiss(len(far)), far)
    assert (scores[63:][loud(near)[63:]] < 0.5).mean() > 0.95


def test_nothing_played_is_no_echo(far: Pcm) -> None:
    assert not detect(far, np.zeros_like(far)).any()


def test_a_silent_microphone_is_no_echo_and_all_answers_are_shares(far: Pcm) -> None:
    assert not detect(np.zeros_like(far), far).any()
    scores = detect(room(far, *ROOMS[0]) + hiss(len(far)), far)
    assert len(scores) == len(far) // WINDOW_SAMPLES
    assert ((scores >= 0) & (scores <= 1)).all()


def test_any_chunking_gives_the_same_answers_and_reset_equals_fresh(far: Pcm) -> None:
    far = far[: 2 * INPUT_RATE_HZ]
    near = room(far, *ROOMS[1]) + hiss(len(far))
    whole = detect(near, far, len(near))
    assert np.array_equal(detect(near, far, 160), whole)
    assert np.array_equal(detect(near, far, 777), whole)
    detector = EchoDetector()
    detector.push(far, near)
    detector.reset()
    assert detector.push(near, far) == whole.tolist()


def test_silence_of_the_avatar_that_is_not_looked_at_changes_no_answer(
    far: Pcm, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = np.zeros(4 * INPUT_RATE_HZ, np.float32)
    played = np.concatenate((pause, far, pause, far))
    near = room(played, *ROOMS[1]) + hiss(len(played))
    answers = detect(near, played)
    monkeypatch.setattr(echo, "_STILL_WINDOWS", 1_000_000)
    np.testing.assert_array_equal(answers, detect(near, played))


def test_sound_of_two_lengths_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"one length; got float32 \(512,\) and float32 \(320,\)"):
        EchoDetector().push(np.zeros(512, np.float32), np.zeros(320, np.float32))
    with pytest.raises(ValueError, match="expected near and far as float32 samples"):
        EchoDetector().push(np.zeros(512, np.int16), np.zeros(512, np.int16))
