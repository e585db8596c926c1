"""The face that lives: blinks, nods, mirrors, and never jumps."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest

from rt_avatar.engines.motion.blink import State
from rt_avatar.engines.motion.crossfade import MAX_ANGLE
from rt_avatar.engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.types import (
    BLENDSHAPE,
    EMOTIONS,
    EXPRESSION_SIZE,
    FPS,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    YAW,
    FaceStyle,
    Motion,
    MotionFrame,
)

pytestmark = pytest.mark.unit

CALM = CallerCue(False, False, 0.0, 0.0, False, False)
PAUSE = CallerCue(False, True, 0.0, 0.0, False, True)
MINUTES = 5
LONG = MINUTES * 60 * FPS


def moment(
    state: State = "listening",
    caller: CallerCue = CALM,
    speech: MotionFrame | None = None,
    style: FaceStyle | None = None,
) -> PresenceInput:
    return PresenceInput(state, speech, style or FaceStyle(), caller)


def live(moments: Sequence[PresenceInput], seed: int = 1) -> Motion:
    stream = PresenceEngine().open(seed)
    return np.stack([frame for item in moments for frame in stream.push(item)])


@cache
def live_long(state: State, seed: int = 1) -> Motion:
    """Five undisturbed minutes."""
    return live([moment(state)] * LONG, seed)


def shape(motion: Motion, name: str) -> np.ndarray:
    if name in BLENDSHAPE:
        return motion[:, BLENDSHAPE[name]]
    return (motion[:, BLENDSHAPE[name + "Left"]] + motion[:, BLENDSHAPE[name + "Right"]]) / 2


def blinks(motion: Motion) -> list[tuple[int, int]]:
    """(first frame, frames) of every stretch in which the lids are not open."""
    closed = shape(motion, "eyeBlink") > 0.02
    closed[-10:] = False  # one that the end would cut
    edges = np.flatnonzero(np.diff(np.r_[False, closed].astype(int)))
    return [
        (int(first), int(end - first)) for first, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def talking(index: int, jaw: float = 0.6) -> MotionFrame:
    frame = np.zeros(MOTION_SIZE, np.float32)
    frame[BLENDSHAPE["jawOpen"]] = jaw * (0.5 + 0.5 * np.sin(index * 1.1))
    frame[BLENDSHAPE["mouthLowerDownLeft"]] = frame[BLENDSHAPE["mouthLowerDownRight"]] = 0.3
    return frame


def random_moments(seed: int, count: int) -> list[PresenceInput]:
    """Everything that can happen, at any time, with speech that is pure noise."""
    rng = np.random.default_rng(seed)
    states: list[State] = ["listening", "thinking", "speaking"]
    state: State = "listening"
    caller, style, speaks = CALM, FaceStyle(), False
    moments = []
    for _ in range(count):
        if rng.random() < 0.05:
            state = states[rng.integers(3)]
        if rng.random() < 0.08:
            speaks = not speaks
        if rng.random() < 0.05:
            style = FaceStyle(EMOTIONS[rng.integers(8)], float(rng.random() * 1.3))
        if rng.random() < 0.1:
            x, y, valence, arousal = (float(v) for v in rng.uniform(-1.5, 1.5, 4))
            caller = CallerCue(
                bool(rng.random() < 0.5),
                bool(rng.random() < 0.3),
                valence,
                arousal,
                bool(rng.random() < 0.3),
                True,
                x,
                y,
            )
        speech = rng.uniform(-0.3, 1.3, MOTION_SIZE).astype(np.float32) if speaks else None
        moments.append(PresenceInput(state, speech, style, caller))
    return moments


@pytest.mark.parametrize("seed", range(5))
def test_nothing_jumps_whatever_comes(seed: int):
    motion = live(random_moments(seed, 800), seed)
    assert np.isfinite(motion).all()
    assert motion[:, :EXPRESSION_SIZE].min() >= 0.0
    assert motion[:, :EXPRESSION_SIZE].max() <= 1.0
    assert np.abs(motion[:, PITCH:]).max() <= MAX_ANGLE + 1e-6
    assert (np.abs(np.diff(motion, axis=0)).max(axis=0) <= ARKIT52.steps + 1e-5).all()


@pytest.mark.parametrize("jaw", [0.2, 0.6, 1.0])
@pytest.mark.parametrize("spoken", [1, 2, 3, 17, 40])
def test_barge_in_shuts_the_mouth_within_three_frames_but_not_at_once(jaw: float, spoken: int):
    speech = [moment("speaking", speech=talking(1, jaw)) for _ in range(spoken)]
    motion = live([moment()] * 5 + speech + [moment("listening")] * 10)
    cut = 5 + spoken
    for name in ("jawOpen", "mouthLowerDown"):
        opening = shape(motion, name)
        assert opening[cut - 1] > 0.04
        assert opening[cut] > 0.3 * opening[cut - 1]
        assert opening[cut + 2 :].max() < 0.01


def test_speech_comes_through_unchanged_once_it_runs():
    frames = [talking(index) for index in range(50)]
    motion = live([moment()] * 10 + [moment("speaking", speech=frame) for frame in frames])
    said = np.stack(frames)
    for name in ("jawOpen", "mouthLowerDownLeft", "mouthSmileLeft", "browInnerUp"):
        row = BLENDSHAPE[name]
        np.testing.assert_allclose(motion[16:, row], said[6:, row], atol=1e-6)


def test_gestures_of_speech_move_the_head():
    still = np.zeros(MOTION_SIZE, np.float32)
    nodding = still.copy()
    nodding[PITCH] = 0.05
    plain = live([moment("speaking", speech=still)] * 40)
    nods = live([moment("speaking", speech=nodding)] * 40)
    np.testing.assert_allclose(nods[10:, PITCH] - plain[10:, PITCH], 0.05, atol=1e-6)


@pytest.mark.parametrize(("state", "least", "most"), [("listening", 12, 20), ("speaking", 15, 26)])
@pytest.mark.parametrize("seed", [1, 2])
def test_blinks_come_as_often_and_last_as_long_as_a_persons(
    state: State, least: float, most: float, seed: int
):
    found = blinks(live_long(state, seed))
    assert least <= len(found) / MINUTES <= most
    # A blink seen is three or four frames; two in a row with no open frame between do not occur.
    assert {frames for _, frames in found} <= {3, 4}
    gaps_s = np.diff([first for first, _ in found]) / FPS
    assert gaps_s.std() > 1.0
    assert gaps_s.max() < 15


def test_lids_fall_faster_than_they_rise():
    motion = live_long("listening")
    lids = shape(motion, "eyeBlink")
    for first, frames in blinks(motion):
        closed = int(np.argmax(lids[first : first + frames]))
        assert lids[first + closed] == pytest.approx(1.0)
        assert closed == 1
        assert lids[first] < lids[first + 2]


def test_blinks_gather_at_the_callers_pauses():
    caller = CallerCue(True, False, 0.0, 0.0, False, True)
    moments = [moment(caller=PAUSE if index % 80 == 60 else caller) for index in range(LONG)]
    starts = np.array([first for first, _ in blinks(live(moments))])
    at_pause = ((starts - 60) % 80 < 4).mean()
    assert at_pause > 2.5 * 4 / 80
    assert 12 <= len(starts) / MINUTES <= 20


@pytest.mark.parametrize("seed", range(8))
def test_a_nod_starts_within_200_ms_of_a_pause_and_ends(seed: int):
    caller = CallerCue(True, False, 0.0, 0.0, False, True)
    before, after = [moment(caller=caller)] * 40, [moment(caller=caller)] * 60
    nod = live([*before, moment(caller=PAUSE), *after], seed)[:, PITCH]
    plain = live([*before, moment(caller=caller), *after], seed)[:, PITCH]
    extra = nod - plain
    assert np.abs(extra[:40]).max() < 1e-6
    assert extra[40:46].max() > 0.02  # frames 40..45 show the first 200 ms
    assert extra.max() > 0.06
    assert np.abs(extra[75:]).max() < 0.012


def test_there_is_no_nod_while_speaking():
    still = np.zeros(MOTION_SIZE, np.float32)
    said = [moment("speaking", PAUSE, still)] * 30
    plain = [moment("speaking", CALM, still)] * 30
    np.testing.assert_allclose(live(said)[:, PITCH], live(plain)[:, PITCH], atol=1e-6)


@pytest.mark.parametrize(
    ("cue", "name", "least"),
    [
        (CallerCue(True, False, 0.8, 0.3, True, True), "mouthSmile", 0.5),
        (CallerCue(True, False, 0.8, 0.3, True, True), "cheekSquint", 0.3),
        (CallerCue(True, False, -0.8, -0.2, False, True), "browInnerUp", 0.5),
    ],
)
def test_affect_is_mirrored_within_300_ms(cue: CallerCue, name: str, least: float):
    motion = live([moment()] * 40 + [moment(caller=cue)] * 60)
    plain = live([moment()] * 100)
    answer = shape(motion, name) - shape(plain, name)
    settled = shape(motion, name)[80:].mean()
    assert settled > least
    final = answer[80:].mean()
    assert answer[39 + 8] >= 0.3 * final  # the eighth frame shows 280-320 ms
    assert np.abs(answer[:40]).max() < 1e-6


def test_distress_is_answered_with_concern_not_with_distress():
    cue = CallerCue(True, False, -0.9, 0.6, False, True)
    settled = live([moment(caller=cue)] * 100)[60:]
    assert shape(settled, "browInnerUp").mean() > 0.5
    assert shape(settled, "mouthFrown").max() < 0.2
    assert shape(settled, "mouthSmile").max() < 0.25
    assert np.median(shape(settled, "eyeBlink")) < 0.1


def test_a_listener_looks_at_the_caller_and_a_thinker_away():
    def away_share(state: State) -> float:
        motion = live_long(state)
        # Where the eyes look in the room: their turn in the head plus the head's own.
        across = shape(motion, "eyeLookOutLeft") - shape(motion, "eyeLookInLeft")
        up = shape(motion, "eyeLookUp") - shape(motion, "eyeLookDown")
        per_rad = 180 / np.pi / 25
        look = np.hypot(across + motion[:, YAW] * per_rad, up - motion[:, PITCH] * per_rad)
        return float((look > 0.12).mean())

    assert away_share("listening") < 0.15
    assert 0.5 < away_share("thinking") < 0.95
    assert away_share("speaking") < 0.3


def test_both_eyes_look_the_same_way():
    motion = live(random_moments(3, 500))
    np.testing.assert_allclose(
        shape(motion, "eyeLookOutLeft"), shape(motion, "eyeLookInRight"), atol=1e-6
    )
    np.testing.assert_allclose(
        shape(motion, "eyeLookInLeft"), shape(motion, "eyeLookOutRight"), atol=1e-6
    )


def test_the_eyes_counter_a_turn_of_the_head():
    turned = np.zeros(MOTION_SIZE, np.float32)
    turned[YAW] = 0.15
    plain = live([moment("speaking", speech=np.zeros(MOTION_SIZE, np.float32))] * 40)
    motion = live([moment("speaking", speech=turned)] * 40)
    across = [shape(m, "eyeLookOutLeft") - shape(m, "eyeLookInLeft") for m in (plain, motion)]
    shift = (across[1] - across[0])[20:]
    np.testing.assert_allclose(shift, -0.15 * 180 / np.pi / 25, atol=0.01)


def test_the_look_follows_the_caller():
    right = CallerCue(True, False, 0.0, 0.0, False, True, 1.0, 0.0)
    across = shape(live([moment(caller=right)] * 100), "eyeLookOutLeft")
    plain = shape(live([moment()] * 100), "eyeLookOutLeft")
    assert across[50:].mean() > plain[50:].mean() + 0.1


def test_it_breathes_about_fourteen_times_a_minute():
    shift = live_long("listening")[:, SHIFT_Y]
    rises = np.flatnonzero((shift[1:] < 0) & (shift[:-1] >= 0))
    assert 12 <= len(rises) / MINUTES <= 16
    assert 0.004 < np.ptp(shift) < 0.03


@pytest.mark.parametrize("state", ["listening", "thinking", "speaking"])
def test_the_face_is_never_frozen(state: State):
    motion = live_long(state)
    changes = np.abs(np.diff(motion, axis=0)).max(axis=1)
    assert (changes > 1e-5).all()
    assert np.ptp(motion[:, YAW]) > 0.015
    assert np.ptp(motion[:, ROLL]) > 0.008
    assert np.abs(motion[:, SHIFT_X]).max() < 0.05


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_a_silent_mouth_is_shut_in_every_emotion(emotion: str):
    style = next(FaceStyle(e, 1.0) for e in EMOTIONS if e == emotion)
    motion = live([moment(state, style=style) for state in ("listening", "thinking")] * 200)
    for name in ("jawOpen", "mouthFunnel", "mouthLowerDown", "mouthUpperUp", "tongueOut"):
        assert shape(motion, name).max() < 1e-6


def test_states_look_different():
    faces = {
        state: live([moment(state)] * 200)[50:].mean(axis=0)
        for state in ("listening", "thinking", "speaking")
    }
    assert np.abs(faces["listening"] - faces["thinking"]).max() > 0.12
    assert np.abs(faces["listening"] - faces["speaking"]).max() > 0.04
    assert faces["listening"][ROLL] < -0.02  # a tilted head listens


def test_same_seed_same_life_other_seed_other_life():
    moments = random_moments(5, 300)
    np.testing.assert_array_equal(live(moments, 7), live(moments, 7))
    assert np.abs(live(moments, 7) - live(moments, 8)).max() > 0.1


def test_reset_equals_fresh_and_streams_do_not_leak():
    moments, others = random_moments(1, 200), random_moments(2, 200)
    engine = PresenceEngine()
    used, other = engine.open(4), engine.open(9)
    for item in others:
        used.push(item)
    used.reset()
    told = []
    for item, noise in zip(moments, others, strict=True):
        told += used.push(item)
        other.push(noise)
    assert used.flush() == []
    np.testing.assert_array_equal(np.stack(told), live(moments, 4))


def _with_speech(value: float, size: int = MOTION_SIZE) -> PresenceInput:
    return moment(speech=np.full(size, value, np.float32))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: _with_speech(0.0, 72), "73"),
        (lambda: _with_speech(float("nan")), "finite"),
        (lambda: moment(style=FaceStyle("happy", float("inf"))), "intensity"),
        (lambda: moment(caller=CallerCue(False, False, float("nan"), 0, False, False)), "cues"),
    ],
)
def test_wrong_input_is_refused_and_changes_nothing(make: Callable[[], PresenceInput], says: str):
    moments = [moment()] * 30
    stream = PresenceEngine().open(1)
    told = []
    for index, item in enumerate(moments):
        if index == 10:
            with pytest.raises(ValueError, match=says):
                stream.push(make())
        told += stream.push(item)
    np.testing.assert_array_equal(np.stack(told), live(moments))
    stream.close()
    stream.close()
    with pytest.raises(RuntimeError, match="closed"):
        stream.push(moments[0])


def test_the_declared_rates_are_the_measured_ones():
    engine = PresenceEngine()
    engine.warmup()
    spec = engine.spec
    assert (spec.name, spec.input_rate_hz, spec.output_rate_hz) == ("presence", FPS, FPS)
    assert spec.lookahead == 0
    (frame,) = engine.open().push(moment())
    assert frame.shape == (MOTION_SIZE,)
    assert frame.dtype == np.float32
