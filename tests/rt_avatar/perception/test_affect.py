import asyncio
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from rt_avatar.engines.face_cues import FaceCue
from rt_avatar.engines.prosody import SILENCE_DB, WINDOW_SAMPLES, ProsodyFrame
from rt_avatar.engines.types import EMOTIONS, INPUT_RATE_HZ
from rt_avatar.engines.voice_emotion import VOICE_EMOTIONS, VoiceEmotionEstimate
from rt_avatar.messages import Affect, TurnId
from rt_avatar.perception.affect import AffectEstimator
from tests.fakes.engines import NoFace, ScriptedEngines, ScriptedReasoner
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

TURN = TurnId(3)


@dataclass(frozen=True)
class Manner:
    """How a scripted caller speaks: syllables of vowel and dip."""

    f0_hz: float = 120.0
    level_db: float = -30.0
    syllable_windows: int = 8  # 4 syllables a second


USUAL = Manner()
EXCITED = Manner(f0_hz=170.0, level_db=-21.0, syllable_windows=5)
CALM = Manner(f0_hz=100.0, level_db=-36.0, syllable_windows=11)


class Caller:
    """Drives an estimator along a scripted timeline."""

    def __init__(self) -> None:
        self.estimator = AffectEstimator()
        self.pts = 0

    def speak(self, seconds: float, manner: Manner = USUAL) -> Affect:
        for index in range(round(seconds * INPUT_RATE_HZ / WINDOW_SAMPLES)):
            phase = index % manner.syllable_windows
            is_vowel = phase < manner.syllable_windows - 2
            # A melody over a second and a half, so that the usual voice has a spread of its own.
            tone = 2.0 * math.sin(index * 0.13) + 0.5 * math.cos(index * 1.7)
            self.window(
                manner.level_db + (2.0 * math.sin(index * 0.31) if is_vowel else -14.0),
                manner.f0_hz * 2 ** (tone / 12) if is_vowel else None,
                is_speech=True,
            )
        return self.now()

    def be_silent(self, seconds: float) -> Affect:
        for _ in range(round(seconds * INPUT_RATE_HZ / WINDOW_SAMPLES)):
            self.window(SILENCE_DB, None, is_speech=False)
        return self.now()

    def window(self, energy_db: float, f0_hz: float | None, *, is_speech: bool) -> None:
        frame = ProsodyFrame(self.pts, energy_db, f0_hz, None, False, -10.0)
        self.estimator.update_voice(frame, is_speech=is_speech)
        self.pts += WINDOW_SAMPLES

    def say(self, text: str) -> Affect:
        self.estimator.update_words(text)
        return self.now()

    def look(self, smile: float, *, has_face: bool = True, eyes_closed: float = 0.0) -> Affect:
        cue = FaceCue(has_face=has_face, is_smiling=smile, eyes_closed=eyes_closed)
        self.estimator.update_face(cue)
        return self.now()

    def now(self) -> Affect:
        return self.estimator.affect(TURN, self.pts)


def said(text: str) -> Affect:
    return Caller().say(text)


def numbers(affect: Affect) -> list[float]:
    return [affect.valence, affect.arousal, *affect.confidences.values()]


# --- voice --------------------------------------------------------------------------------------
def test_a_louder_higher_faster_voice_is_aroused_against_its_own():
    caller = Caller()
    usual = caller.speak(12).arousal
    excited = caller.speak(4, EXCITED).arousal
    assert abs(usual) < 0.2
    assert excited > 0.5


def test_a_softer_lower_slower_voice_is_calm_against_its_own():
    caller = Caller()
    caller.speak(12)
    assert caller.speak(4, CALM).arousal < -0.4


@pytest.mark.parametrize("change", [{"f0_hz": 170.0}, {"level_db": -21.0}])
def test_pitch_and_loudness_each_arouse(change):
    caller = Caller()
    usual = caller.speak(12).arousal
    assert caller.speak(4, Manner(**change)).arousal > usual + 0.2


def test_a_quicker_tempo_alone_arouses():
    caller = Caller()
    usual = caller.speak(15, Manner(syllable_windows=10)).arousal
    assert caller.speak(4, Manner(syllable_windows=5)).arousal > usual + 0.08


def test_what_is_usual_for_one_caller_excites_nobody_but_another():
    loud, soft = Caller(), Caller()
    loud.speak(12, EXCITED)
    soft.speak(12, CALM)
    assert abs(loud.speak(3, EXCITED).arousal) < 0.2
    assert soft.speak(3, EXCITED).arousal > 0.5


