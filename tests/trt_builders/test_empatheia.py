"""The export of the official kinds, by its commands: export, proof, reading, answers, films."""

import json
import shutil
import wave
from dataclasses import replace
from itertools import product

import av
import numpy as np
import pytest
import torch

from rt_avatar.commands.cli import main
from rt_avatar.engines.empatheia.answer import stream
from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance
from rt_avatar.engines.empatheia.export_manifest import ExportError, read_export_manifest
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.answer import Replied
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.networks.llm.lora import add_lora, load_lora
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import EMOTIONS, VoiceStyle
from tests.engines.empatheia.offline import gather, infer
from tests.engines.networks import small_empatheia
from tests.engines.networks.llm.tiny import read_llama
from tests.engines.networks.small_empatheia import SIZES_SMALL

pytestmark = [pytest.mark.networks, pytest.mark.filterwarnings("ignore::UserWarning:peft")]

SHORT = EmpatheiaOptions(chain_tokens=3, reply_tokens=4, temperature=1.0, speed=2.0)
PUBLISHED = (
    "hubert-large", "clip-large", "wav2vec2-large", "vicuna-7b", "vicuna-7b-lora",
    "styletts2-libritts", "dreamtalk", "pirenderer",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def small():
    """The sizes of ``empatheia``, for this file: few numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "empatheia", SIZES_SMALL)
        patch.setenv("COLUMNS", "200")
        yield


@pytest.fixture
def places(small_export):
    """Folder of exported engines, and the words that name the weights."""
    return small_export


@pytest.fixture
def engines(small_engines):
    return small_engines


def test_an_export_that_breaks_off_is_not_taken_for_a_whole_one(places, tmp_path, capfd):
    folder = shutil.copytree(places[0], tmp_path / "engines")
    last = SIZES_SMALL.networks["pirender"]
    shutil.rmtree(folder / last)
    (folder / last).write_text("no folder")  # what comes before is written anew, with other weights
    words = ["engines", "export", "empatheia", "--random", "--folder", str(folder)]
    assert main(words) == 2
    with pytest.raises(ExportError, match="expected the exported engines 'empatheia', got none"):
        read_export_manifest(folder, "empatheia")


def sound(seconds: float, seed: int, rate_hz: int = 16_000) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return dice.normal(0, 0.1, int(seconds * rate_hz)).astype(np.float32)


def picture(seed: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (size, size, 3), dtype=np.uint8)


ASKED = Dialogue(
    (
        Utterance("user", "My dog ran away.", sound(0.6, 0)),
        Utterance("avatar", "Oh no! Since when?"),
        Utterance("user", "This morning.", sound(1.1, 1), (picture(1, 40), picture(2, 40))),
    ),
    portrait=picture(3, SIZES_SMALL.face_px),
    voice=sound(1.0, 5, 24_000),
    style_clip=np.random.default_rng(6).normal(0, 0.3, (50, 64)).astype(np.float32),
)


def test_the_export_tells_what_its_weights_are(places):
    manifest, constants = read_export_manifest(places[0], "empatheia")
    assert manifest.is_trained
    assert set(manifest.weights.split(", ")) == {*PUBLISHED, "trained here"}
    assert (manifest.template, manifest.notation) == ("vicuna_v1.5_empathy", "ordinal")
    assert (manifest.voice, manifest.renderer) == ("libritts", "pirender")
    assert manifest.steps == (901, 501, 1)
    assert constants.generator.layout.columns == 300
    assert constants.bank_voice.shape == (len(EMOTIONS), manifest.voice_style_size)
    assert constants.bank_voice.std() > 0.3  # the given one, not the random one
    voice = small_empatheia.styletts2(SIZES_SMALL.voice).decoder.generator.m_source.l_linear
    np.testing.assert_allclose(constants.generator.weight, voice.weight.detach().flatten())


def test_only_what_answering_needs_is_exported(places):
    folder, _ = places
    manifest, _ = read_export_manifest(folder, "empatheia")
    found = {file.stem for file in folder.glob("*/*.onnx")}
    assert found == set(manifest.graphs)
    assert {"encoders_lips", "styletts2_window", "pirender_frame", "llm_extend"} <= found
    assert "styletts2_whole" not in found


def test_every_exported_graph_says_what_torch_says(places, capfd):
    assert main(["engines", "verify", "empatheia", *places[1]]) == 0
    assert ", 0 wrong" in capfd.readouterr().out


def test_the_lips_have_ears_of_their_own(places):
    folder, _ = places
    manifest, _ = read_export_manifest(folder, "empatheia")
    wave = sound(0.5, 3)[None]
    for name, seed in (("encoders_speech", 1), ("encoders_lips", 2)):
        with torch.inference_mode():
            wanted = small_empatheia.ear(seed)(torch.from_numpy(wave)).numpy()
        made = OnnxRuntime(manifest.file(folder, name)).run({"wave": wave})["features"]
        np.testing.assert_allclose(made, wanted, atol=1e-4)
    assert manifest.lips == "encoders_lips"


def test_the_exported_language_model_is_the_base_with_its_adapter(engines):
    reference, base = (read_llama(SIZES_SMALL.llm, small_empatheia.base_state()) for _ in range(2))
    wrapped = add_lora(reference)
    load_lora(wrapped, small_empatheia.adapter_state())
    reference.eval()
    ids = [1, 20, 4000, SIZES_SMALL.llm.first_signal + 3, 9]
    given = torch.tensor([ids])
    with torch.inference_mode():
        wanted, plain = (
            model.extend(model.embed(given), torch.ones(given.shape)).logits[0].numpy()
            for model in (reference, base)
        )
    language = engines.language
    made = language.read(language.embed(ids)).logits
    np.testing.assert_allclose(made, wanted, atol=1e-3)
    assert np.abs(wanted - plain).max() > 0.1
    stepped = language.step(ids[3:], language.read(language.embed(ids[:3]))).logits
    np.testing.assert_allclose(stepped, wanted, atol=1e-3)


@pytest.mark.parametrize(
    "options",
    [
        SHORT,
        replace(SHORT, coe="paper", style_source="reference", lookahead_frames=8),
        replace(SHORT, content_source="generator", style_source="bank", lookahead_frames=13),
        replace(SHORT, coe="off", lookahead_frames=0),
        replace(SHORT, style_source="diffusion"),
        replace(SHORT, pipeline=True, lookahead_frames=4),
    ],
)
def test_streamed_and_stage_by_stage_give_the_same_answer(engines, options):
    whole = infer(engines, ASKED, options)
    parts = gather(stream(engines, ASKED, options), SIZES_SMALL.face_px)
    assert (whole.reply, whole.chain) == (parts.reply, parts.chain)
    assert len(whole.chunks) == len(parts.chunks) > 0
    assert np.array_equal(whole.styles.voice, parts.styles.voice)
    assert np.array_equal(whole.pcm, parts.pcm)
    assert np.isfinite(whole.pcm).all()
    assert whole.pcm.std() > 0
    np.testing.assert_allclose(whole.motion, parts.motion, rtol=0, atol=1e-3)
    assert np.abs(whole.frames.astype(int) - parts.frames).max() <= 1


COMBINATIONS = list(
    product(
        ("prethink", "paper", "off"), ("cs", "generator"), ("sd", "diffusion", "bank", "reference")
    )
)


@pytest.fixture(scope="module")
def answers(small_engines):
    """An answer for every combination of the choices."""
    return {
        (coe, content, style): infer(
            small_engines,
            ASKED,
            replace(SHORT, coe=coe, content_source=content, style_source=style),
        )
        for coe, content, style in COMBINATIONS
    }


@pytest.mark.parametrize("combination", COMBINATIONS, ids=" ".join)
def test_a_choice_changes_what_it_is_about_and_nothing_before(engines, answers, combination):
    coe, content, style = combination
    made, plain = answers[combination], answers[(coe, "cs", "sd")]
    assert made.reply == plain.reply  # words come before contents and styles
    for order in {"prethink", "paper", "off"} - {coe}:  # the signal tokens stand elsewhere
        other = answers[(order, content, style)].signals
        assert different(made.signals.speech, other.speech)
        assert different(made.signals.video, other.video)
    if coe == "off":
        assert made.chain == Chain()
    assert bool(made.styles.classes) == (style in ("sd", "diffusion"))
    if style == "bank":
        assert np.array_equal(made.styles.voice, engines.banked(made.chain).voice)
    if style == "reference":
        assert np.array_equal(made.styles.voice, engines.referred(ASKED).voice)
        assert np.array_equal(made.styles.voice, answers[("prethink", "cs", style)].styles.voice)
    if style == "diffusion":
        assert np.array_equal(made.styles.voice, plain.styles.voice)  # it is the reference
        assert different(made.pcm, plain.pcm)
    elif style != "sd":
        assert not np.array_equal(made.styles.voice, plain.styles.voice)
        assert different(made.pcm, plain.pcm)
        assert different(made.motion, plain.motion)
    other = answers[(coe, "generator" if content == "cs" else "cs", style)]
    assert np.array_equal(made.styles.face, other.styles.face)
    assert different(made.pcm, other.pcm)
    assert different(made.motion, other.motion)


def test_in_a_call_too_a_style_is_drawn_for_each_clause(engines):
    requests = [SpeechRequest("so so", VoiceStyle(), index) for index in range(2)]
    spoken = {}
    for source in ("sd", "diffusion"):
        stream = LiveVoice(engines, LiveStyles(engines), replace(SHORT, style_source=source)).open()
        chunks = [chunk for each in requests for chunk in stream.push(each)] + stream.flush()
        spoken[source] = np.concatenate([chunk.pcm for chunk in chunks])
    assert different(spoken["sd"], spoken["diffusion"])
    assert np.isfinite(spoken["diffusion"]).all()


def different(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape != other.shape or not np.allclose(one, other, atol=1e-4)


def test_the_baseline_is_text_alone_with_styles_of_the_bank(engines):
    deaf = Dialogue(
        tuple(Utterance(each.role, each.text) for each in ASKED.utterances), ASKED.portrait
    )
    by_words = infer(engines, deaf, replace(SHORT, content_source="generator", style_source="bank"))
    baseline = infer(engines, ASKED, replace(SHORT, pipeline=True))
    assert baseline.reply == by_words.reply
    assert np.array_equal(baseline.pcm, by_words.pcm)
    assert np.array_equal(baseline.motion, by_words.motion)


def test_the_published_order_thinks_of_styles_behind_the_words(engines):
    said = [type(e) for e in stream(engines, ASKED, replace(SHORT, coe="paper"))]
    early = [type(e) for e in stream(engines, ASKED, SHORT)]
    names = [kind.__name__ for kind in said]
    assert names.index("Styles") > len(names) - names[::-1].index("Replied") - 1
    assert [k.__name__ for k in early].index("Styles") < early.index(Replied)


@pytest.mark.parametrize(
    "words",
    [
        ("--coe", "paper", "--content-source", "cs", "--style-source", "sd"),
        ("--coe", "off", "--content-source", "generator", "--style-source", "reference"),
        ("--coe", "prethink", "--style-source", "bank"),
        ("--style-source", "diffusion"),
        ("--pipeline", "--lookahead-frames", "0"),
    ],
    ids=" ".join,
)
def test_a_film_is_made_of_every_choice(places, tmp_path, capfd, words):
    np.save(tmp_path / "manner.npy", ASKED.style_clip)
    write_wave(tmp_path / "voice.wav", ASKED.voice)
    dialogue = {
        "turns": [{"dialogue_history": [{"role": "speaker", "utterance": "My dog ran away."}]}],
        "voice": "voice.wav",
        "style_clip": "manner.npy",
    }
    (tmp_path / "dialogue.json").write_text(json.dumps(dialogue))
    film = tmp_path / "out.mp4"
    status = main(
        [
            "infer", str(tmp_path / "dialogue.json"), "-o", str(film), "--folder", str(places[0]),
            "--engines", "empatheia", "--reply-tokens", "4", "--temperature", "1", *words,
        ]
    )  # fmt: skip
    told = capfd.readouterr()
    assert status == 0, told.err
    assert "untrained" not in told.err
    assert ("shown emotion" in told.out) == bool({"sd", "diffusion"} & {*words})
    with av.open(str(film)) as file:
        assert file.streams.video[0].width == SIZES_SMALL.face_px
        assert sum(1 for _ in file.decode(video=0)) % 5 == 0


def write_wave(path, pcm) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24_000)
        file.writeframes((pcm * 16_000).astype("<i2").tobytes())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected --tokenizer FILE, the tokenizer.json of small"),
        (("--tokenizer", "bank.npz"), "expected a tokenizer.json at"),
        (("--random", "--trained", "bank.npz"), "expected a file ending in .safetensors"),
        (
            ("--tokenizer", "tokenizer.json", "--models", "nowhere"),
            "missing hubert-large, wav2vec2-large, clip-large, vicuna-7b, styletts2-libritts, "
            "dreamtalk, pirenderer. Import them with: rt-avatar models import hubert-large FILE",
        ),
    ],
)
def test_what_is_missing_is_told_before_anything_is_made(places, tmp_path, capfd, words, message):
    _, of = places
    weights = of[of.index("--models") + 1]
    files = {"bank.npz", "tokenizer.json", "nowhere"}
    words = [f"{weights}/{word}" if word in files else word for word in words]
    words = ["--models", weights, "--folder", str(tmp_path), *words]
    assert main(["engines", "export", "empatheia", *words]) == 2
    assert message in " ".join(capfd.readouterr().err.split())
    assert not list(tmp_path.iterdir())
