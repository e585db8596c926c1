"""Any talking-head video: do lips and sound belong together, is it sharp, is it like another?"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rt_avatar.benchmarks.metrics.image import cpbd, luma_of, ssim
from rt_avatar.benchmarks.metrics.lip_offset import agreement_curve, lip_offset, loudness
from rt_avatar.benchmarks.metrics.lips import contrast
from rt_avatar.benchmarks.metrics.sync_confidence import FPS as SYNCNET_FPS
from rt_avatar.benchmarks.metrics.sync_confidence import sync_confidence
from rt_avatar.benchmarks.metrics.syncnet import FACE_PX as SYNCNET_PX
from rt_avatar.benchmarks.metrics.syncnet import SyncNet
from rt_avatar.benchmarks.quality.film import Film, face_boxes, mouths_of, read_film, still_faces
from rt_avatar.benchmarks.quality.group import Group
from rt_avatar.engines.types import INPUT_RATE_HZ, Image
from rt_avatar.errors import BadInputError

_LOOKED_AT: Final = 40  # pictures of a clip whose sharpness and likeness are measured
# Between the best lag and any other one away from it; GRID's clips of 3 s have .02 to .68.
_AMBIGUOUS: Final = 0.1


def clip(path: Path, reference: Path | None, syncnet: Path | None) -> Group:
    """Return how a talking-head video keeps lips and sound together, and how sharp it is.

    Args:
        path: The video.
        reference: The same pictures as they should be, for SSIM; None leaves it out.
        syncnet: SyncNet's weights; None leaves its confidence out.

    Raises:
        BadInputError: A file cannot be used.
        SetupError: The weights cannot be used.
    """
    net = SyncNet(syncnet) if syncnet is not None else None
    video = read_film(path)
    original = None if reference is None else _reference(video, read_film(reference))
    rows: list[tuple[str, str, str]] = []
    figures: dict[str, float] = {}
    notes: list[str] = []
    if len(video.pcm):
        try:
            _add_sync(video, rows, figures, notes)
            if net is not None:
                _add_syncnet(video, net, rows, figures)
        except BadInputError as error:
            notes.append(f"Nothing is said of the clip's lips: {error}.")
    else:
        notes.append("Nothing is said of the clip's lips: it has no sound.")
    sample = _sample(len(video.pictures))
    seen = [value for at in sample if not np.isnan(value := cpbd(luma_of(video.pictures[at])))]
    sharp = float(np.mean(seen)) if seen else float("nan")
    height, width = video.pictures[0].shape[:2]
    rows.append(
        ("sharpness (CPBD)", f"{sharp:.3f}", f"{len(sample)} pictures of {width} × {height}")
    )
    figures["clip_cpbd_mean"] = sharp
    if original is not None:
        likeness = [
            ssim(luma_of(video.pictures[at]), luma_of(original.pictures[at]))
            for at in _sample(min(len(video.pictures), len(original.pictures)))
        ]
        rows.append(
            ("likeness to the reference (SSIM)", f"{np.mean(likeness):.3f}", "picture by picture")
        )
        figures["clip_ssim_mean"] = float(np.mean(likeness))
    figures["clip_seconds"] = len(video.pictures) / video.fps
    return Group(
        "clip",
        rows,
        figures,
        higher_is_better=tuple(
            key for key in figures if key not in ("clip_lip_lead_ms", "clip_seconds")
        ),
        neutral=("clip_lip_lead_ms", "clip_seconds"),
        notes=notes,
    )


def _add_sync(
    video: Film, rows: list[tuple[str, str, str]], figures: dict[str, float], notes: list[str]
) -> None:
    opening = contrast(mouths_of(still_faces(video.pictures)))
    loud = loudness(video.pcm, INPUT_RATE_HZ)
    try:
        found = lip_offset([agreement_curve(opening, video.times_s, loud)])
    except ValueError as error:
        raise BadInputError(f"clip: {error}") from error
    rows.append(
        (
            "lips lead the sound",
            f"{found.lead_ms:+.0f} ms, r = {found.correlation:.2f}",
            f"people -18 ms, r .53; best elsewhere r = {found.rival:.2f}",
        )
    )
    figures["clip_lip_lead_ms"] = found.lead_ms
    figures["clip_lip_correlation"] = found.correlation
    if found.correlation - found.rival < _AMBIGUOUS:
        notes.append(
            "Another lag fits the clip nearly as well as the one given: it is short, or its mouth "
            "does not follow its sound."
        )


def _add_syncnet(
    video: Film, net: SyncNet, rows: list[tuple[str, str, str]], figures: dict[str, float]
) -> None:
    # SyncNet knows 25 pictures a second only: the one shown at each of its moments is taken.
    begin = max(0.0, float(video.times_s[0]))
    moments = np.arange(begin, float(video.times_s[-1]), 1 / SYNCNET_FPS)
    shown = np.searchsorted(video.times_s, moments).clip(0, len(video.pictures) - 1)
    greys = [cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in video.pictures]
    boxes = list(face_boxes(greys))
    faces = [_syncnet_face(video.pictures[at], boxes[at]) for at in shown.tolist()]
    first = int((begin - 0.5 / video.fps) * INPUT_RATE_HZ)
    lips, sound = net.embeddings(faces, video.pcm[max(0, first) :])
    found = sync_confidence(lips, sound)
    rows.append(
        (
            "SyncNet's confidence",
            f"{found.confidence:.2f}",
            f"sound early by {found.offset_frames} pictures; Empatheia 2.76, real 3.93",
        )
    )
    figures["clip_syncnet_confidence"] = found.confidence


def _syncnet_face(picture: Image, box: tuple[float, float, float, float]) -> Image:
    """Return the face as the release crops it: its box, 40 % wider, and 80 % more below."""
    left, top, width, height = box
    half = max(width, height) / 2
    middle_x, middle_y = left + width / 2, top + height / 2
    scale = SYNCNET_PX / (2 * half * 1.4)
    place = np.array(
        [[scale, 0, -scale * (middle_x - 1.4 * half)], [0, scale, -scale * (middle_y - half)]]
    )
    face: Image = cv2.warpAffine(
        picture, place, (SYNCNET_PX, SYNCNET_PX), flags=cv2.INTER_AREA, borderValue=(110,) * 3
    )
    return face


def _reference(video: Film, reference: Film) -> Film:
    """Return the reference if its pictures can be those of the video.

    Raises:
        BadInputError: Sizes or numbers of pictures differ.
    """
    sizes = video.pictures[0].shape, reference.pictures[0].shape
    counts = len(video.pictures), len(reference.pictures)
    if sizes[0] != sizes[1] or abs(counts[0] - counts[1]) > 1:
        raise BadInputError(
            "reference: expected the same pictures as the clip's, so of the same size and number; "
            f"got {sizes[1][1]} × {sizes[1][0]}, {counts[1]} pictures for {sizes[0][1]} × "
            f"{sizes[0][0]}, {counts[0]} pictures"
        )
    return reference


def _sample(count: int) -> list[int]:
    """Return which of so many pictures are looked at for sharpness and likeness."""
    return [round(at) for at in np.linspace(0, count - 1, min(count, _LOOKED_AT)).tolist()]