def test_a_voice_heard_for_a_second_tells_little():
    early, late = Caller(), Caller()
    early.speak(0.5)
    late.speak(12)
    assert abs(early.speak(0.5, EXCITED).arousal) < 0.1
    assert late.speak(0.5, EXCITED).arousal > abs(early.now().arousal)


def test_a_single_knock_excites_nobody():
    caller = Caller()
    before = caller.speak(12).arousal
    caller.window(-3.0, 480.0, is_speech=True)
    assert abs(caller.now().arousal - before) < 0.1


def test_sound_that_is_not_the_callers_speech_tells_nothing():
    caller, deaf = Caller(), Caller()
    for one in (caller, deaf):
        one.speak(8)
    for _ in range(40):
        caller.window(-10.0, 300.0, is_speech=False)
        deaf.window(SILENCE_DB, None, is_speech=False)
    assert caller.now() == deaf.now()


def test_the_voice_alone_is_never_surer_than_half():
    caller = Caller()
    caller.speak(12)
    for manner in (EXCITED, CALM):
        felt = caller.speak(6, manner)
        assert felt.emotion == "neutral"
        assert max(v for e, v in felt.confidences.items() if e != "neutral") <= 0.5


# --- face ---------------------------------------------------------------------------------------
def test_a_smile_is_seen_at_the_first_or_second_cue():
    caller = Caller()
    before = caller.look(0.0)
    broad = caller.look(0.9)
    assert broad.is_smiling
    assert broad.valence > before.valence + 0.2
    slight = Caller()
    slight.look(0.65)
    assert slight.look(0.65).is_smiling


def test_a_smile_that_wavers_stays_one_smile():
    caller = Caller()
    caller.look(0.8)
    seen = [caller.look(smile).is_smiling for smile in (0.8, 0.4, 0.6, 0.35, 0.5, 0.45)]
    assert all(seen)
    assert not [caller.look(0.0).is_smiling for _ in range(2)][-1]


def test_a_slight_doubt_is_no_smile():
    caller = Caller()
    assert not any(caller.look(0.4).is_smiling for _ in range(8))


def test_a_face_is_forgotten_when_the_camera_goes_off():
    caller = Caller()
    caller.look(0.9)
    assert caller.be_silent(0.5).has_face
    gone = caller.be_silent(2.5)
    assert not gone.has_face
    assert not gone.is_smiling
    assert gone.valence == 0.0


def test_without_a_face_nobody_smiles():
    assert not Caller().look(0.9, has_face=False).is_smiling


def test_eyes_long_closed_calm_and_a_blink_does_not():
    blink, asleep = Caller(), Caller()
    blink.look(0.0, eyes_closed=1.0)
    for _ in range(16):
        asleep.look(0.0, eyes_closed=1.0)
    assert blink.now().arousal == 0.0
    assert asleep.now().arousal < -0.1


# --- words --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("I got the job, I'm so happy", "happy"),
        ("my grandmother passed away last week", "sad"),
        ("I am fed up with him, it makes me furious", "angry"),
        ("I'm really scared of the surgery", "fear"),
        ("wow I can't believe it", "surprised"),
        ("that is disgusting", "disgusted"),
        ("he is so arrogant and pathetic", "contempt"),
        ("what time does the train leave", "neutral"),
        ("I can't wait for the holidays", "happy"),
        ("I can't stop crying", "sad"),
        ("I don't know I'm just sad", "sad"),
        ("I’m not happy", "sad"),
        ("I don't feel very happy at all", "sad"),
        ("I don't think I'm happy", "sad"),
        ("I couldn't be happier", "happy"),
        ("it's not only wonderful but exciting", "happy"),
        ("I was happy but now I'm scared", "fear"),
        ("I got a new scarf", "neutral"),
        ("", "neutral"),
    ],
)
def test_words_tell_the_emotion(text, emotion):
    assert said(text).emotion == emotion


@pytest.mark.parametrize("word", ["sad", "angry", "worried", "surprised"])
def test_a_denied_feeling_is_not_the_feeling(word):
    felt = said(f"I'm not {word}")
    assert felt.emotion in ("neutral", "happy")
    assert felt.valence >= 0.0
    assert said(f"I'm {word}").emotion not in ("neutral", "happy")


def test_very_says_more_and_a_bit_says_less():
    strengths = [said(f"I am {how} sad").confidences["sad"] for how in ("a bit", "", "very")]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == 3


def test_words_outweigh_the_face():
    caller = Caller()
    for _ in range(8):
        caller.look(1.0)
    felt = caller.say("my dog died and I'm heartbroken")
    assert felt.emotion == "sad"
    assert felt.valence < 0.0


