"""Training of the nano voice: every stage learns, is stopped, and goes on as if it had not been."""

import csv
import resource
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from rt_avatar.engines.g2p.phones import PHONES
from rt_avatar.engines.nano_tts.clause import Delivery, plan_clause, speak
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.tokens import SpokenWord, make_tokens
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.critics import PeriodCritic, SpectrumCritic
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.networks.styletts2.config import VocosConfig
from rt_avatar.engines.training.voice import loop
from rt_avatar.engines.training.voice.corpora import Recording
from rt_avatar.engines.training.voice.dataset import Dataset, Speaker, Utterance
from rt_avatar.engines.training.voice.export import export_voice, load_exported
from rt_avatar.engines.training.voice.features import Features
from rt_avatar.engines.training.voice.loop import Plan, load_voice, stage_weights
from rt_avatar.engines.training.voice.losses import (
    RESOLUTIONS,
    harmonics_to_noise,
    magnitudes,
    mel_deviations,
)
from rt_avatar.engines.training.voice.measures import CEPSTRA
from rt_avatar.engines.training.voice.recognizers import train_recognizers
from rt_avatar.engines.training.voice.store import Line, Store
from rt_avatar.engines.training.voice.train_adversarial import (
    AdversarialOptions,
    train_adversarial,
)
from rt_avatar.engines.training.voice.train_generator import train_generator
from rt_avatar.engines.training.voice.train_joint import train_joint
from rt_avatar.engines.training.voice.train_spoken import TraitCritic, train_spoken
from rt_avatar.engines.training.voice.train_text import train_text
from rt_avatar.engines.training.voice.train_variance import train_variance
from rt_avatar.engines.training.voice.traits import TRAITS, measure_traits

pytestmark = pytest.mark.networks

SMALL = NanoTtsConfig(
    speakers=2,
    speaker_size=4,
    channels=16,
    intermediate=16,
    encoder_layers=1,
    flow_layers=1,
    decoder_layers=1,
    generator=VocosConfig(inputs=82, channels=16, layers=1, intermediate=16),
)
SPEAKERS = (Speaker("one", "F", 5.3, 0.2, 3.0, 1.0), Speaker("two", "M", 4.7, 0.2, 3.0, 1.0))


def utterance(seed: int, top_hz: int) -> Utterance:
    """A hum with noise that is said to be three words."""
    dice = np.random.default_rng(seed)
    phones = ["", "HH", "AH", "L", "OW", "", "DH", "EH", "R", ""]
    word_of = [-1, 0, 0, 0, 0, -1, 1, 1, 1, -1]
    frames = dice.integers(12, 24, len(phones)).astype(np.int16)
    count = int(frames.sum())
    sounding = np.repeat([bool(phone) for phone in phones], frames)
    pitch = np.where(sounding, 150.0 + 20 * np.sin(np.arange(count) / 9), 0.0).astype(np.float32)
    cycles = np.cumsum(np.repeat(pitch, 300)) / 24_000
    sound = 0.2 * np.sin(2 * np.pi * cycles) + dice.normal(0, 0.01, count * 300)
    features = Features(
        pcm=(sound * 32_767).astype(np.int16),
        mel=dice.normal(0, 0.5, (count, 80)).astype(np.float16),
        pitch=pitch,
        phones=np.array(phones),
        frames=frames,
        word_of=np.array(word_of, np.int16),
        words=np.array(["hello", "there"]),
        marks=np.array([",", "."]),
        top_hz=top_hz,
    )
    corpus = "lj" if top_hz > 8000 else "libri"
    name = SPEAKERS[top_hz <= 8000].name
    recording = Recording(f"k{seed}", corpus, name, "F", Path("none"), "hello there", 0.0, False)
    energy = np.full(count, 3.0, np.float32)
    return Utterance(recording, features, int(top_hz <= 8000), features.mel, pitch, energy)


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    everybody = [utterance(seed, 12_000 if seed % 2 else 7_600) for seed in range(6)]
    return Dataset(everybody[:4], everybody[4:], SPEAKERS)


