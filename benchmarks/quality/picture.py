"""The picture: how sharp it is drawn, and what a call's video coding leaves of it."""

from fractions import Fraction
from typing import Final

import av
import cv2
import numpy as np
from aiortc.codecs.vpx import Vp8Decoder, Vp8Encoder, vp8_depayload
from aiortc.jitterbuffer import JitterFrame

from rt_avatar.benchmarks.metrics.image import Luma, cpbd, luma_of, ssim
from rt_avatar.benchmarks.quality.group import Group, progress
from rt_avatar.benchmarks.quality.take import SIZE_PX, Studio
from rt_avatar.engines.types import FPS, Emotion, Image
from rt_avatar.personas import PERSONAS
from rt_avatar.signaling.tuning import BITRATE_BPS

_TEXT: Final = "I had hoped that you would call, and now I am glad to hear all about it."
_VIDEO_CLOCK: Final = 90_000
_SMALL_PX: Final = 256  # the side at which the field's CPBD is given
_SETTLED: Final = FPS // 2  # pictures after which the encoder has settled on its rate
_EVERY: Final = 5


def picture(studio: Studio, *, quick: bool) -> Group:
    """Return sharpness and likeness of what is drawn and of what is seen at the other end."""
    feelings: tuple[Emotion, ...] = ("happy", "neutral", "sad", "surprised")
    personas = list(PERSONAS)[::4] if quick else list(PERSONAS)
    drawn: list[float] = []
    small: list[float] = []
    coded: list[float] = []
    likeness: list[float] = []
    for at, persona in enumerate(progress(personas, "pictures")):
        take = studio.say(persona, _TEXT, feelings[at % len(feelings)])
        pictures = list(studio.pictures(take))
        received = send(pictures)
        for index in range(_SETTLED, len(pictures), _EVERY):
            before, after = luma_of(pictures[index]), luma_of(received[index])
            drawn.append(cpbd(before))
            small.append(cpbd(_shrink(before)))
            coded.append(cpbd(after))
            likeness.append(ssim(before, after))
    rows = [
        ("sharpness (CPBD) as drawn, 512 px", f"{np.mean(drawn):.3f}", "0 to 1, edges not blurred"),
        (
            "sharpness at 256 px",
            f"{np.mean(small):.3f}",
            "filmed faces .20, Empatheia .15: other pictures (see notes)",
        ),
        ("sharpness after VP8 of a call", f"{np.mean(coded):.3f}", "at the caller, 512 px"),
        (
            "likeness (SSIM) after VP8 of a call",
            f"{np.mean(likeness):.3f}",
            f"least {min(likeness):.3f}; {BITRATE_BPS[SIZE_PX] // 1000} kbit/s; 1: the same",
        ),
    ]
    return Group(
        "picture",
        rows,
        {
            "drawn_cpbd_mean": float(np.mean(drawn)),
            "small_cpbd_mean": float(np.mean(small)),
            "received_cpbd_mean": float(np.mean(coded)),
            "received_ssim_mean": float(np.mean(likeness)),
            "pictures": float(len(drawn)),
        },
        higher_is_better=(
            "drawn_cpbd_mean", "small_cpbd_mean", "received_cpbd_mean", "received_ssim_mean",
        ),
        neutral=("pictures",),
        samples={"SSIM of a received picture": likeness, "CPBD of a drawn picture": drawn},
        notes=(
            "CPBD depends on size and content: a drawing has sharp lines where a filmed face has "
            "none, so published figures (of filmed faces at 256 px) stand beside ours for scale "
            "only. SSIM is against our own drawing; published SSIM is against a filmed original, "
            "which an invented face has not.",
        ),
    )  # fmt: skip


def send(pictures: list[Image]) -> list[Image]:
    """Return pictures as a caller sees them: coded as VP8 at a call's bit rate and decoded."""
    encoder, decoder = Vp8Encoder(), Vp8Decoder()
    encoder.target_bitrate = BITRATE_BPS[pictures[0].shape[0]]
    received: list[Image] = []
    for index, drawn in enumerate(pictures):
        frame = av.VideoFrame.from_ndarray(drawn, format="rgb24").reformat(format="yuv420p")
        frame.pts, frame.time_base = index * _VIDEO_CLOCK // FPS, Fraction(1, _VIDEO_CLOCK)
        payloads, timestamp = encoder.encode(frame)
        data = b"".join(vp8_depayload(payload) for payload in payloads)
        received += [
            out.to_ndarray(format="rgb24")
            for out in decoder.decode(JitterFrame(data=data, timestamp=timestamp))
        ]
    if len(received) != len(pictures):
        raise RuntimeError(f"VP8: expected {len(pictures)} pictures back, got {len(received)}")
    return received


def _shrink(luma: Luma) -> Luma:
    small: Luma = cv2.resize(luma, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA)
    return small
