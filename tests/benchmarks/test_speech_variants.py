"""What is asked of a variant is what is in it, and its true end stays known."""

import numpy as np
import pytest

from rt_avatar.benchmarks.sounds import active_level_db, from_int16
from rt_avatar.benchmarks.speech import Utterance, loud_windows, quiet_runs
from rt_avatar.benchmarks.speech_variants import LEAD_S, TAIL_S, VARIANTS, in_variants
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

RATE = 48_000
MS = RATE // 1000
WINDOW_MS = 10


def voice(seconds: float, pitch_hz: float = 140) -> np.ndarray:
    at = np.arange(round(seconds * RATE)) / RATE
    return (4000 * sum(np.sin(2 * np.pi * pitch_hz * k * at) / k for k in range(1, 8))).astype(
        np.int16
    )


def room(seconds: float) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 30, round(seconds * RATE)).astype(np.int16)


@pytest.fixture(scope="module")
def sentence() -> Utterance:
    """1 s of voice, 150 ms of room, 1.2 s of voice."""
    return Utterance("said", np.concatenate([voice(1.0), room(0.15), voice(1.2)]))


@pytest.fixture(scope="module")
def variants(sentence: Utterance) -> dict[str, Utterance]:
    return {name: found[0] for name, found in in_variants([sentence], VARIANTS).items()}


def last_voice(pcm: np.ndarray) -> int:
    return (int(np.flatnonzero(loud_windows(pcm))[-1]) + 1) * RATE * WINDOW_MS // 1000


def test_plain_is_as_recorded(variants, sentence) -> None:
    assert variants["plain"] is sentence


@pytest.mark.parametrize("pause_ms", [300, 450, 600])
def test_the_pause_is_as_long_as_asked(variants, sentence, pause_ms: int) -> None:
    one = variants[f"pause-{pause_ms}"]
    ((begin, end),) = quiet_runs(one.pcm)
    assert (end - begin) / MS == pytest.approx(pause_ms, abs=WINDOW_MS)
    assert (begin, end) == pytest.approx(one.pauses[0], abs=WINDOW_MS * MS)
    assert one.end == len(one.pcm) == sentence.end + (pause_ms - 150) * MS


def test_a_pause_sounds_like_the_room_of_the_recording(variants) -> None:
    ((begin, end),) = variants["pause-600"].pauses
    inside = variants["pause-600"].pcm[begin + 480 : end - 480].astype(float)
    windows = np.sqrt(np.mean(inside[: len(inside) // 960 * 960].reshape(-1, 960) ** 2, axis=1))
    assert windows.min() > 10
    assert windows.max() < 90
    assert np.abs(np.diff(inside)).max() < 400  # no click


def test_the_rest_of_a_sentence_with_a_pause_is_as_recorded(variants, sentence) -> None:
    one = variants["pause-450"]
    assert np.array_equal(one.pcm[: 1000 * MS], sentence.pcm[: 1000 * MS])
    assert np.array_equal(one.pcm[-1200 * MS :], sentence.pcm[-1200 * MS :])


def test_a_hesitation_draws_the_vowel_out_and_pauses(variants, sentence) -> None:
    one = variants["hesitation"]
    ((begin, end),) = one.pauses
    assert begin / MS == pytest.approx(1000 + 350, abs=WINDOW_MS)
    assert (end - begin) / MS == pytest.approx(350, abs=WINDOW_MS)
    assert one.end == len(one.pcm) == sentence.end + (350 + 200) * MS
    assert loud_windows(one.pcm)[: begin // (WINDOW_MS * MS)].all()  # voice all the way


def test_a_drawn_out_vowel_keeps_its_pitch_and_loudness(variants) -> None:
    drawn = from_int16(variants["hesitation"].pcm)[900 * MS : 1300 * MS]
    spectrum = np.abs(np.fft.rfft(drawn * np.hanning(len(drawn)), 1 << 17))
    hz = np.fft.rfftfreq(1 << 17, 1 / RATE)
    assert hz[np.argmax(spectrum * (hz < 200))] == pytest.approx(140, abs=3)
    windows = np.sqrt(np.mean(drawn[: 400 * MS].reshape(-1, 20 * MS) ** 2, axis=1))
    assert 20 * np.log10(windows.max() / windows.min()) < 2


def test_a_trailing_voice_sinks_by_12_db_and_ends_where_it_did(variants, sentence) -> None:
    one = variants["trailing"]
    assert one.end == sentence.end
    for at_ms, fall_db in ((900, 0.0), (-50, -11.6), (-400, -6.0)):
        at = at_ms * MS if at_ms > 0 else one.end + at_ms * MS
        part = slice(at - 20 * MS, at + 20 * MS)
        ratio = np.std(one.pcm[part].astype(float)) / np.std(sentence.pcm[part].astype(float))
        assert 20 * np.log10(ratio) == pytest.approx(fall_db, abs=0.6)


@pytest.mark.parametrize("name", ["pink-20", "pink-10", "babble-20", "babble-10"])
def test_noise_is_so_much_quieter_than_the_voice_as_asked(variants, sentence, name: str) -> None:
    one = variants[name]
    noise = from_int16(one.pcm).copy()
    noise[one.begin : one.end] -= from_int16(sentence.pcm)
    snr_db = active_level_db(from_int16(sentence.pcm)) - active_level_db(noise)
    assert snr_db == pytest.approx(float(name.split("-")[1]), abs=0.2)


@pytest.mark.parametrize("name", ["pink-10", "babble-10"])
def test_noise_goes_on_before_and_after_the_voice(variants, sentence, name: str) -> None:
    one = variants[name]
    assert one.begin == round(LEAD_S * RATE)
    assert one.end - one.begin == sentence.end
    assert len(one.pcm) - one.end == pytest.approx(TAIL_S * RATE, abs=2)
    for part in (one.pcm[: one.begin], one.pcm[one.end :]):
        inside = part[4800 : len(part) - 4800]
        windows = inside[: len(inside) // 4800 * 4800].reshape(-1, 4800)
        assert np.sqrt(np.mean(windows.astype(float) ** 2, axis=1)).min() > 30


def test_nothing_is_clipped_by_noise() -> None:
    loud = Utterance("loud", (voice(1.0) * 3.4).astype(np.int16))
    (one,) = in_variants([loud], ["pink-10"])["pink-10"]
    assert np.abs(one.pcm.astype(int)).max() <= 32767
    assert np.mean(np.abs(one.pcm.astype(int)) >= 32767) < 1e-4


def test_an_utterance_without_a_pause_is_left_out_and_none_at_all_is_an_error(sentence) -> None:
    whole = Utterance("whole", voice(2.0))
    assert [one.name for one in in_variants([whole, sentence], ["pause-300"])["pause-300"]] == [
        "said"
    ]
    with pytest.raises(BadInputError, match="pause-300"):
        in_variants([whole], ["pause-300"])


def test_an_unknown_variant_is_refused(sentence) -> None:
    with pytest.raises(BadInputError, match="whisper"):
        in_variants([sentence], ["whisper"])


def test_the_same_seed_makes_the_same_sound(sentence) -> None:
    first, second = (in_variants([sentence], ["pink-10"], seed=3) for _ in range(2))
    assert np.array_equal(first["pink-10"][0].pcm, second["pink-10"][0].pcm)
