"""The contract of every engine (engines.contract), over the stages of the one graph."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

from rt_avatar.engines.contract import Engine
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.types import MOTION_SIZE
from tests.engines.empatheia.torch import live
from tests.engines.empatheia.torch.made import picture, sound
from tests.engines.streamed import same, whole

pytestmark = pytest.mark.networks


@dataclass(frozen=True)
class Case:
    """An engine of the graph, and inputs for its size of it, other ones for another seed.

    ``rows``: the input is an array whose rows may be pushed in any portions.
    ``measured``: outputs that a chunk and the look-ahead give, and one row less does not.
    """

    name: str
    find: Callable[[object], Engine]
    items: Callable[..., list]
    rows: bool = False
    measured: int = 0


def rows(count: int, size: str) -> Callable[..., list]:
    def make(engines, seed: int) -> list[np.ndarray]:
        shape = count, getattr(engines.manifest, size)
        return [np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)]

    return make


def sayings(engines, seed: int) -> list[VoiceRequest]:
    shape = 1, engines.manifest.voice_style_size
    style = np.random.default_rng(seed).normal(0, 0.5, shape).astype(np.float32)
    return [VoiceRequest(text, style, speed=2.0, index=n) for n, text in enumerate(("so,", "oh."))]


def motions(_engines, seed: int) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    return list(dice.normal(0, 0.3, (4, MOTION_SIZE)).astype(np.float32))


def of_any_size(items: Callable[[int], list]) -> Callable[..., list]:
    return lambda _engines, seed: items(seed)


CASES = (
    Case(
        "speech_encoder",
        lambda e: e.speech_encoders[24],
        lambda _, seed: [sound(2.3, seed)],
        rows=True,
    ),
    Case(
        "vision_encoder",
        lambda e: e.vision_encoders[1],
        lambda _, seed: [picture(seed), picture(seed + 5)],
    ),
    Case(
        "features", lambda e: e.features, lambda _, seed: [sound(0.9, seed)], rows=True, measured=1
    ),
    Case("voice", lambda e: e.voice, sayings),
    Case("contents", lambda e: e.content_motion, rows(23, "content_size"), rows=True, measured=5),
    Case("sounds", lambda e: e.sound_motion, rows(46, "feature_size"), rows=True, measured=5),
    Case("face", lambda e: e.face(2), motions),
    Case("voice of a call", live.voice, of_any_size(live.requests)),
    Case("motion of a call by contents", live.motion, of_any_size(live.meaning_chunks)),
    Case("motion of a call by sound", live.motion, of_any_size(live.sounding_chunks)),
    Case("face of a call", live.face, motions),
    Case("presence of a call", live.presence, of_any_size(live.moments)),
)


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request, engines) -> tuple[Case, Engine]:
    kind = request.param
    return replace(kind, items=partial(kind.items, engines)), kind.find(engines)


def only(wanted: Callable[[Case], object]):
    """Run a test over some of the cases."""
    chosen = [kind for kind in CASES if wanted(kind)]
    return pytest.mark.parametrize("case", chosen, ids=lambda kind: kind.name, indirect=True)


def test_it_declares_its_times(case):
    _, engine = case
    assert engine.spec.name
    assert engine.spec.input_rate_hz > 0
    assert engine.spec.chunk >= 1
    assert engine.spec.lookahead >= 0


def test_the_same_input_gives_the_same_output_and_others_do_not(case):
    kind, engine = case
    engine.warmup()
    first = whole(engine.open(), kind.items(1))
    assert first
    assert same(first, whole(engine.open(), kind.items(1)))
    if "face" not in kind.name:  # an untrained renderer does not move
        assert not same(first, whole(engine.open(), kind.items(2)))


@only(lambda kind: kind.rows)
@pytest.mark.parametrize("size", [1, 7, 1600])
def test_any_chunking_gives_the_same_bits(case, size):
    kind, engine = case
    (item,) = kind.items(1)
    step = max(size, len(item) // 200)  # sample by sample would take minutes
    pieces = [item[first : first + step] for first in range(0, len(item), step)]
    assert same(whole(engine.open(), pieces), whole(engine.open(), [item]))


def test_reset_equals_fresh(case):
    kind, engine = case
    stream = engine.open()
    for item in kind.items(2):
        stream.push(item)
    stream.reset()
    assert same(whole(stream, kind.items(1)), whole(engine.open(), kind.items(1)))


def test_two_streams_do_not_leak_into_each_other(case):
    kind, engine = case
    one, other = engine.open(), engine.open()
    mixed = []
    for item, disturbing in zip(kind.items(1), kind.items(2), strict=True):
        mixed += one.push(item)
        other.push(disturbing)
    assert same(mixed + one.flush(), whole(engine.open(), kind.items(1)))


def test_flush_drains_and_close_may_be_called_twice(case):
    kind, engine = case
    stream = engine.open()
    whole(stream, kind.items(1))
    assert stream.flush() == []
    stream.close()
    stream.close()


@only(lambda kind: kind.measured)
def test_the_declared_look_ahead_is_the_measured_one(case):
    kind, engine = case
    (item,) = kind.items(1)
    for chunks in (1, 2):
        enough = chunks * engine.spec.chunk + engine.spec.lookahead
        assert len(engine.open().push(item[:enough])) == chunks * kind.measured
        assert len(engine.open().push(item[: enough - 1])) == (chunks - 1) * kind.measured


@pytest.mark.parametrize("lookahead", [0, 2, 4, 8, 13])
def test_the_face_waits_for_as_many_frames_as_it_declares(engines, lookahead):
    engine = engines.face(lookahead)
    stream = engine.open()
    moved = [motion for seed in range(5) for motion in motions(engines, seed)]
    got = [len(stream.push(motion)) for motion in moved]
    assert got == [0] * engine.spec.lookahead + [1] * (len(got) - engine.spec.lookahead)
    assert len(stream.flush()) == engine.spec.lookahead == lookahead
