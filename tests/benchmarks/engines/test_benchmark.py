"""Every engine of the runtime is measured, and what is measured is summed up rightly."""

import argparse
import importlib
import inspect
import math
import pkgutil

import pytest
from rich.console import Console

from rt_avatar import engines
from rt_avatar.benchmarks.engines import benchmark
from rt_avatar.benchmarks.engines.case import Case, Cost, Work
from rt_avatar.benchmarks.engines.cases import all_cases, is_quick
from rt_avatar.benchmarks.engines.floor import MachineRates
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.network import WHOLES, row_names
from rt_avatar.benchmarks.engines.network_run import find_network
from rt_avatar.benchmarks.engines.network_stages import STAGES
from rt_avatar.benchmarks.engines.report import COLUMNS, report
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.empatheia.export_manifest import EXPORT_MANIFEST
from rt_avatar.errors import SetupError
from tests.engines.test_contract import CASES as CONTRACT

pytestmark = pytest.mark.unit

# They make weights and run nothing.
MAKERS = ("rt_avatar.engines.networks", "rt_avatar.engines.training")
# They stand in for voice and face when something else is measured.
TEST_SIGNALS = ("rt_avatar.engines.sync_test", "rt_avatar.engines.sync_test_lipsync")
# They run graphs that are not shipped: cases where a folder of exports is. That every one of them
# is one, and runs, is shown where torch makes such graphs (torch/test_stages.py).
OF_THE_NETWORK = {
    "FaceEngine", "FeatureEngine", "SpeechEncoderEngine", "LiveFace", "MotionEngine",
    "VisionEncoderEngine",
    "VoiceEngine",
}  # fmt: skip
# Stages of the network as a call knows them: the same stages, and hardly any work of their own.
IN_A_CALL = {"LiveMotion", "LivePresence", "LiveVoice"}
# Their files are published, not shipped: `bench voice --kokoro FOLDER` and `bench endpointing`
# measure them.
PUBLISHED = {"KokoroEngine", "SmartTurnEngine"}
RATES = MachineRates(gemm_flops=1e11, copy_bytes=1e10)


@pytest.fixture(scope="module")
def case_engines() -> dict[str, object]:
    """Every case's engine, without a model of Whisper to load."""
    cases = all_cases(Options(size_px=256))
    return {name: case.make() for name, case in cases.items()}


def engine_classes() -> set[type]:
    """All classes of the package that are engines: they warm up and open streams."""
    found = set()
    for module in pkgutil.walk_packages(engines.__path__, f"{engines.__name__}."):
        if module.name == "rt_avatar.engines.contract" or module.name.split(".")[-1].startswith(
            "_"
        ):
            continue
        if module.name.startswith(MAKERS):
            continue
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            is_engine = {"open", "warmup"} <= set(dir(kind)) and not kind.__dict__.get(
                "_is_protocol"
            )
            if is_engine and kind.__module__ == module.name:
                found.add(kind)
    return {kind for kind in found if kind.__module__ not in TEST_SIGNALS}


def is_published(engine: object) -> bool:
    return type(engine).__name__ in PUBLISHED


def test_no_engine_of_the_contract_is_forgotten(case_engines):
    held = [one for one in (case.make() for case in CONTRACT) if not is_published(one)]
    names = {one.spec.name for one in held if type(one).__module__ not in TEST_SIGNALS}
    assert len(names) >= 6
    assert names <= {engine.spec.name for engine in case_engines.values()}


def test_no_engine_of_the_package_is_forgotten(case_engines):
    kinds = engine_classes()
    missing = kinds - {type(engine) for engine in case_engines.values()}
    names = {kind.__name__ for kind in missing}
    assert names == {"WhisperEngine", *PUBLISHED, *OF_THE_NETWORK, *IN_A_CALL}
    assert len(kinds) >= 9
    assert "whisper" in all_cases(Options(whisper="some-model"))


def test_every_look_is_measured_at_every_size():
    rigs = [name for name in all_cases(Options()) if name.startswith("rig ")]
    assert len(rigs) == 3 * 8


def test_a_second_runs_one_face_one_voice_and_one_recogniser():
    for options in (Options(), Options(whisper="some-model")):
        cases = [case for case in all_cases(options).values() if case.kinds]
        spoken = [case.name for case in cases if case.kinds == ("spoken",)]
        assert sum(name.startswith("voice ") for name in spoken) == 1
        assert sum(name.startswith("face, ") for name in spoken) == 1
        assert sum(case.worker == "recogniser" for case in cases) == 1


def test_the_quick_form_has_the_whole_second():
    cases = all_cases(Options()).values()
    assert all(is_quick(case) for case in cases if case.kinds)
    assert sum(is_quick(case) for case in cases) < 30


# --- the network --------------------------------------------------------------------------------
def test_the_network_is_a_case_a_stage_where_its_exports_are(tmp_path):
    assert not set(row_names("nano")) & set(all_cases(Options(network=str(tmp_path))))
    (tmp_path / "nano").mkdir()
    (tmp_path / "nano" / EXPORT_MANIFEST).write_text("{}")
    cases = all_cases(Options(network=str(tmp_path)))
    assert set(row_names("nano")) <= set(cases)
    assert not any(cases[name].kinds for name in row_names("nano"))
    assert sum(is_quick(cases[name]) for name in row_names("nano")) == len(STAGES) - len(WHOLES)


