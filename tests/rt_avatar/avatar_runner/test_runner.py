"""Foreign speech gets a face: nothing added or lost, one clock, each segment told of once."""

import asyncio
import logging
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np
import pytest

from rt_avatar.avatar_runner import runner as runner_module
from rt_avatar.avatar_runner.runner import AvatarRunner, SegmentEvent
from rt_avatar.config.settings import Settings
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.types import BLENDSHAPE, CHUNK_FRAMES, MOTION_SIZE, FaceStyle
from rt_avatar.errors import BadInputError
from rt_avatar.media_io import BLOCK_SAMPLES, MediaEndedError
from rt_avatar.personas import PERSONAS
from rt_avatar.playout.tracks import FADE_SAMPLES
from tests.fakes.engines import ScriptedEngines, StillMotion
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

RATE = 24_000


class LoudMouth:
    """Opens the mouth as far as the sound is loud; moves to a chunk when the next is there."""

    def __init__(self) -> None:
        self._held: list[np.ndarray] = []

    def open(self):
        return LoudMouth()

    def push(self, item):
        motion = np.zeros((CHUNK_FRAMES, MOTION_SIZE), np.float32)
        motion[:, 0] = np.abs(item.chunk.pcm.reshape(CHUNK_FRAMES, -1)).max(axis=1)
        self._held.append(motion)
        return [self._held.pop(0)] if len(self._held) > 1 else []

    def flush(self):
        held, self._held = self._held, []
        return held

    def reset(self):
        self._held = []

    def close(self):
        pass


