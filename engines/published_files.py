"""What ``rt-avatar models fetch`` brings: addresses, sizes and digests of published files.

Sizes and digests are those of one commit, so that what is fetched today is what was looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file of a release.

    Attributes:
        path: Behind the release's address, and in the folder that it is fetched to.
        size: In bytes.
        sha256: In hex.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Release:
    """Files that belong together.

    Attributes:
        address: Where they are.
        files: All of them.
        what: What they are for, where they are used as they are; "": they are imported.
        licence: Likewise; of the others the ``Published`` tells it.
    """

    address: str
    files: tuple[PublishedFile, ...]
    what: str = ""
    licence: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


# The American English voices, by name without ".pt": the text-to-phoneme here is American.
_KOKORO_VOICES: Final = (
    ("af_alloy", 523_425, "6d877149dd8b348fbad12e5845b7e43d975390e9f3b68a811d1d86168bef5aa3"),
    ("af_aoede", 523_425, "c03bd1a4c3716c2d8eaa3d50022f62d5c31cfbd6e15933a00b17fefe13841cc4"),
    ("af_bella", 523_425, "8cb64e02fcc8de0327a8e13817e49c76c945ecf0052ceac97d3081480e8e48d6"),
    ("af_heart", 523_425, "0ab5709b8ffab19bfd849cd11d98f75b60af7733253ad0d67b12382a102cb4ff"),
    ("af_jessica", 523_435, "cdfdccb8cc975aa34ee6b89642963b0064237675de0e41a30ae64cc958dd4e87"),
    ("af_kore", 523_420, "8bfbc512321c3db49dff984ac675fa5ac7eaed5a96cc31104d3a9080e179d69d"),
    ("af_nicole", 523_430, "c5561808bcf5250fe8c5f5de32caf2d94f27e57e95befdb098c5c85991d4c5da"),
    ("af_nova", 523_420, "e0233676ddc21908c37a1f102f6b88a59e4e5c1bd764983616eb9eda629dbcd2"),
    ("af_river", 523_425, "e149459bd9c084416b74756b9bd3418256a8b839088abb07d463730c369dab8f"),
    ("af_sarah", 523_425, "49bd364ea3be9eb3e9685e8f9a15448c4883112a7c0ff7ab139fa4088b08cef9"),
    ("af_sky", 523_351, "c799548aed06e0cb0d655a85a01b48e7f10484d71663f9a3045a5b9362e8512c"),
    ("am_adam", 523_420, "ced7e284aba12472891be1da3ab34db84cc05cc02b5889535796dbf2d8b0cb34"),
    ("am_echo", 523_420, "8bcfdc852bc985fb45c396c561e571ffb9183930071f962f1b50df5c97b161e8"),
    ("am_eric", 523_420, "ada66f0eefff34ec921b1d7474d7ac8bec00cd863c170f1c534916e9b8212aae"),
    ("am_fenrir", 523_430, "98e507eca1db08230ae3b6232d59c10aec9630022d19accac4f5d12fcec3c37a"),
    ("am_liam", 523_420, "c82550757ddb31308b97f30040dda8c2d609a9e2de6135848d0a948368138518"),
    ("am_michael", 523_435, "9a443b79a4b22489a5b0ab7c651a0bcd1a30bef675c28333f06971abbd47bd37"),
    ("am_onyx", 523_420, "e8452be16cd0f6da7b4579eaf7b1e4506e92524882053d86d72b96b9a7fed584"),
    ("am_puck", 523_420, "dd1d8973f4ce4b7d8ae407c77a435f485dabc052081b80ea75c4f30b84f36223"),
    ("am_santa", 523_425, "7f2f7582fa2b1f160e90aafe6d0b442a685e773608b6667e545d743b073e97a7"),
)
RELEASES: Final[Mapping[str, Release]] = {
    "kokoro-82m": Release(
        "https://huggingface.co/hexgrad/Kokoro-82M/resolve/"
        "f3ff3571791e39611d31c381e3a41a3af07b4987",
        (
            PublishedFile(
                "kokoro-v1_0.pth",
                327_212_226,
                "496dba118d1a58f5f3db2efc88dbdc216e0483fc89fe6e47ee1f2c53f18ad1e4",
            ),
            *(
                PublishedFile(f"voices/{name}.pt", size, digest)
                for name, size, digest in _KOKORO_VOICES
            ),
        ),
    ),
    "face-landmarker": Release(
        "https://storage.googleapis.com/mediapipe-models/face_landmarker/face_landmarker/float16/1",
        (
            PublishedFile(
                "face_landmarker.task",
                3_758_596,
                "64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff",
            ),
        ),
        what="finding the face in a photograph (rt-avatar portrait, and the page)",
        licence="Apache-2.0",
    ),
    "smart-turn": Release(
        "https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/"
        "f766f81d3cfdf7737ac64aad813d91bbfd56bf93",
        (
            PublishedFile(
                "smart-turn-v3.2-cpu.onnx",
                8_679_182,
                "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
            ),
        ),
        what="turn detection (turn_detection.kind: smart_turn)",
        licence="BSD-2-Clause",
    ),
}
