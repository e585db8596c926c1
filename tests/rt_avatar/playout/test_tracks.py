"""Both tracks are released from one clock: no drift, no burst, nothing after a clear."""

import asyncio
from itertools import pairwise

import numpy as np
import pytest

from rt_avatar.engines.types import CHUNK_SAMPLES, FRAME_SAMPLES, MOTION_SIZE, Word
from rt_avatar.media_io import BLOCK_SAMPLES
from rt_avatar.messages import AvatarChunk, TurnId
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.playout.tracks import FADE_SAMPLES, Playout, PlayoutEvent, RenderedPicture
from tests.fakes.virtual_time import VirtualTimeLoop, run_virtual

pytestmark = pytest.mark.unit

LOUD = 0.5


class PictureSource:
    """Scripted: picture and motion are the number of the motion frame (−1: not speaking)."""

    def __init__(self, takes_s: float = 0.004) -> None:
        self.takes_s = takes_s

    async def __call__(self, motion):
        await asyncio.sleep(self.takes_s)
        number = -1 if motion is None else motion[0]
        return RenderedPicture(np.full((6, 4), number, np.float32), np.array([number], np.float32))


def make_playout(takes_s: float = 0.004) -> tuple[Playout, list[PlayoutEvent]]:
    news: list[PlayoutEvent] = []
    return Playout(PictureSource(takes_s), news.append), news


def make_chunk(index: int, words: tuple[Word, ...] = ()) -> AvatarChunk:
    motion = np.zeros((5, MOTION_SIZE), np.float32)
    motion[:, 0] = np.arange(5) + 5 * index
    pcm = np.full(CHUNK_SAMPLES, LOUD, np.float32)
    return AvatarChunk(TurnId(1), index * CHUNK_SAMPLES, pcm, motion, words)


async def make_reply(
    chunks: int, *, words: tuple[Word, ...] = (), ended: bool = True
) -> ReplyBuffer:
    reply = ReplyBuffer(TurnId(1), ahead_s=1e6)
    for index in range(chunks):
        start = index * CHUNK_SAMPLES
        in_chunk = tuple(w for w in words if start <= w.start < start + CHUNK_SAMPLES)
        await reply.put(make_chunk(index, in_chunk))
    if ended:
        reply.end()
    return reply


async def pull_for(playout: Playout, seconds: float, loop: VirtualTimeLoop, *, sound: bool = True):
    """Pull both tracks; return [(loop time, block)], [(loop time, picture)].

    Without ``sound`` its sender is stuck meanwhile.
    """
    blocks, pictures = [], []

    async def audio():
        while True:
            block = await playout.next_audio()
            blocks.append((loop.time(), block))

    async def video():
        while True:
            picture = await playout.next_video()
            pictures.append((loop.time(), picture))

    tasks = [asyncio.ensure_future(pull()) for pull in ([audio] if sound else []) + [video]]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    return blocks, pictures


def test_thirty_minutes_pass_without_drift_between_the_tracks():
    async def main(loop):
        playout, _ = make_playout()
        return await pull_for(playout, 1800, loop)

    blocks, pictures = run_virtual(main)
    assert len(blocks) == pytest.approx(90_000, abs=2)
    assert len(pictures) == pytest.approx(45_000, abs=2)
    first_s = blocks[0][0]
    assert max(abs(at - first_s - block.pts / 48_000) for at, block in blocks) < 0.001
    assert max(abs(at - first_s - picture.pts / 48_000) for at, picture in pictures) < 0.006


def test_sound_and_face_of_one_moment_leave_in_the_same_tick():
    async def main(loop):
        playout, _ = make_playout()
        playout.play(await make_reply(10))
        return await pull_for(playout, 2.2, loop)

    blocks, pictures = run_virtual(main)
    sounding = {
        block.pts // (2 * BLOCK_SAMPLES) for _, block in blocks if block.pcm[500:].max() > 9000
    }
    speaking = {
        picture.pts // (2 * BLOCK_SAMPLES) for _, picture in pictures if picture.planes[0, 0] >= 0
    }
    assert sounding == speaking == set(range(50))
    shown = [int(picture.planes[0, 0]) for _, picture in pictures if picture.planes[0, 0] >= 0]
    assert shown == list(range(50))


