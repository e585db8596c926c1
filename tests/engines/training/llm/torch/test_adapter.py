"""An adapter of a small model of the official kind: learnt, stopped, imported, merged."""

import re
from dataclasses import replace
from functools import partial

import pytest
import torch
from safetensors.torch import save_file

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints import sha256
from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.export_files import makeshift_tokens
from rt_avatar.engines.networks.lazy_weights import lazy_state
from rt_avatar.engines.networks.llm import published
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.lora import LoraOptions, add_lora
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.training.course import Progress
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.llm.avamerg import read_part
from rt_avatar.engines.training.llm.base import CONTEXT, imported_base, read_base
from rt_avatar.engines.training.llm.dataset import DatasetOptions, load_dataset
from rt_avatar.engines.training.llm.examples import Writer
from rt_avatar.engines.training.llm.perplexity import held_out, measure
from rt_avatar.engines.training.llm.samples import answer_first_turns
from rt_avatar.engines.training.llm.stage import StageOptions, run
from rt_avatar.engines.training.llm.train import LanguageLesson, token_losses
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.weights import Origin
from tests.engines.networks import small_empatheia
from tests.engines.training.llm.made_up import write_avamerg, write_data

pytestmark = [pytest.mark.networks, pytest.mark.filterwarnings("ignore")]
WORDS = 1024
CONFIG = replace(small_empatheia.SIZES_SMALL.llm, vocabulary=WORDS + 32, first_signal=WORDS)
SIZES_SMALL = replace(small_empatheia.SIZES_SMALL, llm=CONFIG)
TABLES = ("model.embed_tokens.weight", "lm_head.weight")


@pytest.fixture(scope="module", autouse=True)
def small():
    """The official sizes, for this file: few numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "empatheia", SIZES_SMALL)
        patch.setattr(published, "VICUNA_7B", CONFIG)
        patch.setenv("COLUMNS", "200")
        yield


def import_base(folder, config=CONFIG):
    """Write a base as it is published and import it; return the folder of imported weights."""
    torch.manual_seed(1)
    state = Llama(config).model.state_dict()
    state = {key: value[:WORDS] if key in TABLES else value for key, value in state.items()}
    # A head that tells words apart: of its own beginning little could be learnt by attention alone.
    state["lm_head.weight"] = 0.5 * torch.randn(state["lm_head.weight"].shape)
    (folder / "published").mkdir(parents=True)
    save_file(state, folder / "published/model-00001-of-00001.safetensors")
    assert bring("vicuna-7b", folder / "published", folder / "models") == 0
    return folder / "models"


def bring(name, source, models):
    return main(["models", "import", name, str(source), "--folder", str(models)])


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Folders of data and of imported weights, and a tokenizer."""
    folder = tmp_path_factory.mktemp("adapter")
    makeshift_tokens(CONFIG).save(folder / "llama.json")
    return write_data(folder / "data"), import_base(folder), folder / "llama.json"


@pytest.fixture
def options(places, tmp_path):
    data, models, tokenizer = places
    base = imported_base(models, tokenizer)
    return StageOptions(
        data, tmp_path / "out", None, steps=6, batch=1024, rate=2e-2, report_every=2, base=base
    )


def words(places, out, *more):
    data, models, tokenizer = places
    named = {"--data": data, "--models": models, "--tokenizer": tokenizer, "--out": out}
    given = [str(word) for pair in named.items() for word in pair]
    return ["train", "empatheia", "--stage", "coe", *given, *more]


