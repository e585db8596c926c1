import pytest

from rt_avatar.reasoner.chat.meta_response import MetaResponseReader, parse_meta_response

pytestmark = pytest.mark.unit

REPLY = "I'm so sorry about your grandmother. What do you miss most?"
SHAPES = {
    "lines": "emotion: sad\ncause: her loss\nscenario: a death\nrationale: r\ngoal: comfort\n"
    f"voice: soft\nreply: {REPLY}",
    "bold": f"**Emotion:** sad\n**Emotion Cause:** her loss\n\n**Reply:** {REPLY}",
    "numbers": f"1. Emotion: sad\n2. Event Scenario: a death\n3. Response: {REPLY}\n",
    "bullets": f"- Emotion: sad\n- Emotion Cause: her loss\n- Empathetic Response: {REPLY}",
    "headings": f"### Emotion\nsad\n\n### Response\n\n{REPLY}\n",
    "steps": f"Step 1: Emotion: sad\nStep 2: Reply: {REPLY}",
    "json": '{"Emotion Cause": "her loss", "Event Scenario": "a death", "Agent Gender": "Female", '
    f'"Emotional Response": "sad", "Empathetic Response": "{REPLY}"}}',
    "fenced": f'```json\n{{\n  "emotion": "sad",\n  "reply": "{REPLY}"\n}}\n```',
    "single quotes": f"{{'emotion': 'sad', 'cause': 'it's hard', 'reply': '{REPLY}'}}",
    "unquoted": f"{{emotion: sad,\n cause: her loss,\n reply: {REPLY}\n}}",
    "nested": '{"emotion": {"label": "sad", "cause": "her loss"}, "scene": {"event scenario": "d"},'
    f' "response": {{"text": "{REPLY}"}}, "agent persona": {{"gender": "Female"}}}}',
    "reply first": f'{{"reply": "{REPLY}", "emotion": "sad"}}',
    "lines, reply first": f"reply: {REPLY}\nemotion: sad\n",
    "cut off": f'{{"emotion": "sad", "reply": "{REPLY}',
    "thought before": f"<think>emotion: no {{no}}</think>\n\nemotion: sad\nreply: {REPLY}",
    "chatter before": f"Here is my answer:\n\nemotion: sad\nreply: {REPLY}",
    "prose before": f"Let me work through this:\n\nemotion: sad\nreply: {REPLY}",
    "courtesy before": f"Sure, I can do that.\nemotion: sad\nreply: {REPLY}",
    "chatter and JSON": f'Here is my answer:\n{{"emotion": "sad", "reply": "{REPLY}"}}',
    "chatter and fence": f'Sure!\n```json\n{{"emotion": "sad", "reply": "{REPLY}"}}\n```',
    "quoted reply": f'emotion: sad\nreply: "{REPLY}"',
    "unnamed reply": f"emotion: sad\ngoal: comfort\n\n{REPLY}",
    "missing comma": f'{{"emotion": "sad"\n "reply": "{REPLY}"}}',
    "array": f'[{{"emotion": "sad", "reply": "{REPLY}"}}]',
}


