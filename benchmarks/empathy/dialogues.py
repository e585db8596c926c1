"""Ten callers' words, answered turn by turn: dialogues to read, as they come and not chosen.

    python -m rt_avatar.benchmarks.empathy.dialogues [--llm.kind …] [-o docs/dialogues.md]

What the callers say was written for it and is the same for every reasoner, whatever it answers. No
voice and no face are heard or seen.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from rt_avatar.benchmarks.quality.replies import answer
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.config.settings import Settings
from rt_avatar.reasoner import ChatMessage
from rt_avatar.reasoner.factory import make_reasoner
from rt_avatar.telemetry.metrics import Metrics


def main() -> None:
    """Write the dialogues of the reasoner that the settings name."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.benchmarks.empathy.dialogues")
    parser.add_argument("-o", "--output", type=Path, default=Path("dialogues.md"))
    options, flags = parser.parse_known_args()
    text = asyncio.run(dialogues(settings_of(flags)))
    options.output.write_text(text, encoding="utf-8")
    print(options.output)


def callers() -> list[list[str]]:
    """Return what each caller says, turn by turn."""
    file = resources.files("rt_avatar.benchmarks.empathy") / "callers.json"
    said: list[list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return said


async def dialogues(settings: Settings) -> str:
    """Return all of them as Markdown.

    Raises:
        SetupError: The reasoner cannot be made.
        ReasonerError: It does not answer.
    """
    reasoner = make_reasoner(settings.llm, Metrics())
    parts = []
    try:
        for number, said in enumerate(callers(), 1):
            conversation = reasoner.open()
            turns: list[ChatMessage] = []
            for words in said:
                turns.append(ChatMessage("caller", words))
                reply = await answer(conversation, settings.avatar.persona, turns)
                turns.append(ChatMessage("avatar", reply.text))
            await conversation.aclose()
            parts.append(_markdown(number, turns))
    finally:
        await reasoner.aclose()
    return (
        f"# Ten dialogues, as `{reasoner.name}` answered them\n\n"
        "Made by `python -m rt_avatar.benchmarks.empathy.dialogues`; the callers' words were "
        "written for it,\nthe replies are as they came: none was chosen or changed.\n\n"
        + "\n\n".join(parts)
        + "\n"
    )


def _markdown(number: int, turns: Sequence[ChatMessage]) -> str:
    lines = [f"## {number}\n"]
    for turn in turns:
        lines.append(f"> {turn.text}\n" if turn.role == "caller" else f"**{turn.text}**\n")
    return "\n".join(lines).rstrip()


if __name__ == "__main__":
    main()
