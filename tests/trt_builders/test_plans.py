"""A whole export by TensorRT plans, over a scripted TensorRT: built, proved, answered with.

The scripted one runs a plan's graph on onnxruntime, within the export that it was built for: so
every shape that answering needs is shown to lie in the budget.
"""

import json
import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.settings import Settings, TtsSettings
from rt_avatar.engines.empatheia.context import check_room, opening_tokens
from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.export_manifest import ExportError, read_export_manifest
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.networks.export_files import makeshift_tokens
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.pirender.windows import WINDOW
from rt_avatar.engines.runtimes import RuntimeUnavailableError, open_graph
from rt_avatar.engines.runtimes.manifest import SINCE_AMPERE
from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.errors import SetupError
from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.network.request_reader import RequestReader
from rt_avatar.services.network import load_network
from rt_avatar.trt_builders.budget import Budget, ranges
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from tests.engines.empatheia.offline import infer
from tests.engines.networks.small_empatheia import SIZES_SMALL
from tests.fakes import tensorrt as fake
from tests.trt_builders.test_empatheia import ASKED, SHORT

pytestmark = pytest.mark.networks
BUDGET = ("--seconds", "4", "--context", "512")


@pytest.fixture(scope="module", autouse=True)
def machine():
    """A machine with a GPU and TensorRT, and ``empatheia`` of few numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "empatheia", SIZES_SMALL)
        patch.setenv("COLUMNS", "200")
        cuda = fake.FakeCuda()
        fake.install(cuda, patch)
        yield cuda


@pytest.fixture(scope="module")
def built(small_export, tmp_path_factory):
    """A copy of the exported export, with its plans, and the words that name its weights."""
    folder, words = small_export
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("plans") / "engines")
    words = [str(copy) if word == str(folder) else word for word in words]
    assert main(["engines", "build", "empatheia", *words, *BUDGET]) == 0
    return copy, words


@pytest.fixture(scope="module")
def engines(built):
    return EmpatheiaEngines.load(built[0], "empatheia", provider="plan")


def test_every_graph_has_a_plan_and_none_is_built_twice(built, capfd):
    folder, words = built
    graphs = set(read_export_manifest(folder, "empatheia")[0].graphs)
    assert {file.stem for file in folder.glob("*/*.plan")} == graphs
    before = {file: file.stat().st_mtime_ns for file in folder.glob("*/*.plan")}
    assert main(["engines", "build", "empatheia", *words, *BUDGET]) == 0
    assert capfd.readouterr().out.count("is there, and as it would be built now") == len(graphs)
    assert before == {file: file.stat().st_mtime_ns for file in folder.glob("*/*.plan")}
    assert main(["engines", "build", "fusion", *words, "--seconds", "5", "--context", "512"]) == 0
    assert (
        capfd.readouterr().out.count("building, since shapes: plan has") == 2
    )  # a style has no length
    assert main(["engines", "build", "fusion", *words, *BUDGET]) == 0


def test_plans_for_all_gpus_since_ampere_are_not_of_this_one(built, capfd):
    words = ["engines", "build", "fusion", *built[1], *BUDGET]
    assert main([*words, "--ampere-plus"]) == 0
    assert f"building, since gpu: plan has Fake GPU, wanted {SINCE_AMPERE}" in (
        capfd.readouterr().out
    )
    assert main([*words, "--ampere-plus"]) == 0
    assert "building" not in capfd.readouterr().out
    assert main(words) == 0


def test_a_prompt_as_long_as_the_context_is_read_at_once():
    by_name = {graph.name: graph for graph in make_graphs(NETWORKS["llm-nano"])[0]}
    for name in ("llm_embed", "llm_extend"):
        assert ranges(by_name[name], Budget(context=512))["tokens"].most == 512


def test_every_plan_says_what_torch_says(built, capfd):
    command = ["engines", "verify", "empatheia", *built[1], *BUDGET, "--runtime", "tensorrt"]
    assert main(command) == 0
    assert ", 0 wrong" in capfd.readouterr().out


@pytest.mark.parametrize("choice", [{}, {"coe": "paper", "style_source": "reference"},
                                    {"pipeline": True}])  # fmt: skip
def test_answers_by_plans_are_those_of_onnxruntime(engines, small_engines, choice):
    options = SHORT.__class__(chain_tokens=3, reply_tokens=4, speed=2.0, **choice)
    made, wanted = infer(engines, ASKED, options), infer(small_engines, ASKED, options)
    assert made.reply == wanted.reply
    assert len(made.chunks) > 0
    np.testing.assert_allclose(made.pcm, wanted.pcm, atol=1e-5)
    np.testing.assert_allclose(made.motion, wanted.motion, atol=1e-5)
    assert np.abs(made.frames.astype(int) - wanted.frames).max() <= 1


def test_for_a_picture_its_motion_and_the_picture_cross_and_nothing_of_the_portrait(
    engines, machine
):
    px = engines.manifest.face_px
    streams = [engines.face(0).open(np.full((px, px, 3), grey, np.uint8)) for grey in (9, 200)]
    before, motion = machine.crossed, np.zeros(MOTION_SIZE, np.float32)
    drawn = [stream.push(motion)[0] for stream in streams for _ in range(3)]
    assert machine.crossed - before == len(drawn) * 4 * (MOTION_SIZE * WINDOW + 3 * px * px)
    assert np.array_equal(drawn[0], drawn[2])
    assert not np.array_equal(drawn[0], drawn[3])


def test_a_dialogue_is_cut_to_what_the_plan_takes(engines, small_engines):
    """The model was trained for 1,024 tokens, the plans are built for 512."""
    assert (engines.manifest.positions, small_engines.manifest.positions) == (512, 1024)
    with pytest.raises(ValueError, match="expected at most 412 tokens, with an answer of 100"):
        engines.read(Dialogue((Utterance("user", "so " * 400),)), room=100)
    # More than the plan of the embeddings takes.
    longer = (
        r"got 1\d\d\d\. Shorten what is said in it\. .* engines build empatheia --context 1\d\d\d"
    )
    with pytest.raises(ValueError, match=longer):
        engines.read(Dialogue((Utterance("user", "so " * 900),)), room=100)
    with pytest.raises(ValueError, match="Leave out its beginning"):
        engines.read(Dialogue((Utterance("user", "so " * 400),) * 3), room=100)
    words = "so " * 900 + "that is how I lost it"
    turn = TurnId(1)
    said = Transcript(turn, 16_000, words, True)
    asked = ReplyRequest(turn, said, Affect(turn, 16_000), (), PERSONAS["ava"])
    read = RequestReader(engines, SHORT.effective()).read(asked)
    assert 256 < read.length < 512


def test_a_context_in_which_no_answer_fits_is_refused_with_the_build_that_mends_it(engines):
    check_room(engines, EmpatheiaOptions(chain_tokens=30, reply_tokens=30))
    long = EmpatheiaOptions(chain_tokens=200, reply_tokens=200)
    least = opening_tokens(engines.answerer) + 64 + 2 * engines.manifest.query_bins
    least += long.words().tokens
    with pytest.raises(
        ValueError,
        match=rf"takes {least} tokens: .* takes 512\. .*build empatheia --context {least}",
    ):
        check_room(engines, long)
    rest = (
        512
        - 64
        - opening_tokens(engines.answerer)
        - EmpatheiaOptions(reply_tokens=0).words().tokens
    )
    check_room(engines, EmpatheiaOptions(reply_tokens=rest, without=("speech", "video")))


def test_a_whole_reply_is_refused_by_plans_of_a_clause_with_the_build_that_mends_it(engines):
    """Plans of 4 s take 68 symbols, and what is beyond them is left out."""
    assert engines.manifest.symbols == 68
    short = EmpatheiaOptions(chain_tokens=30, reply_tokens=30)
    with pytest.raises(ValueError, match=r"take 510 symbols.*take 68\. .*empatheia --seconds 40"):
        check_room(engines, replace(short, content_span="reply"))
    style = np.zeros((1, engines.manifest.voice_style_size), np.float32)
    said = engines.voice.open().push(VoiceRequest("so " * 60, style, speed=2.0))
    assert 5 < sum(len(chunk.words) for chunk in said) < 34


def test_eight_bits_are_refused_for_a_gpu_and_a_foreign_vocabulary_for_all(small_export, tmp_path):
    folder = shutil.copytree(small_export[0], tmp_path / "engines")
    tokenizer = folder / "empatheia" / "tokenizer.json"
    own = tokenizer.read_bytes()
    makeshift_tokens(replace(SIZES_SMALL.llm, vocabulary=5032, first_signal=5000)).save(tokenizer)
    with pytest.raises(ExportError, match=r"at most 4128 ids.*got 5032\..* --tokenizer FILE"):
        EmpatheiaEngines.load(folder, "empatheia")
    tokenizer.write_bytes(own)
    record = folder / "llm" / "llm_extend.onnx.json"
    record.write_text(record.read_text().replace('"fp32"', '"int8"'))
    with pytest.raises(RuntimeUnavailableError, match=r"8-bit weights, .*export llm --precision"):
        open_graph(record.with_suffix(""), "cuda")
    EmpatheiaEngines.load(folder, "empatheia")


def test_a_film_is_made_by_plans(built, tmp_path, capfd):
    path = tmp_path / "dialogue.json"
    turn = {"dialogue_history": [{"role": "speaker", "utterance": "My dog ran away."}]}
    path.write_text(json.dumps({"turns": [turn]}))
    words = ["infer", str(path), "-o", str(tmp_path / "out.mp4"), "--folder", str(built[0])]
    words += ["--engines", "empatheia", "--reply-tokens", "4", "--temperature", "1"]
    replies = []
    for runtime in ("cpu", "plan"):
        assert main([*words, "--provider", runtime]) == 0, capfd.readouterr().err
        replies.append(capfd.readouterr().out.partition("reply: ")[2].splitlines()[0])
        assert (tmp_path / "out.mp4").stat().st_size > 1000
    assert replies[0] == replies[1]


def test_a_graph_that_was_exported_since_is_told_and_built_anew(built, tmp_path, capfd):
    folder = shutil.copytree(built[0], tmp_path / "engines")
    words = ["--folder", str(folder), "--models", str(tmp_path)]
    assert main(["engines", "export", "fusion", *words, "--random", "--seed", "3"]) == 0
    with pytest.raises(RuntimeUnavailableError, match=r"exported since.*rt-avatar engines build"):
        EmpatheiaEngines.load(folder, "empatheia", provider="plan")
    capfd.readouterr()
    assert main(["engines", "build", "fusion", *words, *BUDGET]) == 0
    assert capfd.readouterr().out.count("checkpoint sha256: plan has") == 3
    EmpatheiaEngines.load(folder, "empatheia", provider="plan")


def test_a_gpu_too_small_for_the_plans_is_told_by_whoever_loads_them(
    built, machine, tmp_path, capfd
):
    (tmp_path / "a.json").write_text("{}")
    words = ["infer", str(tmp_path / "a.json"), "-o", str(tmp_path / "out.mp4")]
    words += ["--folder", str(built[0]), "--engines", "empatheia", "--provider", "plan"]
    network = NetworkSettings(folder=str(built[0]), size="empatheia", provider="plan")
    machine.size = sum(map(len, machine.memory.values())) + 100_000
    try:
        with pytest.raises(SetupError, match=r"tts.kind=empatheia: cudaMalloc.*out of memory"):
            load_network(Settings(tts=TtsSettings(kind="empatheia"), network=network))
        assert main(words) == 2
    finally:
        machine.size = sys.maxsize
    told = capfd.readouterr().err
    assert "out of memory" in told
    assert len(told.strip().splitlines()) == 1


def test_a_plan_that_is_not_there_is_one_line(small_export, tmp_path, capfd):
    folder, _ = small_export
    (tmp_path / "a.json").write_text("{}")
    words = ["infer", str(tmp_path / "a.json"), "-o", str(tmp_path / "out.mp4")]
    words += ["--folder", str(folder), "--engines", "empatheia", "--provider", "plan"]
    assert main(words) == 2
    told = capfd.readouterr().err
    assert "rt-avatar engines build" in told
    assert len(told.strip().splitlines()) == 1
