"""Every stage of the network is a case that runs, over nano as torch runs it."""

import pytest

from rt_avatar.benchmarks.engines.case import Case, Flush
from rt_avatar.benchmarks.engines.inputs import CLAUSES, Options
from rt_avatar.benchmarks.engines.meter import measured_lookahead
from rt_avatar.benchmarks.engines.network_stage import Exports
from rt_avatar.benchmarks.engines.network_stages import SOUNDS_HZ, STAGES, speaking_rate
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.types import CHUNK_S
from tests.benchmarks.engines.test_benchmark import OF_THE_NETWORK
from tests.engines.empatheia.torch.shared import shared_engines

pytestmark = pytest.mark.networks

SOME = 8  # items of each
AHEAD = ("sound features", "motion by content", "motion by sound", "face")


class Made(Exports):
    """Nano, in no folder."""

    @property
    def manifest(self):
        return shared_engines().manifest

    def graph_cache(self, open_graph):
        return None

    def engines(self, graph_cache):
        return shared_engines()


EXPORTS = Made(None, "nano", Options(seconds=1.0))


def stages(*names: str):
    chosen = [stage for stage in STAGES if stage.name in names or not names]
    return pytest.mark.parametrize("stage", chosen, ids=lambda stage: stage.name)


@stages()
def test_a_stage_takes_what_it_is_fed_and_media_come_of_it(stage):
    items = list(stage.items(EXPORTS))
    ends = [item for item in items[SOME:] if isinstance(item, Flush)]
    stream = stage.build(shared_engines()).open()
    outs, media_s = [], 0.0
    for item in (*items[:SOME], *ends):
        made = stream.flush() if isinstance(item, Flush) else stream.push(item)
        outs += made
        if stage.seconds_of is not None:
            media_s += sum(stage.seconds_of(out) for out in made)
        elif not isinstance(item, Flush):
            media_s += stage.seconds_per_item
    stream.close()
    assert outs
    assert media_s > 0


def test_every_engine_of_the_network_is_a_stage():
    made = {type(stage.build(shared_engines())).__name__ for stage in STAGES}
    assert made >= OF_THE_NETWORK


def test_an_untrained_voice_is_made_to_speak_as_fast_as_people_read():
    engines = shared_engines()
    item = next(item for item in STAGES if item.name == "voice, whole").items(EXPORTS)[1]
    assert isinstance(item, VoiceRequest)
    assert item.text == CLAUSES[1]
    assert item.speed == pytest.approx(speaking_rate(engines))
    stream = engines.voice.open()
    seconds = CHUNK_S * len(stream.push(item) + stream.flush())
    letters = sum(letter.isalnum() for letter in item.text)
    assert letters / seconds == pytest.approx(SOUNDS_HZ, rel=0.4)


@stages(*AHEAD)
def test_a_stage_looks_as_far_ahead_as_it_declares(stage):
    engine = stage.build(shared_engines())
    case = Case(
        stage.name, stage.worker, stage.item, lambda: engine, list, stage.seconds_per_item,
        outputs_in=stage.outputs_in, split=stage.split,
    )  # fmt: skip
    assert measured_lookahead(case, engine, stage.items(EXPORTS)) == engine.spec.lookahead
