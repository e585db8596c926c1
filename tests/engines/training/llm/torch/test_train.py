"""How long each part of a language model's course is."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.training.course import Progress, step_of
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.llm.dataset import Dataset, Replies, Stream
from rt_avatar.engines.training.llm.stage import config_of
from rt_avatar.engines.training.llm.train import LanguageLesson
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint

pytestmark = pytest.mark.networks

EXAMPLES, LENGTH, BATCH = 40, 16, 64  # ten batches are an epoch


@pytest.fixture
def lesson(tmp_path):
    def make(streams=True, figures=(), **length):
        ids = np.arange(EXAMPLES * LENGTH, dtype=np.uint16) % 4000 + 50
        ends = LENGTH * np.arange(1, EXAMPLES + 1, dtype=np.int64)
        stream = Stream(ids, np.array([0]))
        dataset = Dataset(
            None,
            dict.fromkeys(("felt", "open", "books"), stream) if streams else {},
            Replies(ids, np.ones(len(ids), bool), ends),
        )
        measured = iter(figures)
        plan = Plan(tmp_path, batch=BATCH, context=LENGTH, **length)
        return LanguageLesson(Llama(config_of(1, 128)), dataset, plan, lambda _: next(measured))

    return make


def test_a_short_course_is_a_chain_for_two_fifths(lesson):
    of = lesson(steps=50)
    phases = [of.phase(step / 50, step) for step in range(50)]
    assert phases == ["pretraining"] * 30 + ["chain"] * 20


def test_a_long_course_reads_no_reply_more_than_three_times(lesson):
    of = lesson(steps=1000)
    phases = [of.phase(step / 1000, step) for step in range(1000)]
    assert phases == ["pretraining"] * 970 + ["chain"] * 30


@pytest.mark.parametrize(("step", "phase"), [(50, "chain"), (1000, "pretraining")])
def test_by_the_clock_the_pace_tells(lesson, step, phase):
    assert lesson(minutes=1.0).phase(0.7, step) == phase


def test_a_chain_that_has_begun_goes_on(lesson):
    of = lesson(minutes=1.0)
    assert of.phase(0.7, 50) == "chain"
    next(of.losses("chain", 50, Progress(seconds=42.0)))
    assert of.phase(0.7, 1000) == "chain"


def test_without_anything_to_read_it_is_a_chain_from_the_first_step(lesson):
    assert lesson(streams=False, minutes=1.0).phase(0.0, 0) == "chain"
    assert lesson(minutes=1.0).phase(0.0, 0) == "pretraining"


def test_the_best_weights_of_the_chain_are_kept_and_outlive_a_stop(lesson):
    of = lesson(steps=10, figures=(1.0, 3.0, 2.0, 4.0))
    weights = of.network.model.model.norm.weight

    def measure_at(value):
        with torch.no_grad():
            weights.fill_(value)
        of.measure()

    measure_at(0.1)  # the best figure, but of pretraining
    next(of.losses("chain", 6, Progress()))
    for value in (0.3, 0.2):
        measure_at(value)
    kept = of.parts["best"].state_dict()
    with torch.no_grad():
        weights.fill_(0.4)
    of.end()
    assert (weights == 0.2).all()
    again = lesson(steps=10, figures=(5.0,))
    again.parts["best"].load_state_dict(kept)
    next(again.losses("chain", 9, Progress()))
    again.end()
    assert (again.network.model.model.norm.weight == 0.2).all()


def test_the_last_weights_are_offered_where_the_course_was_over_already(lesson):
    of = lesson(steps=10, figures=(3.0, 1.0))
    next(of.losses("chain", 6, Progress()))
    of.measure()
    again = lesson(steps=10, figures=(1.0,))
    for name, part in of.parts.items():
        again.parts[name].load_state_dict(part.state_dict())
    weights = again.network.model.model.norm.weight
    with torch.no_grad():
        weights.fill_(0.4)
    again.end()  # nothing is left to learn before it
    assert (weights == 0.4).all()


def test_an_epoch_that_was_cut_into_more_batches_gives_way_to_the_next(lesson):
    of, progress = lesson(steps=10), Progress(batch=EXAMPLES)
    next(of.losses("chain", 6, progress))
    assert (progress.epoch, progress.batch) == (1, 1)


def test_a_checkpoint_of_a_version_that_kept_less_is_refused_with_what_it_lacks(lesson, tmp_path):
    parts = lesson(steps=10).parts
    older = {name: part for name, part in parts.items() if name != "best"}
    save_checkpoint(tmp_path / "llm.pt", 3, older)
    with pytest.raises(ValueError, match="got none of best: another version wrote it"):
        load_checkpoint(tmp_path / "llm.pt", parts)
    assert load_checkpoint(tmp_path / "none.pt", parts) == 0


@pytest.mark.parametrize("kept", [0.0, 0.5, None])
def test_a_damaged_checkpoint_is_refused_with_what_to_do(lesson, tmp_path, kept):
    parts, path = lesson(steps=10).parts, tmp_path / "llm.pt"
    save_checkpoint(path, 3, parts)
    whole = path.read_bytes()
    path.write_bytes(b"junk\n" if kept is None else whole[: int(kept * len(whole))])
    for read in (step_of, lambda damaged: load_checkpoint(damaged, parts)):
        with pytest.raises(ValueError, match=r"llm\.pt: expected a whole checkpoint; got .+ copy"):
            read(path)