def test_what_is_learnt_is_imported_and_merged_as_it_was_trained(
    places, tmp_path, capfd, monkeypatch
):
    data, models, tokenizer = places
    out, weights = tmp_path / "out", models / "vicuna-7b.safetensors"
    before = sha256(weights)
    monkeypatch.setattr(
        "rt_avatar.engines.training.llm.stage.StageOptions", partial(StageOptions, report_every=10)
    )
    asked = words(places, out, "--steps", "40", "--rate", "0.02", "--batch", "1024")
    assert main(asked) == 0
    said = capfd.readouterr().out
    assert f"rt-avatar models import vicuna-7b-lora {out}" in said
    assert sha256(weights) == before
    rows = read_curve(out / "coe.csv")
    losses = [float(row["loss"]) for row in rows]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.9 * losses[0]
    assert {row["phase"] for row in rows} == {"chain"}  # it knows its language
    card = (out / "MODEL_CARD.md").read_text(encoding="utf-8")
    for told in (
        "# An adapter of vicuna-7b",
        "CC BY-NC 4.0",
        "Llama 2 Community License",
        before,
        "rt-avatar train empatheia --stage coe --data FOLDER --models FOLDER --tokenizer FILE "
        "--steps 40",
    ):
        assert told in card
    assert (out / "samples.md").read_text(encoding="utf-8").count("- reply: ") == 4
    assert (out / "coe.png").read_bytes().startswith(b"\x89PNG")
    # Neither the checkpoint nor anything else holds the base.
    assert max(file.stat().st_size for file in out.iterdir()) < weights.stat().st_size

    both = tmp_path / "both"
    both.mkdir()
    for file in models.glob("vicuna-7b.*"):
        (both / file.name).symlink_to(file)
    assert bring("vicuna-7b-lora", out, both) == 0
    (embed, extend), fill = make_graphs(NETWORKS["llm"], Origin(models=both))  # as an export does
    assert set(fill.digests) == {"vicuna-7b", "vicuna-7b-lora"}
    TorchRuntime(embed)
    merged = extend.module.llama
    plain = read_base(imported_base(models, tokenizer), torch.device("cpu"), torch.float32)
    writer = Writer(
        Tokens.load(tokenizer),
        TEMPLATES["vicuna_v1.5_empathy"],
        NOTATIONS["ordinal"],
        CONTEXT,
    )
    judged = held_out(writer, [one.turns for one in read_part(data, "valid")])
    found, base = measure(merged, judged), measure(plain, judged)
    told = re.search(r"perplexity \*\*(.*)\*\* a word.*without the adapter (.*)\.$", card, re.M)
    assert [float(value) for value in told.groups()] == [
        pytest.approx(found.words, rel=1e-4), pytest.approx(base.words, rel=1e-4),
    ]  # fmt: skip
    assert found.words < 0.1 * base.words


def test_an_adapter_that_was_stopped_comes_to_the_same_bits(options, tmp_path):
    whole = run(options)
    other = replace(options, out=tmp_path / "stopped")
    assert run(replace(other, stop=3)) is None
    resumed = run(replace(other, is_resumed=True))
    assert resumed.weights.read_bytes() == whole.weights.read_bytes()
    assert (resumed.perplexity, resumed.base) == (whole.perplexity, whole.base)
    losses = [float(row["loss"]) for row in read_curve(other.out / "coe.csv")]
    assert losses[-1] < losses[0]


