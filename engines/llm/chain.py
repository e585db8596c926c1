"""The chain of empathy in text: scenario, emotion, cause, goal, then the reply; written and read.

Two notations: "ordinal", in sentences, with the markers of the published text baseline (``<emo>``
around the emotion, ``</response>`` behind the reply); and "tags", one token a field, for the nano
model. Reading is tolerant: a field that is missing or not yet there is "".
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Chain:
    """What is understood of the caller before anything is replied."""

    scenario: str = ""
    emotion: str = ""
    cause: str = ""
    goal: str = ""


@dataclass(frozen=True, slots=True)
class Notation:
    """What stands before and behind each field.

    Attributes:
        name: Of the notation.
        frames: By field of the chain.
        opening: What stands before the reply; the chain is over with it.
        closing: What stands behind the reply.
        gap: What parts the opening from the reply's first word.
    """

    name: str
    frames: dict[str, tuple[str, str]]
    opening: str
    closing: str
    gap: str

    def write_chain(self, chain: Chain) -> str:
        """Return the chain and the reply's opening."""
        return "".join(
            before + getattr(chain, name).strip() + behind
            for name, (before, behind) in self.frames.items()
        ) + self.opening  # fmt: skip

    def write(self, chain: Chain | None, reply: str) -> str:
        """Return a whole answer; without a chain (the ablation) only the reply, in its frame."""
        head = self.opening if chain is None else self.write_chain(chain)
        return head + self.gap + reply + self.closing

    def read_chain(self, text: str) -> Chain:
        """Return the fields that ``text``, perhaps unfinished, holds."""
        found = {}
        head = text.partition(self.opening)[0]
        for name, (before, behind) in self.frames.items():
            _, there, rest = head.partition(before.strip())
            if not there:
                continue
            marks = [mark.strip() for mark in self._after(name)]
            ends = [end for mark in marks if (end := rest.find(mark)) >= 0]
            # An unfinished field may end with the beginning of what ends it.
            ends.append(len(rest) - max((begun(rest, mark) for mark in marks), default=0))
            found[name] = rest[: min(ends)].strip().removesuffix(behind.strip()).strip()
        return Chain(**found)

    def read(self, text: str) -> tuple[Chain, str]:
        """Return the chain and the reply of an answer; text without any frame is all reply."""
        head, opened, rest = text.partition(self.opening)
        if not opened:
            known = any(before.strip() in text for before, _ in self.frames.values())
            return self.read_chain(text), "" if known else self._reply(text)
        return self.read_chain(head), self._reply(rest)

    def _reply(self, text: str) -> str:
        reply, closed, _ = text.partition(self.closing)
        return (reply if closed else reply[: len(reply) - begun(reply, self.closing)]).strip()

    def _after(self, name: str) -> list[str]:
        """Return what can end a field: its own mark where it has a strong one, or the next's."""
        later = list(self.frames)[list(self.frames).index(name) + 1 :]
        own = self.frames[name][1].strip()
        strong = [own] if len(own) > 1 else []
        return [*strong, *(self.frames[other][0] for other in later), self.opening]


def begun(text: str, mark: str) -> int:
    """Return how many characters at the end of ``text`` may be the beginning of ``mark``."""
    longest = min(len(text), len(mark) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(mark[:n])), 0)


ORDINAL: Final = Notation(
    name="ordinal",
    frames={
        "scenario": ("Firstly, the event scenario is ", ".\n"),
        "emotion": ("Secondly, the emotion of the user is <emo> ", " </emo>.\n"),
        "cause": ("Thirdly, the cause of the emotion is ", ".\n"),
        "goal": ("Fourthly, the goal of the response is ", ".\n"),
    },
    opening="Finally, the empathetic response is:",
    closing="</response>",
    gap=" ",
)
TAGS: Final = Notation(
    name="tags",
    frames={
        "scenario": ("<scene>", ""),
        "emotion": ("<emo>", "</emo>"),
        "cause": ("<cause>", ""),
        "goal": ("<goal>", ""),
    },
    opening="<reply>",
    closing="</response>",
    gap="",
)
NOTATIONS: Final = {notation.name: notation for notation in (ORDINAL, TAGS)}
