import random

import pytest

from rt_avatar.reasoner.sentences import MAX_CLAUSE_CHARS, ClauseSplitter, speakable

pytestmark = pytest.mark.unit

REPLIES = (
    "It's at 5 p.m. Monday, 8 p.m. Eastern. By 6 p.m. We live on Main St. He is in St. Louis. Yes.",
    "Oh, that sounds really hard, and I'm sorry you went through it alone. What happened next?",
    "Dr. Smith said it was 3.14, not 1,000. At 10:30 p.m. we left for the U.S. Army base. Good.",
    "See https://example.org/a.b?c=1,2 or write to jo.smith@example.org. It works. Truly.",
    "Well... I think so. \"Really?\" she asked. 'No.' Then silence… And more.",
    "That's great! 😀👍🏽 Tell me more 👨‍👩‍👧 about it. 🇩🇪 Nice :) Bye.",
    "**Hello there**, my *dear* friend. # not a heading\n\n- first point\n- second _point_\n"
    "1. third\n> quoted `code` and [a link](https://example.org/x y) or [good](https://example.org).",
    "我很难过，听到这个消息。你现在感觉怎么样？我在这里听你说。",
    "それは大変でしたね、本当に。今はどんな気持ちですか？「はい。」と言った。",
    "أنا آسف جدا لسماع ذلك، هل تريد أن تتحدث؟ أنا هنا.",
    "मुझे बहुत दुख है, यह सुनकर। आप कैसा महसूस कर रहे हैं? मैं यहाँ हूँ।",
    "```python\nprint('x')\n```\nThat was code. snake_case stays, 2*3 too.",
    " ".join(["word"] * 120),
    "x" * 450,
    "很" * 450,
    "It must have been so lonely to come home to that quiet house every day and to sit there "
    "without anyone who asks how your day was, and without the small noises, without the talk, "
    "until it was time for bed again and the next day began as the one before had begun. Is it so?",
    "",
    "   \n ",
    "😀",
)


def split(text: str, *, is_first_short: bool = False) -> list[str]:
    splitter = ClauseSplitter(is_first_short)
    return splitter.push(text) + splitter.flush()


def test_the_result_does_not_depend_on_how_the_text_was_cut() -> None:
    chance = random.Random(3)
    for text in REPLIES:
        whole = split(text)
        for _ in range(8):
            splitter, clauses, rest = ClauseSplitter(), [], text
            while rest:
                size = chance.choice((1, 1, 2, 3, 5, 8, 30))
                clauses += splitter.push(rest[:size])
                rest = rest[size:]
            assert clauses + splitter.flush() == whole


def test_random_text_of_marks_and_words_is_split_alike_and_completely() -> None:
    chance = random.Random(7)
    pieces = ("a", "Hi", "Dr.", "3.14", "p.m.", " ", " ", " ", "\n", ", ", ". ", "! ", "? ", "...",
              "*", "_", "`", "#", "- ", "[x](y)", "[", "]", "😀", ":)", "。", "，", "and ", "“",
              "”", "https://a.b/c,d", "—", "(", ")", "word", "1. ", "؟ ")  # fmt: skip
    for _ in range(300):
        text = "".join(chance.choice(pieces) for _ in range(chance.randrange(1, 120)))
        clauses = split(text)
        splitter = ClauseSplitter()
        by_character = [clause for char in text for clause in splitter.push(char)]
        assert by_character + splitter.flush() == clauses
        assert all(0 < len(clause) <= MAX_CLAUSE_CHARS for clause in clauses)
        letters = [char for char in text if char.isalnum()]
        spoken = [char for clause in clauses for char in clause if char.isalnum()]
        assert len(spoken) <= len(letters)


@pytest.mark.parametrize("text", REPLIES)
def test_joined_clauses_are_the_speakable_text(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(speakable(text).split())


@pytest.mark.parametrize("text", REPLIES)
def test_no_clause_is_longer_than_the_limit(text: str) -> None:
    assert all(0 < len(clause) <= MAX_CLAUSE_CHARS for clause in split(text))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "I'm so sorry, that hurts. Who was she?",
            ["I'm so sorry,", "that hurts.", "Who was she?"],
        ),
        ("Oh no, that hurts a lot, truly.", ["Oh no, that hurts a lot,", "truly."]),
        (
            "It sounds like you are worried because the exam is near. Right?",
            ["It sounds like you are worried", "because the exam is near.", "Right?"],
        ),
        ("Hi! How are you?", ["Hi!", "How are you?"]),
        (
            "You had to walk all the way home alone last night in the dark rain. So?",
            ["You had to walk all the way home alone last night", "in the dark rain.", "So?"],
        ),
    ],
)
def test_the_first_clause_is_short_and_sensible(text: str, clauses: list[str]) -> None:
    assert split(text) == clauses


