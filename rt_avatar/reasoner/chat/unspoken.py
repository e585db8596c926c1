"""Take out of a language model's text what is no part of its answer: thoughts, and control marks.

A server that knows its model's template does so itself; many do not.
"""

import re
from typing import Final

# What opens a thought.
OPENING: Final = "<think>"

_NAMES: Final = "think|thinking|thought|reasoning"
# gpt-oss writes in channels ("harmony"), and only the final one is for the caller. Where a server
# strips its special tokens, "analysisThe caller … assistantfinalI hear you" is left.
_CHANNELS: Final = (
    r"(?=<\|(?:start|channel)\|>).*?"
    r"(?:<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>|$)"
    r"|(?-i:\A\s*(?:analysis(?=\w).*?(?:assistantfinal|$)|final(?=[A-Z])))"
)
_THOUGHT: Final = re.compile(
    rf"<({_NAMES})>.*?(?:</\1>|$)|\[THINK\].*?(?:\[/THINK\]|$)|{_CHANNELS}",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END: Final = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]", re.IGNORECASE)
# Behind the end of its turn a model goes on as somebody else.
_TURN_END: Final = re.compile(
    r"(?:<\|(?:im_end|im_start|eot_id|eom_id|end|return|call|end_of_text|endoftext)\|>"
    r"|</s>|<end_of_turn>|<eos>).*",
    re.DOTALL,
)
# What may still become one of them.
_FIRST_WORD_START: Final = "|".join(
    name[:end] for name in ("analysis", "final") for end in range(1, len(name) + 1)
)
_MARK_START: Final = re.compile(
    rf"(?:<[/|]?[a-zA-Z_|]{{0,13}}|\[/?[A-Z]{{0,5}}|\A(?:{_FIRST_WORD_START}))$"
)


def answer_in(text: str, *, is_final: bool = True) -> str:
    """Return the answer in what a model wrote; of a text that grows on, what is surely its."""
    text = text[end_of_unopened_thought(text) :]
    answer = _TURN_END.sub("", _THOUGHT.sub("", text)).lstrip()
    return answer if is_final else _MARK_START.sub("", answer)


def end_of_unopened_thought(text: str) -> int:
    """Return where a thought ends that the text does not open, or 0.

    Templates that open it for the model (DeepSeek-R1's, Qwen3's) leave only its end to be seen.
    """
    # Only marks are looked for, and their places kept: what is taken out leaves as many blanks.
    rest = _THOUGHT.sub(lambda thought: " " * len(thought.group()), text)
    ends = [end.end() for end in _THOUGHT_END.finditer(rest)]
    return ends[-1] if ends else 0
