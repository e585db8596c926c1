"""The network that is trained is the network that runs, and training goes on where it stopped."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.g2p.network import LETTERS, SLOTS, LetterToSound, load_weights, save_weights
from rt_avatar.engines.training.g2p.dictionary import split
from rt_avatar.engines.training.g2p.model import PADDING, Speller, export
from rt_avatar.engines.training.g2p.train import Plan, _batches, train

pytestmark = pytest.mark.networks

ENTRIES = {
    "".join(letters): (tuple(["B", "AA1", "D", "IY0"]),)
    for letters in zip("abcdefghijk" * 20, "lmnopqrst" * 25, "uvwxyzabcd" * 22, strict=False)
}


def test_numpy_and_torch_agree_in_batches_of_different_lengths():
    torch.manual_seed(1)
    model = Speller(0.1).eval()
    for name in ("told", "0_distance", "1_distance"):  # zero at the beginning
        model.weights[name].data.normal_()
    network = LetterToSound(export(model))
    edge = len(LETTERS)
    words = [[edge, 0, 4, 26, edge], [edge, *range(20), edge], [edge, 7, edge]]
    batch = torch.full((3, 22), PADDING)
    for row, word in enumerate(words):
        batch[row, : len(word)] = torch.tensor(word)
    with torch.no_grad():
        scores, _ = model(batch)
    for row, word in enumerate(words):
        theirs = scores[row, : len(word) - 2].flatten(0, 1).numpy()
        ours = network.scores(word[1:-1])
        assert ours.shape == ((len(word) - 2) * SLOTS, theirs.shape[1])
        np.testing.assert_allclose(ours, theirs, atol=2e-5)


def test_eight_bits_change_scores_by_little(tmp_path):
    torch.manual_seed(1)
    weights = export(Speller(0.1))
    save_weights(tmp_path / "weights.npz", weights)
    stored = load_weights(tmp_path / "weights.npz")
    before = LetterToSound(weights).scores([1, 2, 3])
    after = LetterToSound(stored).scores([1, 2, 3])
    assert np.abs(after - before).max() < 0.05 * np.abs(before).max()


def test_a_file_of_another_network_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", letters=np.zeros((3, 3), np.float32))
    with pytest.raises(ValueError, match=r"got no 0\.attention"):
        load_weights(tmp_path / "other.npz")


def test_training_learns_and_goes_on_from_its_checkpoint(tmp_path):
    parts = split(ENTRIES)
    checkpoint = tmp_path / "checkpoint.pt"
    train(parts, Plan(steps=2, seed=1, checkpoint=checkpoint))
    assert torch.load(checkpoint, weights_only=True)["step"] == 2
    train(parts, Plan(steps=3, seed=1, checkpoint=checkpoint))
    assert torch.load(checkpoint, weights_only=True)["step"] == 3


def test_a_checkpoint_of_another_dictionary_is_refused(tmp_path):
    checkpoint = tmp_path / "checkpoint.pt"
    train(split(ENTRIES), Plan(steps=1, seed=1, checkpoint=checkpoint))
    newer = split(ENTRIES | {"bad": (("B", "AE1", "D"),), "bead": (("B", "IY1", "D"),)})
    with pytest.raises(ValueError, match=r"checkpoint\.pt: expected a training of the same"):
        train(newer, Plan(steps=1, seed=1, checkpoint=checkpoint))


def test_the_longest_words_have_their_turn():
    """What was over after whole batches was always the same."""
    examples = [([0] * length, [[length]]) for length in (5,) * 192 + (9,) * 10]
    batches = _batches(examples, 1, 0)
    seen = {word[0][0] for _ in range(4) for _, word in next(batches)}
    assert seen == {5, 9}
    assert len(next(batches)) == 192
