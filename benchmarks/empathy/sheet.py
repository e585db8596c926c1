"""A sheet for blind reading: stories with two reasoners' replies in an order nobody knows.

    python -m rt_avatar.benchmarks.empathy.sheet --data FILE [--stories 100] [--skip N] -o FILE
    python -m rt_avatar.benchmarks.empathy.sheet --judged FIRST.json SECOND.json ...

The page keeps what is chosen in the browser and saves it as JSON, ``{"seed", "stories", "choices":
{number: "nano" | "rules" | "same"}, "wrong": {"nano": [number of a plainly wrong reply, ...],
"rules": [...]}}``; the second command counts the choices and how far readers agree (Cohen's kappa
of each two). Stories to which both say the same are left out.
"""

import argparse
import asyncio
import html
import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from rt_avatar.benchmarks.quality.replies import Dialogue, answer, read_dialogues
from rt_avatar.config.settings import Settings
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.errors import BadInputError
from rt_avatar.reasoner.listener.nano import NanoReasoner
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner

_CHOICES: Final = ("nano", "rules", "same")
_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;max-width:46em;margin:2em auto}fieldset{margin:0 0 1.5em}"
    "label{display:block;padding:.2em}.said{color:#555}"
)
_SCRIPT: Final = """
const form = document.querySelector("form");
document.querySelector("#save").onclick = () => {
  const data = new FormData(form), choices = {}, wrong = {nano: [], rules: []};
  for (const [name, value] of data)
    if (name.startsWith("wrong")) wrong[value].push(+name.slice(5));
    else choices[name] = value;
  const text = JSON.stringify({...JSON.parse(form.dataset.about), choices, wrong});
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "application/json"}));
  link.download = "choices.json";
  link.click();
};
"""


def main() -> None:
    """Write a sheet, or count what was chosen on some."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.benchmarks.empathy.sheet")
    parser.add_argument("--data", type=Path, help="dialogues in EmpatheticDialogues' form")
    parser.add_argument("--replies", type=Path, help="other replies for the nano reasoner")
    parser.add_argument("--stories", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0, help="so many, of the shuffled dialogues")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("replies.html"))
    parser.add_argument("--judged", type=Path, nargs="+", help="what readers saved")
    options = parser.parse_args()
    if options.judged:
        print("\n".join(agreement([_read(path) for path in options.judged])))
    elif options.data:
        dialogues = read_dialogues(options.data)
        stories = asyncio.run(
            pairs_of_replies(ReplyRanker(options.replies), dialogues, options.stories, options.skip)
        )
        options.output.write_text(page(stories, options.seed), encoding="utf-8")
        print(options.output)
    else:
        parser.error("expected --data FILE to write a sheet, or --judged FILE to count")


async def pairs_of_replies(
    ranker: ReplyRanker, dialogues: Sequence[Dialogue], count: int, skip: int = 0
) -> list[tuple[list[str], str, str]]:
    """Return what was said, and the replies of nano and of the rules; first turns and later ones.

    Dialogues are taken in a shuffled order, the same for one file, after leaving out ``skip``;
    where both reasoners say the same there is no choice.
    """
    classifier = TextEmotionClassifier()
    nano = NanoReasoner(classifier, ranker, ReplySelector()).open()
    rules = ReflectiveReasoner(classifier).open()
    persona = Settings().avatar.persona
    found: list[tuple[list[str], str, str]] = []
    order = np.random.default_rng(0).permutation(len(dialogues))
    for place, number in enumerate(order[skip:].tolist(), skip):
        turns = dialogues[number].turns
        spoken = [at for at, turn in enumerate(turns) if turn.role == "caller"]
        heard = turns[: spoken[place % len(spoken)] + 1]
        ours, theirs = [(await answer(one, persona, heard)).text for one in (nano, rules)]
        if ours != theirs:
            found.append(([f"{turn.role}: {turn.text}" for turn in heard], ours, theirs))
        if len(found) == count:
            break
    return found


def page(stories: Sequence[tuple[Sequence[str], str, str]], seed: int) -> str:
    """Return the sheet: said, and the replies of nano and of the rules, as HTML."""
    dice = np.random.default_rng(seed)
    parts = []
    for number, (said, ours, theirs) in enumerate(stories, 1):
        replies = [("nano", ours), ("rules", theirs)]
        if dice.random() < 0.5:
            replies.reverse()
        lines = "".join(f'<p class="said">{html.escape(line)}</p>' for line in said)
        choices = "".join(
            f'<label><input type="radio" name="{number}" value="{name}"> {html.escape(text)}'
            f'</label><label><input type="checkbox" name="wrong{number}" value="{name}"> '
            "plainly wrong</label>"
            for name, text in replies
        )
        same = f'<label><input type="radio" name="{number}" value="same"> equally good</label>'
        parts.append(f"<fieldset><legend>{number}</legend>{lines}{choices}{same}</fieldset>")
    about = html.escape(json.dumps({"seed": seed, "stories": len(stories)}))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Replies</title>'
        f"<style>{_STYLE}</style><h1>Which reply is better?</h1>"
        f'<form data-about="{about}">{"".join(parts)}</form>'
        f'<button id="save">Save</button><script>{_SCRIPT}</script></html>'
    )


def agreement(judged: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return lines: what each reader chose, and the kappa of each two."""
    lines = []
    for number, one in enumerate(judged, 1):
        counts = Counter(one["choices"].values())
        shown = ", ".join(f"{name} {counts[name]}" for name in _CHOICES)
        wrong = ", ".join(f"{name} {len(found)}" for name, found in sorted(one["wrong"].items()))
        lines.append(f"reader {number}: {shown}; plainly wrong: {wrong}")
    for (first, a), (second, b) in itertools.combinations(enumerate(judged, 1), 2):
        both = sorted(a["choices"].keys() & b["choices"].keys())
        if both:
            kappa = _kappa([a["choices"][at] for at in both], [b["choices"][at] for at in both])
            lines.append(f"readers {first}, {second}: kappa {kappa:.2f} over {len(both)} stories")
    return lines


def _kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Cohen's kappa; 1 where both always choose the same one."""
    size = len(first)
    seen = sum(a == b for a, b in zip(first, second, strict=True)) / size
    chance = sum(first.count(name) * second.count(name) for name in _CHOICES) / size**2
    return 1.0 if chance == 1 else (seen - chance) / (1 - chance)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        choices, wrong = found["choices"], found["wrong"]
        if not set(choices.values()) <= set(_CHOICES) or set(wrong) != set(_CHOICES[:2]):
            raise ValueError(f"choices of {sorted(set(choices.values()))}, wrong of {set(wrong)}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInputError(
            f"{path}: expected what a sheet saved, with choices of {', '.join(_CHOICES)} and the "
            f"wrong replies; got {error!r}"
        ) from error
    return dict(found)


if __name__ == "__main__":
    main()
