"""Old names of settings, values, commands and flags → the names of now.

A settings file, environment variable or flag with an old name is refused with the new one. There
are no aliases. A key is deleted here with the release after the next.
"""

from collections.abc import Mapping
from typing import Final

RENAMED_KEYS: Final[Mapping[str, str]] = {
    "hearing.whisper_model": "stt.whisper_model",
    "hearing.language": "stt.language",
    "sight.enabled": "vision.enabled",
    "sight.rate_hz": "vision.rate_hz",
    "endpointing.speech_threshold": "turn_detection.activation_threshold",
    "endpointing.silence_threshold": "turn_detection.deactivation_threshold",
    "endpointing.draft_silence_ms": "turn_detection.preemptive_silence_ms",
    "endpointing.min_silence_ms": "turn_detection.min_endpointing_delay_ms",
    "endpointing.max_silence_ms": "turn_detection.max_endpointing_delay_ms",
    "endpointing.drafts": "turn_detection.preemptive_generation",
    "endpointing.barge_in": "turn_detection.allow_interruptions",
    "reasoner.kind": "llm.kind",
    "reasoner.base_url": "llm.base_url",
    "reasoner.model": "llm.model",
    "reasoner.api_key": "llm.api_key",
    "reasoner.timeout_s": "llm.timeout_s",
    "reasoner.coe": "llm.coe",
    "reasoner.temperature": "llm.temperature",
    "reasoner.max_tokens": "llm.max_tokens",
    "speech.kind": "tts.kind",
    "speech.base_url": "tts.base_url",
    "speech.model": "tts.model",
    "speech.voice": "tts.voice",
    "speech.api_key": "tts.api_key",
    "speech.timeout_s": "tts.timeout_s",
    "speech.rate_hz": "tts.rate_hz",
    "speech.clapper_skew_ms": "tts.sync_test_skew_ms",
    "speech.ahead_s": "tts.ahead_s",
    "avatar.profile": "avatar.persona",
    "network.profile": "network.size",
    "network.manner_file": "network.style_clip_file",
}

# Values: key of now → old value → new value.
RENAMED_VALUES: Final[Mapping[str, Mapping[str, str]]] = {"tts.kind": {"clapper": "sync_test"}}

# Commands, and flags that are no settings.
RENAMED_WORDS: Final[Mapping[str, str]] = {"profiles": "personas", "--profile": "--persona"}
