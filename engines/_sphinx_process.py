"""The process in which pocketsphinx listens; started by ``engines.sphinx``, never imported by it.

pocketsphinx keeps Python's interpreter lock while it decodes (35 ms for 200 ms of sound, measured),
which would stop a server that draws a picture every 40 ms: hence a process of its own. It loads
the model once and forks for every utterance: a fork takes 3 ms and 22 MB instead of 0.3 s and
90 MB, equals every other fork, cannot leak, and takes nobody with it when it crashes.

    control socket:  recv 1 byte + descriptor of a socket → fork; EOF → end
    a fork's socket: first its process id (4 bytes); then recv (kind, length, bytes): ``N``
                     normalisation, ``S`` sound (int16, 16 kHz), ``E`` end of the utterance → to
                     ``S`` and ``E`` one line of JSON
"""

import gc
import json
import os
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from pocketsphinx import Decoder, get_model_path

# Measured with `rt-avatar bench engines`: without the second passes the words are final at once
# (0.3 ms; with them 0.35 s after 7 s of speech); the limits hold the time in noise. One frame in
# one and four Gaussians: a quarter fewer wrong words than ds=2 and topn=2 for half more time.
SETTINGS: Final = {
    "fwdflat": False, "bestpath": False, "maxhmmpf": 5000, "maxwpf": 20, "ds": 1, "topn": 4,
    "loglevel": "FATAL",
}  # fmt: skip
HEADER: Final = struct.Struct("!cI")
_SECOND: Final = 32_000  # bytes
# The mean of the cepstra says how this microphone colours a voice. pocketsphinx learns it too late
# (after 8 s) for a first utterance. So it is measured from 0.3 to 1.0 s (before that there is
# mostly room), and the first second is decoded again: word error 0.36 instead of 0.48.
_LEARN_FROM: Final = 3 * _SECOND // 10
_LEARN_TO: Final = _SECOND
_PRIOR_FRAMES: Final = 500  # weight that pocketsphinx gives a mean it is told (cmn.h, CMN_WIN)
_FRAME: Final = 320  # bytes: 10 ms
_COUNTS: Final = 20  # where a language model's file has its numbers of 1-grams, 2-grams, 3-grams
_LONGEST: Final = 64  # bytes of a word, more than any has


class _Utterance:
    """One utterance in its fork."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._start: bytearray | None = bytearray()  # None: the normalisation is known
        self._decoder.start_utt()

    def normalise(self, cepstra: str) -> None:
        """Use the mean of earlier utterances."""
        self._start = None
        self._restart(cepstra)

    def add(self, sound: bytes) -> None:
        if self._start is None:
            self._decoder.process_raw(sound)
            return
        missing = _LEARN_TO - len(self._start)
        self._start += sound[:missing]
        self._decoder.process_raw(sound[:missing])
        if len(self._start) == _LEARN_TO:
            self._learn(bytes(self._start))
            self._start = None
            if sound[missing:]:
                self._decoder.process_raw(sound[missing:])

    def _restart(self, cepstra: str) -> None:
        self._decoder.end_utt()
        self._decoder.set_cmn(cepstra)
        self._decoder.start_utt()

    def _learn(self, start: bytes) -> None:
        decoder = self._decoder
        prior = decoder.get_cmn(False)
        self._restart(prior)
        decoder.process_raw(start[_LEARN_FROM:])
        n = (_LEARN_TO - _LEARN_FROM) // _FRAME
        mean = [
            (float(mixed) * (_PRIOR_FRAMES + n) - float(old) * _PRIOR_FRAMES) / n
            for mixed, old in zip(decoder.get_cmn(True).split(","), prior.split(","), strict=True)
        ]
        self._restart(",".join(f"{value:.3f}" for value in mean))
        decoder.process_raw(start)

    def words(self) -> str:
        hypothesis = self._decoder.hyp()
        return "" if hypothesis is None else str(hypothesis.hypstr)

    def normalisation(self) -> str:
        """Return the mean to begin the next utterance with; empty if too little was heard."""
        return "" if self._start is not None else str(self._decoder.get_cmn(True))


def _receive(link: socket.socket, size: int) -> bytes | None:
    """Return exactly ``size`` bytes; None when the other side has closed."""
    parts = bytearray()
    while len(parts) < size:
        part = link.recv(size - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _converse(link: socket.socket, decoder: Decoder) -> None:
    """Listen to one utterance; return when it ends or the caller is gone."""
    utterance = _Utterance(decoder)
    while (header := _receive(link, HEADER.size)) is not None:
        kind, size = HEADER.unpack(header)
        payload = _receive(link, size)
        if payload is None:
            return
        if kind == b"N":
            utterance.normalise(payload.decode("ascii"))
            continue
        if payload:
            utterance.add(payload)
        answer = {"text": utterance.words()}
        if kind == b"E":
            answer["normalisation"] = utterance.normalisation()
        link.sendall(json.dumps(answer).encode() + b"\n")


def _reap(number: int, frame: FrameType | None) -> None:
    """Bury forks that have ended. Not left to the kernel: that would forget what they computed."""
    with suppress(ChildProcessError):  # none is left
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def known_words(model: Path) -> set[bytes]:
    """Return the words of a language model: the strings that end its file, one for each 1-gram."""
    with model.open("rb") as file:
        (count,) = struct.unpack("<I", file.read(_COUNTS + 4)[_COUNTS:])
        file.seek(max(-count * _LONGEST, -model.stat().st_size), os.SEEK_END)
        return set(file.read().split(b"\0")[-count - 1 : -1])


@contextmanager
def short_dictionary() -> Iterator[str]:
    """Yield a file with those of pocketsphinx's pronunciations that its language model knows.

    Words that it does not know are never heard (``fwdtree`` leaves them out), but take 10 MiB.
    """
    known = known_words(Path(get_model_path("en-us/en-us.lm.bin")))
    with tempfile.NamedTemporaryFile() as short:
        with Path(get_model_path("en-us/cmudict-en-us.dict")).open("rb") as whole:
            short.writelines(
                line for line in whole if line.split(b" ", 1)[0].split(b"(")[0] in known
            )
        short.flush()
        del known  # 8 MiB that the decoder can use
        yield short.name


def serve(control: socket.socket) -> None:
    """Load the model, say so, then fork for every socket that comes; return when it is closed."""
    with short_dictionary() as dictionary:
        decoder = Decoder(**SETTINGS, dict=dictionary)
    gc.freeze()  # a collection in a fork would touch, and so copy, all pages
    control.sendall(b"\n")
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            return
        with socket.socket(fileno=descriptors[0]) as link:
            fork = os.fork()
            if fork == 0:
                try:
                    control.close()
                    _converse(link, decoder)
                finally:
                    os._exit(0)
            with suppress(OSError):  # the caller is gone already
                link.sendall(fork.to_bytes(4, "big"))


if __name__ == "__main__":
    # The server ends this process by closing the socket, also when it dies itself. Ctrl-C in a
    # terminal and a SIGTERM to the group must not take the recognisers away while calls are
    # drained.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    with suppress(ConnectionError):  # the server died before it had read everything
        serve(socket.socket(fileno=int(sys.argv[1])))