def test_a_shorter_first_clause_can_be_asked_for() -> None:
    assert split("Oh, that hurts.", is_first_short=True) == ["Oh,", "that hurts."]
    text = "It sounds like you are very worried because the exam is near."
    assert len(split(text, is_first_short=True)[0].split()) < len(split(text)[0].split())


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "Ok. Dr. J. Smith came, e.g. today. Fine.",
            ["Ok.", "Dr. J. Smith came, e.g. today.", "Fine."],
        ),
        (
            "Ok. It is 3.14 or 1,000. No. 5 won. No. I lost.",
            ["Ok.", "It is 3.14 or 1,000.", "No. 5 won.", "No.", "I lost."],
        ),
        (
            "Ok. At 5 p.m. we met. At 6 p.m. We left.",
            ["Ok.", "At 5 p.m. we met.", "At 6 p.m.", "We left."],
        ),
        (
            "Ok. A.I. is here, said J.K. Rowling in D.C. today. Good.",
            ["Ok.", "A.I. is here, said J.K. Rowling in D.C. today.", "Good."],
        ),
        (
            "Ok. Mt. Everest is far. I live in Apt. 4B for 6 mo. now. Good.",
            ["Ok.", "Mt. Everest is far.", "I live in Apt. 4B for 6 mo. now.", "Good."],
        ),
        ("We open daily 9 a.m. - 5 p.m. for you.", ["We open daily 9 a.m. - 5 p.m. for you."]),
        ("Ok. See a.example.org/x.y. Go on.", ["Ok.", "See a.example.org/x.y.", "Go on."]),
        ('Ok. He said "No." Then he left.', ["Ok.", 'He said "No."', "Then he left."]),
        ("Ok. I wait... maybe. So… Yes.", ["Ok.", "I wait... maybe.", "So…", "Yes."]),
        ("Ok. At 8 p.m. Eastern. Bye.", ["Ok.", "At 8 p.m. Eastern.", "Bye."]),
        ("Ok. It is 5 p.m. Monday. Bye.", ["Ok.", "It is 5 p.m. Monday.", "Bye."]),
        ("Ok. It is 6:15 p.m. EST now. Bye.", ["Ok.", "It is 6:15 p.m. EST now.", "Bye."]),
        ("Ok. Here I am. Monday is near.", ["Ok.", "Here I am.", "Monday is near."]),
        ("I live on Main St. He does too.", ["I live on Main St.", "He does too."]),
        ("He is at 5 Elm St. Call him.", ["He is at 5 Elm St.", "Call him."]),
        ("We live on Oak Dr. Do you?", ["We live on Oak Dr.", "Do you?"]),
        ("In St. Louis. It rains.", ["In St. Louis.", "It rains."]),
        ("It has 400 sq. ft. now. Good.", ["It has 400 sq. ft. now.", "Good."]),
        ("Ok. He left at 5 p.m. Yes", ["Ok.", "He left at 5 p.m.", "Yes"]),
        ("Ok. At 5 p.m.\nMonday is off.", ["Ok.", "At 5 p.m.", "Monday is off."]),
        ("Ask Dr. " + "X" * 200, ["Ask Dr.", "X" * 199, "X"]),
        ("好。你好吗？我在。", ["好。", "你好吗？", "我在。"]),
        ("هل أنت بخير؟ أنا هنا.", ["هل أنت بخير؟", "أنا هنا."]),
        ("यह ठीक है। आप कैसे हैं?", ["यह ठीक है।", "आप कैसे हैं?"]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, clauses: list[str]) -> None:
    assert split(text) == clauses


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Be** _kind_ to `you` ~~now~~", "Be kind to you now"),
        ("# Title\n- one\n- two", "Title one two"),
        ("[this page](https://example.org) helps", "this page helps"),
        ("Great 😀! 👨‍👩‍👧 Yes 1️⃣ :) ok", "Great! Yes ok"),
        ("my_file 2*3 stays", "my_file 2*3 stays"),
        ("3 * 4 and 2 * (3 + 4) stay", "3 * 4 and 2 * (3 + 4) stay"),
        ("rated *5* stars, 5 *really* good", "rated 5 stars, 5 really good"),
        ("Take .5 mg, use .NET . Ok", "Take .5 mg, use .NET. Ok"),
        ("😀 ... —", ""),
    ],
)
def test_marks_are_not_spoken(text: str, words: str) -> None:
    assert speakable(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("42. Anything else?", "42. Anything else?"),
        ("1. One\n2. Two", "One Two"),
        ("First:\n2. Two", "First: Two"),
    ],
)
def test_a_number_that_is_the_answer_is_no_item_of_a_list(text: str, words: str) -> None:
    assert speakable(text) == " ".join(split(text)) == words


def test_a_clause_comes_out_before_the_reply_is_complete() -> None:
    splitter = ClauseSplitter()
    assert splitter.push("I'm so glad you told me,") == []
    assert splitter.push(" a") == ["I'm so glad you told me,"]
