"""The network's voice in a call: what it says is the graph's, and styles are obeyed."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rt_avatar.engines.empatheia.answer import find_styles
from rt_avatar.engines.empatheia.clauses import ClauseCutter
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.voice import VoiceEngine, VoiceRequest
from rt_avatar.engines.llm.answer import Replied, Signalled, Understood
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    FaceStyle,
    VoiceStyle,
)
from tests.engines.empatheia.offline import infer
from tests.engines.empatheia.torch import live
from tests.engines.empatheia.torch.made import SHORT, dialogue

pytestmark = pytest.mark.networks


def said(voice, *requests: SpeechRequest) -> list:
    stream = voice.open()
    return [chunk for item in requests for chunk in stream.push(item)] + stream.flush()


def pcm(chunks) -> np.ndarray:
    return np.concatenate([chunk.pcm for chunk in chunks])


def test_a_call_says_and_moves_what_the_offline_answer_does(engines):
    whole = infer(engines, dialogue(), SHORT)
    told = list(engines.answerer.answer(engines.read(dialogue()), SHORT.words()))
    chain = next(event.chain for event in told if isinstance(event, Understood))
    signals = next(event for event in told if isinstance(event, Signalled))
    styles = find_styles(engines, dialogue(), SHORT, chain, signals)
    cutter = ClauseCutter()
    clauses = [c for word in told if isinstance(word, Replied) for c in cutter.push(word)]
    live_styles = LiveStyles(engines)
    chunks = said(
        LiveVoice(engines, live_styles, SHORT),
        *(
            SpeechRequest(clause.text, VoiceStyle(vector=styles.voice), clause.index, clause.states)
            for clause in [*clauses, *cutter.flush()]
        ),
    )
    assert np.array_equal(pcm(chunks), whole.pcm)
    assert [chunk.words for chunk in chunks] == [chunk.words for chunk in whole.chunks]
    face = LiveMotion(engines, live_styles, SHORT).open()
    style = FaceStyle(vector=styles.face)
    moved = [
        m for chunk in chunks for m in face.push(ArticulationInput(chunk, style, VoiceStyle()))
    ]
    motion = np.concatenate(moved + face.flush())
    np.testing.assert_allclose(motion[:, :52], np.clip(whole.motion[:, :52], 0, 1), atol=1e-6)
    np.testing.assert_allclose(motion[:, 52:64], whole.motion[:, 52:64], atol=1e-6)
    assert not motion[:, 64:].any()


def test_chunk_by_chunk_it_says_what_it_says_at_once(engines):
    at_once, one_by_one = live.voice(engines).open(), live.voice(engines).open()
    for item in live.requests(1):
        pushed, yielded = at_once.push(item), list(one_by_one.say(item))
        assert [chunk.words for chunk in pushed] == [chunk.words for chunk in yielded]
        assert np.array_equal(pcm(pushed), pcm(yielded))


def test_chunks_tell_the_contents_of_their_frames_and_truly_of_those_to_come(engines):
    chunks = said(live.voice(engines), *live.requests(1))
    assert all(CHUNK_FRAMES <= len(chunk.contents) <= 2 * CHUNK_FRAMES for chunk in chunks)
    assert len(chunks[0].contents) == 2 * CHUNK_FRAMES
    assert len(chunks[-1].contents) == CHUNK_FRAMES
    for chunk, following in pairwise(chunks):
        ahead = chunk.contents[CHUNK_FRAMES:]
        assert np.array_equal(ahead, following.contents[: len(ahead)])


def test_words_without_states_or_for_the_generators_alone_bring_no_contents(engines):
    (first, second) = live.requests(1)
    unthought = said(live.voice(engines), replace(first, states=None), second)
    assert all(chunk.contents is None for chunk in unthought)
    deaf = said(live.voice(engines, content_source="generator"), first)
    assert all(chunk.contents is None for chunk in deaf)
    assert np.array_equal(pcm(deaf), pcm(said(live.voice(engines), replace(first, states=None))))
    assert not np.array_equal(pcm(deaf), pcm(said(live.voice(engines), first)))


def test_a_clause_of_which_nothing_is_known_holds_the_face_where_it_was(engines):
    (first, second) = live.requests(1)
    chunks = said(live.voice(engines), first, replace(second, states=None))
    last = said(live.voice(engines), first)[-1].contents[-1]
    assert np.array_equal(chunks[-1].contents[-1], last)


def test_a_late_clause_is_said_as_in_time_and_the_face_is_held_until_then(engines):
    requests = live.requests(1)
    stream = live.voice(engines).open()
    assert stream.settle() == []
    early = stream.push(requests[0]) + stream.settle()
    assert stream.settle() == []
    late = stream.push(requests[1]) + stream.flush()
    in_time = said(live.voice(engines), *requests)
    words = [word for chunk in in_time for word in chunk.words]
    moved = late[0].words[0].start - words[1].start
    begin = late[0].start - moved
    assert moved > 0
    assert [chunk.start for chunk in early + late] == [
        CHUNK_SAMPLES * at for at in range(len(early + late))
    ]
    alone = pcm(said(live.voice(engines), requests[0]))
    assert np.array_equal(pcm(early)[: len(alone)], alone)
    assert not pcm(early)[len(alone) :].any()
    shared = min(len(pcm(late)), len(pcm(in_time)) - begin)
    assert np.array_equal(pcm(late)[:shared], pcm(in_time)[begin : begin + shared])

    def face(chunks) -> np.ndarray:
        return np.concatenate([chunk.contents[:CHUNK_FRAMES] for chunk in chunks])

    first, shared = begin // FRAME_SAMPLES, shared // FRAME_SAMPLES
    assert np.array_equal(face(early)[:first], face(in_time)[:first])
    assert all(np.array_equal(row, face(early)[-1]) for row in face(early)[first - 1 :])
    assert np.array_equal(face(late)[:shared], face(in_time)[first : first + shared])
    for chunk, following in pairwise(early + late):
        ahead = chunk.contents[CHUNK_FRAMES:]
        assert np.array_equal(ahead, following.contents[: len(ahead)])


def test_a_clause_that_cannot_be_spoken_is_passed_over(engines):
    (first, second) = live.requests(1)
    silent = replace(first, text="🙂 …", clause_index=7)
    plain = said(live.voice(engines), first, second)
    passed = said(live.voice(engines), first, silent, second)
    assert np.array_equal(pcm(plain), pcm(passed))
    assert said(live.voice(engines), silent) == []


def test_what_a_clause_has_no_room_for_is_told(engines, caplog):
    style = np.zeros((1, engines.manifest.voice_style_size), np.float32)
    stream = VoiceEngine(*engines.voice._parts[:2], most=20).open()
    assert stream.begin(VoiceRequest("one two three four five six", style, None)) is not None
    stream.reset()
    assert "at most 20 symbols; its last words are left out: 3" in caplog.text


def test_captions_show_every_word_as_it_is_written(engines):
    request = SpeechRequest("Oh, so-so… 2?", live.QUICKLY, 0)
    words = [word for chunk in said(live.voice(engines), request) for word in chunk.words]
    assert " ".join(word.text for word in words) == request.text
    assert all(word.start < word.end for word in words)


def test_rate_and_volume_of_a_style_are_obeyed(engines):
    request = SpeechRequest("so so", live.QUICKLY, 0)
    slow = replace(request, style=replace(live.QUICKLY, rate=1.0))
    assert len(said(live.voice(engines), slow)) > 1.5 * len(said(live.voice(engines), request))
    soft, softer = (
        pcm(said(live.voice(engines), replace(request, style=replace(live.QUICKLY, volume=level))))
        for level in (0.02, 0.01)
    )
    assert np.abs(soft).max() < 1
    np.testing.assert_allclose(soft, 2 * softer, atol=1e-6)


def test_an_emotion_is_spoken_in_its_style_and_half_of_it_half_way(engines):
    styles, calm = LiveStyles(engines), engines.felt("neutral").voice
    sad = styles.voice(VoiceStyle("sad", 1.0))
    assert np.array_equal(sad, engines.felt("sad").voice)
    assert not np.array_equal(sad, calm)
    np.testing.assert_allclose(styles.voice(VoiceStyle("sad", 0.5)), (sad + calm) / 2, atol=1e-6)
    assert np.array_equal(styles.face(FaceStyle("sad", 0.0)), engines.felt("neutral").face)


def test_recorded_styles_take_the_place_of_the_bank_but_not_of_a_replys_own(engines):
    recorded = engines.felt("angry")
    styles = LiveStyles(engines, recorded)
    own = engines.felt("happy")
    assert styles.voice(VoiceStyle("sad")) is recorded.voice
    assert styles.face(FaceStyle("sad")) is recorded.face
    assert styles.voice(VoiceStyle("sad", vector=own.voice)) is own.voice
    assert styles.face(FaceStyle("sad", vector=own.face)) is own.face


def test_numbers_of_another_network_are_refused_and_named(engines):
    stream = live.voice(engines).open()
    wrong = replace(live.QUICKLY, vector=np.zeros((1, 5), np.float32))
    with pytest.raises(ValueError, match=r"expected a vector \(1, 256\); got \(1, 5\)"):
        stream.push(SpeechRequest("oh", wrong, 0))
    with pytest.raises(ValueError, match="reply"):
        stream.push(SpeechRequest("oh", live.QUICKLY, 0, np.zeros((2, 5), np.float32)))
    assert stream.push(live.requests(1)[0])
