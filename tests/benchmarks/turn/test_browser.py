"""A known delay in a page's readings is the delay that the browser's form reports."""

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.readings import (
    WINDOW_S,
    Message,
    Pictures,
    Readings,
    Sound,
    between,
)
from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.benchmarks.speech_variants import LEAD_S as NOISE_LEAD_S
from rt_avatar.benchmarks.speech_variants import in_variants
from rt_avatar.benchmarks.turn.browser import GAP_S, LISTEN_S, Watch, make_tape, voice_of

pytestmark = pytest.mark.unit

RATE = 48_000
WINDOW = round(WINDOW_S * RATE)
OFFSET_S = 3.21  # of the tape on the page's clock
METER_S = 4.0  # the meter begins
POLL_S = 0.2
PICTURE_S = 0.04


def speech(seconds: float, seed: int) -> np.ndarray:
    """Voice with syllables of its own, so that it is found again; loud to its last sample."""
    rng = np.random.default_rng(seed)
    at_s = np.arange(round(seconds * RATE)) / RATE
    knots = np.arange(0, seconds + 0.1, 0.09)
    level = np.interp(at_s, knots, rng.uniform(0.1, 1.0, len(knots)))
    level[-2400:] = 0.8
    return (12_000 * level * np.cos(2 * np.pi * 140 * (at_s - at_s[-1]))).astype(np.int16)


@pytest.fixture(scope="module")
def utterances() -> list[Utterance]:
    plain = [Utterance(f"u{i}", speech(1.6 + 0.37 * i, i)) for i in range(3)]
    return [plain[0], in_variants([plain[1]], ["pink-20"])["pink-20"][0], plain[2]]


