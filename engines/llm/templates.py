"""How a dialogue is written for a language model: turns → pieces of text and places for encodings.

Three ways behind one interface. A Vicuna 1.5 must not be prompted as a version 0, nor the other way
round: the separators differ, and so does what ends a reply. Ours, for the nano model, spends one
token on each role and none on a system sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

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
        opening: What stands before the first turn; ``{instruction}`` is replaced.
        instruction: What is put there if the caller has nothing else to say.
        begin: What stands before a turn's text, by role.
        end: What stands behind it.
        cue: What makes the model reply.
        stops: Runs of token ids, any of which ends a reply.
        begins_with: Token ids before everything.
    """

    name: str
    opening: str
    instruction: str
    begin: dict[str, str]
    end: dict[str, str]
    cue: str
    stops: tuple[tuple[int, ...], ...]
    begins_with: tuple[int, ...]

    def pieces(self, turns: Sequence[Turn], instruction: str | None = None) -> list[Piece]:
        """Return the prompt, with neighbouring texts joined; the model goes on with a reply.

        Raises:
            ValueError: There is no turn, or the last is not the user's.
        """
        if not turns or turns[-1].role != "user":
            raise ValueError("prompt: expected the user's turn at the end of the dialogue")
        said = self.instruction if instruction is None else instruction
        made: list[Piece] = [self.opening.replace("{instruction}", said)]
        for index, turn in enumerate(turns):
            made.append(self.begin[turn.role])
            for number, modality in enumerate(turn.modalities):
                made.extend(([" "] if number else []) + [Slot(modality, index)])
            made.append(turn.text + self.end[turn.role])
        made.append(self.cue)
        return _joined(made)

    def text(self, turns: Sequence[Turn], instruction: str | None = None) -> str:
        """Return the prompt as one string, with a placeholder for each encoding."""
        return "".join(
            piece if isinstance(piece, str) else PLACEHOLDERS[piece.modality]
            for piece in self.pieces(turns, instruction)
        )


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    made: list[Piece] = []
    for piece in pieces:
        if piece == "":
            continue
        if isinstance(piece, str) and made and isinstance(made[-1], str):
            made[-1] += piece
        else:
            made.append(piece)
    return made


VICUNA_V1_5: Final = Template(
    name="vicuna_v1.5",
    opening="{instruction} ",
    instruction="A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions.",
    begin={"user": "USER: ", "avatar": "ASSISTANT: "},
    end={"user": " ", "avatar": "</s>"},
    cue="ASSISTANT:",
    stops=((2,),),  # </s>
    begins_with=(1,),
)
VICUNA_V0: Final = Template(
    name="vicuna_v0",
    opening="{instruction}\n### ",
    instruction="A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions.",
    begin={"user": "Human: ", "avatar": "Assistant: "},
    end={"user": "\n### ", "avatar": "\n### "},
    cue="Assistant:",
    # "###" is one token at the beginning of a word and two behind a line break.
    stops=((835,), (2277, 29937), (2,)),
    begins_with=(1,),
)
NANO: Final = Template(
    name="nano",
    opening="{instruction}",  # who answers, where that is said
    instruction="",
    begin={"user": "<user>", "avatar": "<avatar>"},
    end={"user": "", "avatar": "<end>"},
    cue="<avatar>",
    stops=((1,),),  # <end>, the second of ``engines.llm.tokens.SPECIALS``
    begins_with=(),
)
TEMPLATES: Final = {template.name: template for template in (VICUNA_V1_5, VICUNA_V0, NANO)}


def stopped(ids: Sequence[int], stops: Sequence[Sequence[int]]) -> bool:
    """Return whether the tokens so far end with one of the runs that end a reply."""
    return any(len(ids) >= len(run) and list(ids[-len(run) :]) == list(run) for run in stops)