def test_words_outweigh_the_voice():
    caller = Caller()
    caller.speak(12)
    caller.speak(4, EXCITED)
    assert caller.say("I'm so sad and lonely").emotion == "sad"


def test_an_excited_voice_turns_towards_what_the_words_say():
    glad, cross = Caller(), Caller()
    for caller in (glad, cross):
        caller.speak(12)
        caller.speak(4, EXCITED)
    happy = glad.say("it was nice").confidences
    angry = cross.say("it was awful").confidences
    assert happy["happy"] > happy["angry"]
    assert angry["angry"] > angry["happy"]


def test_repeated_partials_do_not_add_up():
    caller = Caller()
    once = caller.say("I am sad")
    for _ in range(20):
        assert caller.say("I am sad") == once


def test_a_wavering_recogniser_does_not_add_up():
    caller = Caller()
    once = caller.say("I am sad about it")
    for _ in range(20):
        caller.say("I am sad about")
        caller.say("I am sad about it")
    assert caller.now() == once


def test_partials_that_grow_end_where_the_whole_text_does():
    caller = Caller()
    text = "I was worried but now I am so happy"
    for end in range(1, len(text.split()) + 1):
        caller.say(" ".join(text.split()[:end]))
    assert caller.now() == said(text)


def test_a_new_utterance_takes_over_word_by_word():
    caller = Caller()
    sad = caller.say("I feel terribly sad and lonely about all of that").confidences["sad"]
    begun = caller.say("well").confidences["sad"]
    later = caller.say("well now to something else altogether").confidences["sad"]
    assert sad > begun > later > 0.0
    assert caller.say("well thanks to you I'm really very happy now").emotion == "happy"


def test_the_same_words_said_again_later_count_again():
    caller = Caller()
    first = caller.say("I am sad")
    faded = caller.be_silent(9).confidences["sad"]
    again = caller.say("I am sad").confidences["sad"]
    assert faded < 0.1
    assert again == pytest.approx(first.confidences["sad"], abs=0.05)


# --- together -----------------------------------------------------------------------------------
def everything(caller: Caller) -> list[Affect]:
    felt = [caller.now(), caller.be_silent(1), caller.speak(5), caller.look(0.7)]
    felt += [
        caller.say("I'm extremely happy and thrilled, wow, it's amazing, fantastic, I love it")
    ]
    felt += [caller.speak(4, EXCITED), caller.look(1.0), caller.look(1.0), caller.speak(3, EXCITED)]
    felt += [caller.say("oh no I hate it"), caller.speak(4, CALM), caller.be_silent(5)]
    return felt


def test_confidences_name_every_emotion_and_sum_to_1_and_are_modest():
    for felt in everything(Caller()):
        assert tuple(felt.confidences) == EMOTIONS
        assert sum(felt.confidences.values()) == pytest.approx(1.0)
        assert all(share >= 0.0 for share in felt.confidences.values())
        assert felt.confidences[felt.emotion] == max(felt.confidences.values())
        assert felt.emotion == "neutral" or felt.confidences[felt.emotion] <= 0.9
        assert -1.0 <= felt.valence <= 1.0
        assert -1.0 <= felt.arousal <= 1.0


def test_even_when_all_agree_nobody_is_certain():
    caller = Caller()
    caller.speak(12)
    caller.speak(5, EXCITED)
    for _ in range(8):
        caller.look(1.0)
    felt = caller.say("I'm so happy, so thrilled, I love it, wonderful, amazing, so excited")
    assert 0.8 < felt.confidences["happy"] <= 0.9


def test_the_same_timeline_gives_the_same_affect():
    assert everything(Caller()) == everything(Caller())


def test_asking_often_changes_nothing():
    asked, left = Caller(), Caller()
    for caller in (asked, left):
        caller.speak(8, EXCITED)
        caller.say("I'm worried")
        caller.look(0.6)
    for _ in range(50):
        asked.be_silent(0.064)
    assert asked.now() == left.be_silent(50 * 0.064)


def test_nothing_tells_nothing():
    felt = Caller().be_silent(5)
    assert all(map(math.isfinite, numbers(felt)))
    assert felt.emotion == "neutral"
    assert felt.valence == felt.arousal == 0.0
    assert (felt.turn, felt.pts) == (TURN, 156 * WINDOW_SAMPLES)


def test_speech_without_pitch_or_sound_gives_numbers():
    caller = Caller()
    for _ in range(200):
        caller.window(SILENCE_DB, None, is_speech=True)
    for _ in range(200):
        caller.window(-30.0, 120.0, is_speech=True)  # not a hair of spread
    assert all(map(math.isfinite, numbers(caller.now())))


