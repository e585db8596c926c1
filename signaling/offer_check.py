"""Looks at a caller's SDP before anything is made of it. ``str → OfferFacts`` or ``BadInputError``.

It reads just enough to know that the offer is one we can answer: which sections, which codecs, how
many candidates. The WebRTC library parses the rest; what it does not like is refused as well, but
only after it has made sockets and tasks, so the cheap checks come first.
"""

import re
from dataclasses import dataclass
from typing import Final

from rt_avatar.errors import BadInputError
from rt_avatar.signaling.protocol import MAX_SDP_BYTES

MAX_SECTIONS: Final = 3  # audio, video, data
MAX_CANDIDATES: Final = 64  # a laptop with VPNs, IPv6 and TURN offers about 20
MAX_LINE_CHARS: Final = 2048
MAX_LINES: Final = 1500  # Chrome's offer with all codecs has about 250
# Of a message to the caller, who may say how long one may be. Who does not say takes 64 KiB,
# browsers say 256 KiB or more; 0 is any length. Source: RFC 8841 §6.
MIN_MESSAGE_BYTES: Final = 16_384
# Names are looked up by multicast DNS, a second each at most: too many delay the answer.
MAX_NAMED_CANDIDATES: Final = 8

_SECTION: Final = re.compile(r"m=(audio|video|application) \d{1,5} [A-Z/]+ [^\r\n]+")
# What a connection cannot be made without. Source: RFC 8839 §5.4 (ufrag, pwd), RFC 8122 §5.
_KEYS: Final = {
    "a=ice-ufrag": re.compile(r"a=ice-ufrag:[A-Za-z0-9+/-]{4,256}"),
    "a=ice-pwd": re.compile(r"a=ice-pwd:[A-Za-z0-9+/-]{22,256}"),
    "a=fingerprint": re.compile(r"a=fingerprint:\S{1,16} [0-9A-Fa-f:]{4,256}"),
    "a=setup:actpass": re.compile(r"a=setup:actpass"),
}
_MESSAGE_SIZE: Final = re.compile(r"a=max-message-size:(\d{1,18})", re.ASCII)
_RTPMAP: Final = re.compile(r"a=rtpmap:\d{1,3} ([A-Za-z0-9-]+)/(\d+)")


@dataclass(frozen=True, slots=True)
class OfferFacts:
    """What the answer depends on.

    Attributes:
        has_video: Whether there is a video section.
        video_codecs: Its codecs that we know, upper case, in the caller's order.
    """

    has_video: bool
    video_codecs: tuple[str, ...]


def check_offer(sdp: str) -> OfferFacts:
    """Return what an offer holds.

    Raises:
        BadInputError: It is none, or one that cannot be answered; says which line to mend.
    """
    size = len(sdp.encode())
    if size > MAX_SDP_BYTES:
        raise _bad(f"at most {MAX_SDP_BYTES} bytes", f"{size}", "leave out codecs you do not need")
    lines = sdp.splitlines()
    if not lines or lines[0] != "v=0":
        raise _bad("a session description that begins with v=0", f"{sdp[:20]!r}", _FROM_BROWSER)
    if len(lines) > MAX_LINES or max(map(len, lines)) > MAX_LINE_CHARS:
        raise _bad(
            f"at most {MAX_LINES} lines of {MAX_LINE_CHARS} characters", "more", _FROM_BROWSER
        )
    _check_candidates(lines)
    _check_message_size(lines)
    sections = _sections(lines)
    kinds = [section[0].split(" ", 1)[0][2:] for section in sections]
    for kind, least, most in (("audio", 1, 1), ("video", 0, 1), ("application", 0, 1)):
        if not least <= kinds.count(kind) <= most:
            wanted = "exactly one" if least else "at most one"
            raise _bad(
                f"{wanted} {kind} section", f"{kinds.count(kind)}",
                "make one transceiver of each kind and switch devices by replaceTrack",
            )  # fmt: skip
    _check_bundle(lines, sections)
    codecs = {kind: _codecs(section) for kind, section in zip(kinds, sections, strict=True)}
    if "OPUS" not in codecs["audio"]:
        raise _bad("Opus among the audio codecs", _named(codecs["audio"]), "offer it")
    video = tuple(name for name in codecs.get("video", ()) if name in ("VP8", "H264"))
    if "video" in codecs and not video:
        raise _bad("VP8 or H264 among the video codecs", _named(codecs["video"]), "offer one")
    return OfferFacts("video" in kinds, video)


_FROM_BROWSER: Final = "send pc.localDescription.sdp as it is"


def _sections(lines: list[str]) -> list[list[str]]:
    sections: list[list[str]] = []
    for line in lines:
        if line.startswith("m="):
            if not _SECTION.fullmatch(line):
                raise _bad("m=audio, m=video or m=application", f"{line[:40]!r}", _FROM_BROWSER)
            sections.append([line])
        elif sections:
            sections[-1].append(line)
    if not 1 <= len(sections) <= MAX_SECTIONS:
        raise _bad(f"1 to {MAX_SECTIONS} media sections", f"{len(sections)}", _FROM_BROWSER)
    common = lines[: lines.index(sections[0][0])]  # keys may stand here, for all sections
    for section in sections:
        for name, key in _KEYS.items():
            if not any(key.fullmatch(line) for line in [*section, *common]):
                raise _bad(f"{name} in every section", "none that can be read", _FROM_BROWSER)
    return sections


def _check_candidates(lines: list[str]) -> None:
    candidates = [line for line in lines if line.startswith("a=candidate:")]
    if len(candidates) > MAX_CANDIDATES:
        raise _bad(f"at most {MAX_CANDIDATES} candidates", f"{len(candidates)}", "send fewer")
    named = sum(".local " in line for line in candidates)
    if named > MAX_NAMED_CANDIDATES * MAX_SECTIONS:
        raise _bad(f"at most {MAX_NAMED_CANDIDATES} .local candidates", f"{named}", "send fewer")


def _check_message_size(lines: list[str]) -> None:
    for line in lines:
        if line.startswith("a=max-message-size"):
            said = _MESSAGE_SIZE.fullmatch(line)
            if said is None or 0 < int(said[1]) < MIN_MESSAGE_BYTES:
                raise _bad(
                    f"a=max-message-size of {MIN_MESSAGE_BYTES} or more, or of 0",
                    f"{line[:40]!r}", "take messages as long as that",
                )  # fmt: skip


def _check_bundle(lines: list[str], sections: list[list[str]]) -> None:
    groups = [line.split()[1:] for line in lines if line.startswith("a=group:BUNDLE ")]
    mids = [line[6:] for section in sections for line in section if line.startswith("a=mid:")]
    if len(groups) != 1 or sorted(groups[0]) != sorted(mids) or len(set(mids)) != len(sections):
        raise _bad(
            "one BUNDLE of all sections, each with its own a=mid",
            f"{groups} for {mids}"[:80],
            'use bundlePolicy: "max-bundle"',
        )


def _codecs(section: list[str]) -> tuple[str, ...]:
    found = (_RTPMAP.match(line) for line in section)
    return tuple(match.group(1).upper() for match in found if match)


def _named(codecs: tuple[str, ...]) -> str:
    return ", ".join(codecs[:8]) or "none"


def _bad(expected: str, got: str, mend: str) -> BadInputError:
    return BadInputError(f"sdp: expected {expected}, got {got}; {mend}", reason="bad_sdp")
