"""Settings: one frozen dataclass a stage inside one tree. Read once in ``main``, passed down.

Here is the tree, and how the avatar answers: what thinks, speaks and is seen. What hears and sees
the caller is in ``perception_settings``, the process in ``server_settings``.

Every key carries its help (``Doc``) and its bounds, which the loader (``config.loader``, the only
place that reads the environment), ``rt-avatar config`` and the command line share.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Interval

from rt_avatar.config.network_settings import NetworkSettings
from rt_avatar.config.perception_settings import (
    PerceptionSettings,
    SttSettings,
    TurnDetectionSettings,
    VisionSettings,
)
from rt_avatar.config.server_settings import (
    AuthSettings,
    IceSettings,
    LiveKitSettings,
    LogSettings,
    MetricsSettings,
    ServerSettings,
)


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Who thinks."""

    kind: Annotated[
        Literal["auto", "reflective", "nano", "empathyear", "e3rg", "empatheia"],
        Doc(
            "auto: empathyear when base_url is set, else nano, or reflective if llm.emotion is "
            "lexicon. reflective: rules. nano: rules, and to stories written replies, chosen by a "
            "small network (weights CC BY-NC 4.0: not for commercial use). "
            "e3rg: a model at base_url, told the emotion by a vote of several opinions. "
            "empatheia: the network of the section network, in this process."
        ),
    ] = "auto"
    emotion: Annotated[
        Literal["network", "lexicon"],
        Doc(
            "How the caller's emotion is named. network: by a small network, whose weights are "
            "licensed CC BY-NC 4.0 (not for commercial use); lexicon: by words alone, and no "
            "network chooses replies."
        ),
    ] = "network"
    replies: Annotated[str, Doc("Text file of replies for nano in place of the package's own.")] = (
        ""
    )
    base_url: Annotated[str, Doc("OpenAI-compatible endpoint, e.g. http://127.0.0.1:11434/v1.")] = (
        ""
    )
    model: Annotated[str, Doc("Model name at that endpoint.")] = ""
    api_key: Annotated[str, Doc("Key for that endpoint; better given by the environment.")] = ""
    timeout_s: Annotated[
        float, Interval(gt=0), Doc("Longest wait for words of a reply, first or further.")
    ] = 8.0
    coe: Annotated[
        Literal["prethink", "paper", "off"],
        Doc(
            "When a model thinks its chain of empathy. prethink: while the caller speaks (more "
            "requests, earlier replies); paper: before each reply; off: never, rules choose styles."
        ),
    ] = "prethink"
    agent: Annotated[
        Literal["persona", "retrieved"],
        Doc(
            "empathyear: who answers. persona: as set or chosen by the caller; retrieved: the "
            "model names age and gender at the caller's first words, and that persona goes on."
        ),
    ] = "persona"
    opinions: Annotated[
        int,
        Interval(ge=1, le=9),
        Doc("e3rg: how many times the model is asked for the emotion, all at once."),
    ] = 3
    temperature: Annotated[
        float | None,
        Interval(ge=0, le=2),
        Doc("Sampling temperature; not set: not sent, the endpoint's own."),
    ] = None
    max_tokens: Annotated[
        int | None,
        Interval(ge=32),
        Doc("Longest answer of the model, in tokens; not set: not sent, the endpoint's own."),
    ] = None
    stream_usage: Annotated[
        bool,
        Doc("Ask for the count of tokens with each answer (stream_options), for /metrics."),
    ] = True
    extra_body: Annotated[
        Mapping[str, object],
        Doc(
            "Further keys of each request, as the endpoint names them, e.g. "
            '{"max_completion_tokens": 400, "reasoning_effort": "low"}.'
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """What is given up to be in time (docs/decisions/0011-budget.md)."""

    enabled: Annotated[
        bool, Doc("Shorten, simplify or omit parts of a reply when its first sound would be late.")
    ] = True
    first_sound_ms: Annotated[
        int,
        Interval(ge=300, le=5000),
        Doc("Deadline: from the caller's last voiced sample to the first sound of the reply."),
    ] = 800


@dataclass(frozen=True, slots=True)
class TtsSettings:
    """The voice."""

    kind: Annotated[
        Literal["nano", "espeak", "kokoro", "openai", "empatheia", "sync_test"],
        Doc(
            "Which voice engine. nano: the one that learnt from recordings of people. espeak: a "
            "synthesiser, of the extra espeak (GPL-3.0). "
            "kokoro: Kokoro-82M, which is fetched and exported once; it needs several fast cores. "
            "openai: an OpenAI-compatible speech endpoint, the mouth follows its sound. "
            "empatheia: the network of the section network, which moves the face, too. "
            "sync_test: a test signal of claps and flashes, to measure with; it replaces the face, "
            "too."
        ),
    ] = "nano"
    base_url: Annotated[
        str,
        Doc("openai: the endpoint, e.g. http://127.0.0.1:8880/v1 or https://api.openai.com/v1."),
    ] = ""
    model: Annotated[
        str,
        Doc(
            "openai: model name at that endpoint, e.g. gpt-4o-mini-tts. nano: folder of a voice "
            "of your own (docs/nano-voice.md); empty: the one that comes with the program. "
            "kokoro: folder of the exported voice (docs/voices.md); empty: "
            "~/.cache/rt-avatar/engines/kokoro."
        ),
    ] = ""
    voice: Annotated[
        str,
        Doc(
            "One voice for all personas. nano: one made by `rt-avatar voice`; empty: each "
            "persona's. openai, kokoro: empty: nova, af_heart, … by the persona's age and gender "
            "(docs/voices.md). kokoro takes mixtures, too: af_bella(2)+af_sky."
        ),
    ] = ""
    voices_folder: Annotated[str, Doc("nano: where such voices are.")] = "~/.cache/rt-avatar/voices"
    voice_uploads: Annotated[
        bool,
        Doc(
            "nano: let callers of the web page be answered in their own voice, each for their own "
            "calls."
        ),
    ] = True
    max_voices: Annotated[
        int,
        Interval(ge=1),
        Doc("Voice files kept at most, half of them by one client; then recordings are refused."),
    ] = 100
    voice_days: Annotated[
        int, Interval(ge=1), Doc("Days after which a caller's own voice is deleted.")
    ] = 30
    threads: Annotated[
        int, Interval(ge=0, le=64), Doc("kokoro: of the CPU; 0: half of the cores there are.")
    ] = 0
    api_key: Annotated[
        str, Doc("openai: key for that endpoint; better given by the environment.")
    ] = ""
    timeout_s: Annotated[
        float, Interval(ge=0.5, le=60), Doc("openai: longest wait for sound, first or further.")
    ] = 8.0
    extra_body: Annotated[
        Mapping[str, object],
        Doc('openai: further keys of each request, e.g. {"lang_code": "b"}.'),
    ] = field(default_factory=dict)
    rate_hz: Annotated[
        int,
        Interval(ge=8000, le=192000),
        Doc("openai: sampling rate of its PCM (16 bits, mono); a WAV tells its own."),
    ] = 24_000
    sync_test_skew_ms: Annotated[
        int,
        Interval(ge=-400, le=400),
        Doc("Moves the test signal's claps against its flashes; + is later. To check a meter."),
    ] = 0
    ahead_s: Annotated[
        float, Interval(ge=0.4, le=20), Doc("How far speech may be made ahead of playout.")
    ] = 3.0


@dataclass(frozen=True, slots=True)
class AvatarSettings:
    """The avatar itself."""

    persona: Annotated[str, Doc("Who answers first; see `rt-avatar personas`.")] = "ava"
    greeting: Annotated[bool, Doc("Say hello when a call begins.")] = True
    face: Annotated[
        Literal["rig", "empatheia"],
        Doc(
            "Who draws the face. rig: vectors; empatheia: the network of the section network, from "
            "a portrait."
        ),
    ] = "rig"
    portrait: Annotated[
        str,
        Doc(
            "A face made by `rt-avatar portrait`, which the persona above wears; empty: all are "
            "drawn."
        ),
    ] = ""
    portraits_folder: Annotated[str, Doc("Where such faces are.")] = "~/.cache/rt-avatar/portraits"
    portrait_uploads: Annotated[
        bool, Doc("Let callers of the web page use a photograph, each for their own calls.")
    ] = True
    max_portraits: Annotated[
        int,
        Interval(ge=1),
        Doc("Face files kept at most, half of them by one client; then uploads are refused."),
    ] = 100
    portrait_days: Annotated[
        int,
        Interval(ge=1),
        Doc("Days after which a caller's photograph is deleted; shared ones stay."),
    ] = 30
    size_px: Annotated[Literal[256, 384, 512], Doc("Side of the square picture, in pixels.")] = 512
    video_codec: Annotated[
        Literal["auto", "VP8", "H264"], Doc("Preferred video codec; auto: what the browser likes.")
    ] = "auto"


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole tree."""

    server: ServerSettings = field(default_factory=ServerSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    livekit: LiveKitSettings = field(default_factory=LiveKitSettings)
    ice: IceSettings = field(default_factory=IceSettings)
    turn_detection: TurnDetectionSettings = field(default_factory=TurnDetectionSettings)
    stt: SttSettings = field(default_factory=SttSettings)
    perception: PerceptionSettings = field(default_factory=PerceptionSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    budget: BudgetSettings = field(default_factory=BudgetSettings)
    tts: TtsSettings = field(default_factory=TtsSettings)
    avatar: AvatarSettings = field(default_factory=AvatarSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    log: LogSettings = field(default_factory=LogSettings)
