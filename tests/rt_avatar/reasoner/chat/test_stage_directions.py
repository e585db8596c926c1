import pytest

from rt_avatar.reasoner.chat.stage_directions import StageDirections
from rt_avatar.reasoner.sentences import speakable

pytestmark = pytest.mark.unit


def spoken(text: str, size: int) -> str:
    directions = StageDirections()
    pieces = [directions.push(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(pieces) + directions.flush()


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*smiles warmly* I hear you. *nods slowly*  What next?", "I hear you. What next?"),
        ("*Smiles, leans in a bit.* Oh! (softly) I'm here.", "Oh! I'm here."),
        ("[pauses]\nI'm here. *sighs*", "I'm here."),
        ('*looks at you* "Take your time," as they say.', '"Take your time," as they say.'),
        ("(nods) *smiles* Yes.", "Yes."),
        ("(lächelt) Schön, dich zu sehen.", "Schön, dich zu sehen."),
        ("*nods*", ""),
    ],
)
def test_stage_directions_are_not_spoken(text, words, size):
    assert speakable(spoken(text, size)) == words


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "I'm *so* sorry. That's *really* hard.",
        "*so* sorry to hear that.",
        "*Really* hard, I'm sure. **Take your time.** *I am here.* Go on.",
        "You (and Anna) did *all* I asked. **Yes.**",
        "* one\n* two\n- three",
        "(I know.) You said so. [this page](https://example.org) helps. 2*3*4 I count.",
        "*smiles and never closes the star",
        "(it was a very long thing that he told you on that evening in the rain, "
        "and I remember it well) So",
    ],
)
def test_all_else_is_left_as_it_is(text, size):
    assert spoken(text, size) == text