@pytest.mark.parametrize("after_s", [0.201, 0.215, 0.221, 0.239])
@pytest.mark.parametrize("release", ["play", "resume"])
def test_a_reply_begins_at_the_next_block_with_its_face(release, after_s):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        if release == "resume":
            playout.play(await make_reply(10))
            playout.pause()
        pulling = asyncio.ensure_future(pull_for(playout, 0.9, loop))
        begin_s = loop.time()
        await asyncio.sleep(after_s)
        if release == "play":
            playout.play(await make_reply(10))
        else:
            playout.resume()
        blocks, pictures = await pulling
        assert playout.statistics().skipped_pictures == 0
        return [(at_s - begin_s, block) for at_s, block in blocks], pictures

    blocks, pictures = run_virtual(scenario)
    sounding = [(at_s, block.pts) for at_s, block in blocks if block.pcm.any()]
    assert sounding[0][0] - after_s <= 0.020
    # Picture n has the time of block 2 n, and no two are further apart than at rest.
    shown = [(picture.pts, int(picture.planes[0, 0])) for _, picture in pictures]
    spoken = [(pts, number) for pts, number in shown if number >= 0]
    assert spoken == [(pts, n) for n, (_, pts) in enumerate(sounding[::2])]
    assert len(spoken) >= 16
    assert max(later - pts for (pts, _), (later, _) in pairwise(shown)) == 1920


def test_the_motion_that_leaves_with_a_picture_is_the_one_that_it_shows():
    async def scenario(loop):
        playout, _ = make_playout()
        playout.play(await make_reply(2))
        _, pictures = await pull_for(playout, 0.5, loop)
        return [(picture.planes[0, 0], picture.motion[0]) for _, picture in pictures]

    shown = run_virtual(scenario)
    assert {number for number, _ in shown} >= set(range(10))
    assert all(number == moved for number, moved in shown)


def test_a_stall_of_two_seconds_never_bursts_and_loses_no_word():
    async def main(loop):
        playout, news = make_playout()
        playout.play(await make_reply(25))
        before = await pull_for(playout, 1.0, loop)
        loop.stall(2.0)
        after = await pull_for(playout, 6.0, loop)
        return before, after, news, playout.statistics()

    (_, _), (blocks, pictures), news, statistics = run_virtual(main)
    gaps = np.diff([at for at, _ in blocks])
    assert gaps.min() >= 0.0099
    assert np.sum(gaps < 0.0195) <= 4  # at most the few that are within the tolerance
    assert np.diff([at for at, _ in pictures]).min() >= 0.030
    assert statistics.skipped_blocks >= 95
    # The time line went on, the reply only paused: all of it was played.
    assert news[-1].kind == "finished"
    assert news[-1].position == 25 * CHUNK_SAMPLES


