"""What somebody does about it, manages, has to do or lies awake with; what only looks like it."""

import pytest

from rt_avatar.reasoner.coping import COPING
from rt_avatar.reasoner.moments import MOMENTS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("So I wear earplugs now.", "helps"),
        ("so now we eat at five", "helps"),
        ("I've started leaving the radio on.", "helps"),
        ("I've taken to walking round the block first.", "helps"),
        ("i bought a lamp for it", "helps"),
        ("It was shaky but I got through it.", "managed"),
        ("i got it right first time though", "managed"),
        ("I had to sell my dad's boat.", "had_to"),
        ("We ended up cancelling the whole thing.", "had_to"),
        ("i packed in the course", "had_to"),
        ("I had to pull over and sit for a bit.", "overcome"),
        ("i had to leave the room", "overcome"),
        ("I was awake half the night.", "sleepless"),
        ("i lie there at four in the morning", "sleepless"),
        ("They've asked me to be the treasurer.", "asked_to"),
        ("ive been invited to read it on the radio", "asked_to"),
        ("I only said it might rain.", "meant"),
        ("all i said was that it looked heavy", "meant"),
        ("We haven't met properly yet.", "not_yet"),
        ("I came home and the lights were on.", "found"),
        ("i found somebody asleep in my chair", "found"),
        ("A llama, of all things.", "surprised"),
        ("I never thought they'd pick me.", "surprised"),
        ("The longer I wait the harder it gets.", "worsening"),
        ("My hands were shaking the whole time.", "overcome"),
        ("i'd do it again", "stands_by"),
        ("I'm the one who has to ring round.", "the_one"),
        ("i was one of those kids", "same_boat"),
        ("I can still hear the machines.", "still_feels"),
        ("we've always done it by hand", "always"),
        ("I've been going over there every Sunday.", "keeps_up"),
        ("We eat together most evenings.", "keeps_up"),
        ("turns out i was right", "turned_out"),
        ("It was meant to be a surprise.", "meant_for"),
        ("i lie there thinking about the boiler", "abed"),
        ("I've rewritten it four times", "times"),
        ("I feel like the villain", "feels_like"),
        ("it's getting harder", "getting"),
        ("I've got to speak in front of everybody.", "must_say"),
        ("I thought he was the plumber.", "mistook"),
    ],
)
def test_what_is_done_about_it_is_heard(text, act):
    assert find_act(text, (*MOMENTS, *COPING)) == act


@pytest.mark.parametrize(
    "text",
    [
        "So I think it's over.",
        "so i was late",
        "I've started a new job.",
        "I bought a house.",
        "I had to laugh.",
        "I had to go to work.",
        "I've been asked that before.",
        "I haven't eaten yet.",
        "He was awake all night.",
        "I've started drinking again.",
        "I only said it to hurt him.",
        "She got through it.",
        "I've started cutting again.",
        "so I don't go",
        "I found it hard.",
        "We found a flat.",
        "I never thought about it.",
        "The more the merrier.",
        "I came home late.",
        "My heart is fine.",
        "He'd do it again.",
        "I was one of the first.",
        "I still owe him money.",
        "I've been ill every winter.",
        "It turned out fine.",
        "He meant it.",
        "I feel like a million dollars.",
        "I lie down after lunch.",
        "It rang four times.",
        "It's getting late.",
        "I have to go.",
        "I thought about it.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, (*MOMENTS, *COPING)) is None