def test_avamergs_own_layout_is_learnt_from(options, tmp_path):
    result = run(replace(options, data=write_avamerg(tmp_path / "avamerg"), steps=2))
    assert result.weights.is_file()
    card = (options.out / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "AvaMERG (texts of EmpatheticDialogues)" in card


def gradients(options, out):
    """Return the first batch's loss and gradients, without dropout."""
    torch.manual_seed(1)
    model = read_base(options.base, torch.device("cpu"), torch.float32)
    adapter = add_lora(model, LoraOptions(dropout=0.0))
    data = DatasetOptions(
        model.config.vocabulary, CONTEXT, None, options.base.template, "ordinal", given="llama"
    )
    Tokens.load(options.base.tokenizer).save(out / "tokenizer.json")
    dataset, plan = load_dataset(options.data, out, data), Plan(out, steps=1, batch=2048)
    lesson, progress = LanguageLesson(model, dataset, plan, lambda _: 0.0, adapter), Progress()
    total, parts = 0.0, 0
    for loss, _ in lesson.losses("chain", 0, progress):
        loss.backward()
        total, parts = total + loss.item(), parts + 1
    found = {name: one.grad for name, one in adapter.named_parameters() if one.requires_grad}
    return total, parts, found


def test_a_batch_in_parts_has_the_loss_and_gradients_of_the_whole(options, tmp_path, monkeypatch):
    monkeypatch.setattr("rt_avatar.engines.training.llm.train.uses_bfloat16", lambda _: False)
    whole, one, wanted = gradients(options, tmp_path)
    monkeypatch.setattr("rt_avatar.engines.training.llm.train._AT_ONCE", 1)
    total, parts, found = gradients(options, tmp_path)
    assert (one, total) == (1, pytest.approx(whole, rel=1e-5))
    assert parts > 1
    assert any(value.abs().max() > 1e-3 for value in wanted.values())
    for name, value in wanted.items():
        torch.testing.assert_close(found[name], value, atol=1e-6, rtol=1e-3, msg=name)


def test_half_the_bits_learn_answer_and_keep_what_is_learnt_whole(options):
    """As on a GPU: weights in bfloat16, activations made anew on the way back."""
    model = read_base(options.base, torch.device("cpu"), torch.bfloat16)
    model.model.gradient_checkpointing_enable({"use_reentrant": False})
    adapter = add_lora(model)
    model.train()
    learnt = {name: value for name, value in adapter.named_parameters() if value.requires_grad}
    assert {value.dtype for value in learnt.values()} == {torch.float32}
    assert {buffer.dtype for buffer in model.buffers()} == {torch.float32}
    ids = torch.arange(1, 65)[None]
    with torch.autocast("cpu", torch.bfloat16):
        token_losses(model, ids, torch.ones_like(ids, dtype=torch.bool)).sum().backward()
    assert all(value.grad is not None for value in learnt.values())
    tokens = Tokens.load(options.base.tokenizer)
    valid = read_part(options.data, "valid")[:1]
    template, notation = TEMPLATES[options.base.template], NOTATIONS[options.base.notation]
    (sample,) = answer_first_turns(model, tokens, template, notation, valid)
    assert sample.said == valid[0].turns[0].text
    judged = held_out(Writer(tokens, template, notation, CONTEXT), [valid[0].turns])
    narrow, wide = (
        measure(read_base(options.base, torch.device("cpu"), dtype), judged).words
        for dtype in (torch.bfloat16, torch.float32)
    )
    assert narrow == pytest.approx(wide, rel=0.05)


def test_a_loss_that_is_no_number_keeps_the_checkpoint(options):
    run(replace(options, stop=3))
    before = (options.out / "llm.pt").read_bytes()
    broken = dict(options.base.weights)
    broken["model.norm.weight"] = lazy_state({"": torch.full((CONFIG.width,), float("nan"))})[""]
    base = replace(options.base, weights=broken)
    with pytest.raises(FloatingPointError, match=r"finite loss.*--resume and a lower --rate"):
        run(replace(options, base=base, is_resumed=True))
    assert (options.out / "llm.pt").read_bytes() == before


def test_a_checkpoint_of_another_base_or_tokenizer_is_not_gone_on_from(options, tmp_path):
    run(replace(options, stop=1))
    other = replace(options.base, digest="0" * 64)
    wanted = r"expected a checkpoint of an adapter of vicuna-7b, sha256 0{12}.*got another's\. Give"
    with pytest.raises(ValueError, match=wanted):
        run(replace(options, base=other, is_resumed=True))
    text = options.base.tokenizer.read_text(encoding="utf-8")
    (tmp_path / "other.json").write_text(text + "\n", encoding="utf-8")
    other = replace(options.base, tokenizer=tmp_path / "other.json")
    with pytest.raises(ValueError, match="with this tokenizer; got another's"):
        run(replace(options, base=other, is_resumed=True))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--stage", "style"], "expected --stage coe; got style. content, style and overall"),
        (["--layers", "2", "--start", "x"], "expected no --layers, --start; the language model"),
        (["--models", "nowhere"], "rt-avatar models import vicuna-7b FILE"),
        (["--tokenizer", "nowhere"], "expected a tokenizer.json at nowhere"),
    ],
)
def test_the_command_says_what_was_expected_and_how_to_mend_it(places, tmp_path, capfd, more, told):
    assert main([*words(places, tmp_path), "--steps", "1", *more]) == 2
    assert told in capfd.readouterr().err


def test_a_base_or_a_tokenizer_of_other_sizes_is_refused(places, tmp_path, capfd, monkeypatch):
    wider = replace(CONFIG, width=32)
    with monkeypatch.context() as patch:
        patch.setattr(published, "VICUNA_7B", wider)
        models = import_base(tmp_path, wider)
    assert main([*words(places, tmp_path), "--steps", "1", "--models", str(models)]) == 2
    assert "(expected 1024x24, got 1024x32)" in capfd.readouterr().err
    makeshift_tokens(replace(CONFIG, vocabulary=544, first_signal=512)).save(
        tmp_path / "short.json"
    )
    given = ["--steps", "1", "--tokenizer", str(tmp_path / "short.json")]
    assert main([*words(places, tmp_path), *given]) == 2
    assert "with the signal tokens from 1024 on; got 544, from 512 on" in capfd.readouterr().err
    assert main(["train", "empatheia", "--stage", "coe", "--data", str(tmp_path)]) == 2
    assert "expected --tokenizer FILE" in capfd.readouterr().err


def test_a_gpu_without_room_is_told_in_one_line(places, tmp_path, capfd, monkeypatch):
    def run_out(*_):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 8 GiB.")

    monkeypatch.setattr("rt_avatar.engines.training.llm.stage.follow", run_out)
    assert main(words(places, tmp_path, "--steps", "1")) == 2
    told = capfd.readouterr().err
    assert "expected room on the GPU; got CUDA out of memory. Tried to allocate 8 GiB." in told
    assert "Take a smaller --batch" in told
