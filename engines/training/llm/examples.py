"""Dialogues → token ids with what counts of them, as the language model reads and writes.

A plain dialogue is for pretraining: all of it counts. An example of the chain is one reply: the
prompt of ``engines.llm.templates``, then chain, signal tokens and reply in the order "chain" of
``engines.llm.answer``. Only what the model itself writes counts, and of the chain what is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.chain import Chain, Notation
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.llm.signals import SIGNALS
from rt_avatar.engines.llm.templates import Template, Turn
from rt_avatar.engines.llm.tokens import Tokens

_FIELDS_MARKED_LATE: Final = ("scenario", "cause", "goal")  # their end is the next field's mark
Ids: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """Token ids, and which of them count.

    Attributes:
        ids: (N,).
        counts: (N,) bool: whether the loss of predicting this token counts.
    """

    ids: Ids
    counts: NDArray[np.bool_]


class Writer:
    """Writes dialogues as one template and one notation have them.

    Args:
        tokens: The tokenizer.
        template: How dialogues are written.
        notation: How chains are written.
        context: Most tokens of an example; the oldest turns are left out.
    """

    def __init__(
        self, tokens: Tokens, template: Template, notation: Notation, context: int
    ) -> None:
        self._tokens, self.template, self.notation = tokens, template, notation
        self._context = context

    def plain(self, turns: Sequence[str]) -> Ids:
        """Return a dialogue of two who take turns, the user first, to its end."""
        template = self.template
        text = "".join(
            template.begin[role] + self._tokens.plain(turn) + template.end[role]
            for turn, role in zip(turns, _alternating(len(turns)), strict=True)
        )
        return np.array(self._tokens.encode(text), np.int32)

    def example(
        self,
        turns: Sequence[Turn],
        reply: str,
        chain: Chain | None,
        profile: Profile | None = None,
    ) -> Example:
        """Return one reply in its dialogue.

        Args:
            turns: What was said before, to a user's turn.
            reply: What the avatar said.
            chain: What is known of the chain, "" where a field is not; None: no chain is written.
            profile: Who answers; None: nobody says.
        """
        said = [Turn(turn.role, self._tokens.plain(turn.text)) for turn in turns]
        answer_ids, counts = self._answer(self._tokens.plain(reply), chain)
        room = max(1, self._context - len(answer_ids))
        prompt = self._prompt(said, profile, room)
        ids = np.concatenate([prompt, answer_ids])[: self._context]
        counted = np.concatenate([np.zeros(len(prompt), bool), counts])[: self._context]
        return Example(ids.astype(np.int32), counted)

    def _prompt(self, turns: Sequence[Turn], profile: Profile | None, room: int) -> Ids:
        """Return the newest turns that there is room for; the last is cut from its front."""
        while True:
            text = self.template.text(turns, profile)
            ids = np.array([*self.template.begins_with, *self._tokens.encode(text)], np.int32)
            if len(ids) <= room:
                return ids
            if len(turns) == 1:
                return ids[-room:]
            turns = turns[2:] if len(turns) > 2 else turns[1:]

    def _answer(self, reply: str, chain: Chain | None) -> tuple[Ids, NDArray[np.bool_]]:
        notation = self.notation
        parts: list[tuple[str, bool]] = []
        # What a reply without a chain begins with is never the model's own choice.
        known = chain is not None
        if chain is not None:
            for name, (before, behind) in notation.frames.items():
                mark = before.rstrip()
                parts.append((mark, known))
                value = self._tokens.plain(getattr(chain, name))
                known = bool(value)
                # Nothing says what stands in an unknown field: neither its words nor their end.
                # A word's space is its own: published tokenizers make one token of both.
                parts.append((before[len(mark) :] + value + behind, known))
                known = known or name not in _FIELDS_MARKED_LATE
        parts.append((notation.opening, known))
        runs = (  # chain and reply each as one text, as they are read at run time
            self._encode(parts),
            self._encode([("".join(SIGNALS), False)]),
            self._encode([(notation.gap + reply + notation.closing, True)]),
        )
        return np.concatenate([ids for ids, _ in runs]), np.concatenate([of for _, of in runs])

    def _encode(self, parts: Sequence[tuple[str, bool]]) -> tuple[Ids, NDArray[np.bool_]]:
        """Return the ids of texts that are one; a token counts where all of its characters do."""
        counted = np.repeat([count for _, count in parts], [len(text) for text, _ in parts])
        ids, places = self._tokens.encode_with_places("".join(text for text, _ in parts))
        counts = [counted[start : max(end, start + 1)].all() for start, end in places]
        return np.array(ids, np.int32), np.array(counts, bool)


def _alternating(count: int) -> list[str]:
    return ["user" if at % 2 == 0 else "avatar" for at in range(count)]
