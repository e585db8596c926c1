"""What the caller hears and sees: words, voice, lips, picture, feelings, replies.

    rt-avatar bench quality [--quick] [--only PART …]
                            [--dialogues FILE [--replies N]] [--recordings FOLDER]
                            [--clip FILE [--reference FILE] [--syncnet FILE]] [--engines FOLDER]
                            [--pictures FOLDER]
                            [--stt.whisper_model MODEL] [--llm.base_url URL …]

Everything is made and measured in this process, without a server and a call: what a call adds is
measured by ``sync``, ``load`` and ``turn``. Without any file it measures the avatar's own voice and
face; each file adds a part. Nothing is downloaded.

- **words**: eight voices say sentences of plain words; a recogniser (pocketsphinx over whole
  utterances, or Whisper by ``--stt.whisper_model``) writes down what it hears, and words are
  counted (jiwer).
- **voice**: pitch (autocorrelation, the likeliest path), its range, pace, level and brightness of
  every feeling against the same voice's neutral, over the same sentences; and whether it stays
  nearer to its own neutral than to other voices (mean cepstrum): else its identity drifts.
- **lips**: for sentences full of p, b and m in all feelings: is the mouth shut in a picture within
  40 ms of each, in the motion's numbers and in the drawn pixels; does it open for every wide vowel;
  by how much does the mouth lead the loudness (peak of their correlation, between its points).
- **picture**: sharpness (CPBD) as drawn and after the video coding of a call, likeness (SSIM) of
  both.
- **emotion**: every persona speaks in every feeling; a simple listener that has learnt from the
  other personas names the feeling by voice alone and by face alone (brows, eyes, corners of the
  mouth, from pixels), against guessing. And how well both agree in valence and arousal.
- **styles**: eight feelings in three strengths, told from the pixels of a face that listens by a
  listener that has met other faces only; of photographs, too (``--pictures``), and of drawings by
  one that has learnt from photographs alone.
- **replies** (``--dialogues``): accuracy of the feeling named, over 32 labels, 7, and E3RG's HIT,
  beside always naming the commonest; Dist-1/2 in both definitions, beside people's own replies.
- **recordings** (``--recordings``): words of real speech misheard by the recogniser of a call, with
  a transcript beside each: by a new caller's microphone, and by a known one's.
- **clip** (``--clip``): any talking head with sound, drawn or filmed: lead and correlation of lips
  and sound, CPBD, SSIM with ``--reference``, SyncNet's confidence with ``--syncnet`` (its authors'
  weights, and PyTorch).
- **photographs** (``--pictures``): is the face of each found, how far apart are the points of the
  cascades and of MediaPipe's landmarker, does a shape, a pair or a pose fold it, do lips shut for
  p, b and m, how still is the forehead, how sharp is a moved face.
- **face** (``--engines``): the network's face of an export beside the photograph renderer's, of a
  look that neither was made of: likeness (SSIM) to the drawing, sharpness (CPBD), time a picture.

What it does not tell: whether people find voice and face natural, kind or beautiful, whether they
would call a feeling by its name, whether a reply helps. All of that takes people. Published figures
stand beside ours only where both mean the same, and a note says where they do not.
"""

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Final

from rt_avatar.benchmarks.quality.asr import Asr, Listener, PatientListener, recordings
from rt_avatar.benchmarks.quality.clip import clip
from rt_avatar.benchmarks.quality.emotion import emotion
from rt_avatar.benchmarks.quality.face import face, methods
from rt_avatar.benchmarks.quality.group import COLUMNS, Group
from rt_avatar.benchmarks.quality.lips import lips
from rt_avatar.benchmarks.quality.photographs import photographs
from rt_avatar.benchmarks.quality.picture import picture
from rt_avatar.benchmarks.quality.replies import replies
from rt_avatar.benchmarks.quality.styles import styles
from rt_avatar.benchmarks.quality.take import Studio
from rt_avatar.benchmarks.quality.voice import prosody, words
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError

OWN: Final = ("words", "voice", "lips", "picture", "emotion", "styles")
OF_FILES: Final = {
    "replies": "dialogues",
    "recordings": "recordings",
    "clip": "clip",
    "face": "engines",
    "photographs": "pictures",
}