def test_everything_fades_to_neutral_in_10_s_without_a_jump():
    caller = Caller()
    caller.speak(12)
    caller.speak(4, EXCITED)
    caller.look(0.9)
    caller.say("I'm so happy")
    felt = [caller.now()]
    felt += [caller.be_silent(0.25) for _ in range(44)]
    for before, after in pairwise(felt):
        assert abs(after.valence - before.valence) < 0.12
        assert abs(after.arousal - before.arousal) < 0.12
    assert felt[-1].emotion == "neutral"
    assert felt[-1].valence == pytest.approx(0.0, abs=1e-6)
    assert felt[-1].arousal == pytest.approx(0.0, abs=1e-6)


class Smiling(NoFace):
    """Sees a broad smile in every picture."""

    def push(self, image):
        return [FaceCue(has_face=True, is_smiling=0.9, eyes_closed=0.0)]


def test_without_a_microphone_what_was_typed_and_seen_fades_as_with_one():
    async def main(loop):
        engines = ScriptedEngines()
        engines.face_cues = Smiling()
        async with calling(loop, ScriptedReasoner(["Oh."]), engines=engines) as call:
            call.is_microphone_dead = True
            call.session.media_input.push_image_nowait(np.zeros((8, 8, 3), np.uint8))
            call.session.send_text("i am so furious and angry with my boss")
            await asyncio.sleep(1)
            shown = call.of(Affect)[-1]
            await asyncio.sleep(2)
            blind = call.of(Affect)[-1]
            await asyncio.sleep(9)
            return shown, blind, call.of(Affect)[-1]

    shown, blind, gone = run_virtual(main)
    assert (shown.emotion, shown.has_face) == ("angry", True)
    assert (blind.emotion, blind.has_face) == ("angry", False)
    assert (gone.emotion, gone.valence) == ("neutral", pytest.approx(0, abs=0.05))


# --- the voice, by a network --------------------------------------------------------------------
def sounding(probability: float, emotion: str) -> VoiceEmotionEstimate:
    """An estimate of one emotion; the rest is even."""
    rest = (1 - probability) / (len(VOICE_EMOTIONS) - 1)
    shares = tuple(probability if name == emotion else rest for name in VOICE_EMOTIONS)
    return VoiceEmotionEstimate(shares, is_final=False, knows_neutral=True)


def heard(probability: float, emotion: str, words: str = "") -> Affect:
    caller = Caller()
    caller.speak(3)
    caller.estimator.update_voice_emotion(sounding(probability, emotion))
    return caller.say(words) if words else caller.now()


@pytest.mark.parametrize("emotion", ["happy", "sad", "angry", "fear", "disgusted", "surprised"])
def test_a_clear_voice_names_the_emotion_and_a_doubtful_one_none(emotion):
    assert heard(0.85, emotion).emotion == emotion
    assert heard(0.85, emotion).confidences[emotion] <= 0.7
    assert heard(0.45, emotion).emotion == "neutral"


def test_a_calm_or_neutral_voice_is_no_feeling():
    for name in ("calm", "neutral"):
        assert heard(0.9, name).confidences["neutral"] == 1.0
        assert heard(0.9, name).valence == 0.0


def test_the_voice_tells_whether_it_is_pleasant():
    assert heard(0.85, "happy").valence > 0.2
    for name in ("sad", "angry", "fear", "disgusted"):
        assert heard(0.85, name).valence < -0.2


def test_clear_words_outweigh_what_the_voice_sounds_like():
    assert heard(0.9, "angry", "I'm so happy, it was wonderful, I love it").emotion == "happy"
    assert heard(0.9, "happy", "my dog died and I'm heartbroken").emotion == "sad"


def test_what_the_voice_sounded_like_fades():
    caller = Caller()
    caller.speak(3)
    caller.estimator.update_voice_emotion(sounding(0.9, "angry"))
    assert caller.be_silent(1).emotion == "angry"
    gone = caller.be_silent(10)
    assert gone.emotion == "neutral"
    assert gone.valence == pytest.approx(0.0, abs=1e-6)


def test_a_network_that_hears_nothing_clear_is_believed_before_mere_excitement():
    caller = Caller()
    caller.speak(12)
    excited = caller.speak(4, EXCITED).confidences["angry"]
    caller.estimator.update_voice_emotion(sounding(0.9, "neutral"))
    assert excited > 0.1
    assert caller.now().confidences["angry"] == 0.0
