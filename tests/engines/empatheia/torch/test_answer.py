"""One graph: the same answer streamed or stage by stage, and every ablation is one."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.empatheia.answer import stream
from rt_avatar.engines.empatheia.dialogue import Dialogue, Styles, Utterance
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.performance import Moment
from rt_avatar.engines.llm.answer import Replied, Signalled, Understood
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.types import CHUNK_SAMPLES
from tests.engines.empatheia.offline import gather, infer
from tests.engines.empatheia.torch.made import PICTURE_PX, SHORT, dialogue, sound

pytestmark = pytest.mark.networks

REFERENCE = {
    "voice": sound(1.0, 5, 24_000),
    "style_clip": np.random.default_rng(6).normal(0, 0.3, (50, 64)).astype(np.float32),
}
CASES = {
    "as it is": SHORT,
    "the published order": replace(SHORT, coe="paper", lookahead_frames=8),
    "contents of the whole reply": replace(SHORT, content_span="reply"),
    "no chain, contents of the generators": replace(
        SHORT, coe="off", content_source="generator", style_source="bank"
    ),
    "styles of a reference": replace(SHORT, style_source="reference", lookahead_frames=0),
    "the baseline": replace(SHORT, pipeline=True),
}


@pytest.mark.parametrize("name", CASES)
def test_streamed_and_stage_by_stage_give_the_same_answer(engines, name):
    options, asked = replace(CASES[name], reply_tokens=6), dialogue(**REFERENCE)
    whole = infer(engines, asked, options)
    parts = gather(stream(engines, asked, options), PICTURE_PX)
    assert whole.reply
    assert (whole.reply, whole.chain) == (parts.reply, parts.chain)
    assert len(whole.chunks) == len(parts.chunks) > 3
    assert np.array_equal(whole.signals.speech, parts.signals.speech)
    assert np.array_equal(whole.styles.voice, parts.styles.voice)
    assert np.array_equal(whole.pcm, parts.pcm)
    # The resampler before the features of sound rounds by how it is fed.
    np.testing.assert_allclose(whole.motion, parts.motion, rtol=0, atol=1e-4)
    assert np.abs(whole.frames.astype(int) - parts.frames).max() <= 1


@pytest.fixture(scope="module")
def made(engines):
    """A short answer."""
    return infer(engines, dialogue(), SHORT)


def test_of_a_reply_of_one_clause_the_whole_is_the_clause(engines, made):
    assert {chunk.clause_index for chunk in made.chunks} == {0}
    whole = infer(engines, dialogue(), replace(SHORT, content_span="reply"))
    assert np.array_equal(whole.pcm, made.pcm)
    assert np.array_equal(whole.motion, made.motion)


def test_sound_motion_and_pictures_have_one_length_and_are_something(made):
    assert len(made.pcm) == CHUNK_SAMPLES * len(made.chunks)
    assert made.motion.shape == (5 * len(made.chunks), 73)
    assert made.frames.shape == (5 * len(made.chunks), PICTURE_PX, PICTURE_PX, 3)
    assert made.signals.speech.shape == made.signals.video.shape == (16, 256)
    assert made.styles.voice.shape == (1, 256)
    assert {name: logits.shape[1] for name, logits in made.styles.classes.items()} == {
        "emotion": 7, "age": 4, "gender": 2, "tone": 3,
    }  # fmt: skip
    assert np.isfinite(made.motion).all()
    assert np.isfinite(made.pcm).all()
    assert made.pcm.std() > 0
    assert made.motion[:, :64].std(axis=0).max() > 0
    words = [word for chunk in made.chunks for word in chunk.words]
    assert words
    assert all(chunk.start <= word.start < chunk.start + CHUNK_SAMPLES
               for chunk in made.chunks for word in chunk.words)  # fmt: skip


def test_styles_are_known_before_the_first_word_unless_the_published_order_is_asked_for(engines):
    def kinds(options):
        told = [type(event) for event in stream(engines, dialogue(), options)]
        assert told.count(Understood) == told.count(Signalled) == told.count(Styles) == 1
        return told

    first = kinds(SHORT)
    assert first.index(Styles) < first.index(Replied) < first.index(Moment)
    paper = kinds(replace(SHORT, coe="paper"))
    assert paper.index(Styles) > len(paper) - paper[::-1].index(Replied) - 1


def test_speech_begins_before_the_reply_is_whole(engines):
    options = replace(SHORT, reply_tokens=52, speed=2.0)  # clauses end at 48 tokens at the latest
    told = []
    for event in stream(engines, dialogue(), options):
        told.append(type(event))
        if told.count(Moment) == 1:
            break
    assert told.count(Replied) < 52


def test_what_is_heard_and_seen_changes_the_answer_and_the_baseline_is_deaf(engines):
    asked = dialogue()
    deaf = Dialogue(
        tuple(Utterance(each.role, each.text) for each in asked.utterances), asked.portrait
    )
    heard, unheard = (engines.read(each).logits for each in (asked, deaf))
    assert not np.array_equal(heard, unheard)
    assert np.array_equal(engines.read(asked, without=("speech", "video")).logits, unheard)


@pytest.mark.parametrize(("left_out", "attribute"), [("speech", "pcm"), ("video", "pictures")])
def test_one_sense_alone_can_be_left_out(engines, left_out, attribute):
    asked = dialogue()
    nothing = getattr(Utterance("user", ""), attribute)
    lacking = replace(
        asked,
        utterances=tuple(replace(each, **{attribute: nothing}) for each in asked.utterances),
    )
    made = engines.read(asked, without=(left_out,)).logits
    assert np.array_equal(made, engines.read(lacking).logits)
    assert not np.array_equal(made, engines.read(asked).logits)
    assert not np.array_equal(made, engines.read(asked, without=("speech", "video")).logits)
    with pytest.raises(ValueError, match="without: expected some of speech, video; got sound"):
        EmpatheiaOptions(without=("sound",))


def test_contents_and_styles_reach_both_generators(engines, made):
    others = infer(engines, dialogue(), replace(SHORT, content_source="generator"))
    banked = infer(engines, dialogue(), replace(SHORT, style_source="bank"))
    for other in (others, banked):
        assert other.reply == made.reply
        assert other.pcm.shape != made.pcm.shape or not np.allclose(other.pcm, made.pcm)
        assert other.motion.shape != made.motion.shape or not np.allclose(other.motion, made.motion)


@pytest.mark.parametrize(
    ("named", "row"),
    [("Sad", "sad"), ("deeply anxious", "fear"), ("unhappy", "sad"), ("joyful", "happy"),
     ("devastated", "sad"), ("contempt", "contempt"), ("mystified", "neutral"), ("", "neutral")],
)  # fmt: skip
def test_the_banks_row_is_that_of_the_emotion_the_chain_names(engines, named, row):
    """A search for the eight names took "unhappy" for joy, and "anxious" for nothing."""
    made, wanted = engines.banked(Chain(emotion=named)), engines.felt(row)
    assert np.array_equal(made.voice, wanted.voice)
    assert np.array_equal(made.face, wanted.face)


def test_a_reference_that_is_not_there_is_asked_for(engines):
    with pytest.raises(ValueError, match="the dialogue has none"):
        infer(engines, dialogue(), replace(SHORT, style_source="reference"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"coe": "maybe"}, "coe: expected one of prethink, paper, off; got 'maybe'"),
        ({"style_source": "mood"}, "style_source: expected one of sd, diffusion, bank, reference"),
        ({"lookahead_frames": 3}, "expected one of 0, 2, 4, 8, 13; got 3"),
        ({"speed": 9.0}, "speed: expected 0.5 to 2; got 9.0"),
    ],
)
def test_options_that_there_are_not_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        EmpatheiaOptions(**wrong)


def test_a_dialogue_ends_with_the_user():
    with pytest.raises(ValueError, match="the user's utterance at its end"):
        Dialogue((Utterance("avatar", "Hello."),))