def test_pictures_that_take_too_long_are_skipped_and_sound_is_not_disturbed():
    async def main(loop):
        playout, _ = make_playout(takes_s=0.1)
        playout.play(await make_reply(25))
        return await pull_for(playout, 4.0, loop), playout.statistics()

    (blocks, pictures), statistics = run_virtual(main)
    assert len(blocks) == pytest.approx(200, abs=2)
    assert 35 <= len(pictures) <= 41
    assert statistics.skipped_pictures >= 50
    # Each picture shows the moment it stands for (to a frame), not a queue of old ones.
    shown = [(p.pts // (2 * BLOCK_SAMPLES), int(p.planes[0, 0])) for _, p in pictures]
    assert all(abs(tick - frame) <= 1 for tick, frame in shown)


def test_nothing_of_a_reply_leaves_after_the_clear():
    async def main(loop):
        playout, _ = make_playout()
        playout.play(await make_reply(25))
        await pull_for(playout, 1.01, loop)
        playout.clear()
        return await pull_for(playout, 0.5, loop)

    blocks, pictures = run_virtual(main)
    assert all(not block.pcm.any() for _, block in blocks)
    assert all(picture.planes[0, 0] == -1 for _, picture in pictures)


def test_a_pause_is_silent_within_one_block_and_resumes_at_the_start_of_the_cut_word():
    words = (Word("hello", 0, 12_000), Word("wonderful", 12_000, 40_000))

    async def main(loop):
        playout, news = make_playout()
        playout.play(await make_reply(25, words=words))
        await pull_for(playout, 0.89, loop)
        paused_at_s = loop.time()
        playout.pause()
        paused = await pull_for(playout, 0.5, loop)
        playout.resume()
        resumed = await pull_for(playout, 0.1, loop)
        return paused_at_s, paused, resumed, news

    paused_at_s, (blocks, _), (_, pictures), news = run_virtual(main)
    loud = [at for at, block in blocks if np.abs(block.pcm[300:]).max() > 0]
    assert not loud or max(loud) - paused_at_s <= 0.020
    assert int(pictures[0][1].planes[0, 0]) == 12_000 // FRAME_SAMPLES
    assert [w.text for n in news for w in n.words] == ["hello", "wonderful", "wonderful"]


@pytest.mark.parametrize("after_s", [0.201, 0.215, 0.221, 0.239])
@pytest.mark.parametrize("stop", ["pause", "clear"])
def test_who_stops_a_reply_sees_three_pictures_without_speech_within_three_blocks(stop, after_s):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        playout.play(await make_reply(10))
        pulling = asyncio.ensure_future(pull_for(playout, 0.6, loop))
        begin_s = loop.time()
        await asyncio.sleep(after_s)
        getattr(playout, stop)()
        _, pictures = await pulling
        shown = [(at_s - begin_s, picture.planes[0, 0], picture.pts) for at_s, picture in pictures]
        still = [(at_s, pts) for at_s, number, pts in shown if at_s > after_s and number == -1]
        assert all(number >= 0 for at_s, number, _ in shown if at_s < after_s)
        assert still[2][0] - after_s < 0.02 * 3 + 0.005
        # Then they go on as before, every picture at its place on the time line.
        assert not still[3][1] % 1920
        places = [pts for _, pts in still[3:]]
        assert {later - pts for pts, later in pairwise(places)} == {1920}
        assert all(at_s == pytest.approx(pts / 48_000 + 0.004) for at_s, pts in still)
        assert playout.statistics().skipped_pictures == 0

    run_virtual(scenario)


async def make_tone(chunks: int, hz: float, words: tuple[Word, ...] = ()) -> ReplyBuffer:
    reply = ReplyBuffer(TurnId(1), ahead_s=1e6)
    for index in range(chunks):
        chunk = make_chunk(index)
        at = np.arange(chunk.pts, chunk.pts + CHUNK_SAMPLES) / 24_000
        pcm = (LOUD * np.sin(2 * np.pi * hz * at)).astype(np.float32)
        own = tuple(word for word in words if chunk.pts <= word.start < chunk.pts + CHUNK_SAMPLES)
        await reply.put(AvatarChunk(chunk.turn, chunk.pts, pcm, chunk.motion, own))
    reply.end()
    return reply


def clicks(blocks) -> bool:
    """Whether the sound jumps further than the tone (0.1 s) and a fade of it do."""
    sent = np.concatenate([block.pcm for _, block in blocks]).astype(int)
    jumps = np.abs(np.diff(sent))
    return bool(jumps.max() > 1.1 * jumps[:4_800].max() + LOUD * 32768 / FADE_SAMPLES)


# Words begin within the voice of the one before: a resumed reply begins in mid-sound, or anew.
@pytest.mark.parametrize("word_start", [0, 3_500])
@pytest.mark.parametrize("hz", [110, 217, 440])
@pytest.mark.parametrize("after_s", [0.195, 0.215, 0.239, 0.255])
def test_a_reply_that_goes_on_after_a_pause_does_not_click(after_s, hz, word_start):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        playout.play(await make_tone(10, hz, (Word("goodness", word_start, 20_000),)))
        pulling = asyncio.ensure_future(pull_for(playout, 1.5, loop))
        await asyncio.sleep(after_s)
        playout.pause()
        await asyncio.sleep(0.3)
        playout.resume()
        return (await pulling)[0]

    assert not clicks(run_virtual(scenario))


@pytest.mark.parametrize("after_s", [0.195, 0.215, 0.239, 0.255])
def test_a_stopped_reply_does_not_click_and_is_over_within_a_block(after_s):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        playout.play(await make_tone(10, 217))
        pulling = asyncio.ensure_future(pull_for(playout, 0.6, loop))
        await asyncio.sleep(after_s)
        playout.stop()
        assert playout.clear() is None
        return (await pulling)[0]

    blocks = run_virtual(scenario)
    assert not clicks(blocks)
    sent = np.concatenate([block.pcm for _, block in blocks])
    silent_from = len(sent) - int(np.argmax(sent[::-1] != 0))
    assert silent_from <= after_s * 48_000 + BLOCK_SAMPLES + FADE_SAMPLES


@pytest.mark.parametrize("late_s", [0.01, 0.5])
def test_a_voice_that_is_too_slow_breaks_off_without_a_click(late_s):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        whole = await make_tone(3, 217)
        reply = ReplyBuffer(TurnId(1), ahead_s=1e6)
        playout.play(reply)
        chunks = [whole._chunks[index] for index in range(3)]
        await reply.put(chunks[0])
        pulling = asyncio.ensure_future(pull_for(playout, 2.0, loop))
        await asyncio.sleep(0.19 + late_s)
        for chunk in chunks[1:]:
            await reply.put(chunk)
        reply.end()
        return (await pulling)[0]

    blocks = run_virtual(scenario)
    assert not clicks(blocks)
    assert sum(bool(block.pcm.any()) for _, block in blocks) == 30


@pytest.mark.parametrize("hz", [110, 217, 440])
# When one or both blocks of a tick have left; also the last of a chunk.
@pytest.mark.parametrize("after_s", [0.195, 0.201, 0.215, 0.221, 0.239, 0.255])
def test_a_pause_cuts_the_sound_nowhere(after_s, hz):
    async def scenario(loop: VirtualTimeLoop):
        playout, _ = make_playout()
        playout.play(await make_tone(10, hz))
        pulling = asyncio.ensure_future(pull_for(playout, 0.6, loop))
        await asyncio.sleep(after_s)
        playout.pause()
        blocks, _ = await pulling
        return np.concatenate([block.pcm for _, block in blocks]).astype(int)

    sent = run_virtual(scenario)
    steepest = np.abs(np.diff(sent[:9_000])).max()  # of the tone itself
    assert np.abs(np.diff(sent)).max() <= 1.1 * steepest
    silent_from = len(sent) - int(np.argmax(sent[::-1] != 0))
    assert silent_from <= after_s * 48_000 + BLOCK_SAMPLES + FADE_SAMPLES


def test_an_underrun_is_silence_and_the_reply_goes_on_where_it_was():
    async def main(loop):
        playout, news = make_playout()
        reply = await make_reply(2, ended=False)
        playout.play(reply)
        first = await pull_for(playout, 1.0, loop)
        await reply.put(make_chunk(2))
        reply.end()
        second = await pull_for(playout, 1.0, loop)
        return first, second, news, playout.statistics()

    (_, first), (_, second), news, statistics = run_virtual(main)
    assert [int(p.planes[0, 0]) for _, p in first if p.planes[0, 0] >= 0] == list(range(10))
    assert [int(p.planes[0, 0]) for _, p in second if p.planes[0, 0] >= 0] == list(range(10, 15))
    assert statistics.underruns > 0
    assert news[-1].kind == "finished"


def test_a_full_buffer_makes_the_producer_wait_until_something_was_played():
    async def main(loop):
        playout, _ = make_playout()
        reply = ReplyBuffer(TurnId(1), ahead_s=0.6)
        produced: list[int] = []

        async def produce():
            for index in range(10):
                await reply.put(make_chunk(index))
                produced.append(index)

        task = asyncio.ensure_future(produce())
        await asyncio.sleep(5)
        before = len(produced)
        playout.play(reply)
        await pull_for(playout, 0.45, loop)
        after = len(produced)
        task.cancel()
        return before, after

    before, after = run_virtual(main)
    assert before == 3
    assert after == 5


def test_words_are_told_when_their_sound_leaves():
    words = tuple(Word(f"w{i}", i * 4800 + 100, (i + 1) * 4800) for i in range(10))

    async def main(loop):
        playout, news = make_playout()
        start_s = loop.time()
        times = {}
        reply = await make_reply(10, words=words)
        playout._tell = lambda told: (  # the test listens with a watch
            news.append(told),
            [times.setdefault(w.text, loop.time() - start_s) for w in told.words],
        )
        playout.play(reply)
        await pull_for(playout, 3.0, loop)
        return times, reply.heard_text()

    times, heard = run_virtual(main)
    assert [times[w.text] for w in words] == pytest.approx([i * 0.2 for i in range(10)], abs=0.045)
    assert heard == " ".join(w.text for w in words)


def test_a_word_cut_before_its_middle_does_not_count_as_heard():
    words = (Word("good", 0, 9_600), Word("morning", 9_600, 28_800))

    async def main(loop):
        playout, _ = make_playout()
        reply = await make_reply(10, words=words)
        playout.play(reply)
        await pull_for(playout, 0.6, loop)
        return playout.clear().heard_text()

    assert run_virtual(main) == "good"


def loud_samples(blocks) -> int:
    """How much sound of the reply is in these blocks, at 24 kHz."""
    return sum(BLOCK_SAMPLES // 2 for _, block in blocks if np.abs(block.pcm).max() > 9000)


# Within a tick, between two, and within one whose first half begins a word.
@pytest.mark.parametrize("at_s", [0.49, 0.51, 0.21])
def test_only_sound_that_was_sent_counts_as_heard_when_the_sound_stalls(at_s):
    words = tuple(Word(f"w{i}", i * 2400, (i + 1) * 2400) for i in range(20))

    async def main(loop):
        playout, news = make_playout()
        reply = await make_reply(25, words=words)
        playout.play(reply)
        before, _ = await pull_for(playout, at_s, loop)
        _, during = await pull_for(playout, 0.4, loop, sound=False)
        position, heard = reply.position, reply.heard_text(count_begun=True)
        after, _ = await pull_for(playout, 6.0, loop)
        return before, during, after, position, heard, news

    before, during, after, position, heard, news = run_virtual(main)
    assert position == loud_samples(before)
    assert heard.split() == [word.text for word in words if word.start < position]
    # The face waits for the sound: it does not speak what nobody can hear.
    speaking = [int(picture.planes[0, 0]) for _, picture in during if picture.planes[0, 0] >= 0]
    assert len(speaking) <= 3
    # Nothing of the reply is lost but the place of the stall: at most a block is heard twice.
    assert 0 <= loud_samples(before + after) - 25 * CHUNK_SAMPLES <= FRAME_SAMPLES
    assert [word.text for told in news for word in told.words] == [word.text for word in words]


def test_a_sound_sender_that_lags_within_its_tolerance_sends_every_block_once():
    ramp = np.linspace(0, 0.9, 10 * CHUNK_SAMPLES, dtype=np.float32)

    async def main(loop):
        playout, _ = make_playout()
        reply = ReplyBuffer(TurnId(1), ahead_s=1e6)
        for index in range(10):
            chunk = make_chunk(index)
            pcm = ramp[index * CHUNK_SAMPLES : (index + 1) * CHUNK_SAMPLES]
            await reply.put(AvatarChunk(chunk.turn, chunk.pts, pcm, chunk.motion, ()))
        reply.end()
        playout.play(reply)
        blocks = []

        async def audio():
            while True:
                await asyncio.sleep(0.050 if len(blocks) % 10 == 5 else 0)  # a busy sender
                blocks.append((await playout.next_audio()).pcm)

        pulling = asyncio.ensure_future(audio())
        await pull_for(playout, 3.0, loop, sound=False)
        pulling.cancel()
        return np.concatenate(blocks).astype(int)

    sent = run_virtual(main)
    end = int(sent.argmax())
    assert sent[end] > 0.88 * 32767
    assert np.diff(sent[: end - 20]).min() >= -2  # it only rises: no block twice, none swapped
    assert np.diff(sent[: end - 20]).max() <= 8  # and none is missing
