"""Parse EmpathyEar's meta-response while it is decoded: fields first, then the reply.

Text deltas → ``MetaResponse`` fields and the reply as it grows. Models answer in many shapes; read
are lines (``emotion: sad``, also bold, numbered, as bullets or headings), JSON (fenced, nested,
single-quoted, unquoted, cut off), in any order, with fields missing, after ``<think>`` blocks, or
no structure at all (then all of it is the reply). Knows no emotions and no network.

The reader parses the whole text again with every delta (a few thousand characters, well under a
millisecond, whatever a model writes: no pattern here tries two ways to read one run) and holds back
what may still turn out to be no part of the reply, so what it gave is never undone. Where the reply
turns out to be another than what was given for it, it begins anew, in a line of its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rt_avatar.reasoner.chat.loose_json import json_value
from rt_avatar.reasoner.chat.unspoken import answer_in, end_of_unopened_thought

# Names of the fields, as asked for and as models and EmpathyEar's own data spell them.
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "emotion": ("emotion", "emotion label", "user emotion", "speaker emotion", "users emotion",
                "emotional response", "feeling", "label"),
    "cause": ("emotion cause", "cause", "cause of emotion"),
    "scenario": ("event scenario", "scenario", "scene", "event", "situation"),
    "rationale": ("rationale", "reason", "reasoning"),
    "goal": ("goal to response", "goal of response", "response goal", "goal"),
    "voice": ("agent timbre and tone", "timbre and tone", "timbre", "tone", "voice"),
    "agent": ("agent gender", "agent age", "gender", "age", "agent persona", "agent"),
    "reply": ("reply", "response", "empathetic response", "empathic response", "response text",
              "final response", "answer", "text", "output"),
}  # fmt: skip
_FIELD_OF: Final[Mapping[str, str]] = {
    name: field for field, names in _NAMES.items() for name in names
}
# In JSON, what stands inside these belongs to them: {"response": {"text": …}}.
_INNER: Final = {("emotion", "label"): "emotion", ("emotion", "name"): "emotion"}

_NAME_PATTERN: Final = "|".join(
    sorted((name.replace(" ", "[ _-]+") for name in _FIELD_OF), key=len, reverse=True)
)
# A star before a word stays in the value: it may open a stage direction.
_LINE: Final = re.compile(
    rf"^[\s>*_#•\-]*+(?:(?:step\s*)?\d+\s*[.):])?[\s*_\"'`]*+(?P<name>{_NAME_PATTERN})"
    rf"[\s*_\"'`]*(?:[:：=]|\s[–—-]\s)(?:[\s_`]|\*\*|\*(?![\w*]))*(?P<value>.*)$",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(
    rf"^\s*(?:#+|\*\*|(?:step\s*)?\d+\s*[.):])[*_\s]*+(?P<name>{_NAME_PATTERN})[\s*_:]*$",
    re.IGNORECASE,
)
# The longest start of a line that may still become "**3. Empathetic Response**: ".
_LINE_START_CHARS: Final = 44
_FENCE: Final = re.compile(r"^\s*```[\w-]*[ \t]*\n?")
_FENCE_END: Final = re.compile(r"(?<!\s)\s*+`{1,3}\s*$")
# "Here is my answer:", "Sure!": a line before the answer, and what may still become one. Any other
# line is one only before a field: "Of course you're upset.", "Try this:" belong to the reply.
_COURTESY: Final = r"(?:sure|okay|ok|certainly|of course)\b"
_CHATTER: Final = rf"(?:{_COURTESY}|here(?:['’]s| is| are)\b)"
_PREAMBLE: Final = re.compile(
    rf"^(?:{_COURTESY}[,.!:]?[ \t]*)?(?:here(?:['’]s| is| are) [^\n{{.!?]{{0,40}}"
    r"\b(?:answer|reply|response|output|result)\b[^\n{.!?]{0,20}[.:])?[ \t]*\n+(?=\s*\S)",
    re.IGNORECASE,
)
_BEFORE_FIELDS: Final = re.compile(
    rf"^(?:[^\n{{:.!?]{{0,80}}:|{_CHATTER}[^\n{{]{{0,80}}[.!:])[ \t]*\n+(?P<next>[^\n]*)",
    re.IGNORECASE,
)
_MAY_BE_PREAMBLE: Final = re.compile(
    rf"^(?:[^\n.!?]{{0,81}}|{_CHATTER}[^\n]{{0,81}})\s*$", re.IGNORECASE
)


@dataclass(slots=True)
class MetaResponse:
    """What a model has answered so far.

    Attributes:
        fields: ``emotion cause scenario rationale goal voice agent``, as far as given, as the model
            worded them; ``agent`` is all that it says of who shall answer.
        reply: What is to be spoken, as far as surely known; grows, never changes.
        has_reply: Whether the reply has begun: fields that matter come before it.
    """

    fields: dict[str, str] = field(default_factory=dict)
    reply: str = ""
    has_reply: bool = False


class MetaResponseReader:
    """Reads one answer as it is decoded. Make a new one for each.

    Attributes:
        was_thought_unopened: Whether the text began with a thought that nothing opened, so that it
            was taken for the reply; the reply then begins anew, in a line of its own.
    """

    def __init__(self) -> None:
        self._text = ""
        self._given = ""
        self._answer = MetaResponse()
        self.was_thought_unopened = False

    @property
    def answer(self) -> MetaResponse:
        """All that is known so far."""
        return self._answer

    def push(self, delta: str) -> str:
        """Take the next piece; return what the reply grew by."""
        self._text += delta
        return self._begin_anew(delta) + self._read(is_final=False)

    def flush(self) -> str:
        """Take the end of the answer; return the rest of the reply."""
        return self._read(is_final=True)

    def _begin_anew(self, delta: str) -> str:
        """Drop what turns out to be a thought; return what parts the reply from what was given."""
        end = end_of_unopened_thought(self._text) if ">" in delta or "]" in delta else 0
        if not end:
            return ""
        self.was_thought_unopened = True
        was_given, self._text, self._given = bool(self._given), self._text[end:], ""
        return "\n" if was_given else ""

    def _read(self, *, is_final: bool) -> str:
        self._answer = parse_meta_response(self._text, is_final=is_final)
        reply, given = self._answer.reply, self._given
        if given.startswith(reply):  # for now it holds back what was given: a doubtful tail
            return ""
        self._given = reply
        return reply.removeprefix(given) if reply.startswith(given) else f"\n{reply}"


def parse_meta_response(text: str, *, is_final: bool = True) -> MetaResponse:
    """Return what an answer says; of one that is not ``is_final``, what is sure."""
    body = answer_in(text, is_final=is_final)
    if not is_final and len(body) < 3 and body in ("`", "``"):
        return MetaResponse()
    fence = _FENCE.match(body)
    if fence and not is_final and fence.end() == len(body):
        return MetaResponse()
    inner = body[fence.end() :].lstrip() if fence else body
    start = re.match(r"[\[\s]*\{", inner) or re.match(
        r"(?:[^{}]{0,200}?```(?:json)?|[^\n{}]{0,80}[:.!][ \t]*+\n)\s*+\{", inner
    )
    if start:
        return _read_json(inner[start.end() :], is_final)
    if not is_final and re.match(r"[\[\s]*$|[^{}`]{0,200}`{1,3}\w*\s*$", inner):
        return MetaResponse()
    if fence or is_final:
        inner = _FENCE_END.sub("", inner)
    return _read_lines(inner, is_final)


# --- lines --------------------------------------------------------------------------------------
def _read_lines(text: str, is_final: bool) -> MetaResponse:
    """Read ``name: value`` lines; what stands under no name is the reply if nothing else is."""
    answer = MetaResponse()
    if not is_final and _MAY_BE_PREAMBLE.match(text) and not _LINE.match(text):
        return answer
    text = _without_preamble(text, is_final)
    lines = text.split("\n")
    values: dict[str, list[str]] = {}
    name = ""
    for at, line in enumerate(lines):
        is_open = at == len(lines) - 1 and not is_final
        named = _LINE.match(line) or _HEADING.match(line)
        if named and not (is_open and _HEADING.match(line)):
            name = _field_of(named["name"])
            values.setdefault(name, [])
            line = named.groupdict().get("value") or ""
        elif is_open and _may_be_name(line):
            break
        values.setdefault(name or "plain", []).append(line)
    for key, parts in values.items():
        if key == "agent":
            answer.fields[key] = _clean(" ".join(parts[:2]))  # age and gender
        elif key not in ("reply", "plain"):
            answer.fields[key] = _clean(next((part for part in parts if part.strip()), ""))
    spoken = values.get("reply")
    if spoken is None and (is_final or not answer.fields):
        # Unnamed text is the reply where no fields were given; at the end, even where they were.
        spoken = values.get("plain")
        if is_final and spoken is None:
            spoken = _after_last_field(values)
    if spoken is not None:
        answer.reply = _spoken("\n".join(spoken), is_final)
        answer.has_reply = bool(answer.reply.strip())
    return answer


def _without_preamble(text: str, is_final: bool) -> str:
    """Return a text without the line before the answer; "" while one may turn out to be that."""
    if _LINE.match(text.split("\n", 1)[0]):
        return text
    before = _BEFORE_FIELDS.match(text)
    if before and (_LINE.match(before["next"]) or _HEADING.match(before["next"])):
        return text[before.start("next") :]
    preamble = _PREAMBLE.match(text)
    if preamble:
        return text[preamble.end() :]
    is_open = before is not None and before.end() == len(text) and not is_final
    return "" if before and is_open and _may_be_name(before["next"]) else text


def _may_be_name(line: str) -> bool:
    """Whether a line that is still being written may turn out to begin with a field's name."""
    if len(line) > _LINE_START_CHARS:
        return False
    bare = re.sub(
        r"^[\s>*_#•\-\"'`]*(?:(?:step\s*)?\d*\s*[.):]?\s*)?[\s*_\"'`]*", "", line.casefold()
    )
    bare = " ".join(re.split(r"[\s_*-]+", bare.rstrip(" *_\"'`:")))
    return any(name.startswith(bare) for name in ("step", *_FIELD_OF))


