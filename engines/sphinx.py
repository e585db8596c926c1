"""Words without a download: ``Pcm`` at 16 kHz → ``Hypothesis``, by pocketsphinx.

The wheel carries the English model. Decoding happens in a process of its own
(``engines._sphinx_process`` says why); here is only the line to it. Calls are synchronous and wait
for the answer with the interpreter lock released. Does not know when an utterance begins or ends.
"""

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

_PROCESS: Final = Path(__file__).with_name("_sphinx_process.py")
# A model loads in 0.3 s: after this the process hangs.
_START_S: Final = 15.0
# A second of sound takes 0.1 s of a core. After this and twice the sound's own length its process
# hangs, or the machine is so busy that the words would come too late anyway.
_PATIENCE_S: Final = 8.0
# pocketsphinx rates its words only with the slow second pass. This is how many are right in clean
# speech (`rt-avatar bench quality`), so that a listener knows how far to trust them.
_CONFIDENCE: Final = 0.65
_HEADER_SIZE: Final = 5
_ID_SIZE: Final = 4
# Sound kept to start again after a crash: one minute.
_REPLAY_BYTES: Final = 60 * 2 * INPUT_RATE_HZ
_NO_WORD: Final = re.compile(r"<[^>]*>|\[[^\]]*\]|\+\+[^+]*\+\+|\(\d+\)")
_I: Final = re.compile(r"\bi\b")


class RecogniserError(RuntimeError):
    """The recogniser's process cannot be started, or fails again and again."""


def _readable(words: str) -> str:
    """Return the words without fillers and variants, "I" and the first letter as people write."""
    text = " ".join(_NO_WORD.sub(" ", words).split())
    return _I.sub("I", text[:1].upper() + text[1:])


