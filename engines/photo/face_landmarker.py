"""MediaPipe's face landmarker: picture → landmarks of the one face in it, where its file is there.

Two networks of one file, run by OpenCV: one finds faces and their eyes, the other lays 478 points
on the face, upright. Ours are some of these, or lie where the outline is as low as a mean cheek and
jaw.

Sources: V. Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs",
2019; Y. Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs",
2019; MediaPipe's Face Landmarker (Apache-2.0) for sizes and numbers of points.
"""

import zipfile
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.detection import RIVAL
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.landmarks import (
    MEAN,
    Landmarks,
    Points,
    found_landmarks,
    frame_of,
)
from rt_avatar.engines.types import Image

FETCHED: Final = Path("~/.cache/rt-avatar/models/face_landmarker.task")
_DETECTOR, _MESH = "face_detector.tflite", "face_landmarks_detector.tflite"
_Affine: TypeAlias = NDArray[np.float64]  # (2, 3)

_DETECTOR_PX: Final = 128
_LAYERS: Final = ((16, 2), (8, 6))  # places a side of its two outputs, and boxes at each place
_OVERLAP: Final = 0.3  # of two boxes of one face
_MESH_PX: Final = 256
_AROUND: Final = 1.5  # what the mesh is shown, of the face's box
_MESH_POINTS: Final = 478

# Of the mesh, seen on a picture: means of these points. "right" is the person's own.
_POINTS: Final[dict[str, tuple[int, ...]]] = {
    "right_eye_outer": (33,), "right_eye_inner": (133,), "right_eye_top": (159,),
    "right_eye_bottom": (145,), "right_iris": (468,), "right_brow_inner": (107, 55),
    "right_brow_middle": (105, 52), "right_brow_outer": (70, 46), "right_nose": (64,),
    "right_mouth": (61,),
    "left_eye_outer": (263,), "left_eye_inner": (362,), "left_eye_top": (386,),
    "left_eye_bottom": (374,), "left_iris": (473,), "left_brow_inner": (336, 285),
    "left_brow_middle": (334, 282), "left_brow_outer": (300, 276), "left_nose": (294,),
    "left_mouth": (291,),
    "nose_tip": (1,), "lip_top": (0,), "lip_upper": (13,), "lip_lower": (14,), "lip_bottom": (17,),
    "chin": (152,), "forehead": (10,),
}  # fmt: skip
# The face's outline from the forehead to the chin.
_OUTLINES: Final = {
    "right": (10, 109, 67, 103, 54, 21, 162, 127, 234, 93, 132, 58, 172, 136, 150, 149, 176, 148,
              152),
    "left": (10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400,
             377, 152),
}  # fmt: skip


class FaceLandmarkerFileError(Exception):
    """A file is not MediaPipe's face landmarker; the message says how to get it."""


