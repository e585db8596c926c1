"""General replies, each of which fits many turns, and what voice and face show with them.

A line of ``replies.txt`` is a reply, and behind bars other wordings of it: who calls often need not
hear the same sentences again. The network knows the first alone.
"""

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast, get_args

from rt_avatar.engines.emotion_words import FINE, Fine
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe

_HEADING: Final = re.compile(r"\[(\w+)(?: (\w+))?\]")
When: TypeAlias = Literal["always", "question", "objection", "approval", "harm"]
_WHENS: Final[tuple[When, ...]] = get_args(When)


@dataclass(frozen=True, slots=True)
class GeneralReply:
    """A reply.

    Attributes:
        text: What is said.
        to: What a caller feels to whom voice and face speak so; None: as to anybody.
        when: Whether it may be said always, or only where the caller asks, or objects, or where
            nothing told may be wrong, since it approves, laughs, takes sides or excuses; or only
            where harm, contempt or a risk was told as if it were nothing.
        wordings: What means the same, and may be said instead wherever the reply fits.
    """

    text: str
    to: Fine | None
    when: When = "always"
    wordings: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The reply and its other wordings."""
        return self.text, *self.wordings


def load_general(path: Path | None = None) -> list[GeneralReply]:
    """Return the replies of a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is none of it; it is named.
    """
    packaged = resources.files("rt_avatar.engines.reply_selector") / "replies.txt"
    source: Path | Traversable = path or packaged
    found: list[GeneralReply] = []
    known: set[str] = set()
    to: Fine | None = None
    when: When = "always"
    with source.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            heading = _HEADING.match(text)
            wrong = f"{source}, line {number}: expected"
            if heading:
                name, moment = heading[1], heading[2] or "always"
                if (name != "none" and name not in FINE) or moment not in _WHENS:
                    raise ValueError(
                        f"{wrong} none or one of {', '.join(FINE)}, and {' or '.join(_WHENS[1:])} "
                        f"or nothing; got {heading[0]}"
                    )
                to = None if name == "none" else cast(Fine, name)
                when = cast(When, moment)
                continue
            texts = [one.strip() for one in text.split("|")]
            for one in texts:
                if not one or find_unsafe(one) or one in known:
                    raise ValueError(f"{wrong} a reply that is safe and new; got {one!r}")
                known.add(one)
            found.append(GeneralReply(texts[0], to, when, tuple(texts[1:])))
    return found