class _Connection:
    """One utterance's connection to its fork. ``close`` from any thread, the rest from one.

    Raises:
        OSError: There is no fork.
    """

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._link.settimeout(_PATIENCE_S)
        # It holds the descriptor open until the last reader has let go of it: a ``close`` from
        # another thread cannot give it to somebody else while a read is under way.
        self._answers = link.makefile("rb")
        self._fork = int.from_bytes(self._read(_ID_SIZE), "big")

    def _read(self, size: int) -> bytes:
        data = self._answers.read(size)
        if len(data) < size:
            raise ConnectionError("the recogniser's process closed the line")
        return data

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Send without waiting for an answer."""
        self._link.sendall(kind + len(payload).to_bytes(_HEADER_SIZE - 1, "big") + payload)

    def ask(self, kind: bytes, payload: bytes = b"") -> dict[str, str]:
        """Send and wait for the answer.

        Raises:
            OSError: The fork is gone or hangs, or the line was closed.
        """
        self._link.settimeout(_PATIENCE_S + len(payload) / INPUT_RATE_HZ)  # 2 bytes each
        self.send(kind, payload)
        answer = self._answers.readline()
        if not answer:
            raise ConnectionError("the recogniser's process closed the line")
        words: dict[str, str] = json.loads(answer)
        return words

    def close(self) -> None:
        """End the fork, whatever it is doing, and whoever waits for it. Returns at once."""
        poll = select.poll()
        poll.register(self._link, 0)
        if not poll.poll(0):  # it has not hung up: the id is still its own
            with suppress(ProcessLookupError):
                os.kill(self._fork, signal.SIGKILL)
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()


class SphinxEngine:
    """The process with the model, once a server. Started by ``warmup`` or the first sound."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def spec(self) -> EngineSpec:
        """10 ms a step; words come out when they are over, about 0.3 s after they began."""
        return EngineSpec(
            name="pocketsphinx",
            input_rate_hz=INPUT_RATE_HZ,
            output_rate_hz=0,
            chunk=INPUT_RATE_HZ // 100,
        )

    def warmup(self) -> None:
        """Start the process and wait until the model is loaded.

        Raises:
            RecogniserError: It does not start.
        """
        try:
            self.connect().close()
        except OSError as error:
            raise RecogniserError(
                f"pocketsphinx: expected its process to answer; got {error}"
            ) from error

    def open(self) -> "SphinxStream":
        """Create the state of one caller."""
        return SphinxStream(self)

    def connect(self) -> _Connection:
        """Return the line to a fresh fork; starts the process again if it is gone.

        Raises:
            RecogniserError: The process does not start.
            OSError: It does not fork.
        """
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                self._stop()
            if self._control is None:
                self._control = self._start()
            ours, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(self._control, [b"\n"], [theirs.fileno()])
        return _Connection(ours)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            # -P: the folder of the script holds a types.py, which must not hide Python's own.
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(_PROCESS), str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                # Ctrl+C in a terminal tells all its processes, also one that begins just then.
                process_group=0,
            )
        ours.settimeout(_START_S)
        ready = b""
        with suppress(OSError):
            ready = ours.recv(1)
        if not ready:
            ours.close()
            self._stop()
            raise RecogniserError(
                "pocketsphinx: expected its process to load the model; it ended or hung instead. "
                "Its own message is above; try: python -c 'import pocketsphinx'"
            )
        return ours

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the process. Calling it again does nothing; the next sound starts it anew."""
        with self._lock:
            self._stop()


class SphinxStream:
    """One caller: the utterance under way, and how this caller's microphone sounds.

    A fork is held only from an utterance's first sound to ``flush`` or ``reset``. ``close`` may be
    called from any thread, the rest from one at a time.
    """

    def __init__(self, engine: SphinxEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()  # of the two that follow
        self._connection: _Connection | None = None
        self._is_closed = False
        self.reset()

    def reset(self) -> None:
        """Forget everything: the utterance and how the microphone sounds."""
        self._normalisation = ""
        self._forget()

    def _forget(self) -> None:
        self._hang_up()
        self._sound = bytearray()
        self._text = ""

    def _hang_up(self) -> None:
        with self._lock:
            line, self._connection = self._connection, None
        if line is not None:
            line.close()

    def push(self, item: Pcm) -> list[Hypothesis]:
        """Take sound of any length; return a hypothesis if the words have changed.

        Raises:
            RecogniserError: The process failed three times on this utterance, which is given up;
                or the stream is closed.
        """
        if not len(item):
            return []
        sound = np.clip(item * 32768, -32768, 32767).astype("<i2").tobytes()
        text = _readable(self._ask(b"S", sound)["text"])
        if text == self._text:
            return []
        self._text = text
        return [Hypothesis(text, is_final=False, confidence=_CONFIDENCE)]

    def heard(self) -> Hypothesis:
        """Return all words so far (for a preemptive reply)."""
        return Hypothesis(self._text, is_final=False, confidence=_CONFIDENCE)

    def flush(self) -> list[Hypothesis]:
        """Return the words of the utterance as final; the next sound begins another.

        Nothing pushed since the last time: nothing comes out. How the microphone sounds is kept.
        """
        if self._connection is None:
            return []
        answer = self._ask(b"E", b"")
        self._normalisation = answer["normalisation"] or self._normalisation
        self._forget()
        return [Hypothesis(_readable(answer["text"]), is_final=True, confidence=_CONFIDENCE)]

    def _ask(self, kind: bytes, sound: bytes) -> dict[str, str]:
        """Ask the fork; if it crashed or hangs, a new one hears the utterance from its beginning.

        Raises:
            RecogniserError: The third failed, too; or the stream is closed, before or meanwhile.
        """
        self._sound += sound
        line = self._connection
        try:
            if line is not None:
                del self._sound[:-_REPLAY_BYTES]
                return line.ask(kind, sound)
            return self._ask_anew(kind)
        except OSError:
            self._hang_up()
        with suppress(OSError):
            return self._ask_anew(kind)
        self._hang_up()
        self._engine.close()  # a fork cannot be had, or fails at once: begin with a new process
        try:
            return self._ask_anew(kind)
        except OSError as error:
            self._forget()
            raise RecogniserError(
                "pocketsphinx: expected words; its process failed three times on the same "
                "utterance, which is given up. The next utterance starts a new one"
            ) from error

    def _ask_anew(self, kind: bytes) -> dict[str, str]:
        line = self._dial()
        if self._normalisation:
            line.send(b"N", self._normalisation.encode("ascii"))
        return line.ask(kind, bytes(self._sound))

    def _dial(self) -> _Connection:
        if not self._is_closed:
            line = self._engine.connect()
            with self._lock:
                if not self._is_closed:
                    self._connection = line
                    return line
            line.close()
        raise RecogniserError("pocketsphinx: expected an open stream; got one that was closed")

    def close(self) -> None:
        """Give back the fork; a call that waits for it raises. Returns at once, also again."""
        with self._lock:
            self._is_closed = True
        self._hang_up()
