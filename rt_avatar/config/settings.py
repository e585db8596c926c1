"""Settings: one frozen dataclass a stage inside one tree. Read once in ``main``, passed down.

Every key carries its help (``Doc``) and its bounds, which the loader (``config.loader``, the only
place that reads the environment), ``rt-avatar config`` and the command line share.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Interval

from rt_avatar.config.network_settings import NetworkSettings


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The HTTP edge."""

    host: Annotated[str, Doc("Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Interval(ge=0, le=65535), Doc("Port; 0 picks a free one.")] = 8080
    allowed_origins: Annotated[
        tuple[str, ...], Doc("Origins of other sites that may call, e.g. https://example.org.")
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        Doc(
            "Addresses or networks of the reverse proxies in front, e.g. 127.0.0.1 or 10.0.0.0/8: "
            "who calls is read from their X-Forwarded-For."
        ),
    ] = ()
    max_sessions: Annotated[int, Interval(ge=1), Doc("Callers at once, at most.")] = 4
    max_sessions_per_client: Annotated[
        int,
        Interval(ge=0),
        Doc(
            "Of them from one address, at most; all behind one router (an office, a kiosk's) are "
            "one. 0: no limit."
        ),
    ] = 0
    workers: Annotated[
        int,
        Interval(ge=1, le=64),
        Doc("Processes that share the port, each with engines of its own; one a core or two."),
    ] = 1
    max_load: Annotated[
        float,
        Interval(gt=0, le=1),
        Doc(
            "Share of the cores that callers may need when all talk at once, by what a call was "
            "measured to cost; a caller who would exceed it is told that the server is busy. Two "
            "cores broke the promise at 0.70, no thread being full."
        ),
    ] = 0.65
    token_secret: Annotated[
        str, Doc("Key that signs session tokens; empty makes a new one at every start.")
    ] = ""
    token_ttl_s: Annotated[
        float, Interval(ge=10), Doc("Seconds in which a token must be used to connect.")
    ] = 120.0
    reconnect_s: Annotated[
        float, Interval(ge=0), Doc("Seconds a session waits for a lost caller to come back.")
    ] = 30.0
    max_call_s: Annotated[
        float, Interval(ge=0), Doc("Seconds that a call may last; 0: no limit.")
    ] = 14_400.0
    max_idle_s: Annotated[
        float,
        Interval(ge=0),
        Doc("Seconds after which a call ends whose caller neither speaks nor types; 0: no limit."),
    ] = 1_800.0
    drain_s: Annotated[
        float, Interval(ge=0), Doc("Seconds that running calls get to end on SIGTERM.")
    ] = 20.0


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Who may call: with a key, callers need an access token (a JWT) that your backend signs."""

    jwt_secret: Annotated[
        str, Doc("Shared secret of HS256 access tokens, 32 bytes or more; empty: no token needed.")
    ] = ""
    jwt_public_key_file: Annotated[
        str, Doc("PEM file with the public key of RS256, ES256 or EdDSA access tokens, instead.")
    ] = ""
    audience: Annotated[str, Doc("What an access token's aud must say.")] = "rt-avatar"


@dataclass(frozen=True, slots=True)
class LiveKitSettings:
    """Rooms of a LiveKit server (`rt-avatar livekit`)."""

    url: Annotated[
        str, Doc("The LiveKit server, e.g. wss://livekit.example.org. Also read from LIVEKIT_URL.")
    ] = ""
    api_key: Annotated[
        str, Doc("Name of a key of that server. Also read from LIVEKIT_API_KEY.")
    ] = ""
    api_secret: Annotated[
        str, Doc("The secret of that key. Also read from LIVEKIT_API_SECRET.")
    ] = ""
    agent_name: Annotated[str, Doc("Name under which dispatches ask for the avatar.")] = "rt-avatar"


@dataclass(frozen=True, slots=True)
class IceSettings:
    """How peers find each other."""

    stun_urls: Annotated[tuple[str, ...], Doc("STUN servers, e.g. stun:stun.example.org.")] = ()
    turn_urls: Annotated[
        tuple[str, ...],
        Doc("TURN servers, e.g. turn:turn.example.org. Callers need an access token to use them."),
    ] = ()
    turn_secret: Annotated[
        str, Doc("Shared secret of the TURN servers (coturn: static-auth-secret).")
    ] = ""
    turn_ttl_s: Annotated[
        int, Interval(ge=60, le=86_400), Doc("Life of a minted TURN credential.")
    ] = 600


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
        float, Interval(gt=0), Doc("Longest wait for the first words of a reply.")
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
class MetricsSettings:
    """What Prometheus reads, at `/metrics`. For the operator: not on the port that callers use."""

    host: Annotated[str, Doc("Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, Interval(ge=0, le=65535), Doc("Port; 0 picks a free one, which the log tells.")
    ] = 9464


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Logs. Words and images of callers are never logged."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], Doc("Least level shown.")] = (
        "INFO"
    )
    json: Annotated[bool, Doc("One JSON object a line instead of text.")] = False


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
