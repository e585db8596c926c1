"""The contract of every engine (engines.contract) over the official kinds, on onnxruntime."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from rt_avatar.engines.contract import Engine
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.types import MOTION_SIZE
from tests.engines.networks.small_empatheia import SIZES_SMALL
from tests.engines.streamed import same, whole

pytestmark = pytest.mark.networks
STYLE = 2 * SIZES_SMALL.voice.style


def noise(*shape: int) -> Callable[[int], list[np.ndarray]]:
    def make(seed: int) -> list[np.ndarray]:
        return [np.random.default_rng(seed).normal(0, 0.3, shape).astype(np.float32)]

    return make


def sayings(seed: int) -> list[VoiceRequest]:
    style = np.random.default_rng(seed).normal(0, 0.5, (1, STYLE)).astype(np.float32)
    return [
        VoiceRequest(text, style, speed=2.0, index=n) for n, text in enumerate(("so well,", "oh."))
    ]


def pictures(seed: int) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    return list(dice.integers(0, 255, (2, 40, 48, 3), dtype=np.uint8))


@dataclass(frozen=True)
class Case:
    """An engine, and inputs for it by seed.

    ``rows``: the input is an array whose rows may be pushed in any portions.
    ``measured``: outputs that a chunk and the look-ahead give, and one row less does not.
    """

    name: str
    find: Callable[[object], Engine]
    items: Callable[[int], list]
    rows: bool = False
    measured: int = 0


CASES = (
    Case("speech_encoder", lambda e: e.speech_encoders[24], noise(36_800), rows=True),
    Case("vision_encoder", lambda e: e.vision_encoders[1], pictures),
    Case("features", lambda e: e.features, noise(14_400), rows=True, measured=1),
    Case("voice", lambda e: e.voice, sayings),
    Case("contents", lambda e: e.content_motion, noise(23, 16), rows=True, measured=5),
    Case("sounds", lambda e: e.sound_motion, noise(46, 32), rows=True, measured=5),
    *(
        Case(f"face {ahead}", lambda e, ahead=ahead: e.face(ahead), noise(30, MOTION_SIZE))
        for ahead in (0, 13)
    ),
)


def items_of(kind: Case, seed: int) -> list:
    """Inputs as they are pushed: the face takes frames one by one."""
    made = kind.items(seed)
    return list(made[0]) if kind.name.startswith("face") else made


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request, small_engines) -> tuple[Case, Engine]:
    return request.param, request.param.find(small_engines)


def only(wanted: Callable[[Case], object]):
    """Run a test over some of the cases."""
    chosen = [kind for kind in CASES if wanted(kind)]
    return pytest.mark.parametrize("case", chosen, ids=lambda kind: kind.name, indirect=True)


def test_the_same_input_gives_the_same_output_and_others_do_not(case):
    kind, engine = case
    engine.warmup()
    first = whole(engine.open(), items_of(kind, 1))
    assert first
    assert same(first, whole(engine.open(), items_of(kind, 1)))
    assert not same(first, whole(engine.open(), items_of(kind, 2)))


@only(lambda kind: kind.rows)
def test_any_chunking_gives_the_same_bits(case):
    kind, engine = case
    (item,) = kind.items(1)
    expected = whole(engine.open(), [item])
    for size in (7, 1600):
        step = max(size, len(item) // 200)
        pieces = [item[first : first + step] for first in range(0, len(item), step)]
        assert same(whole(engine.open(), pieces), expected)


def test_reset_equals_fresh_and_flush_drains(case):
    kind, engine = case
    stream, fresh = engine.open(), whole(engine.open(), items_of(kind, 1))
    for item in items_of(kind, 2):
        stream.push(item)
    stream.reset()
    assert same(whole(stream, items_of(kind, 1)), fresh)
    assert stream.flush() == []
    stream.close()
    stream.close()


def test_two_streams_do_not_leak_into_each_other(case):
    kind, engine = case
    one, other = engine.open(), engine.open()
    mixed = []
    for item, disturbing in zip(items_of(kind, 1), items_of(kind, 2), strict=True):
        mixed += one.push(item)
        other.push(disturbing)
    assert same(mixed + one.flush(), whole(engine.open(), items_of(kind, 1)))


@only(lambda kind: kind.measured)
def test_the_declared_look_ahead_is_the_measured_one(case):
    kind, engine = case
    (item,) = kind.items(1)
    for chunks in (1, 2):
        enough = chunks * engine.spec.chunk + engine.spec.lookahead
        assert len(engine.open().push(item[:enough])) == chunks * kind.measured
        assert len(engine.open().push(item[: enough - 1])) == (chunks - 1) * kind.measured


@pytest.mark.parametrize("lookahead", [0, 2, 4, 8, 13])
def test_the_face_waits_for_as_many_frames_as_it_declares(small_engines, lookahead):
    motions = list(noise(30, MOTION_SIZE)(3)[0])
    engine = small_engines.face(lookahead)
    stream = engine.open()
    got = [len(stream.push(motion)) for motion in motions]
    assert got == [0] * lookahead + [1] * (len(motions) - lookahead)
    assert len(stream.flush()) == engine.spec.lookahead == lookahead