def streamed(text: str, size: int) -> str:
    """Return what is given of a text that comes in pieces of so many characters."""
    reader = MetaResponseReader()
    pieces = [reader.push(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(pieces) + reader.flush()


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_emotion_and_the_whole_reply(shape):
    answer = parse_meta_response(SHAPES[shape])
    assert answer.reply == REPLY
    assert answer.fields["emotion"] == "sad"


@pytest.mark.parametrize(
    "text",
    [
        f"Agent Gender: Female\nAgent Age: Elderly\nreply: {REPLY}",
        f'{{"Agent Gender": "Female", "Agent Age": "Elderly", "reply": "{REPLY}"}}',
        f'{{"agent": {{"gender": "Female", "age": "Elderly"}}, "response": "{REPLY}"}}',
    ],
)
def test_all_that_is_said_of_the_agent_is_kept_together(text):
    answer = parse_meta_response(text)
    assert answer.fields["agent"] == "Female Elderly"
    assert answer.reply == REPLY
    assert answer.fields.get("cause", "her loss") in ("her loss", "it's hard")


@pytest.mark.parametrize("shape", [*SHAPES, "plain"])
@pytest.mark.parametrize("size", [1, 3, 7])
def test_what_was_given_is_never_undone_however_the_text_is_cut(shape, size):
    text = SHAPES.get(shape, REPLY)
    reader, given = MetaResponseReader(), ""
    for at in range(0, len(text), size):
        given += reader.push(text[at : at + size])
        assert REPLY.startswith(given)
    assert given + reader.flush() == REPLY


@pytest.mark.parametrize(
    "text",
    [
        "I'm so sorry. Here is one thing to try:\nBreathe out slowly, and count to four.",
        "Oh no! Listen:\nYou did nothing wrong. What happened then?",
    ],
)
@pytest.mark.parametrize("size", [1, 4])
def test_a_first_line_that_was_given_stays_a_part_of_the_reply(text, size):
    assert streamed(text, size) == text


@pytest.mark.parametrize("line", ["a" * 80 + ":", "Here is" + " a" * 40 + "."])
def test_the_longest_line_before_an_answer_is_not_given(line):
    assert streamed(f"{line}\n{SHAPES['lines']}", 1) == REPLY


@pytest.mark.parametrize(
    "line",
    [
        "Sure!",
        "Okay.",
        "Of course:",
        "Here is my answer:",
        "Certainly! Here's the empathetic response:",
        "Okay, here are" + " a" * 20 + " result" + " b" * 10 + ":",
    ],
)
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_courtesy_or_the_name_of_an_answer_before_it_is_not_given(line, size):
    assert streamed(f"{line}\n\n{REPLY}", size) == REPLY


@pytest.mark.parametrize(
    "text",
    [
        "Of course you're upset.\n\nWhat happened then?",
        "Okay, that is a lot to carry.\n\nWhat is the hardest part?",
        "Sure, take all the time you need.\nI'm here.",
        "Here's the thing: you did nothing wrong.\n\nWhat would you tell a friend?",
        "You could try this tonight:\n- Call a friend\n- Take a walk",
        "I hear you, and I want to say this:\n\nYou are not alone.",
        "Try this:\nReply to her kindly.",
    ],
)
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_first_line_that_belongs_to_the_reply_is_given(text, size):
    assert streamed(text, size) == text


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("shape", ["lines", "bold", "steps", "headings", "fenced"])
def test_a_reply_that_comes_behind_other_words_begins_anew_and_is_whole(shape, size):
    prose = "Let me work through the steps first."
    assert streamed(f"{prose}\n{SHAPES[shape]}", size) == f"{prose}\n{REPLY}"


def test_what_a_reply_holds_back_for_a_while_is_no_other_reply():
    reader = MetaResponseReader()
    given = [reader.push(piece) for piece in ("I hear you.\n", "emotion: sad\n", "goal: x\n")]
    assert "".join(given) + reader.flush() == "I hear you."


@pytest.mark.parametrize(
    "text",
    [
        *(f"{before}{char * 50_000}x" for char in "*_ #" for before in ("", "emotion: sad\n")),
        f"## {' ' * 50_000}x",
        f"reply: {'*' * 60} x\n\n",
        f"{{{' ' * 50_000}x",
        f'{{"reply": "a"{" " * 50_000}x',
        f"a{' ' * 50_000}x",
        f"a:{' ' * 50_000}x",
        f"a:{chr(10) * 50_000}x",
    ],
    ids=lambda text: f"{text[:16]!r}, {len(text)}",
)
@pytest.mark.parametrize("is_final", [True, False])
def test_a_run_of_any_sign_is_read_once(text, is_final):
    """Patterns that could read it in many ways took minutes for it, and some years."""
    assert parse_meta_response(text, is_final=is_final)


@pytest.mark.parametrize("shape", ["lines", "bold", "numbers", "json", "fenced", "unquoted"])
def test_the_fields_are_known_when_the_reply_begins(shape):
    reader = MetaResponseReader()
    for char in SHAPES[shape]:
        if reader.push(char):
            break
    assert reader.answer.fields["emotion"] == "sad"
    assert reader.answer.has_reply


@pytest.mark.parametrize("shape", ["lines", "json", "fenced", "bold"])
def test_the_reply_flows_while_it_is_decoded(shape):
    text = SHAPES[shape]
    reader = MetaResponseReader()
    assert reader.push(text[: text.index("What do")]).startswith("I'm so sorry about")


def test_a_reply_alone_flows_from_its_first_words_on():
    reader = MetaResponseReader()
    given = [
        reader.push(piece) for piece in ("re", "ply", ": It", " sounds", " like a", " long day")
    ]
    assert "".join(given[:4]).startswith("It sound")


def test_text_without_structure_is_the_reply():
    assert parse_meta_response(REPLY).reply == REPLY
    assert parse_meta_response(REPLY).fields == {}


@pytest.mark.parametrize("text", ["", "   ", "<think>still", "emotion: sad", "{}", "```", '{"a'])
def test_an_answer_without_a_reply_has_none(text):
    assert not parse_meta_response(text).has_reply


def test_escapes_of_json_are_resolved():
    answer = parse_meta_response(r'{"reply": "Say \"hi\" in the caf\u00e9.\nOk?"}')
    assert answer.reply == 'Say "hi" in the café.\nOk?'


def test_a_thought_that_is_never_closed_is_never_spoken():
    reader = MetaResponseReader()
    assert "".join(reader.push(char) for char in "<think>I should say: reply: hello") == ""
    assert reader.flush() == ""
