"""A published encoder is read as its library reads it, learns, and runs as it was trained."""

import json
import logging

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel

from rt_avatar.engines.text_encoder import EncoderHead, Splitter, TextEncoder, framed
from rt_avatar.engines.text_encoder.pieces import BEGIN, END, UNKNOWN
from rt_avatar.engines.training.text_encoder import tuning
from rt_avatar.engines.training.text_encoder.export import export_lower, export_pieces, export_upper
from rt_avatar.engines.training.text_encoder.model import begin_from, read_checkpoint
from rt_avatar.engines.training.text_encoder.tuning import Labelled, Plan, label_loss, padded, tune
from rt_avatar.engines.training.text_encoder.vocabulary import used_pieces

pytestmark = pytest.mark.networks

WORDS = (
    "the", "soup", "was", "good", "fire", "help", "##ing", "burn", "##s", "'", "i", "want", "end",
    "my", "life", "not", "breathing", "he", "she", "is", "film",
)  # fmt: skip
PIECES = tuple(dict.fromkeys(("[PAD]", UNKNOWN, BEGIN, END, *"abc", "##a", *WORDS)))
TEXTS = [(["the", "soup", "was", "good"], 0), (["help", "fire", "burns"], 1)] * 24


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Files of a small encoder with random weights, and the library's own."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=384, num_hidden_layers=2, num_attention_heads=12,
        intermediate_size=1536, max_position_embeddings=128,
    )  # fmt: skip
    bert = BertModel(config, add_pooling_layer=False).eval()
    folder = tmp_path_factory.mktemp("published")
    save_file(bert.state_dict(), folder / "model.safetensors")
    vocab = {piece: row for row, piece in enumerate(PIECES)}
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocab}}))
    return folder, bert


@torch.no_grad()
def test_it_reads_as_the_published_one_does(published):
    folder, bert = published
    model = begin_from(read_checkpoint(folder), PIECES, layers=2, outputs=3).eval()
    rows, lengths = padded([[2, 8, 9, 3], [2, 10, 3]])
    is_there = torch.arange(rows.shape[1]) < lengths[:, None]
    said = bert(input_ids=rows, attention_mask=is_there.long()).last_hidden_state
    wanted = torch.stack([said[0].mean(0), said[1, :3].mean(0)])
    assert torch.allclose(
        model.upper(model.lower(model.vectors(rows), is_there), is_there), wanted, atol=1e-5
    )


def test_words_are_cut_as_the_published_tokenizer_cuts_them():
    rows = {piece: row for row, piece in enumerate(PIECES)}
    theirs = BertWordPieceTokenizer(rows, unk_token=UNKNOWN)
    words = ["helping", "burns", "soup's", "cab", "aa", "zoo", "good"]
    found = theirs.encode(" ".join(words), add_special_tokens=False).ids
    assert Splitter(PIECES).rows_of(words) == found


def test_what_it_learnt_is_what_the_files_say(published, tmp_path):
    torch.manual_seed(0)  # of the head
    checkpoint = read_checkpoint(published[0])
    kept = used_pieces(PIECES, ["the soup was good"] * 3 + ["helping fire burns"] * 3)
    assert {"soup", "##ing", "##s", UNKNOWN, BEGIN, END, "##a"} <= {*kept}
    model = begin_from(checkpoint, kept, layers=1, outputs=2)
    splitter = Splitter(kept)
    texts = [Labelled(framed(splitter, words), label) for words, label in TEXTS]
    plan = Plan(tmp_path / "state.pt", epochs=25, batch=8, rate=3e-4)
    tune(model, texts, label_loss, plan)
    export_pieces(model, tmp_path / "pieces.npz")
    export_lower(model, tmp_path / "lower.onnx")
    export_upper(model, tmp_path / "upper.onnx")
    encoder, head = TextEncoder(tmp_path), EncoderHead(tmp_path / "upper.onnx", 2)
    for words, label in TEXTS[:2]:
        with torch.no_grad():
            trained = model(*padded([framed(splitter, words)]))[0].numpy()
        scores = head.scores(encoder.read(words))
        assert scores.argmax() == label
        assert np.abs(scores - trained).max() < 0.1 * np.ptp(trained)  # eight bits


def test_it_goes_on_after_the_last_epoch_that_ended(published, tmp_path, caplog, monkeypatch):
    checkpoint = read_checkpoint(published[0])
    texts = [Labelled((2, 8, 3), 0), Labelled((2, 9, 3), 1)] * 8
    whole, parted = (begin_from(checkpoint, PIECES, layers=1, outputs=2) for _ in range(2))
    parted.load_state_dict(whole.state_dict())
    tune(whole, texts, label_loss, Plan(tmp_path / "whole.pt", epochs=2, batch=4))

    class Stopped(Exception):
        pass

    def stop(checkpoint, epoch, *parts):
        save(checkpoint, epoch, *parts)
        raise Stopped

    save = tuning.save_epoch
    monkeypatch.setattr(tuning, "save_epoch", stop)
    plan = Plan(tmp_path / "parted.pt", epochs=2, batch=4)
    with pytest.raises(Stopped):
        tune(parted, texts, label_loss, plan)
    monkeypatch.setattr(tuning, "save_epoch", save)
    again = begin_from(checkpoint, PIECES, layers=1, outputs=2)
    with caplog.at_level(logging.INFO):
        tune(again, texts, label_loss, plan)
    assert "going on after epoch 1" in caplog.text
    for name, value in whole.state_dict().items():
        assert torch.allclose(again.state_dict()[name], value, atol=1e-6), name


@pytest.mark.parametrize(
    ("texts", "plan"),
    [
        ([Labelled((2, 8, 3), 0)], {}),  # fewer
        ([Labelled((2, 8, 3), 1), Labelled((2, 9, 3), 1)], {}),  # one with another label
        (None, {"seed": 7}),
    ],
)
def test_what_was_learnt_of_other_texts_is_not_gone_on_with(published, tmp_path, texts, plan):
    model = begin_from(read_checkpoint(published[0]), PIECES, layers=1, outputs=2)
    known = [Labelled((2, 8, 3), 0), Labelled((2, 9, 3), 1)]
    tune(model, known, label_loss, Plan(tmp_path / "state.pt", epochs=1))
    with pytest.raises(ValueError, match=r"state\.pt: expected .* same texts .*--checkpoint"):
        tune(model, texts or known, label_loss, Plan(tmp_path / "state.pt", epochs=1, **plan))
    tune(model, known, label_loss, Plan(tmp_path / "state.pt", epochs=2))


def test_a_loss_that_is_no_number_stops_with_what_to_do(published, tmp_path):
    model = begin_from(read_checkpoint(published[0]), PIECES, layers=1, outputs=2)
    model.head.bias.data.fill_(torch.nan)
    with pytest.raises(FloatingPointError, match=r"finite loss, got nan in epoch 0; .*--seed"):
        tune(model, [Labelled((2, 8, 3), 0)], label_loss, Plan(tmp_path / "state.pt"))


def test_files_that_are_none_of_it_are_named(published, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"model\.safetensors.*hf download"):
        read_checkpoint(tmp_path)
    for file in published[0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"a": 0}}}))
    with pytest.raises(ValueError, match=r"vectors of 1 × 384; got \(\d+, 384\)"):
        read_checkpoint(tmp_path)