_FOLDERS: Final = ("recordings", "engines", "pictures")
_FILES: Final = ("dialogues", "clip", "reference", "syncnet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument(
        "--only", nargs="+", choices=(*OWN, *OF_FILES), default=(), metavar="PART",
        help=f"only these parts: {', '.join((*OWN, *OF_FILES))}",
    )  # fmt: skip
    parser.add_argument(
        "--dialogues", type=Path, metavar="FILE", help="EmpatheticDialogues as .jsonl or .jsonl.gz"
    )
    parser.add_argument("--replies", type=int, metavar="N", help="answer N of the dialogues only")
    parser.add_argument(
        "--recordings", type=Path, metavar="FOLDER", help="recordings, with words in .txt beside"
    )
    parser.add_argument("--clip", type=Path, metavar="FILE", help="any talking-head video")
    parser.add_argument(
        "--reference", type=Path, metavar="FILE", help="the clip as it should be, for SSIM"
    )
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="photographs, and for styles on them"
    )
    parser.add_argument(
        "--engines", type=Path, metavar="FOLDER", help="exported networks, of which nano's is taken"
    )
    parser.add_argument("--syncnet", type=Path, metavar="FILE", help="weights: syncnet_v2.model")


class _Parts:
    """The parts of the benchmark by name; what they share is made when one needs it."""

    def __init__(self, arguments: argparse.Namespace, settings: Settings, stack: ExitStack) -> None:
        self._arguments = arguments
        self._settings = settings
        self._stack = stack

    @cached_property
    def studio(self) -> Studio:
        return Studio()

    @cached_property
    def asr(self) -> Asr:
        asr = Asr(self._settings)
        self._stack.callback(asr.close)
        return asr

    @cached_property
    def listener(self) -> Listener:
        return self.asr if self._settings.stt.whisper_model else PatientListener()

    def all(self) -> dict[str, Callable[[], Group]]:
        given, quick = self._arguments, self._arguments.quick
        return {
            "words": lambda: words(self.studio, self.listener, quick=quick),
            "voice": lambda: prosody(self.studio, quick=quick),
            "lips": lambda: lips(self.studio, quick=quick),
            "picture": lambda: picture(self.studio, quick=quick),
            "emotion": lambda: emotion(self.studio, quick=quick),
            "styles": lambda: styles(given.pictures, quick=quick),
            "photographs": lambda: photographs(self.studio, given.pictures, quick=quick),
            "replies": lambda: replies(
                given.dialogues, self._settings, quick=quick, most=given.replies
            ),
            "recordings": lambda: recordings(given.recordings, self.asr),
            "face": lambda: face(self.studio, methods(given.engines), quick=quick),
            "clip": lambda: clip(given.clip, given.reference, given.syncnet),
        }


def measure(arguments: argparse.Namespace) -> Result:
    """Measure the parts that are asked for, or all for which there is something to measure.

    Raises:
        SetupError: A part is asked for without its file, or a voice or model is missing.
        BadInputError: A file cannot be used.
    """
    chosen = _chosen(arguments)
    _check_files(arguments)
    settings = settings_of(arguments.flags)
    with ExitStack() as stack:
        parts = _Parts(arguments, settings, stack).all()
        return _join([parts[name]() for name in chosen])


def _chosen(arguments: argparse.Namespace) -> list[str]:
    has_file = {part: getattr(arguments, option) is not None for part, option in OF_FILES.items()}
    without = [part for part in arguments.only if not has_file.get(part, True)]
    if without:
        raise SetupError(
            f"--only {without[0]}: expected --{OF_FILES[without[0]]} with it, got none"
        )
    if arguments.replies is not None and arguments.replies < 1:
        raise SetupError(f"--replies: expected 1 or more, got {arguments.replies}")
    for option in ("reference", "syncnet"):
        if getattr(arguments, option) is not None and arguments.clip is None:
            raise SetupError(f"--{option}: expected --clip with it, got none")
    known = [*OWN, *(part for part, has in has_file.items() if has)]
    return [part for part in known if not arguments.only or part in arguments.only]


def _check_files(arguments: argparse.Namespace) -> None:
    """Check that what is given is there, before minutes are spent on the other parts."""
    for option in (*_FOLDERS, *_FILES):
        path: Path | None = getattr(arguments, option)
        is_folder = option in _FOLDERS
        if path is not None and not (path.is_dir() if is_folder else path.is_file()):
            kind = "folder" if is_folder else "file"
            raise SetupError(f"--{option}: expected a {kind}; there is none at {path}")


def _join(groups: Sequence[Group]) -> Result:
    return Result(
        name="quality",
        columns=COLUMNS,
        rows=[
            (group.name if at == 0 else "", *row)
            for group in groups
            for at, row in enumerate(group.rows)
        ],
        figures={key: value for group in groups for key, value in group.figures.items()},
        higher_is_better=[key for group in groups for key in group.higher_is_better],
        neutral=[key for group in groups for key in group.neutral],
        samples={key: values for group in groups for key, values in group.samples.items()},
        plots=[plot for group in groups for plot in group.plots],
        notes=[note for group in groups for note in group.notes],
    )
