"""Learn the map from somebody's sound to shares of the voice's readers (``own_voice.encoder``)."""

import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.own_voice.encoder import Doubles, ReaderEncoder, describe_spectrum
from rt_avatar.engines.own_voice.recording import levelled
from rt_avatar.engines.training.voice.corpora import CORPORA, Recording, read_corpora, read_sound
from rt_avatar.engines.types import SPEECH_RATE_HZ

_log = logging.getLogger(__name__)
_RECORDINGS: Final = 24  # of each reader, evenly over all; not twice as many
_PIECE: Final = 10 * SPEECH_RATE_HZ
_RIDGE: Final = 0.1  # of the pieces
_TESTED: Final = 4  # every fourth piece, when it is told how often the right reader is found


@dataclass(frozen=True, slots=True, eq=False)
class ReaderPieces:
    """P pieces of ten seconds: whose each is, and its spectrum, (P, 2 BANDS)."""

    names: list[str]
    spectra: Doubles


def measure_readers(data: Path) -> ReaderPieces:
    """Return pieces of all readers under ``data/speech``.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    recordings: defaultdict[str, list[Recording]] = defaultdict(list)
    for recording in read_corpora(data, CORPORA):
        recordings[recording.speaker].append(recording)
    names, spectra = [], []
    for name, own in recordings.items():
        some = own[:: max(1, len(own) // _RECORDINGS)]
        sound = np.concatenate([read_sound(one)[0] for one in some])
        for at in range(0, len(sound) - _PIECE + 1, _PIECE):
            names.append(name)
            spectra.append(describe_spectrum(levelled(sound[at : at + _PIECE])).ravel())
    return ReaderPieces(names, np.stack(spectra))


def learn_encoder(pieces: ReaderPieces, without: Collection[str] = ()) -> ReaderEncoder:
    """Return the map, by ridge regression to each piece's reader; without some readers."""
    kept = [at for at, name in enumerate(pieces.names) if name not in without]
    spectra, names = pieces.spectra[kept], [pieces.names[at] for at in kept]
    readers = tuple(dict.fromkeys(names))
    mean, deviation = spectra.mean(axis=0), spectra.std(axis=0)
    rows = (spectra - mean) / deviation
    truths = np.array([[float(name == reader) for reader in readers] for name in names])
    gram = rows.T @ rows + _RIDGE * len(rows) * np.eye(rows.shape[1])
    matrix = np.linalg.solve(gram, rows.T @ (truths - 1 / len(readers)))
    return ReaderEncoder(readers, mean, deviation, matrix)


def write_encoder(data: Path, folder: Path) -> None:
    """Learn the map of all readers, write it beside the voice, and tell how good it is."""
    pieces = measure_readers(data)
    is_tested = np.arange(len(pieces.names)) % _TESTED == 0
    names = np.array(pieces.names)
    tried = learn_encoder(ReaderPieces(names[~is_tested].tolist(), pieces.spectra[~is_tested]))
    numbers = (pieces.spectra[is_tested] - tried.mean) / tried.deviation
    found = np.array(tried.readers)[(numbers @ tried.matrix).argmax(axis=1)]
    learn_encoder(pieces).save(folder)
    _log.info(
        "%d pieces; of every fourth, left out, %.0f %% find their reader",
        len(names),
        100 * float(np.mean(found == names[is_tested])),
    )
