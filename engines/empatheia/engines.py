"""All engines of one size: encoders, language model, fusion, voice, motion, face.

Graphs are callables, arrays by name in and out; which runtime runs them is chosen where they are
loaded. Everything here is shared by all callers; what belongs to one is in the streams.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import Engine
from rt_avatar.engines.dreamtalk.pose import STILL
from rt_avatar.engines.dreamtalk.schedule import Schedule
from rt_avatar.engines.dreamtalk.stream import ExpressionSampler
from rt_avatar.engines.dreamtalk.style import style_clip
from rt_avatar.engines.emotion_words import felt, to_fine
from rt_avatar.engines.empatheia.dialogue import Dialogue, Styles
from rt_avatar.engines.empatheia.encoders import (
    LIPS,
    FeatureEngine,
    SpeechEncoderEngine,
    VisionEncoderEngine,
    is_heard,
)
from rt_avatar.engines.empatheia.export_manifest import (
    NANO_VOICE,
    Constants,
    ExportManifest,
)
from rt_avatar.engines.empatheia.face import FaceEngine
from rt_avatar.engines.empatheia.motion import MotionEngine, Source
from rt_avatar.engines.empatheia.opened_export import Run, open_export
from rt_avatar.engines.empatheia.utterance_encoder import UtteranceEncoder
from rt_avatar.engines.empatheia.voice import VoiceEngine
from rt_avatar.engines.llm.answer import Answerer, Signalled
from rt_avatar.engines.llm.cache import CachedGraph, HostCachedGraph
from rt_avatar.engines.llm.chain import NOTATIONS, Chain
from rt_avatar.engines.llm.decoding import Decoding, advance_batch
from rt_avatar.engines.llm.model import GraphModel, Read, Vectors
from rt_avatar.engines.llm.profile import Profile, profile_classes
from rt_avatar.engines.llm.prompt import Said, count, write
from rt_avatar.engines.llm.templates import TEMPLATES, Modality
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.nano_tts.model import SpeakerCode
from rt_avatar.engines.nano_tts.tokens import Tokens as SpokenTokens
from rt_avatar.engines.pirender.portraits import MAPS, HostPortraits, Portraits
from rt_avatar.engines.runtimes import RuntimeName
from rt_avatar.engines.runtimes.device_cache import DeviceCachedGraph
from rt_avatar.engines.styletts2.recipe import KOKORO, LIBRITTS, LJSPEECH, NANO
from rt_avatar.engines.styletts2.speaker import Speaker
from rt_avatar.engines.types import EMOTIONS, Emotion, Pcm

Floats: TypeAlias = NDArray[np.float32]

Item = TypeVar("Item")

RECIPES: Final = {"nano": NANO, "ljspeech": LJSPEECH, "libritts": LIBRITTS, "kokoro": KOKORO}


class EmpatheiaEngines:
    """The graph's stages.

    Args:
        graphs: By name, all of ``manifest.graphs``.
        manifest: What they are.
        constants: What they need beside.
        tokens: Of the language model.
        max_batch: Most dialogues whose next tokens are read in one run of the language model.
        extend: ``llm_extend`` with its caches; None: of the host's memory.
        portraits: The renderer's graph of frames with its portraits; None: likewise.
    """

    def __init__(
        self,
        graphs: Mapping[str, Run],
        manifest: ExportManifest,
        constants: Constants,
        tokens: Tokens,
        max_batch: int = 1,
        extend: CachedGraph | None = None,
        portraits: Portraits | None = None,
    ) -> None:
        self.manifest, self._graphs, self._constants = manifest, graphs, constants
        self.max_batch, self.is_plan = max_batch, isinstance(extend, DeviceCachedGraph)
        speech, vision = graphs["encoders_speech"], graphs["encoders_vision"]
        # By the number of vectors that an utterance becomes.
        self.speech_encoders: dict[int, SpeechEncoderEngine] = {}
        self.vision_encoders: dict[int, VisionEncoderEngine] = {}
        for bins in {manifest.history_bins, manifest.query_bins}:
            spoken, seen = (graphs[f"encoders_{kind}_tokens_{bins}"] for kind in _ENCODERS)
            self.speech_encoders[bins] = SpeechEncoderEngine(speech, spoken, manifest.feature_size)
            self.vision_encoders[bins] = VisionEncoderEngine(vision, seen, manifest.vision_px)
        self.features = FeatureEngine(graphs[manifest.lips], manifest.feature_size, LIPS)
        extend = extend or HostCachedGraph(graphs["llm_extend"], *manifest.cache)
        self.language = GraphModel(graphs["llm_embed"], extend)
        template, notation = TEMPLATES[manifest.template], NOTATIONS[manifest.notation]
        self.answerer = Answerer(self.language, tokens, template, notation)
        self._portraits = portraits or HostPortraits(graphs[manifest.frame])
        recipe = RECIPES[manifest.voice]
        parts = {
            name.removeprefix("styletts2_"): run
            for name, run in graphs.items()
            if name.startswith("styletts2_")
        }
        self._speaker = Speaker(parts, recipe, constants.generator, manifest.voice_style_size)
        self.voice = VoiceEngine(self._speaker, recipe, manifest.voice_style_size, manifest.symbols)
        self.content_motion = self._motion("dreamtalk_given", manifest.content_size, "content")
        self.sound_motion = self._motion("dreamtalk_content", manifest.feature_size, "sound")

    @classmethod
    def load(
        cls,
        folder: Path,
        name: str = "nano",
        *,
        provider: RuntimeName = "cpu",
        threads: int = 1,
    ) -> "EmpatheiaEngines":
        """Load what ``rt-avatar engines export`` (and ``build``, for plans) wrote into a folder.

        Raises:
            ExportError: It is none.
            FileNotFoundError: No plan was built of a graph.
            ManifestError: A plan has no manifest.
            RuntimeUnavailableError: The runtime cannot run its graphs here, or the extra
                ``network`` is not installed.
        """
        return cls(*open_export(folder, name, provider, threads))

    def warmup(self) -> None:
        """Run every stage once."""
        stages: tuple[Engine[Any, Any], ...] = (
            *self.speech_encoders.values(),
            *self.vision_encoders.values(),
            self.features,
            self.voice,
            self.content_motion,
            self.sound_motion,
            self.face(0),
        )
        for stage in stages:
            stage.warmup()
        read = self.language.read(self.language.embed([0]))
        self.language.step([0], read)

    def face(self, lookahead: int, pose: Floats | None = STILL) -> FaceEngine:
        """Return the renderer that waits for so many frames of motion.

        Args:
            lookahead: The frames.
            pose: The template by which poses to come are known; None: nobody knows them.
        """
        name = self.manifest.renderer
        return FaceEngine(
            self._graphs[f"{name}_portrait"],
            self._portraits,
            MAPS[name],
            self.manifest.face_px,
            lookahead,
            pose,
        )

    # --- dialogue → language model ---------------------------------------------------------------
    def utterance_encoder(self) -> UtteranceEncoder:
        """Return what takes in a caller's utterances while they are spoken."""
        return UtteranceEncoder(self.speech_encoders, self.vision_encoders)

    def advance(self, decodings: Sequence[Decoding[Item]]) -> list[list[Item] | Exception]:
        """Advance answers by a token each, as ``advance_batch``."""
        return advance_batch(self.language, decodings)

    def prompt(self, dialogue: Sequence[Said], profile: Profile | None = None) -> Vectors:
        """Return a dialogue as the language model reads it, up to where it answers as somebody."""
        parts = self.answerer
        return write(self.language, parts.tokens, parts.template, dialogue, profile)

    def read(self, dialogue: Dialogue, without: Collection[Modality] = (), room: int = 0) -> Read:
        """Read a dialogue up to where the model answers.

        Args:
            dialogue: What was said.
            without: What is left out of all turns: speech, video.
            room: Tokens that the answer may need behind it.

        Raises:
            ValueError: The model has no positions for so long a dialogue and its answer.
        """
        said: list[Said] = []
        last = len(dialogue.utterances) - 1
        for index, utterance in enumerate(dialogue.utterances):
            bins = self.manifest.query_bins if index == last else self.manifest.history_bins
            encodings: dict[Modality, Vectors] = {}
            if "speech" not in without and is_heard(utterance.pcm):
                encodings["speech"] = _through(self.speech_encoders[bins].open(), [utterance.pcm])
            if "video" not in without and utterance.pictures:
                encodings["video"] = _through(self.vision_encoders[bins].open(), utterance.pictures)
            said.append(Said(utterance.role, utterance.text, encodings))
        parts, most = self.answerer, self.manifest.positions - room
        # Counted before anything is embedded: a plan of the embeddings takes no more either.
        counted = count(parts.tokens, parts.template, said, dialogue.profile)
        if counted > most:
            mend = "Leave out its beginning" if last else "Shorten what is said in it"
            raise ValueError(
                f"dialogue: expected at most {most} tokens, with an answer of {room} after them; "
                f"got {counted}. {mend}{longer_context(self, counted + room)}"
            )
        return self.language.read(self.prompt(said, dialogue.profile))

    # --- language model → generators -------------------------------------------------------------
    def voice_content(self, states: Vectors, tokens: int) -> Floats:
        """Return C^s (1, C, tokens) of a clause, by the synchronizer."""
        return self._content("speech", "phonemes", states, tokens)

    def face_content(self, states: Vectors, frames: int) -> Floats:
        """Return C^v (frames, D) of a clause, by the synchronizer."""
        content: Floats = self._content("video", "frames", states, frames)[0]
        return content

    def guide_nano_voice(
        self, states: Vectors, tokens: SpokenTokens, who: SpeakerCode
    ) -> Floats | None:
        """Return what the nano voice's encoder would give (1, N, C), by the synchronizer.

        Args:
            states: (S, width) of a clause.
            tokens: N of them, as the voice reads the clause.
            who: Who speaks.

        Returns:
            None where there are more tokens than ``manifest.symbols``.
        """
        if len(tokens.symbol) > self.manifest.symbols:
            return None
        given: dict[str, NDArray[Any]] = {
            "reply": states[None],
            "reply_mask": np.ones((1, len(states)), np.float32),
            "symbol": tokens.symbol[None],
            "speaker": who.acoustic,
        }
        encoded: Floats = self._graphs[NANO_VOICE](given)["encoded"]
        return encoded

    def disentangled(
        self, signals: Signalled, chain: Chain | None = None, profile: Profile | None = None
    ) -> Styles:
        """Return the styles by the disentangler.

        Args:
            signals: What the model made of the signal tokens.
            chain: Whose emotion is known, if it is one of the 32; else as of somebody content.
            profile: Who answers; None: nobody says.
        """
        given: dict[str, NDArray[Any]] = {
            "speech": signals.speech[None], "video": signals.video[None],
        }  # fmt: skip
        if self.manifest.styles_see == "known":
            known = None if chain is None else to_fine(chain.emotion)
            ids = self.answerer.tokens.encode(known or _CALM)
            given["felt"] = self.language.embed(ids).mean(0, keepdims=True)
            given["profile"] = np.array([profile_classes(profile)], np.int64)
        outputs = self._graphs["fusion_styles"](given)
        classes = {name: outputs[name] for name in ("emotion", "age", "gender", "tone")}
        return Styles(outputs["speech_style"], outputs["video_style"], classes)

    def banked(self, chain: Chain) -> Styles:
        """Return the bank's styles for the emotion that the chain names; neutral for others.

        The chain's own emotion is shown, as in the published pipelines: what the caller feels, not
        a listener's answer to it.
        """
        return self.felt(felt(to_fine(chain.emotion)))

    def felt(self, emotion: Emotion, intensity: float = 1.0) -> Styles:
        """Return the bank's styles for an emotion, of which ``intensity`` 0..1 is felt."""
        felt, calm = EMOTIONS.index(emotion), EMOTIONS.index("neutral")
        share = np.float32(min(max(intensity, 0.0), 1.0))
        voice, face = (
            ((1 - share) * bank[calm] + share * bank[felt])[None]
            for bank in (self._constants.bank_voice, self._constants.bank_face)
        )
        return Styles(voice, face, {})

    def referred(self, dialogue: Dialogue) -> Styles:
        """Return the styles of the voice and the face that the dialogue brings.

        Raises:
            ValueError: It brings none.
        """
        if dialogue.voice is None or dialogue.style_clip is None:
            raise ValueError(
                "style_source: 'reference' expects a recorded voice and recorded expressions; "
                "the dialogue has none. Give both, or take 'sd' or 'bank'"
            )
        return self.referred_to(dialogue.voice, dialogue.style_clip)

    def referred_to(self, voice: Pcm, expressions: Floats) -> Styles:
        """Return the styles of a voice and of how a face moves.

        Args:
            voice: (samples,) at 24 kHz; of what is not silence, the first 10 s count.
            expressions: (frames, 64) at 25 fps; of longer ones, the first 10 s count.

        Raises:
            ValueError: Less than 0.81 s of sound, or no expressions.
        """
        face = self._graphs["dreamtalk_style_encoder"]({"clip": style_clip(expressions)})["style"]
        return Styles(self._speaker.style_of(voice), face, {})

    def _content(self, branch: str, wanted: str, states: Vectors, count: int) -> Floats:
        given = {
            "reply": states[None],
            "reply_mask": np.ones((1, len(states)), np.float32),
            wanted: np.ones((1, count), np.float32),
        }
        content: Floats = self._graphs[f"fusion_{branch}_content"](given)["content"]
        return content

    def _motion(self, content: str, size: int, source: Source) -> MotionEngine:
        quick = self._sampler(content, every=2)
        return MotionEngine(self._sampler(content), size, source, quick=quick)

    def _sampler(self, content: str, every: int = 1) -> ExpressionSampler:
        """Return the face's sampler by every so many of the export's steps, from the first."""
        return ExpressionSampler(
            self._graphs[content],
            self._graphs["dreamtalk_style"],
            self._graphs["dreamtalk_step"],
            self._constants.times[::every],
            Schedule.of(self.manifest.steps[::every]),
            null_style=self._constants.null_style,
        )


def longer_context(engines: EmpatheiaEngines, tokens: int) -> str:
    """Return how to get a language model that takes so many tokens, as the end of an error."""
    if not engines.is_plan:
        return ""
    return (
        ". A plan that takes more: rt-avatar engines build "
        f"{engines.manifest.name} --context {tokens}"
    )


_CALM: Final = "content"
_ENCODERS: Final = ("speech", "vision")


def _through(stream: Any, items: Sequence[Any]) -> Vectors:
    """Return what a sense makes of one utterance."""
    for item in items:
        stream.push(item)
    (vectors,) = stream.flush()
    return np.asarray(vectors, np.float32)
