"""The network of a process: loaded only for who asks for it, and missed with how to get it."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import onnxruntime
import pytest

from rt_avatar.commands.doctor import examine
from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.settings import AvatarSettings, LlmSettings, Settings, TtsSettings
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.motion.articulation import ArticulatorEngine
from rt_avatar.engines.motion.space import ARKIT52, BFM64
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.sync_test import SyncTestArticulator
from rt_avatar.errors import SetupError
from rt_avatar.services.engine_choice import (
    make_articulator,
    make_lipsync,
    make_voice,
    motion_space,
)
from rt_avatar.services.engines import load_engines
from rt_avatar.services.network import Network, load_network, network_options, wanted_by
from tests.engines.empatheia.test_export_manifest import make_folder

pytestmark = pytest.mark.unit

DRAWS = AvatarSettings(face="empatheia")
SPEAKS = Settings(tts=TtsSettings(kind="empatheia"))


def without_engines(settings: Settings, folder) -> Settings:
    return replace(settings, network=NetworkSettings(folder=str(folder / "none")))


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        (Settings(), ()),
        (SPEAKS, ("tts.kind",)),
        (Settings(llm=LlmSettings(kind="empatheia")), ("llm.kind",)),
        (Settings(avatar=AvatarSettings(face="empatheia")), ("avatar.face",)),
        (
            Settings(tts=TtsSettings(kind="sync_test"), avatar=AvatarSettings(face="empatheia")),
            (),
        ),
        (replace(SPEAKS, avatar=AvatarSettings(face="empatheia")), ("tts.kind", "avatar.face")),
    ],
)
def test_it_is_wanted_by_whoever_asks_for_it(settings, asked):
    assert wanted_by(settings) == asked


def test_nobody_who_does_not_ask_for_it_needs_it(tmp_path):
    assert load_network(without_engines(Settings(), tmp_path)) is None


@pytest.mark.parametrize("load", [load_network, load_engines])
def test_a_missing_folder_names_who_asked_and_the_command_that_makes_it(tmp_path, load):
    with pytest.raises(SetupError) as caught:
        load(without_engines(SPEAKS, tmp_path))
    command = f"rt-avatar engines export nano --folder {tmp_path / 'none'}"
    assert str(caught.value).startswith("tts.kind=empatheia: ")
    assert str(caught.value).endswith(command)


def test_its_choices_are_those_of_the_section():
    chosen = NetworkSettings(
        coe="off", content_source="generator", content_span="reply", style_source="bank", seed=4
    )
    options = network_options(replace(chosen, temperature=0.5))
    assert (options.coe, options.content_source, options.content_span, options.style_source) == (
        "off", "generator", "reply", "bank",
    )  # fmt: skip
    assert (options.seed, options.temperature) == (4, 0.5)
    assert options.lookahead_frames == 0  # a call draws just in time


@pytest.mark.parametrize(
    ("space", "voice", "face", "kind"),
    [
        (ARKIT52, "empatheia", "rig", LiveMotion),
        (ARKIT52, "empatheia", "empatheia", LiveMotion),
        (ARKIT52, "nano", "empatheia", ArticulatorEngine),
        (BFM64, "empatheia", "rig", ArticulatorEngine),  # the rig is not drawn from coefficients
        (BFM64, "nano", "empatheia", LiveMotion),  # nor the network's face from blendshapes
        (BFM64, "openai", "empatheia", LiveMotion),
        (BFM64, "sync_test", "empatheia", SyncTestArticulator),
    ],
)
def test_a_face_is_moved_in_the_space_that_it_is_drawn_from(space, voice, face, kind):
    network = network_in(space)
    settings = Settings(tts=TtsSettings(kind=voice), avatar=AvatarSettings(face=face))
    articulator = make_articulator(settings, network)
    assert isinstance(articulator, kind)
    drawn = motion_space(settings, network)
    assert drawn is (space if face == "empatheia" and voice != "sync_test" else ARKIT52)
    if drawn is BFM64:  # foreign voices, too
        assert make_lipsync(articulator, drawn) is articulator


def test_where_a_network_learnt_the_package_s_voice_that_and_its_motion_are_its_own():
    settings = Settings(tts=TtsSettings(kind="empatheia"), avatar=AvatarSettings(face="empatheia"))
    network = network_in(ARKIT52, guides_nano_voice=True)
    assert isinstance(make_voice(settings.tts, network), NanoEngine)
    assert isinstance(make_articulator(settings, network), ArticulatorEngine)


def network_in(space, guides_nano_voice=False):
    manifest = SimpleNamespace(motion_space=space, guides_nano_voice=guides_nano_voice)
    engines = SimpleNamespace(manifest=manifest, guide_nano_voice=None)
    return Network(engines, network_options(NetworkSettings()), None)


def test_a_voice_that_is_one_with_its_network_is_not_made_without_it():
    with pytest.raises(SetupError, match="nano, espeak, kokoro or sync_test; got empatheia"):
        make_voice(SPEAKS.tts)


@pytest.mark.parametrize(
    ("settings", "state", "words"),
    [
        (Settings(), "optional", ["nothing asks for it"]),
        (SPEAKS, "missing", ["tts.kind", "rt-avatar engines export nano"]),
    ],
)
def test_the_doctor_says_what_network_is_there(tmp_path, settings, state, words):
    settings = without_engines(settings, tmp_path)
    found = {check.part: check for check in examine(settings)}["network"]
    assert found.state == state
    for word in words:
        assert word in f"{found.what} {found.advice}"


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("cuda", ["no provider for cuda", "onnxruntime-gpu"]),
        ("plan", ["expected the package tensorrt", "network.provider cpu"]),
    ],
)
def test_the_doctor_misses_what_is_to_run_the_network(tmp_path, monkeypatch, provider, words):
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    monkeypatch.setitem(sys.modules, "tensorrt", None)
    chosen = NetworkSettings(folder=str(make_folder(tmp_path)), provider=provider)
    settings = replace(SPEAKS, network=chosen)
    found = {check.part: check for check in examine(settings)}["network"]
    assert found.state == "missing"
    for word in words:
        assert word in f"{found.what} {found.advice}"
