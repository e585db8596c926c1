"""Settings of perception: when turns begin and end, how the caller is heard and seen."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Interval


@dataclass(frozen=True, slots=True)
class TurnDetectionSettings:
    """When a turn begins and ends."""

    kind: Annotated[
        Literal["learnt", "rules", "smart_turn"],
        Doc(
            "Who says whether a pause ends the turn. learnt: a network over the sound and n-grams "
            "over the words; rules: lists of English words and the pitch; smart_turn: pipecat's "
            "smart-turn v3, which `rt-avatar models fetch smart-turn` brings."
        ),
    ] = "rules"
    smart_turn_model: Annotated[
        str,
        Doc(
            "ONNX file of smart-turn v3 for kind: smart_turn. Empty: the one in "
            "~/.cache/rt-avatar/models."
        ),
    ] = ""
    activation_threshold: Annotated[
        float, Interval(gt=0, lt=1), Doc("Speech probability at which speech begins.")
    ] = 0.5
    deactivation_threshold: Annotated[
        float, Interval(gt=0, lt=1), Doc("Speech probability below which a window is silence.")
    ] = 0.35
    preemptive_silence_ms: Annotated[
        int, Interval(ge=60, le=500), Doc("Silence after which a reply is generated preemptively.")
    ] = 140
    min_endpointing_delay_ms: Annotated[
        int, Interval(ge=120, le=2000), Doc("Shortest silence that ends a finished sentence.")
    ] = 250
    max_endpointing_delay_ms: Annotated[
        int,
        Interval(ge=200, le=5000),
        Doc("Silence that ends even an unfinished sentence."),
    ] = 700
    preemptive_generation: Annotated[
        bool, Doc("Generate a reply preemptively at the first pause (speculation).")
    ] = True
    allow_interruptions: Annotated[bool, Doc("Let the caller interrupt the avatar.")] = True


@dataclass(frozen=True, slots=True)
class SttSettings:
    """The recogniser."""

    whisper_model: Annotated[
        str,
        Doc(
            "faster-whisper model: a folder, or a name already downloaded. "
            "Empty: pocketsphinx, which needs no download and hears less well."
        ),
    ] = ""
    language: Annotated[str, Doc("Language spoken, e.g. en.")] = "en"


@dataclass(frozen=True, slots=True)
class PerceptionSettings:
    """How the caller's feeling is perceived, beside words and face."""

    voice_emotion: Annotated[
        Literal["off", "on"],
        Doc(
            "Whether a network hears emotions in the caller's voice. Its weights are licensed "
            "CC BY-NC-SA 4.0 (not for commercial use); off: arousal alone."
        ),
    ] = "off"


@dataclass(frozen=True, slots=True)
class VisionSettings:
    """The camera."""

    enabled: Annotated[bool, Doc("Look at the caller's camera, if the caller allows it.")] = True
    rate_hz: Annotated[int, Interval(ge=1, le=10), Doc("Images looked at a second.")] = 4