class FaceLandmarker:
    """Both networks. Not thread-safe.

    Args:
        path: The file as published (``face_landmarker.task``).

    Raises:
        FaceLandmarkerFileError: It is none.
    """

    def __init__(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as parts:
                self._detector, self._mesh = (
                    cv2.dnn.readNetFromTFLite(np.frombuffer(parts.read(name), np.uint8))
                    for name in (_DETECTOR, _MESH)
                )
        except (OSError, KeyError, zipfile.BadZipFile, cv2.error) as error:
            raise FaceLandmarkerFileError(
                f"{path}: expected MediaPipe's face landmarker; got another file ({error}); "
                "delete it, and rt-avatar models fetch face-landmarker brings it"
            ) from error

    def find(self, picture: Image) -> Landmarks | None:
        """Find the landmarks of the one face; None: no face was found.

        Args:
            picture: (height, width, 3) RGB.

        Raises:
            PortraitError: There are several faces.
        """
        meshes = [self._lay_mesh(picture, upright) for upright in self._find_faces(picture)]
        found = [mesh for mesh in meshes if mesh is not None]
        if len(found) > 1:
            raise PortraitError(
                f"picture: expected one face; got {len(found)}; cut the picture to the one"
            )
        return landmarks_of(found[0]) if found else None

    def _lay_mesh(self, picture: Image, upright: _Affine) -> Points | None:
        """Return the mesh (478, 2) of what may be a face, in pixels; None: it is none."""
        # Once more from where it was found: the box alone may cut off a chin.
        for _ in range(2):
            self._mesh.setInput(
                cv2.dnn.blobFromImage(
                    cv2.warpAffine(picture, upright, (_MESH_PX, _MESH_PX)), 1 / 255
                )
            )
            points, *score = self._mesh.forward(("Identity", "Identity_1"))
            if float(np.ravel(score)[0]) < 0:  # the logarithm of its odds
                return None
            back = cv2.invertAffineTransform(upright)
            mesh: Points = points.reshape(_MESH_POINTS, 3)[:, :2].astype(np.float64) @ back[:, :2].T
            mesh += back[:, 2]
            upright = _upright(
                (mesh.min(axis=0) + mesh.max(axis=0)) / 2,
                float(np.ptp(mesh, axis=0).max()),
                mesh[263] - mesh[33],
            )
        return mesh

    def _find_faces(self, picture: Image) -> list[_Affine]:
        """Return how what may be the largest faces comes upright into what the mesh is shown."""
        height, width = picture.shape[:2]
        scale = _DETECTOR_PX / max(height, width)
        fit = np.array([[scale, 0, 0], [0, scale, 0]])
        fit[:, 2] = (_DETECTOR_PX - scale * np.array([width, height])) / 2
        small = cv2.warpAffine(picture, fit, (_DETECTOR_PX, _DETECTOR_PX), flags=cv2.INTER_AREA)
        self._detector.setInput(cv2.dnn.blobFromImage(small, 1 / 127.5, mean=(127.5,) * 3))
        scores, found = self._detector.forward(("classificators", "regressors"))
        scores = scores.reshape(-1)
        found = found.reshape(len(scores), -1, 2).astype(np.float64)
        found[:, [0, *range(2, found.shape[1])]] += _anchors()[:, None]  # size stays
        apart: list[Points] = []
        for index in np.argsort(-scores):
            if scores[index] > 0 and all(
                _overlap(found[index], other) < _OVERLAP for other in apart
            ):
                apart.append(found[index])
        largest = max((one[1, 0] for one in apart), default=0.0)
        return [
            _upright(
                (one[0] - fit[:, 2]) / scale, float(one[1].max()) / scale, (one[3] - one[2]) / scale
            )
            for one in apart
            if one[1, 0] > RIVAL * largest
        ]


def landmarks_of(mesh: Points) -> Landmarks:
    """Return our points of the mesh's (478, 2), in its pixels."""
    points = {name: mesh[list(rows)].mean(axis=0) for name, rows in _POINTS.items()}
    frame = frame_of(mesh[468], mesh[473])
    for side, rows in _OUTLINES.items():
        outline = mesh[list(rows)]
        heights = np.maximum.accumulate(frame.to_face(outline)[:, 1])
        for name in (f"{side}_cheek", f"{side}_jaw"):
            points[name] = np.array(
                [np.interp(MEAN[name][1], heights, column) for column in outline.T]
            )
    return found_landmarks(points)


def _upright(middle: Points, side_px: float, eyes: Points) -> _Affine:
    """Return how a square around a face comes upright into the mesh's picture.

    Args:
        middle: (2,) of the face, in the picture's pixels.
        side_px: Of its box.
        eyes: (2,) from the person's right eye to the left.
    """
    x, y = eyes / np.hypot(*eyes)
    turned = _MESH_PX / (_AROUND * side_px) * np.array([[x, y], [-y, x]])
    return np.column_stack((turned, _MESH_PX / 2 - turned @ middle))


def _anchors() -> Points:
    """Return (896, 2) places from which the detector counts, in its pixels."""
    layers = []
    for places, boxes in _LAYERS:
        at = (np.arange(places) + 0.5) * (_DETECTOR_PX / places)
        grid = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
        layers.append(np.repeat(grid, boxes, 0))
    return np.concatenate(layers)


def _overlap(first: Points, second: Points) -> float:
    """Return the share of what two boxes cover together that both cover; rows: middle, size."""
    low = np.maximum(first[0] - first[1] / 2, second[0] - second[1] / 2)
    high = np.minimum(first[0] + first[1] / 2, second[0] + second[1] / 2)
    both = float(np.prod(np.maximum(0.0, high - low)))
    return both / (float(np.prod(first[1])) + float(np.prod(second[1])) - both)
