"""How a dialogue is written for a language model: turns → pieces of text and places for encodings.

A model must be prompted as it was trained. The separators of Vicuna 0 and 1.5 differ, and so does
what ends a reply. Ours, for the nano model, spends one token on each role and none on a system
sentence. Of both there is one that tells who answers, which a model that never read such a profile
must not be given; Vicuna's has the instruction of the chain of empathy in it, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.llm.profile import Profile

Modality = Literal["speech", "video"]
PLACEHOLDERS: Final[dict[Modality, str]] = {"speech": "<Aud>", "video": "<Vid>"}


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said.

    Attributes:
        role: By whom.
        text: What.
        modalities: What of it was also heard or seen, and has an encoding.
    """

    role: Literal["user", "avatar"]
    text: str
    modalities: tuple[Modality, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """The place in a prompt where an encoding stands; ``turn`` counts the dialogue's turns."""

    modality: Modality
    turn: int


Piece: TypeAlias = str | Slot


@dataclass(frozen=True, slots=True)
class Template:
    """A way to write dialogues.

    Attributes:
        name: Of the way.
        instruction: What the model is told to do, before everything else.
        profile: How it is told who answers, behind that (``Profile.write``); "": it is not told.
        gap: What parts both from the first turn.
        begin: What stands before a turn's text, by role.
        end: What stands behind it.
        cue: What makes the model reply.
        stops: Runs of token ids, any of which ends a reply.
        begins_with: Token ids before everything.
    """

    name: str
    instruction: str
    profile: str
    gap: str
    begin: dict[str, str]
    end: dict[str, str]
    cue: str
    stops: tuple[tuple[int, ...], ...]
    begins_with: tuple[int, ...]

    def opening(self, profile: Profile | None = None) -> str:
        """Return what stands before the first turn."""
        who = "" if profile is None else profile.write(self.profile)
        return self.instruction + who + self.gap

    def pieces(self, turns: Sequence[Turn], profile: Profile | None = None) -> list[Piece]:
        """Return the prompt, with neighbouring texts joined; the model goes on with a reply.

        Args:
            turns: What was said, to the user's last turn.
            profile: Who answers; None: nobody says.

        Raises:
            ValueError: There is no turn, or the last is not the user's.
        """
        if not turns or turns[-1].role != "user":
            raise ValueError("prompt: expected the user's turn at the end of the dialogue")
        pieces: list[Piece] = [self.opening(profile)]
        for index, turn in enumerate(turns):
            pieces.append(self.begin[turn.role])
            for number, modality in enumerate(turn.modalities):
                pieces.extend(([" "] if number else []) + [Slot(modality, index)])
            pieces.append(turn.text + self.end[turn.role])
        pieces.append(self.cue)
        return _joined(pieces)

    def text(self, turns: Sequence[Turn], profile: Profile | None = None) -> str:
        """Return the prompt as one string, with a placeholder for each encoding."""
        return "".join(
            piece if isinstance(piece, str) else PLACEHOLDERS[piece.modality]
            for piece in self.pieces(turns, profile)
        )


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if piece == "":
            continue
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


VICUNA_V1_5: Final = Template(
    name="vicuna_v1.5",
    instruction="A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions.",
    profile="",
    gap=" ",
    begin={"user": "USER: ", "avatar": "ASSISTANT: "},
    end={"user": " ", "avatar": "</s>"},
    cue="ASSISTANT:",
    stops=((2,),),  # </s>
    begins_with=(1,),
)
VICUNA_V0: Final = Template(
    name="vicuna_v0",
    instruction="A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions.",
    profile="",
    gap="\n### ",
    begin={"user": "Human: ", "avatar": "Assistant: "},
    end={"user": "\n### ", "avatar": "\n### "},
    cue="Assistant:",
    # "###" is one token at the beginning of a word and two behind a line break.
    stops=((835,), (2277, 29937), (2,)),
    begins_with=(1,),
)
NANO: Final = Template(
    name="nano",
    instruction="",
    profile="",
    gap="",
    begin={"user": "<user>", "avatar": "<avatar>"},
    end={"user": "", "avatar": "<end>"},
    cue="<avatar>",
    stops=((1,),),  # <end>, the second of ``engines.llm.tokens.SPECIALS``
    begins_with=(),
)
# The five steps of the paper's instruction, in our words: no weights that learnt its own were
# published, and a model is trained with this one before it is prompted with it.
VICUNA_EMPATHY: Final = replace(
    VICUNA_V1_5,
    name="vicuna_v1.5_empathy",
    instruction="A chat between a user and somebody who listens with empathy. The listener wants "
    "the user to feel understood and cared for, and does not answer at once, but thinks first, "
    "step by step: firstly, what has happened, by all that was said; secondly, what the user "
    "feels, whether it is said or only heard and seen; thirdly, why; fourthly, what the answer is "
    "to achieve, such as to calm, to encourage, or to show understanding. Finally the listener "
    "gives the answer that follows from these steps, and nothing else.",
    profile=" The listener is {age} and {gender}, and speaks in a tone that is {tone}.",
)
NANO_PROFILE: Final = replace(NANO, name="nano_profile", profile="{age}, {gender}, {tone}")
TEMPLATES: Final = {
    template.name: template
    for template in (VICUNA_V1_5, VICUNA_V0, VICUNA_EMPATHY, NANO, NANO_PROFILE)
}


def stopped(ids: Sequence[int], stops: Sequence[Sequence[int]]) -> bool:
    """Return whether the tokens so far end with one of the runs that end a reply."""
    return any(len(ids) >= len(run) and list(ids[-len(run) :]) == list(run) for run in stops)
