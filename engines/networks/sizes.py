"""One size of all networks, and the two that there are: ``NANO`` and ``EMPATHEIA``, the official.

Exports are made from nothing else, so whatever has the kinds of the official networks is
exported, read and run as they are, however few its numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rt_avatar.engines.dreamtalk.schedule import FEW_STEPS, spaced_steps
from rt_avatar.engines.llm.templates import NANO_PROFILE, VICUNA_EMPATHY
from rt_avatar.engines.networks.dreamtalk import config as dreamtalk
from rt_avatar.engines.networks.dreamtalk.config import DreamTalkConfig
from rt_avatar.engines.networks.encoders import config as encoders
from rt_avatar.engines.networks.encoders.config import SpeechConfig, VisionConfig
from rt_avatar.engines.networks.fusion import config as fusion
from rt_avatar.engines.networks.fusion.config import DisentanglerConfig, SynchronizerConfig
from rt_avatar.engines.networks.llm import config as llm
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.pirender import config as pirender
from rt_avatar.engines.networks.pirender.config import NanoRendererConfig, PIRendererConfig
from rt_avatar.engines.networks.styletts2 import config as styletts2
from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config


@dataclass(frozen=True, slots=True)
class Sizes:
    """The networks of one size.

    Attributes:
        name: Of the export.
        networks: By the prefix of their graphs, the names under which they are exported.
        speech: What hears.
        vision: What sees.
        llm: The language model.
        synchronizer: Contents for both generators.
        disentangler: Styles for both.
        voice: StyleTTS 2.
        motion: DreamTalk.
        face: PIRenderer, or the small one.
        template: How dialogues are written, by ``engines.llm.templates``.
        notation: How chains are written, by ``engines.llm.chain``.
        steps: Of the face's sampling, descending.
        lips: What hears for the lips where it is not ``speech``.
        face_px: Of portrait and picture.
        weights: By part, the published weights that fill it; other parts are trained here.

    Raises:
        ValueError: What one network gives is not what the next one takes.
    """

    name: str
    networks: Mapping[str, str]
    speech: SpeechConfig
    vision: VisionConfig
    llm: LlmConfig
    synchronizer: SynchronizerConfig
    disentangler: DisentanglerConfig
    voice: StyleTTS2Config
    motion: DreamTalkConfig
    face: PIRendererConfig | NanoRendererConfig
    template: str
    notation: str
    steps: tuple[int, ...]
    lips: SpeechConfig | None = None
    face_px: int = 256
    weights: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.synchronizer.window != 1:
            raise ValueError(
                f"{self.name}: expected a synchronizer of one content a frame, of which the motion "
                f"forms windows; got whole windows of {self.synchronizer.window}, which can be "
                "trained and not be run. Take window=1"
            )
        features = (self.lips or self.speech).width
        for what, given, taken in (
            ("features of sound, by speech and lips", self.speech.width, features),
            ("features of sound, for the motion", features, self.motion.audio_size),
            ("states, for contents", self.llm.width, self.synchronizer.inputs),
            ("states, for styles", self.llm.width, self.disentangler.inputs),
            ("contents of the voice", self.synchronizer.speech, self.voice.hidden),
            ("contents of the face", self.synchronizer.video, self.motion.model_size),
            ("styles of the voice", self.disentangler.speech, 2 * self.voice.style),
            ("styles of the face", self.disentangler.video, self.motion.model_size),
        ):
            if given != taken:
                raise ValueError(f"{self.name}: {what}: expected {taken} numbers; got {given}")

    @property
    def renderer(self) -> str:
        """Prefix of the renderer's graphs."""
        return "pirender_nano" if isinstance(self.face, NanoRendererConfig) else "pirender"


NANO: Final = Sizes(
    name="nano",
    networks={
        "encoders": "encoders-nano",
        "llm": "llm-nano",
        "fusion": "fusion-nano",
        "styletts2": "styletts2-nano",
        "dreamtalk": "dreamtalk-nano",
        "pirender": "pirenderer-nano",
    },
    speech=encoders.HUBERT_NANO,
    vision=encoders.CLIP_NANO,
    llm=llm.NANO,
    synchronizer=fusion.NANO_SYNCHRONIZER,
    disentangler=fusion.NANO_DISENTANGLER,
    voice=styletts2.NANO,
    motion=dreamtalk.NANO,
    face=pirender.NANO,
    template=NANO_PROFILE.name,
    notation="tags",
    steps=FEW_STEPS[2],
)
# DreamTalk was trained on features of wav2vec 2.0: HuBERT's have as many numbers, and another
# meaning. The published sampler takes ten steps.
EMPATHEIA: Final = Sizes(
    name="empatheia",
    networks={
        "encoders": "encoders",
        "llm": "llm",
        "fusion": "fusion",
        "styletts2": "styletts2-libritts",
        "dreamtalk": "dreamtalk",
        "pirender": "pirenderer",
    },
    speech=encoders.HUBERT_LARGE,
    vision=encoders.CLIP_LARGE,
    llm=llm.VICUNA_7B,
    synchronizer=fusion.EMPATHEIA_SYNCHRONIZER,
    disentangler=fusion.EMPATHEIA_DISENTANGLER,
    voice=styletts2.LIBRITTS,
    motion=dreamtalk.OFFICIAL,
    face=pirender.OFFICIAL,
    template=VICUNA_EMPATHY.name,
    notation="ordinal",
    steps=spaced_steps(10),
    lips=encoders.WAV2VEC_LARGE,
    weights={
        "speech": "hubert-large",
        "lips": "wav2vec2-large",
        "vision": "clip-large",
        "llm": "vicuna-7b",
        "adapter": "vicuna-7b-lora",
        "voice": "styletts2-libritts",
        "motion": "dreamtalk",
        "face": "pirenderer",
    },
)
SIZES: Final = {sizes.name: sizes for sizes in (NANO, EMPATHEIA)}