class Moods(StillMotion):
    """A presence that notes state and feeling of every tick."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, FaceStyle]] = []

    def push(self, item):
        self.seen.append((item.state, item.face))
        return super().push(item)


@dataclass
class Hall:
    """An avatar runner and all that came out of it."""

    runner: AvatarRunner
    loop: asyncio.AbstractEventLoop
    moods: Moods
    blocks: list = field(default_factory=list)  # (loop time, pcm)
    mouths: list = field(default_factory=list)  # (pts, how open)
    events: list[tuple[float, SegmentEvent]] = field(default_factory=list)
    has_news: asyncio.Event = field(default_factory=asyncio.Event)

    async def loudspeaker(self):
        while True:
            block = await self.runner.media_output.next_audio()
            self.blocks.append((self.loop.time(), block))

    async def screen(self):
        while True:
            picture = await self.runner.media_output.next_video()
            self.mouths.append((picture.pts, float(picture.motion[0])))

    async def programme(self):
        while True:
            try:
                event = await self.runner.next_event()
            except MediaEndedError:
                return
            self.events.append((self.loop.time(), event))
            self.has_news.set()

    async def until_finished(self, segments: int) -> list[SegmentEvent]:
        """Wait until so many segments are finished; return what was told of them."""
        async with asyncio.timeout(900):
            while len(self.finished()) < segments:
                self.has_news.clear()
                await self.has_news.wait()
        return self.finished()

    def finished(self) -> list[SegmentEvent]:
        return [event for _, event in self.events if event.kind == "finished"]

    def sound(self) -> np.ndarray:
        """All that was sent, at 48 kHz, -1..1."""
        return np.concatenate([block.pcm for _, block in self.blocks]) / 32768

    def sounded_s(self) -> float:
        """How long something was to be heard, by 20 ms."""
        return 0.02 * sum(bool(block.pcm.any()) for _, block in self.blocks)


@asynccontextmanager
async def hall(loop, lipsync=None, moods=None, *, has_programme=True):
    """Without a programme somebody else asks for the events."""
    engines = ScriptedEngines()
    engines.lipsync = lipsync or LoudMouth()
    engines.presence = moods = moods or Moods()
    runner = AvatarRunner("test", Settings(), engines, PERSONAS["ava"])
    place = Hall(runner, loop, moods)
    running = asyncio.ensure_future(runner.run())
    jobs = [place.loudspeaker(), place.screen()]
    tasks = [asyncio.ensure_future(job) for job in jobs]
    programme = asyncio.ensure_future(place.programme()) if has_programme else running
    tasks.append(programme)
    try:
        await asyncio.sleep(0.1)
        yield place
        runner.hang_up()
        await asyncio.wait_for(running, 5)
        await asyncio.wait_for(programme, 5)
    finally:
        for task in [*tasks, running]:
            task.cancel()
        await asyncio.wait([*tasks, running])


def tone(seconds: float, rate: int = RATE, hz: float = 300.0, loud: float = 0.5) -> np.ndarray:
    at = np.arange(round(seconds * rate)) / rate
    return (loud * 32767 * np.sin(2 * np.pi * hz * at)).astype(np.int16)


def aligned(heard: np.ndarray, said: np.ndarray) -> float:
    """The largest correlation of what was said with any stretch of what was heard."""
    size = len(heard) + len(said)
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(said, size))
    best = int(np.argmax(np.fft.irfft(spectrum, size)[: len(heard)]))
    stretch = heard[best : best + len(said)]
    return float(np.corrcoef(stretch, said[: len(stretch)])[0, 1])


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 24_000, 44_100, 48_000])
def test_what_is_heard_is_what_was_said_at_any_rate(rate):
    # A chirp: every moment of it is told from every other.
    at = np.arange(round(1.5 * rate)) / rate
    chirp = 0.5 * np.sin(2 * np.pi * (200 + 900 * at) * at)
    wire = np.arange(round(1.5 * 48_000)) / 48_000
    expected = 0.5 * np.sin(2 * np.pi * (200 + 900 * wire) * wire)

    async def main(loop):
        async with hall(loop) as place:
            for begin in range(0, len(chirp), 777):  # as it comes: any size of chunks
                place.runner.say((chirp * 32767).astype(np.int16)[begin : begin + 777], rate)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return place.sound(), finished

    sound, finished = run_virtual(main)
    assert aligned(sound, expected) > 0.999
    assert finished.position_s == pytest.approx(1.5, abs=0.001)
    assert not finished.was_interrupted


def test_two_channels_are_heard_as_their_mean():
    left = tone(1.0, hz=300)

    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(np.stack([left, np.zeros_like(left)], axis=1), RATE)
            place.runner.end_segment()
            await place.until_finished(1)
            return place.sound()

    assert np.abs(run_virtual(main)).max() == pytest.approx(0.25, abs=0.01)


def test_the_mouth_moves_in_the_tick_in_which_its_sound_leaves():
    # 400 ms of sound, 200 ms of silence, in turns; three pictures out of step with the chunks.
    said = np.concatenate([np.zeros(2880, np.int16), *[tone(0.4), np.zeros(4800, np.int16)] * 4])

    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(said, RATE)
            place.runner.end_segment()
            await place.until_finished(1)
            loud = {}
            for _, block in place.blocks:
                tick = block.pts // 1920
                level = np.abs(block.pcm[16:] / 32768).max()  # the way to the wire takes 0.3 ms
                loud[tick] = max(loud.get(tick, 0), level)
            return loud, {pts // 1920: mouth for pts, mouth in place.mouths}

    loud, mouths = run_virtual(main)
    shared = loud.keys() & mouths.keys()
    assert sum(mouths[tick] > 0.3 for tick in shared) == 40
    assert all((loud[tick] > 0.2) == (mouths[tick] > 0.2) for tick in shared)


def test_a_real_mouth_opens_for_a_voice_and_closes_after_it():
    class Jaw(Moods):
        def push(self, item):
            (motion,) = super().push(item)
            motion = motion.copy()
            motion[0] = motion[BLENDSHAPE["jawOpen"]]
            return [motion]

    async def main(loop):
        async with hall(loop, LipsyncEngine(), Jaw()) as place:
            vowel = sum(tone(0.6, hz=120 * n, loud=0.25 / n) for n in range(1, 9))
            place.runner.say(np.concatenate([vowel, np.zeros(RATE // 2, np.int16)]), RATE)
            place.runner.end_segment()
            await place.until_finished(1)
            return [mouth for _, mouth in place.mouths]

    opened = run_virtual(main)
    assert max(opened) > 0.15
    assert opened[-1] < 0.5 * max(opened)


def test_segments_follow_each_other_in_order_and_each_is_told_of_once():
    lengths = [0.5, 0.21, 1.33, 0.04, 0.9]

    async def main(loop):
        async with hall(loop) as place:
            for length in lengths:
                place.runner.say(tone(length), RATE)
                place.runner.end_segment()
            await place.until_finished(len(lengths))
            await asyncio.sleep(1)
            return [event for _, event in place.events], place.sounded_s()

    events, sounded_s = run_virtual(main)
    assert [(e.segment, e.kind) for e in events] == [
        (segment, kind) for segment in range(1, 6) for kind in ("started", "finished")
    ]
    ends = [event for event in events if event.kind == "finished"]
    assert [end.position_s for end in ends] == pytest.approx(lengths)
    assert not any(end.was_interrupted for end in ends)
    # Nothing but the last 40 ms of each is filled up.
    assert sum(lengths) - 0.02 <= sounded_s <= sum(lengths) + 0.04 * len(lengths)


def test_a_segment_without_any_sound_is_finished_too():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(np.zeros(0, np.int16), RATE)
            place.runner.end_segment()
            place.runner.say(tone(0.4), RATE)
            place.runner.end_segment()
            await place.until_finished(2)
            return [event for _, event in place.events]

    first, *others = run_virtual(main)
    assert first == SegmentEvent(1, "finished", 0.0, False)
    assert [event.kind for event in others] == ["started", "finished"]


@pytest.mark.parametrize("length_s", [0.15, 0.97, 1.0, 2.55])
def test_what_was_said_is_heard_to_its_end_while_the_agent_is_late_with_more(length_s):
    async def main(loop):
        async with hall(loop, LipsyncEngine()) as place:
            place.runner.say(tone(length_s), RATE)  # the segment stays open
            await asyncio.sleep(length_s + 2)
            first_s = place.sounded_s()
            at = np.flatnonzero([block.pcm.any() for _, block in place.blocks])
            is_whole = bool((np.diff(at) == 1).all())
            place.runner.say(tone(0.6), RATE)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return first_s, is_whole, place.sounded_s(), finished

    first_s, is_whole, sounded_s, finished = run_virtual(main)
    assert first_s == pytest.approx(length_s, abs=0.021)
    assert is_whole
    assert sounded_s == pytest.approx(length_s + 0.6, abs=0.041)
    assert finished.position_s == pytest.approx(length_s + 0.6)
    assert not finished.was_interrupted


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 24_000, 44_100, 48_000])
def test_no_end_of_what_was_said_waits_at_any_rate_until_the_agent_says_more(rate):
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(1.3, rate), rate)  # the segment stays open
            await asyncio.sleep(3)
            before = len(place.sound())
            place.runner.say(tone(0.6, rate), rate)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return np.split(place.sound(), [before]), finished

    parts, finished = run_virtual(main)
    for part, length_s in zip(parts, (1.3, 0.6), strict=True):
        loud = np.flatnonzero(np.abs(part) > 0.01)
        assert (loud[-1] - loud[0]) / 48_000 == pytest.approx(length_s, abs=0.003)
    assert finished.position_s == pytest.approx(1.9, abs=0.001)


def test_a_segment_that_is_not_played_yet_is_heard_whole_though_the_agent_pauses():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(2), RATE)
            place.runner.end_segment()
            await asyncio.sleep(1.2)
            place.runner.say(tone(0.2), RATE)
            await asyncio.sleep(0.4)  # in which what was said before still sounds
            place.runner.say(tone(1), RATE)
            place.runner.end_segment()
            await place.until_finished(2)
            return [bool(block.pcm.any()) for _, block in place.blocks]

    (loud,) = np.nonzero(run_virtual(main))
    assert len(loud) == 160
    (gaps,) = np.nonzero(np.diff(loud) > 1)
    assert list(gaps) == [99]  # between the two
    assert loud[100] - loud[99] <= 3


def test_the_shortest_sound_is_heard_while_the_agent_is_late_with_more():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(0.01, 44_100), 44_100)  # the resampler holds it all back
            await asyncio.sleep(2)
            return place.sound()

    assert np.abs(run_virtual(main)).max() > 0.1


def test_a_wait_for_more_of_a_segment_does_not_count_as_played():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(1.1), RATE)
            await asyncio.sleep(3)
            place.runner.say(tone(5), RATE)
            await asyncio.sleep(1)
            heard_s = place.sounded_s()
            place.runner.stop()
            return heard_s, await place.until_finished(1)

    heard_s, (finished,) = run_virtual(main)
    assert heard_s > 1.5
    assert finished.position_s == pytest.approx(heard_s, abs=0.021)


@pytest.mark.parametrize("after_s", [0.3, 0.31, 0.5, 1.0, 1.337])
def test_a_stop_leaves_no_tail_and_tells_what_was_really_played(after_s):
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(30), RATE)  # still open: more could come
            await asyncio.sleep(after_s)
            heard_s = place.sounded_s()
            place.runner.stop()
            stopped_s = loop.time()
            await asyncio.sleep(1)
            after = [block.pcm for at, block in place.blocks if at > stopped_s]
            return heard_s, np.concatenate(after), place.finished()

    heard_s, after, finished = run_virtual(main)
    assert not after[FADE_SAMPLES:].any()
    assert len(after) > 45 * BLOCK_SAMPLES
    assert heard_s > 0
    # The first sample of a tone is zero, and the resampler to the wire is 0.3 ms behind.
    assert finished == [SegmentEvent(1, "finished", pytest.approx(heard_s, abs=0.001), True)]


@pytest.mark.parametrize("after_s", [0.3, 0.31, 0.5, 1.0, 1.337])
def test_a_stop_does_not_click(after_s):
    said = tone(30, hz=217)

    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(said, RATE)
            await asyncio.sleep(after_s)
            place.runner.stop()
            await asyncio.sleep(0.1)
            return place.sound()

    steepest = 2 * np.pi * 217 / 48_000 * 0.5 + 0.5 / FADE_SAMPLES  # of the tone and its fade
    assert np.abs(np.diff(run_virtual(main))).max() <= 1.1 * steepest


def test_a_stop_ends_all_segments_that_were_said_and_what_is_said_next_is_heard():
    async def main(loop):
        async with hall(loop) as place:
            for _ in range(3):
                place.runner.say(tone(1), RATE)
                place.runner.end_segment()
            await asyncio.sleep(1.55)  # in the second
            place.runner.stop()
            place.runner.say(tone(0.4), RATE)
            place.runner.end_segment()
            return await place.until_finished(4)

    finished = run_virtual(main)
    assert [(e.segment, e.position_s, e.was_interrupted) for e in finished] == [
        (1, pytest.approx(1.0), False),
        (2, pytest.approx(0.4, abs=0.2), True),
        (3, 0.0, True),
        (4, pytest.approx(0.4), False),
    ]


def test_all_that_has_left_counts_as_played():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(5), RATE)
            await asyncio.sleep(1)
            heard_s = place.sounded_s()
            place.runner.stop()
            return heard_s, await place.until_finished(1)

    heard_s, (finished,) = run_virtual(main)
    assert finished.position_s == pytest.approx(heard_s, abs=0.001)


def test_a_stop_with_nothing_to_stop_does_nothing():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.stop()
            await asyncio.sleep(0.5)
            return place.events

    assert run_virtual(main) == []


def test_a_voice_that_stalls_is_silence_and_goes_on():
    async def main(loop):
        async with hall(loop) as place:
            for _ in range(3):
                place.runner.say(tone(0.7, hz=240), RATE)
                await asyncio.sleep(2)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return finished, place.sounded_s(), place.runner.statistics().underruns

    finished, sounded_s, underruns = run_virtual(main)
    assert finished == SegmentEvent(1, "finished", pytest.approx(2.1), False)
    assert sounded_s == pytest.approx(2.1, abs=0.05)
    assert underruns > 0


def test_the_first_sound_leaves_as_soon_as_the_mouth_is_known():
    async def main(loop):
        async with hall(loop) as place:
            begin_s = loop.time()
            place.runner.say(tone(0.39), RATE)
            await asyncio.sleep(0.3)
            too_early = place.sounded_s()
            place.runner.say(tone(0.01), RATE)  # two chunks are whole: the first is known
            said_s = loop.time()
            await asyncio.sleep(0.3)
            first_s = next(at for at, block in place.blocks if block.pcm.any())
            return too_early, first_s - said_s, begin_s

    too_early, waited_s, _ = run_virtual(main)
    assert too_early == 0
    assert waited_s <= 0.1


def test_the_face_says_what_it_does_and_shows_what_it_is_told():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.be("thinking")
            await asyncio.sleep(0.2)
            place.runner.set_style(FaceStyle("surprised", 0.5))
            place.runner.say(tone(0.6), RATE)
            place.runner.end_segment()
            await place.until_finished(1)
            await asyncio.sleep(0.1)  # some pictures of who thinks again
            place.runner.be("listening")
            await asyncio.sleep(0.2)
            return place.moods.seen

    seen = run_virtual(main)
    kept = [mood for index, mood in enumerate(seen) if not index or mood != seen[index - 1]]
    assert kept == [
        ("listening", FaceStyle()),
        ("thinking", FaceStyle()),
        ("speaking", FaceStyle("surprised", 0.5)),
        ("thinking", FaceStyle()),
        ("listening", FaceStyle()),
    ]


def test_a_flood_of_speech_is_kept_up_to_a_limit_and_told_of_as_cut(monkeypatch, caplog):
    monkeypatch.setattr(runner_module, "MAX_WAITING_BYTES", 10 * RATE * 2)
    second = tone(1)

    async def main(loop):
        async with hall(loop) as place:
            for _ in range(40):
                place.runner.say(second, RATE)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return finished

    with caplog.at_level(logging.WARNING, "rt_avatar.avatar_runner"):
        finished = run_virtual(main)
    assert finished.was_interrupted
    assert finished.position_s == pytest.approx(10, abs=0.3)
    assert len([r for r in caplog.records if "beyond is lost" in r.message]) == 1


def test_of_a_segment_that_was_cut_nothing_later_is_heard(monkeypatch):
    monkeypatch.setattr(runner_module, "MAX_WAITING_BYTES", 2 * RATE * 2)

    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(2), RATE)
            place.runner.say(tone(1), RATE)  # is beyond
            await asyncio.sleep(1.5)  # there is room again
            place.runner.say(tone(1), RATE)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return finished

    assert run_virtual(main) == SegmentEvent(1, "finished", pytest.approx(2), True)


def test_of_minutes_of_speech_only_a_second_is_made_ahead():
    class Counting(LoudMouth):
        chunks = 0

        def open(self):
            return self

        def push(self, item):
            self.chunks += 1
            return super().push(item)

    mouth = Counting()

    async def main(loop):
        async with hall(loop, mouth) as place:
            place.runner.say(tone(120), RATE)
            await asyncio.sleep(2)

    run_virtual(main)
    assert 10 <= mouth.chunks <= 10 + 5 + 3  # played, ahead, in hand


@pytest.mark.parametrize(
    ("pcm", "rate"),
    [
        (np.zeros(10, np.float32), RATE),
        (np.zeros((2, 3, 4), np.int16), RATE),
        (np.zeros((10, 9), np.int16), RATE),
        (np.zeros(10, np.int16), 7_999),
        (np.zeros(10, np.int16), 192_001),
    ],
)
def test_what_cannot_be_sound_is_refused_and_nothing_changes(pcm, rate):
    async def main(loop):
        async with hall(loop) as place:
            with pytest.raises(BadInputError, match="expected"):
                place.runner.say(pcm, rate)
            place.runner.say(tone(0.4), RATE)
            place.runner.end_segment()
            return await place.until_finished(1)

    (finished,) = run_virtual(main)
    assert finished == SegmentEvent(1, "finished", pytest.approx(0.4), False)


def test_a_mouth_that_fails_ends_its_segment_and_no_other():
    class Failing(LoudMouth):
        opened = 0

        def open(self):
            Failing.opened += 1
            return Failing() if Failing.opened == 1 else LoudMouth()

        def push(self, item):
            raise ValueError("scripted failure")

    async def main(loop):
        async with hall(loop, Failing()) as place:
            for _ in range(2):
                place.runner.say(tone(0.6), RATE)
                place.runner.end_segment()
            return await place.until_finished(2)

    first, second = run_virtual(main)
    assert first.was_interrupted
    assert second == SegmentEvent(2, "finished", pytest.approx(0.6), False)


def test_of_a_segment_that_failed_what_was_heard_is_told_as_played():
    class Failing(LoudMouth):
        pushed = 0

        def open(self):
            return Failing()

        def push(self, item):
            self.pushed += 1
            if self.pushed == 6:
                raise RuntimeError("scripted failure")
            return super().push(item)

    async def main(loop):
        async with hall(loop, Failing()) as place:
            place.runner.say(tone(6), RATE)
            place.runner.end_segment()
            (finished,) = await place.until_finished(1)
            return finished, place.sounded_s()

    finished, sounded_s = run_virtual(main)
    assert finished == SegmentEvent(1, "finished", pytest.approx(sounded_s), True)
    assert sounded_s == pytest.approx(0.8)


def test_a_segment_that_failed_keeps_no_sound_that_nobody_will_make():
    class Failing(LoudMouth):
        def open(self):
            return Failing()

        def push(self, item):
            raise ValueError("scripted failure")

    async def main(loop):
        async with hall(loop, Failing()) as place:
            place.runner.say(tone(20), RATE)
            await place.until_finished(1)
            segment = place.runner._open
            kept = [segment.waiting_bytes]
            for _ in range(10):  # the agent knows nothing of it, and speaks on
                place.runner.say(tone(1), RATE)
                await asyncio.sleep(1)
                kept.append(segment.waiting_bytes)
            return kept, place.finished()

    kept, finished = run_virtual(main)
    assert not any(kept)
    assert len(finished) == 1
    assert finished[0].was_interrupted


def test_a_hang_up_finishes_what_was_said():
    async def main(loop):
        async with hall(loop) as place:
            place.runner.say(tone(5), RATE)
            await asyncio.sleep(1)
        return place.finished()

    (finished,) = run_virtual(main)
    assert finished.was_interrupted