class Page:
    """Readings of a page in which a tape plays and an avatar answers with known delays."""

    def __init__(self, utterances: list[Utterance], sound_s: float, mouth_s: float) -> None:
        self.tape = make_tape(utterances)
        self.voices = [
            voice_of(one, spoken) for one, spoken in zip(utterances, self.tape.spoken, strict=True)
        ]
        self.replies = [OFFSET_S + voice.end_s + sound_s for voice in self.voices]
        self.mouths = [OFFSET_S + voice.end_s + mouth_s for voice in self.voices]
        self.interrupted_s: list[float] = []
        pcm = np.concatenate([np.zeros(round(OFFSET_S * RATE), np.int16), self.tape.pcm])
        self.mic = self._sound(pcm.astype(float) / 32768)
        self.end_s = len(pcm) / RATE

    @staticmethod
    def _sound(pcm: np.ndarray) -> Sound:
        rows = pcm[: len(pcm) // WINDOW * WINDOW].reshape(-1, WINDOW)
        at_s = np.arange(len(rows)) * WINDOW_S
        return Sound(at_s, np.abs(rows).max(axis=1), np.sqrt(np.mean(rows**2, axis=1)))

    def _plays(self, at_s: np.ndarray, starts: list[float]) -> np.ndarray:
        """Whether a reply plays at those times: from its start until it is interrupted."""
        on = np.zeros(len(at_s), bool)
        for start_s in starts:
            ends = [s for s in self.interrupted_s if s > start_s]
            on |= (at_s >= start_s) & (at_s < min([*ends, start_s + 30]))
        return on

    def drain(self, begin_s: float, end_s: float) -> Readings:
        mic = between(self.mic, begin_s, end_s)
        fine_s = begin_s + np.arange(round((end_s - begin_s) * RATE)) / RATE
        remote = self._sound(np.where(self._plays(fine_s, self.replies), 0.2, 0.0))
        remote = Sound(remote.at_s + begin_s, remote.peak, remote.rms)
        index = np.arange(np.ceil(begin_s / PICTURE_S), np.ceil(end_s / PICTURE_S))
        at_s = index * PICTURE_S
        zero = np.zeros(len(at_s))
        mouth = np.where(self._plays(at_s, self.mouths), 0.06, 0.002)
        pictures = Pictures(at_s, zero, mouth, zero, zero, zero)
        return Readings(mic, remote, pictures, pictures, self._messages(begin_s, end_s), 0)

    def _messages(self, begin_s: float, end_s: float) -> list[Message]:
        told = []
        for turn, (reply_s, voice) in enumerate(zip(self.replies, self.voices, strict=True)):
            released_ms = (reply_s - OFFSET_S - voice.end_s) * 1000 - 60
            marks = {"end_of_turn": released_ms - 20, "audio_released": released_ms}
            at_s = reply_s - 0.06
            told += [
                Message(at_s, {"type": "plan", "turn": turn}),
                Message(at_s, {"type": "state", "state": "speaking", "turn": turn}),
                Message(at_s + 1.5, {"type": "trace", "turn": turn, "marks_ms": marks,
                                     "preemptive_used": True}),
            ]  # fmt: skip
        return [one for one in told if begin_s <= one.at_s < end_s]


def watched(utterances: list[Utterance], sound_s: float, mouth_s: float) -> tuple[Watch, Page]:
    page = Page(utterances, sound_s, mouth_s)
    watch = Watch(utterances, page.tape)
    now_s = METER_S
    while now_s < page.end_s and not watch.is_over:
        if watch.take(page.drain(now_s, now_s + POLL_S)):
            page.interrupted_s.append(now_s + POLL_S)
        now_s += POLL_S
    return watch, page


@pytest.mark.parametrize("delay_ms", [287, 450.5, 801])
def test_a_known_delay_is_reported(utterances, delay_ms: float) -> None:
    watch, _ = watched(utterances, delay_ms / 1000, 0.6)
    assert not watch.lost
    assert [turn.verdict for turn in watch.turns] == ["answered"] * 3
    assert [turn.sound_ms for turn in watch.turns] == pytest.approx([delay_ms] * 3, abs=3)
    assert all(600 <= turn.eye_ms + 1 <= 642 for turn in watch.turns)


def test_line_and_stages_are_told(utterances) -> None:
    watch, _ = watched(utterances, 0.45, 0.45)
    assert [turn.line_ms for turn in watch.turns] == pytest.approx([60] * 3, abs=3)
    assert [t.marks_ms["end_of_turn"] for t in watch.turns] == pytest.approx([370] * 3, abs=3)


def test_each_reply_is_interrupted_once_and_before_the_next_utterance(utterances) -> None:
    _, page = watched(utterances, 0.45, 0.45)
    assert len(page.interrupted_s) == 3
    for interrupted_s, reply_s in zip(page.interrupted_s, page.replies, strict=True):
        assert LISTEN_S - 0.1 < interrupted_s - reply_s < LISTEN_S + 2 * POLL_S


def test_a_reply_into_the_voice_is_too_early(utterances) -> None:
    watch, _ = watched(utterances, -0.5, -0.5)
    assert [turn.verdict for turn in watch.turns] == ["early"] * 3


def test_a_reply_later_than_three_seconds_is_none(utterances) -> None:
    watch, _ = watched(utterances, 3.1, 3.1)
    assert [turn.verdict for turn in watch.turns] == ["unanswered"] * 3


def test_voices_are_the_gap_apart_whatever_noise_is_around_them(utterances) -> None:
    page = Page(utterances, 0.4, 0.4)
    first, second, third = page.voices
    assert second.start_s - first.end_s == pytest.approx(GAP_S)
    assert third.start_s - second.end_s == pytest.approx(GAP_S)
    assert second.start_s - page.tape.spoken[1].start_s == pytest.approx(NOISE_LEAD_S)


def test_an_utterance_that_was_not_heard_is_named_and_the_others_are_judged(utterances) -> None:
    page = Page(utterances, 0.4, 0.4)
    watch = Watch(utterances, page.tape)
    hole = page.voices[1]
    inside = (page.mic.at_s > OFFSET_S + hole.start_s) & (page.mic.at_s < OFFSET_S + hole.end_s)
    page.mic.rms[inside] = 0.001
    now_s = METER_S
    while now_s < page.end_s and not watch.is_over:
        watch.take(page.drain(now_s, now_s + POLL_S))
        now_s += POLL_S
    assert watch.lost == ["u1"]
    assert [turn.name for turn in watch.turns] == ["u0", "u2"]
