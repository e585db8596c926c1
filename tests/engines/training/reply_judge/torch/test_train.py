"""The network that judges replies: what it learns in torch is what numpy computes."""

import numpy as np
import pytest

from rt_avatar.engines.reply_judge.network import FEATURES, MEMBERS, SHAPES, ReplyJudge
from rt_avatar.engines.reply_ranker.network import OUTPUT
from rt_avatar.engines.training.reply_judge.train import Judgements, probabilities, train

pytestmark = pytest.mark.networks


@pytest.fixture(scope="module")
def judgements() -> Judgements:
    """Replies that fit where their first feature says so."""
    dice = np.random.default_rng(1)
    features = np.zeros((400, FEATURES), np.float32)
    features[:, 0] = dice.normal(size=400)
    directions = np.zeros((2, 400, OUTPUT), np.float32)
    labels = np.digitize(features[:, 0], (-0.5, 0.5))
    return Judgements(features, *directions, labels)


def test_what_was_judged_is_learnt(judgements):
    learnt = judgements.part(np.arange(300))
    kept_out = judgements.part(np.arange(300, 400))
    found = probabilities(train(learnt, 20, 1), kept_out)
    assert (found.argmax(1) == kept_out.labels).mean() > 0.6  # by chance .4


def test_the_same_seed_learns_the_same(judgements):
    first, second = (probabilities(train(judgements, 2, 3), judgements) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_numpy_computes_what_torch_does(judgements, tmp_path):
    model = train(judgements, 2, 1)
    one = model.export()
    path = tmp_path / "weights.npz"
    np.savez(path, **{name: np.stack([one[name]] * MEMBERS) for name in SHAPES})
    judge = ReplyJudge(path)
    theirs = probabilities(model, judgements)
    for at in (0, 7):
        few = judgements.part(np.array([at]))
        ours = judge.probabilities(few.features, few.contexts[0], few.replies)
        np.testing.assert_allclose(ours[0], theirs[at], atol=1e-5)


def test_a_loss_that_is_no_number_stops_with_what_to_do(judgements):
    broken = Judgements(
        np.full_like(judgements.features, np.nan),
        judgements.contexts, judgements.replies, judgements.labels,
    )  # fmt: skip
    with pytest.raises(FloatingPointError, match="--seed"):
        train(broken, 1, 1)