def test_what_is_not_asked_for_of_the_network_is_neither_made_nor_told():
    found = find_network(None, ["silero", "rig"], Console(stderr=True))
    assert (found.folder, list(found.official), list(found.notes)) == (None, [], [])


def test_a_named_folder_without_exports_is_refused(tmp_path):
    with pytest.raises(SetupError, match="--network"):
        find_network(tmp_path, [], Console(stderr=True))


# --- sums ---------------------------------------------------------------------------------------
def cost(**changes: object) -> Cost:
    given = {
        "spec": EngineSpec("some", 16_000, 50, 320),
        "lookahead": 0,
        "item_ms": [1.0, 2.0, 3.0],
        "flush_ms": [],
        "real_time_factor": 0.1,
        "processor_factor": 0.1,
        "load_ms": 5.0,
        "cold_ms": 7.0,
        "warm_ms": 3.0,
        "engine_mib": 4.0,
        "first_mib": 2.0,
        "further_mib": 1.0,
        "threads": 1.0,
    }
    return Cost(**(given | changes))


def case(name: str, worker: str, *kinds: str) -> Case:
    return Case(name, worker, "20 ms", lambda: None, list, 0.02, kinds=kinds)


def test_a_second_is_the_sum_of_what_runs_in_it():
    cases = [
        case("silero", "audio", "idle", "heard", "spoken"),
        case("recogniser", "recogniser", "heard"),
        case("face, in speech", "face", "spoken"),
        case("rig ava 512", "face"),
    ]
    costs = {
        "silero": cost(real_time_factor=0.01, processor_factor=0.01),
        "recogniser": cost(real_time_factor=0.5, processor_factor=0.2),
        "face, in speech": cost(real_time_factor=0.1, processor_factor=0.1),
        "rig ava 512": cost(real_time_factor=0.08, processor_factor=0.08),
    }
    figures = report(cases, costs, RATES, is_whole=True).figures
    assert figures["second_of_idle_ms"] == pytest.approx(10)
    assert figures["second_heard_ms"] == pytest.approx(210)  # processor time, not wall time
    assert figures["second_spoken_ms"] == pytest.approx(110)
    assert figures["second_of_talk_ms"] == pytest.approx(160)
    assert figures["recogniser_rtf"] == 0.5


def test_an_incomplete_second_is_not_summed_up():
    cases = [case("silero", "audio", "idle", "heard", "spoken")]
    result = report(cases, {"silero": cost()}, RATES, is_whole=False)
    assert not any(key.startswith("second") for key in result.figures)
    assert result.figures["silero_ms"] == 2
    assert not any(math.isnan(value) for value in result.figures.values())
    assert all(len(row) == len(COLUMNS) for row in result.rows)


def test_what_is_not_as_declared_is_told():
    costs = {
        "early": cost(),
        "late": cost(lookahead=160),
        "wide": cost(threads=1.9),
        "disturbed": cost(real_time_factor=0.4),
    }
    cases = [case(name, "audio") for name in costs]
    notes = " ".join(report(cases, costs, RATES, is_whole=False).notes)
    assert "late declares a look-ahead of 0 input items and has 160" in notes
    assert "wide computes on other threads" in notes
    assert "disturbed took 4.0 times its processor time" in notes
    assert "early" not in notes


def test_what_is_left_at_the_end_is_told_where_it_is_felt():
    costs = {"speech encoder": cost(flush_ms=[4.0]), "vision encoder": cost(flush_ms=[0.05])}
    result = report([case(name, "llm") for name in costs], costs, RATES, is_whole=False)
    assert [row[2] for row in result.rows] == ["2 / 2.9 + 4\n0.1", "2 / 2.9\n0.1"]


def test_a_second_of_media_asks_for_as_many_operations_as_it_has_items():
    costs = {"silero": cost(work=Work(flops=1e8))}  # 50 items of 20 ms a second
    (row,) = report([case("silero", "audio")], costs, RATES, is_whole=False).rows
    assert row[5] == "100\n5\u00a0G/s\n×\u00a02"


def test_the_ratio_counts_an_items_share_of_the_ends():
    work = Work(flops=1e8)  # 1 ms
    costs = {"silero": cost(work=work, flush_ms=[6.0])}  # after three items of 2 ms
    figures = report([case("silero", "audio")], costs, RATES, is_whole=False).figures
    assert figures["silero_floor_ratio"] == pytest.approx(4)


def test_the_ratio_is_against_the_longer_of_arithmetic_and_bytes():
    work = Work(parameters=1, flops=1e8, moved_bytes=1e6)  # 1 ms and 0.1 ms
    figures = report(
        [case("silero", "audio")], {"silero": cost(work=work)}, RATES, is_whole=False
    ).figures
    assert figures["silero_floor_ratio"] == pytest.approx(2)


def test_a_name_that_no_engine_has_is_refused():
    arguments = argparse.Namespace(
        speech=None, clip=None, only=["nothing"], quick=True, flags=["--avatar.size_px", "256"],
        network=None, official=False, gpu=False,
    )  # fmt: skip
    with pytest.raises(SetupError, match=r"silero.*nano speech encoder.*official face"):
        benchmark.measure(arguments)
