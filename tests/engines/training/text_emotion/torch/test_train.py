"""The network that is trained is the one that runs, and training goes on where it stopped."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.text_emotion.features import ngrams
from rt_avatar.engines.text_emotion.network import (
    SIZE,
    convolutional_scores,
    linear_scores,
    load_weights,
)
from rt_avatar.engines.training.text_emotion import train as train_module
from rt_avatar.engines.training.text_emotion.dialogues import LabelledDialogue
from rt_avatar.engines.training.text_emotion.linear import train_linear
from rt_avatar.engines.training.text_emotion.model import ConvolutionalClassifier, scores_of
from rt_avatar.engines.training.text_emotion.packing import pack, save
from rt_avatar.engines.training.text_emotion.train import Plan, to_ids, train

pytestmark = pytest.mark.networks

WORDS = ["my", "dog", "died", "we", "won", "today"]
VOCABULARY = {word: row for row, word in enumerate(WORDS)}
DIALOGUES = [
    LabelledDialogue(4, (["my", "dog", "died"],), (), ["dog", "died"], False),
    LabelledDialogue(18, (["we", "won", "today"],), (), ["won"], False),
] * 40


@pytest.fixture
def vectors() -> np.ndarray:
    return np.random.default_rng(0).normal(0, SIZE**-0.5, (len(WORDS), SIZE)).astype(np.float32)


def test_numpy_scores_as_torch_does_after_packing(tmp_path, vectors):
    torch.manual_seed(0)
    model = ConvolutionalClassifier(vectors)
    linear = train_linear([one.turns[0] for one in DIALOGUES], [one.label for one in DIALOGUES])
    path = tmp_path / "weights.npz"
    save(path, pack(linear, model, WORDS, [1.0, 1.0, 0.5]))
    weights = load_weights(path)
    texts = [["won"], ["my", "cat", "died"], ["we", "won", "today", "my", "dog"] * 3]
    theirs = scores_of(model, [to_ids(text, VOCABULARY) for text in texts])
    ours = np.array([convolutional_scores(weights, text) for text in texts])
    assert np.abs(ours - theirs).max() < 0.02 * np.abs(theirs).max()
    ours = np.array([linear_scores(weights, ngrams(text)) for text in texts])
    np.testing.assert_allclose(ours, linear.scores(texts), atol=0.01)


def test_training_goes_on_where_it_stopped(tmp_path, vectors, monkeypatch):
    def run(name: str) -> ConvolutionalClassifier:
        return train(DIALOGUES, DIALOGUES[:2], VOCABULARY, vectors, Plan(2, 1, tmp_path / name))

    def stop(*arguments: object) -> None:
        save_checkpoint(*arguments)
        raise KeyboardInterrupt

    whole = run("whole.pt")
    save_checkpoint = train_module.save_epoch
    with monkeypatch.context() as patch:
        patch.setattr(train_module, "save_epoch", stop)
        with pytest.raises(KeyboardInterrupt):
            run("stopped.pt")
    resumed = run("stopped.pt")
    for one, two in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, two)


def test_a_loss_that_is_no_number_stops_and_keeps_the_checkpoint(tmp_path, vectors):
    plan = Plan(1, 1, tmp_path / "checkpoint.pt")
    with pytest.raises(FloatingPointError, match="expected a finite loss"):
        train(DIALOGUES, DIALOGUES, VOCABULARY, vectors * np.nan, plan)
    assert not plan.checkpoint.exists()
