"""How a turn is taken, by its words: nobody is cheered or comforted who did not say so."""

import pytest

from rt_avatar.reasoner.nlu.mood import leaning, mood_of
from rt_avatar.reasoner.nlu.spelling import spelled

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "mood"),
    [
        (["The dog ran into the door. It was hilarious."], "funny"),
        (["It was hilarious.", "He dropped it on the carpet."], "funny"),
        (["He put one ring on his big toe. The whole church was laughing."], "funny"),
        (["We sat there half the night and laughed."], "funny"),
        (["It's lovely, it tastes of lime blossom."], "pleasant"),
        (["It was the best night we've had in ages."], "pleasant"),
        (["I finally passed my driving test!"], "proud"),
        (["I got through the waltz without one mistake."], "proud"),
        (["He cried in the car all the way home."], "unpleasant"),
        (["It wasn't lovely. I wanted to go home."], "unpleasant"),
        (["I got an F, it was awful.", "And everybody laughed."], "unclear"),
        (["It was lovely, and I cried all night."], "unclear"),
        (["I was lonely, but today I had a wonderful walk."], "pleasant"),
        (["I hope I won't get lost."], "unclear"),
        (["I'm not scared of it."], "unclear"),
        (["They gave the job to Marcus."], "unclear"),
    ],
)
def test_a_turn_is_taken_as_its_words_say(said, mood):
    assert mood_of(said) == mood


@pytest.mark.parametrize(
    ("said", "pleasure", "before", "mood"),
    [
        (["Mum cried."], 0.2, 0.74, "unclear"),  # good news before it
        (["I got the job.", "My wife cried."], 0.2, 0.4, "unclear"),
        (["My dad is ill.", "Mum cried."], 0.2, 0.6, "unpleasant"),
        (["I passed it.", "He cried, and it was horrible."], 0.2, 0.9, "unpleasant"),
        (["We lost it.", "So that's great."], 0.5, 0.1, "downcast"),
        (["It was cancelled.", "Oh, wonderful."], 0.5, 0.1, "downcast"),
        (["I failed.", "My dad was great about it."], 0.3, 0.1, "pleasant"),
        (["He was lost.", "He's back, it's wonderful."], 0.3, 0.1, "pleasant"),
        (["We got the keys.", "It's great."], 0.9, 0.6, "pleasant"),
        (["They gave the job to Marcus."], 0.1, 0.5, "downcast"),
        (["He sat down."], 0.9, 0.5, "cheerful"),
    ],
)
def test_tears_may_be_of_joy_and_praise_of_bad_luck_is_none(said, pleasure, before, mood):
    assert leaning(said, pleasure, before) == mood


@pytest.mark.parametrize(
    ("said", "mood"),
    [
        ("i cried in the kitchen but happy crying", "pleasant"),
        ("We got the house. I'm crying, but the good kind.", "pleasant"),
        ("im scared but like, good scared?", "pleasant"),
        ("Terrified, but in a good way.", "pleasant"),
        ("She wept with relief.", "pleasant"),
        ("I'd been so frightened they were gone.", "unclear"),
        ("I thought I'd hate the new house and I don't.", "unclear"),
        ("My husband hated red.", "unclear"),
    ],
)
def test_tears_of_joy_and_fears_that_are_past_are_not_taken_as_sad(said, mood):
    assert mood_of([said]) == mood


@pytest.mark.parametrize(
    "said",
    [
        "I'm crying, and not the good kind.",
        "I'm crying again and I don't know why.",
        "I'm scared, it's not a good place.",
        "Everyone hated me.",
        "She hates me.",
        "I've been frightened all week.",
        "I hated it from the first day.",
    ],
)
def test_other_tears_and_fears_are(said):
    assert mood_of([said]) == "unpleasant"


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        # Not in another's mouth, nor as a mere manner.
        ("He thinks it's hilarious to hide my glasses.", "unclear"),
        ("everyone kept telling me how lovely he was, they didnt live with him", "unclear"),
        ("Without asking. I'm perfectly calm about it.", "unclear"),
        ("perfectly normal, the doctor said, and still i cant lift my arm", "unclear"),
        ("I think it's hilarious.", "funny"),
        ("The timing was perfect.", "pleasant"),
        ("He thinks it's perfect, and so do I. I love it.", "pleasant"),
        # Done, but nothing achieved.
        ("I mean I did it. Me.", "unclear"),
        ("My son and I did it every August.", "unclear"),
        ("For me? Meatloaf. I made it myself, so I can't complain.", "unclear"),
        ("I got the flat tyre changed in the rain.", "unclear"),
        ("I managed to lose them both.", "unclear"),
        ("I finished work at six.", "unclear"),
        ("I finally did it, the big dive.", "proud"),
        ("I did it! I swam the whole length!", "proud"),
        ("I made it up the hill without my stick.", "proud"),
        ("I got the flat! The one by the canal!", "proud"),
        ("We managed it, all four of us.", "proud"),
        # Denied in one sentence, said in the next.
        ("i see nothing just white. its quite nice actually", "pleasant"),
        ("Not one fish. Perfect.", "pleasant"),
        ("There was nothing lovely about it.", "unpleasant"),
        # What comes last.
        ("We both laughed, we couldn't get it back on the wall. I'm terrified, Ava.", "unpleasant"),
        ("lovely do, cake and all, and then i sat in the car and cried", "unpleasant"),
        ("I was scared of it. Then it was lovely.", "pleasant"),
        ("It's funny how nobody rings once you stop working.", "unclear"),
        ("It's funny, he wears it backwards.", "funny"),
        # Laughed at.
        ("i wanted the floor to open up. everyone laughed", "unclear"),
        ("I smelt it on her when she hugged me.", "unclear"),
        ("She ran over and hugged me.", "pleasant"),
        ("i nearly died laughing", "funny"),
        ("a stranger paid for my shopping when my card failed", "unclear"),
    ],
)
def test_single_words_carry_a_mood_only_where_they_mean_it(text, mood):
    assert mood_of([spelled(text)]) == mood


def test_who_laughs_while_telling_is_not_taken_as_downcast():
    assert leaning(["put salt in my coffee lol never been so awake"], 0.1, 0.5) == "unclear"
    assert leaning(["put salt in my coffee and it was all I had left"], 0.1, 0.5) == "downcast"


@pytest.mark.parametrize(
    "text",
    [
        "my birthday was lovely until the phone rang",
        "The party was wonderful until my brother turned up drunk.",
        "It was a beautiful wedding, and she didn't speak to me once.",
        "I made it to the final and then I couldn't say a word.",
        "The garden's lovely. I just can't get down the steps to it any more.",
        "i won two tickets for the gig on saturday and have nobody to go with",
    ],
)
def test_what_was_good_until_something_came_is_not_cheered(text):
    assert mood_of([spelled(text)]) == "unclear"


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("It was great fun, we were in the water till dark.", "pleasant"),
        ("It was lovely, we danced until the band went home.", "pleasant"),
        ("It was wonderful. I couldn't stop looking at it.", "pleasant"),
        ("We had such a nice time and I didn't want to leave.", "pleasant"),
        ("I won! I can't believe it!", "proud"),
        ("I finally won, and I didn't even train.", "proud"),
        ("Lovely hands. He's got a bicycle clip and never takes it off.", "pleasant"),
    ],
)
def test_what_stays_good_to_the_end_is_cheered(text, mood):
    assert mood_of([spelled(text)]) == mood