FEW = AdversarialOptions(given=3, spoken=3, frames=32, judged=16, alone=1)
STAGES = {
    "generator": train_generator, "text": train_text, "joint": train_joint,
    "variance": train_variance, "adversarial": partial(train_adversarial, options=FEW),
    "spoken": train_spoken,
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def few_recordings():
    """By which it is told how traits vary: it takes a minute by as many as in use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rt_avatar.engines.training.voice.train_spoken._WITHIN", 16)
        patch.setattr("rt_avatar.engines.training.voice.recognizers._STEPS", 2)
        yield


def run(
    stage: str,
    dataset: Dataset,
    work: Path,
    steps: int,
    until: int | None = None,
    begin: Path | None = None,
) -> Plan:
    plan = Plan(stage, work, steps, 1e-3, report_every=1, begin=begin)
    STAGES[stage](dataset, SMALL, plan if until is None else replace(plan, stop=until))
    return plan


@pytest.fixture(scope="module")
def voice(dataset, tmp_path_factory) -> Voice:
    """One that all stages have trained."""
    folder = tmp_path_factory.mktemp("stages")
    for stage in STAGES:
        run(stage, dataset, folder, 2)
    return load_voice(SMALL, folder)


@pytest.fixture(scope="module")
def exported(voice, tmp_path_factory) -> Path:
    """Its weights: what speaks, and what a training may begin from."""
    folder = tmp_path_factory.mktemp("exported")
    export_voice(voice, SPEAKERS, folder)
    return folder


@pytest.mark.parametrize("stage", ["generator", "text", "spoken", "adversarial"])
def test_a_stage_that_was_stopped_goes_on_to_the_same_weights(stage, dataset, exported, tmp_path):
    (tmp_path / "once").mkdir()
    (tmp_path / "twice").mkdir()
    begin = exported if stage in ("spoken", "adversarial") else None
    once = run(stage, dataset, tmp_path / "once", 4, begin=begin)
    run(stage, dataset, tmp_path / "twice", 4, until=2, begin=begin)
    twice = run(stage, dataset, tmp_path / "twice", 4, begin=begin)
    one, two = (torch.load(plan.checkpoint, weights_only=True)["model"] for plan in (once, twice))
    for name, value in one.items():
        torch.testing.assert_close(value, two[name], rtol=1e-4, atol=1e-6)
    with (tmp_path / "twice" / f"{stage}.csv").open() as file:
        assert [row["step"] for row in csv.DictReader(file)] == ["1", "2", "3", "4"]


def test_a_stage_goes_on_with_the_weights_it_began_with_or_not_at_all(dataset, exported, tmp_path):
    """Others would lay sentences out in other ways."""
    run("spoken", dataset, tmp_path, 2, until=1, begin=exported)
    with pytest.raises(FileNotFoundError, match="spoken-before"):
        run("spoken", dataset, tmp_path, 2)


def go_on(plan: Plan, parts: dict[str, object]) -> None:
    loop.run(plan, parts, lambda step, rate: {"loss": 1.0}, dict)


def test_a_stage_that_begins_before_another_is_trained_is_not_taken_for_the_last(
    dataset, exported, tmp_path
):
    """It was exported without what the other had learnt, which the card told of."""
    run("spoken", dataset, tmp_path, 1, begin=exported)
    load_voice(SMALL, tmp_path)
    run("variance", dataset, tmp_path, 1, begin=exported)
    with pytest.raises(FileExistsError, match=r"spoken\.pt: expected to go on from variance\.pt"):
        load_voice(SMALL, tmp_path)
    with pytest.raises(FileExistsError, match=r"spoken\.pt: .* Remove it"):
        go_on(Plan("spoken", tmp_path, 1, 1e-3), {})
    (tmp_path / "spoken.pt").unlink()
    load_voice(SMALL, tmp_path)


def test_a_stage_that_is_done_says_so(tmp_path, caplog):
    plan = Plan("text", tmp_path, 1, 1e-3)
    go_on(plan, {})
    with caplog.at_level("INFO"):
        go_on(plan, {})
    assert "text: nothing to do: 1 of 1 steps are done" in caplog.text


@pytest.mark.parametrize("kept_by_gpu", [True, False])
def test_a_stage_goes_on_where_there_is_another_device(kept_by_gpu, tmp_path, monkeypatch):
    """A GPU's optimizer can be recorded and reads its rate from the device; a CPU's cannot."""

    def optimizer(on_gpu: bool) -> torch.optim.Optimizer:
        weight = torch.nn.Parameter(torch.ones(2))
        weight.grad = torch.ones(2)
        rate = torch.tensor(1e-3) if on_gpu else 1e-3
        return torch.optim.AdamW([weight], lr=rate, capturable=on_gpu)

    before, after = optimizer(False), optimizer(not kept_by_gpu)
    before.step()
    if kept_by_gpu:
        before.param_groups[0] |= {"lr": torch.tensor(1e-3), "capturable": True}
    with monkeypatch.context() as patch:
        if kept_by_gpu:
            patch.setattr("torch.serialization.location_tag", lambda storage: "cuda:0")
        go_on(Plan("adversarial", tmp_path, 1, 1e-3), {"optimizer": before})
    go_on(Plan("adversarial", tmp_path, 2, 1e-3), {"optimizer": after})
    (group,) = after.param_groups
    assert group["capturable"] is not kept_by_gpu
    assert torch.is_tensor(group["lr"]) is not kept_by_gpu
    (state,) = after.state.values()
    assert state["step"] == 1
    if kept_by_gpu:
        after.step()


def test_a_full_disk_is_told_and_leaves_the_checkpoint_before(tmp_path):
    """Torch's writer raises RuntimeError there, and half a file kept the disk full."""
    network = torch.nn.Linear(600, 600)
    go_on(Plan("text", tmp_path, 1, 1e-3), {"model": torch.nn.Linear(2, 2)})
    before = (tmp_path / "text.pt").read_bytes()
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"text\.pt: expected room for a checkpoint"):
            loop._save(Plan("text", tmp_path, 2, 1e-3), {"model": network}, 2, 1.0, 1.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert (tmp_path / "text.pt").read_bytes() == before
    assert not (tmp_path / "text.part").exists()


def test_the_joint_stage_needs_the_two_before_it(dataset, tmp_path):
    with pytest.raises(FileNotFoundError, match="stage 'text' to be trained first"):
        run("joint", dataset, tmp_path, 1)


def test_all_stages_end_in_files_that_speak_as_the_networks_do(voice, exported):
    for graph in exported.glob("*.onnx"):
        assert b".py" not in graph.read_bytes()  # where it was made
    model = NanoModel(exported)
    words = [SpokenWord(PHONES[:3]), SpokenWord(PHONES[3:9], mark=2)]
    clause = plan_clause(model, words, model.speaker({"one": 0.5, "two": 0.5}), Delivery())
    sound = np.concatenate(list(speak(model, clause)))
    assert len(sound) == clause.samples
    assert np.isfinite(sound).all()
    # 8-bit rows: within a hundredth of the network's own numbers.
    with torch.inference_mode():
        tokens = clause.tokens
        style = voice.acoustic.speakers.weight.mean(dim=0, keepdim=True)
        expected = voice.acoustic.encode(
            torch.from_numpy(tokens.symbol)[None],
            torch.from_numpy(tokens.place)[None],
            torch.from_numpy(tokens.mark)[None],
            torch.from_numpy(tokens.phrase)[None],
            style,
            torch.ones(1, len(tokens.symbol)),
        ).numpy()
    made = model.encode(tokens, model.speaker({"one": 0.5, "two": 0.5}))
    np.testing.assert_allclose(made, expected, atol=0.05)


@pytest.mark.parametrize("stage", ["variance", "spoken", "adversarial"])
def test_the_last_stages_change_the_sound_alone(stage, dataset, exported, tmp_path):
    """What a network has learnt of contents and speakers stays true."""
    before = Voice(SMALL)
    load_exported(before, exported)
    run(stage, dataset, tmp_path, 2, begin=exported)
    moved = {
        name
        for name, value in stage_weights(tmp_path, stage).items()
        if not torch.equal(value, before.state_dict()[name])
    }
    assert moved
    assert all(name.startswith(("acoustic.decoder", "generator.vocos")) for name in moved)


def test_the_critic_tells_ours_until_they_are_as_recordings_are():
    dice = torch.Generator().manual_seed(0)
    reader = torch.arange(200) % 2
    scale = torch.linspace(0.1, 3.0, TRAITS)
    recorded = torch.randn(200, TRAITS, generator=dice) * scale + reader[:, None] * 5.0
    critic = TraitCritic(2)
    critic.learn_spread(recorded, reader)
    apart = torch.zeros(TRAITS)
    apart[3] = 2 * scale[3]  # two deviations in one trait
    for _ in range(3):
        critic.follow(apart.expand(200, -1), reader)
    assert critic.distance().item() == pytest.approx(2.0, abs=0.6)
    ours = recorded + apart
    assert critic.score(ours, reader) - critic.score(recorded, reader) > 2.0
    for _ in range(3):
        critic.follow(torch.zeros(200, TRAITS), reader)
    assert critic.distance().item() < 0.1


@pytest.mark.parametrize("kind", ["spectrum", "period"])
def test_a_critic_learns_to_tell_quiet_sounds_whoever_speaks(kind):
    """It learnt nothing where the table of readers was as loud as noise, and sound as it is."""
    torch.manual_seed(0)
    critic = SpectrumCritic(2, 16) if kind == "spectrum" else PeriodCritic(5, 2)
    optimizer = torch.optim.AdamW(critic.parameters(), lr=1e-3, betas=(0.8, 0.99))
    reader = torch.arange(4) % 2
    time = torch.arange(3_600) / 24_000

    def score(roughness: float) -> torch.Tensor:
        """Of hums with noise, at the level of speech."""
        hum = sum(torch.sin(2 * torch.pi * (160 * one * time + torch.rand(4, 1))) for one in (1, 2))
        sound = 0.05 * (hum + roughness * torch.randn(4, 3_600))
        given = magnitudes(sound, *RESOLUTIONS[2]) if kind == "spectrum" else sound
        return critic(given, reader)[0]

    for _ in range(60):
        loss = ((1 - score(0.1)) ** 2).mean() + (score(0.3) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.4  # 0.5 is chance


def test_recognizers_hear_that_other_phones_are_said_and_not_how_loud(monkeypatch, tmp_path):
    """What a voice is told of its words: the sound of another phone is far, a louder one is not."""
    monkeypatch.setattr("rt_avatar.engines.training.voice.recognizers._STEPS", 60)
    monkeypatch.setattr("rt_avatar.engines.training.voice.recognizers._BATCH", 8)
    time = np.arange(40 * 300) / 24_000
    hums = [0.05 * np.sin(2 * np.pi * hz * time) for hz in (300.0, 2_000.0)]
    said = [np.full(40, symbol) for symbol in (3, 7)]
    tokens = make_tokens([SpokenWord(PHONES[:1])], leading_pause=False)
    lines = [
        Line(
            tokens,
            0,
            {"token": np.zeros(40, np.int64), "symbol": symbols},
            (hum * 32_767).astype(np.int16),
        )
        for hum, symbols in zip(hums, said, strict=True)
    ]
    store = Store(lines, Voice(SMALL).acoustic, 32)
    heard = train_recognizers(store, store, Plan("adversarial", tmp_path, 1, 1e-3))
    sounds = [torch.from_numpy(hum).float()[None, : 32 * 300] for hum in hums]
    symbols = torch.from_numpy(said[0])[None, :32]

    def compare(ours: torch.Tensor) -> list[float]:
        chance = torch.Generator().manual_seed(1)
        return [one.item() for one in heard.compare(ours, sounds[0], symbols, chance)]

    (words, far), (louder, near) = compare(sounds[1]), compare(sounds[0] * 2)
    assert words > louder + 0.5
    assert far > near + 0.2


def test_recognizers_that_a_full_disk_cut_short_are_not_taken_for_whole(
    dataset, exported, monkeypatch, tmp_path
):
    save = torch.save

    def on_a_full_disk(state, path):
        save(state, path)
        if path.stem == "recognizers":
            path.write_bytes(path.read_bytes()[:100])
            raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("torch.save", on_a_full_disk)
        with pytest.raises(OSError, match="No space left"):
            run("adversarial", dataset, tmp_path, 1, begin=exported)
    run("adversarial", dataset, tmp_path, 1, begin=exported)
    assert (tmp_path / "recognizers.pt").exists()


def test_traits_hear_noise_and_how_much_a_spectrum_moves():
    hz = torch.full((1, 80), 160.0)
    dice = torch.Generator().manual_seed(0)
    time = torch.arange(24_000) / 24_000
    hum = sum(torch.sin(2 * torch.pi * 160 * one * time) / one for one in range(1, 40))
    noise = 0.1 * torch.randn(24_000, generator=dice)
    moving = hum * (1 + 0.8 * torch.sin(2 * torch.pi * 5 * time)) + noise
    plain, rough = (measure_traits((hum + k * noise)[None], hz)[0] for k in (1.0, 3.0))
    assert plain.shape == (TRAITS,)
    assert (rough[-7:-1] < plain[-7:-1] - 3).all()  # in all bands
    moved = measure_traits(moving[None], hz)[0]
    low = slice(CEPSTRA, CEPSTRA + 4)  # its tilt, which loudness moves against steady noise
    assert moved[low].mean() > 1.5 * plain[low].mean()


def test_noise_lowers_harmonics_to_noise_by_as_much_as_it_is_louder():
    hz = torch.full((1, 40), 160.0)
    hum = torch.sin(2 * torch.pi * 160 * torch.arange(12_000) / 24_000)
    noise = torch.randn(12_000, generator=torch.Generator().manual_seed(0))
    clear, rough = (
        harmonics_to_noise((hum + level * noise)[None], hz).item() for level in (0.1, 0.2)
    )
    assert clear == pytest.approx(10 * np.log10(0.5 / 0.01), abs=1.5)
    assert clear - rough == pytest.approx(6.0, abs=1.0)
    assert harmonics_to_noise(hum[None], torch.zeros(1, 40)).item() == 0.0


def test_a_spectrum_that_moves_half_as_much_has_half_the_deviation():
    dice = torch.Generator().manual_seed(0)
    shape = torch.linspace(-1, 1, 601)
    tilt = torch.randn(40, generator=dice).repeat_interleave(300)

    def sound(amount: float) -> torch.Tensor:
        pieces = torch.randn(40, 1200, generator=torch.Generator().manual_seed(1))
        spectra = torch.fft.rfft(pieces) * torch.exp(amount * tilt[::300, None] * shape)
        pcm = torch.zeros(1, 41 * 300 + 900)
        for index, piece in enumerate(torch.fft.irfft(spectra) * torch.hann_window(1200)):
            pcm[0, index * 300 : index * 300 + 1200] += piece
        return pcm

    half, whole = mel_deviations(sound(0.5), sound(1.0))
    assert float(half[0, 0] / whole[0, 0]) == pytest.approx(0.5, abs=0.1)


def test_training_goes_on_from_what_was_exported(voice, exported):
    again = Voice(SMALL)
    load_exported(again, exported)
    for name, value in voice.state_dict().items():
        step = float(value.abs().max()) / 127
        torch.testing.assert_close(again.state_dict()[name], value, rtol=0, atol=max(step, 1e-3))
    with pytest.raises(ValueError, match="missing or of other shape"):
        load_exported(Voice(replace(SMALL, channels=24)), exported)


def test_a_wider_generator_begins_as_the_one_that_was_exported(voice, exported):
    wide = Voice(replace(SMALL, generator=replace(SMALL.generator, intermediate=72)))
    load_exported(wide, exported)
    narrow = Voice(SMALL)
    load_exported(narrow, exported)
    layer = wide.generator.vocos.layers[0]
    assert (layer.pwconv1.weight.abs().sum(dim=1) > 0).all()
    mel, hz = torch.randn(1, 12, 80), torch.full((1, 12), 200.0)
    source = torch.randn(1, 12, 4 * (SMALL.generator.fft // 2 + 1))
    sounds = [one.generator(mel, hz, torch.zeros(1, dtype=torch.long), source)
              for one in (wide, narrow)]  # fmt: skip
    assert torch.allclose(*sounds, atol=1e-5)


def test_the_generators_two_inverse_transforms_are_one_function():
    from rt_avatar.engines.networks.nano_tts.generator import _computed_basis
    from rt_avatar.engines.networks.styletts2.istft import inverse_basis
    from rt_avatar.engines.networks.styletts2.vocos import WINDOW_SUM

    np.testing.assert_allclose(
        _computed_basis(1200).numpy(), inverse_basis(1200) / WINDOW_SUM, atol=1e-8
    )
    generator = Voice(SMALL).generator.vocos
    spectrum = torch.randn(1, 3, 2 * generator.bins)
    spectrum[..., [generator.bins, -1]] = 0.0  # the first and the last bin are real
    np.testing.assert_allclose(
        generator._inverse(spectrum).numpy(),
        (spectrum @ _computed_basis(1200)).numpy(),
        atol=1e-5,
    )