def _after_last_field(values: Mapping[str, list[str]]) -> list[str] | None:
    """Return the lines that follow the value of the last field: a reply nobody named."""
    last = list(values.values())[-1] if values else []
    return [line for line in last if line.strip()][1:] or None


# --- JSON ---------------------------------------------------------------------------------------
def _read_json(text: str, is_final: bool) -> MetaResponse:
    """Read the members of an object that may be malformed or still open."""
    answer, at, parent = MetaResponse(), 0, ""
    key_pattern = re.compile(r"[\s,{\[}\]]*+[\"']?([\w -]{2,30}?)[\"']?\s*:\s*")
    while key := key_pattern.match(text, at):
        name = _INNER.get((parent, key.group(1).casefold()), "") or _field_of(key.group(1))
        at = key.end()
        if text[at : at + 1] == "{":
            parent, at = name, at + 1
            continue
        value, at, is_closed = json_value(text, at, is_final)
        if name == "reply":
            answer.reply = _spoken(value, is_final or is_closed)
            answer.has_reply = bool(answer.reply.strip())
        elif name == "agent" and is_closed:
            answer.fields[name] = _clean(f"{answer.fields.get(name, '')} {value}")
        elif name and is_closed:
            answer.fields.setdefault(name, _clean(value))
        if not is_closed:
            break
    return answer


# --- both ---------------------------------------------------------------------------------------
def _field_of(name: str) -> str:
    key = " ".join(re.split(r"[\s_-]+", name.strip().casefold().replace("'", "")))
    return _FIELD_OF.get(key, "")


def _clean(value: str) -> str:
    return " ".join(value.split()).strip("\"'`*_ ,")


def _spoken(value: str, is_whole: bool) -> str:
    """Return a reply without the quotes around it; an open one without a doubtful tail."""
    value = value.lstrip()
    if value[:1] in ('"', "“"):
        value = value[1:]
        if is_whole:
            value = value.rstrip().removesuffix(",").removesuffix('"').removesuffix("”")
    if is_whole:
        return _FENCE_END.sub("", value).rstrip()
    return value.rstrip('"”`, \n')
