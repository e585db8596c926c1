import pytest
from aiortc import RTCPeerConnection

from rt_avatar.errors import BadInputError
from rt_avatar.signaling.offer_check import check_offer

pytestmark = pytest.mark.unit

SESSION = """v=0
o=- 1 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0 1 2
"""
KEYS = """a=ice-ufrag:abcd
a=ice-pwd:abcdefghijklmnopqrstuvwx
a=fingerprint:sha-256 00:11
a=setup:actpass
"""
AUDIO = f"m=audio 9 UDP/TLS/RTP/SAVPF 111\n{KEYS}a=mid:0\na=rtpmap:111 opus/48000/2\n"
VIDEO = f"m=video 9 UDP/TLS/RTP/SAVPF 96 97\n{KEYS}a=mid:1\na=rtpmap:96 H264/90000\na=rtpmap:97 VP8/90000\n"  # noqa: E501
DATA = f"m=application 9 UDP/DTLS/SCTP webrtc-datachannel\n{KEYS}a=mid:2\na=sctp-port:5000\n"
GOOD = (SESSION + AUDIO + VIDEO + DATA).replace("\n", "\r\n")


def test_a_good_offer_says_what_it_holds():
    facts = check_offer(GOOD)
    assert facts.has_video
    assert facts.video_codecs == ("H264", "VP8")


def test_sound_alone_is_enough():
    facts = check_offer((SESSION + AUDIO).replace("BUNDLE 0 1 2", "BUNDLE 0"))
    assert not facts.has_video


async def test_what_a_real_library_offers_passes():
    pc = RTCPeerConnection()
    pc.addTransceiver("audio")
    pc.addTransceiver("video")
    pc.createDataChannel("rt-avatar")
    offer = await pc.createOffer()
    await pc.close()
    assert check_offer(offer.sdp).has_video


@pytest.mark.parametrize("size", ["0", "16384", "65536", "262144", "1073741823", "18446744073"])
def test_a_caller_may_say_that_messages_of_usual_length_are_taken(size):
    assert check_offer(f"{GOOD}a=max-message-size:{size}\r\n").has_video


@pytest.mark.parametrize(
    "size", ["10", "1", "16383", "-1", "+9", " 9", "09", "9 9", "٩", "", "0x10", "1" * 400]
)
def test_a_caller_who_takes_no_message_of_usual_length_is_refused(size):
    for sdp in (
        f"{GOOD}a=max-message-size:{size}\r\n",
        f"{GOOD}a=max-message-size:262144\r\na=max-message-size:{size}\r\n",
        GOOD.replace("a=mid:0", f"a=mid:0\r\na=max-message-size:{size}"),
    ):
        with pytest.raises(BadInputError, match="max-message-size of 16384 or more") as refused:
            check_offer(sdp)
        assert refused.value.reason == "bad_sdp"


@pytest.mark.parametrize(
    ("sdp", "expected"),
    [
        ("", "begins with v=0"),
        ("hello", "begins with v=0"),
        ("v=0\r\n", "media sections"),
        (GOOD.replace("m=audio", "m=text"), "m=audio"),
        (GOOD.replace("m=audio", "m=video"), "audio section"),
        (SESSION + AUDIO + AUDIO, "audio section"),
        (SESSION + AUDIO + VIDEO + VIDEO, "video section"),
        (SESSION + AUDIO * 9, "media sections"),
        (GOOD.replace("opus", "PCMU"), "Opus"),
        (GOOD.replace("H264", "AV1").replace("VP8", "VP9"), "VP8 or H264"),
        (GOOD.replace("BUNDLE 0 1 2", "BUNDLE 0"), "BUNDLE"),
        (GOOD.replace("a=group", "a=x"), "BUNDLE"),
        (GOOD.replace("a=setup:actpass", "a=setup:active"), "actpass"),
        (GOOD.replace("a=fingerprint", "a=finger"), "fingerprint"),
        (GOOD.replace("a=mid", "a=mad"), "mid"),
        (GOOD.replace("a=mid:1", "a=mid:0"), "mid"),
        (GOOD.replace("a=mid:1", "a=mid:7"), "mid"),
        (GOOD.replace("a=ice-ufrag:abcd", "a=ice-ufrag:abc"), "ufrag"),
        (GOOD.replace("a=ice-pwd:", "a=ice-pwd:\u00e9"), "pwd"),
        (GOOD + "a=candidate:1 1 udp 1 10.0.0.1 9 typ host\r\n" * 65, "64 candidates"),
        (GOOD + "a=candidate:1 1 udp 1 x.local 9 typ host\r\n" * 30, ".local"),
        (GOOD + "a=x\r\n" * 2000, "lines"),
        (GOOD + "a=" + "x" * 3000, "lines"),
        (GOOD + "a=x" * 20_000, "bytes"),
        (GOOD.replace("m=audio 9 ", "m=audio 99999999 "), "m=audio"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_what_to_mend(sdp, expected):
    with pytest.raises(BadInputError, match="expected") as refused:
        check_offer(sdp)
    assert refused.value.reason == "bad_sdp"
    assert expected in str(refused.value)
