"""Encode a caller's requests for the network: words, sound and pictures → a ``Read``.

What of an utterance was encoded is not encoded again (``UtteranceEncoder``); of its vectors those
by which it is remembered are kept until the history drops it; what a prompt has in common with the
one before is read once (``PrefixReader``). All of it is a cache: nothing here changes what an
answer depends on, so a reply may be given up at any point.
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.engines.empatheia.context import LEAST_UTTERANCE, opening_tokens
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.model import Read, Vectors
from rt_avatar.engines.llm.prefix import PrefixReader
from rt_avatar.engines.llm.prompt import Said
from rt_avatar.engines.llm.templates import Modality
from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.network.history_window import HistoryWindow

# What a template spends on one turn beside its text: roles, separators.
_TURN_TOKENS: Final = 8


class RequestReader:
    """One caller's. Not thread-safe: all of it runs on the worker's thread.

    Args:
        network: Of all callers.
        options: What is left out; ``effective``.
    """

    def __init__(self, network: EmpatheiaEngines, options: EmpatheiaOptions) -> None:
        self._network, self._options = network, options
        self._opening = opening_tokens(network.answerer)
        self._utterance_encoder = network.utterance_encoder()
        self._prompts = PrefixReader(network.language)
        self._window = HistoryWindow()
        self._earlier: dict[TurnId, Mapping[Modality, Vectors]] = {}

    def take_in(self, request: ReplyRequest) -> None:
        """Encode what is new of the utterance's sound and pictures.

        Raises:
            ValueError: They cannot be encoded.
            RuntimeError: A graph failed.
        """
        without = self._options.without
        self._utterance_encoder.take(
            None if "speech" in without else request.sound,
            () if "video" in without else request.pictures,
        )

    def read(self, request: ReplyRequest, *, is_over: bool = True) -> Read:
        """Read a request up to where the model answers.

        Args:
            request: What was said so far.
            is_over: Whether the caller seems to have finished; else the sound since the last whole
                window is left out.

        Raises:
            ValueError: Something cannot be encoded.
            RuntimeError: A graph failed.
        """
        self.take_in(request)
        count = self._network.manifest.query_bins
        encodings = self._encodings(count, is_over=is_over)
        if is_over:
            self.remember(request)
        room = self._room()
        words = self._newest(request.transcript.text, room - _tokens_of(encodings))
        room -= self._cost(words, encodings)
        query = Said("user", words, encodings)
        dialogue = [*self._history(request, room), query]
        return self._prompts.read(self._network.prompt(dialogue, request.persona.profile))

    def remember(self, request: ReplyRequest) -> None:
        """Keep by what the utterance is remembered, and forget what the history has dropped.

        Raises:
            ValueError: It cannot be encoded.
            RuntimeError: A graph failed.
        """
        self.take_in(request)
        kept = {exchange.turn for exchange in request.history}
        earlier = {turn: encodings for turn, encodings in self._earlier.items() if turn in kept}
        earlier[request.turn] = self._encodings(self._network.manifest.history_bins)
        self._earlier = earlier

    def _encodings(self, count: int, *, is_over: bool = True) -> Mapping[Modality, Vectors]:
        return self._utterance_encoder.vectors(count, is_over=is_over)

    def _history(self, request: ReplyRequest, room: int) -> list[Said]:
        costs = [self._cost(e.text, self._encodings_of(e)) for e in request.history]
        return [
            Said("user" if e.role == "caller" else "avatar", e.text, self._encodings_of(e))
            for e in self._window.cut(request.history, costs, room)
        ]

    def _encodings_of(self, exchange: ChatMessage) -> Mapping[Modality, Vectors]:
        return self._earlier.get(exchange.turn, {}) if exchange.role == "caller" else {}

    def _room(self) -> int:
        """Return how many tokens the dialogue may have, with its newest utterance."""
        network, answer = self._network, self._options.words().tokens
        return max(network.manifest.positions - self._opening - answer, LEAST_UTTERANCE)

    def _cost(self, words: str, encodings: Mapping[Modality, Vectors]) -> int:
        written = len(self._network.answerer.tokens.encode(words))
        return written + _tokens_of(encodings) + _TURN_TOKENS

    def _newest(self, words: str, room: int) -> str:
        """Return the words, or as many of the last as there is room for."""
        tokens = self._network.answerer.tokens
        ids = tokens.encode(words)
        most = max(room - _TURN_TOKENS, LEAST_UTTERANCE // 2)
        if len(ids) <= most:
            return words
        newest = tokens.decode(ids[-most:])
        return newest.partition(" ")[2] or newest  # from a whole word on


def _tokens_of(encodings: Mapping[Modality, Vectors]) -> int:
    return sum(map(len, encodings.values()))
