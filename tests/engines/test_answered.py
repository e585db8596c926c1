"""A question asks for more than was told: its slot, and the words that fill it."""

import pytest

from rt_avatar.engines.reply_ranker.fit import (
    asked_by,
    asks_what_is_known,
    asks_what_was_said,
)

pytestmark = pytest.mark.unit

TOLD = [
    ("She said I was lazy, in front of everybody.", "What did she say?"),
    ("He called me fat at dinner and nobody said a word.", "What did they say?"),
    ("My interview is on Monday at ten.", "When is it?"),
    ("It's been three weeks since he rang.", "How long has it been like that?"),
    ("I've been dizzy in the mornings for about a fortnight.", "When did it start?"),
    ("I told my brother last night and he hugged me.", "Who have you told?"),
    ("I told my parents last night and my dad just hugged me.", "How did it go?"),
    ("Nobody knows about it, not even my wife.", "Does anyone know?"),
    ("I fell off the ladder but I'm fine, just a bruise.", "Did you get hurt?"),
    ("I quit because the boss kept touching my things.", "Why?"),
    ("We went to Cornwall and it was heaven.", "How was it?"),
    ("I lost my ring in the sea at Brighton.", "Where did you have it last?"),
    ("I just told him straight out that I'm done.", "What did you say to that?"),
    ("My driving test, I failed it, third time.", "How did it go?"),
    ("We're over the moon about the baby!", "How do you feel about it?"),
    ("I'm knitting a cardigan for my niece.", "What are you making?"),
    ("The puppy's called Marmalade.", "Has it got a name yet?"),
    ("She had four kittens in my sock drawer.", "How many are there?"),
    ("I found out from her sister on the phone.", "How did you find out?"),
    ("What if they all laugh at my accent?", "What worries you most?"),
    ("I started boxing in January and I love it.", "How do you like it?"),
    ("I went there all on my own.", "Who did you go with?"),
    ("I can't stand my new flat.", "How do you like it there?"),
    ("The party was a flop, three people came.", "How was it?"),
    ("I haven't closed my eyes for two nights.", "Have you been able to sleep?"),
    ("He never apologised, not once.", "Did they even apologize?"),
    ("The dog got out, and now he's back.", "Where might it be hiding?"),
    ("He has tickets for our anniversary.", "Was there an occasion?"),
    ("I asked my crush out and she laughed at me.", "What happened?"),
    ("My mum cried when I told her, happy crying.", "Happy tears or sad ones?"),
    ("Just a nick, it's wrapped up.", "How bad is it right now?"),
]
OPEN = [
    ("My sister is getting married.", "When is it?"),
    ("I had my interview today.", "When do you get the result?"),
    ("She said she'd ring and she never did.", "What did you do?"),
    ("I have to tell my mum about the job.", "Have you told anyone?"),
    ("My boss keeps giving my shifts away.", "How long has it been going on?"),
    ("We had a row about the dishes again.", "What did he say?"),
    ("I said no, and he said I was selfish.", "What did you say to that?"),
    ("I'm going to a funeral on Thursday.", "Who is going with you?"),
    ("I feel so alone in this town.", "Who do you miss?"),
    ("My neighbour plays the drums at night.", "Have you told them so?"),
    ("I had my first day at the bakery.", "How was it?"),
    ("They're moving me to another department.", "How do you feel about it?"),
    ("He says I'm too jealous.", "How do you feel about it?"),
    ("I retire in eight days.", "How do you feel when you think about it?"),
    ("I've started painting at my age.", "What made you start?"),
    ("The dog ran off this morning.", "Has it turned up yet?"),
    ("I slipped on the ice outside the shop.", "Did you get hurt?"),
    ("I finally asked her out.", "What did she say?"),
    ("He wants me to lend him money again.", "What did you say?"),
    ("My manager shouted at me and they all laughed.", "How did you react?"),
    ("My exam is next week and I know nothing.", "What worries you most?"),
    ("We've called the baby Rosa.", "Is there a story behind the name?"),
    ("I'm off to see my dad in hospital.", "How is he doing?"),
    ("We had a blazing row.", "What happened?"),
    ("My son told me he's moving out.", "How did you take that?"),
]


@pytest.mark.parametrize(("told", "question"), TOLD)
def test_what_was_just_told_is_not_asked(told, question):
    assert asks_what_is_known(question, [told], [])


@pytest.mark.parametrize(("told", "question"), OPEN)
def test_what_was_not_told_may_be_asked(told, question):
    assert not asks_what_is_known(question, [told], [])
    assert not asks_what_was_said(f"I see. {question}", " ".join(told.lower().split()))


def test_what_was_asked_just_now_is_not_asked_in_other_words():
    said = ["I cut my finger.", "Six of them."]
    assert asks_what_is_known("How bad is it right now?", said, ["Oh no! Is it bad?"])
    assert not asks_what_is_known("How bad is it right now?", said, ["Oh no!"])
    assert asked_by(["Oh no! Is it bad?"]) == asked_by(["Is it very sore?"])
    assert not asked_by(["Is it bad?", "I see. Go on."])
