"""Objections to what the avatar said are noticed, and owned."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.repair import SORRY, find_objection, own_up

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("last", "said", "objection"),
    [
        ("Oh, what a bother. Is it expensive?", "I just said. Eleven hundred.", "told"),
        ("What stayed with you from it?", "The name, like I said.", "told"),
        ("And looking back?", "Looking back at what? She only started on Monday.", "odd"),
        ("What would that mean for you?", "Mean for me? Well, fresh bread, I guess.", "odd"),
        ("Is there another chance?", "What? No. I should have been there.", "wrong"),
        ("Of course you're angry about it.", "I'm not angry at all, I laughed.", "wrong"),
        ("I'm sorry. What bothers you?", "No no, nothing bad! He stole a bun.", "wrong"),
        ("That's lovely! How did it feel?", "It wasn't lovely. It was awful.", "wrong"),
        ("What a shock.", "You've got it the wrong way round.", "wrong"),
        ("What's on your mind?", "You didn't answer my question, you know.", "ignored"),
        ("Thanks for sharing that.", "You sound like a form from HR.", "ignored"),
        ("Then that is clear.", "I'm not finished. There was a woman next to me.", "cut"),
        ("Mm-hm. Go on.", "well what do you mean", "odd"),
        ("Mm-hm. Go on.", "like i said it was the name", "told"),
        ("Mm-hm. Go on.", "I just told you, he's gone.", "told"),
        ("Mm-hm. Go on.", "They let me go, I told you.", "told"),
        ("Mm-hm. Go on.", "Well, no, that's not right.", "wrong"),
        ("Mm-hm. Go on.", "i wasn't done talking", "cut"),
        # Wonders at what was said, or says that it cannot be meant.
        ("That must be so hard.", "Why would that be hard? I'm happy about it.", "wrong"),
        ("Oh no, I'm sorry.", "why are you sorry lol", "wrong"),
        ("How lovely!", "How is that lovely???", "wrong"),
        ("Congratulations!", "um. congratulations for what", "wrong"),
        ("I can hear how heavy that is for you.", "heavy? it's just bread haha", "wrong"),
        ("No wonder you're furious!", "Furious? No, I'm the one who did it.", "wrong"),
        ("And what does the water look like?", "what water", "wrong"),
        ("How long have you been apart?", "i never said we were apart", "wrong"),
        ("Did you and your wife talk?", "I don't have a wife.", "wrong"),
        ("How is your daughter?", "are you mixing me up with someone", "wrong"),
        ("I can imagine.", "Can you though? I don't mean to snap.", "wrong"),
        ("Mm-hm. Go on.", "Is that all you've got to say? Mm-hm?", "ignored"),
        ("So one thing led to the other.", "Are you even listening?", "ignored"),
        ("Those days have a glow of their own.", "A glow? No. I said he doesn't ring.", "wrong"),
        ("Well done! In the rain!", "Well done? No, I said my knee went.", "wrong"),
        ("I follow you. Go on.", "Go on, go on, is that all you can say?", "ignored"),
        ("Oh, I'm sorry. I'm here.", "Oh, no need to be sorry, I'm very happy with it.", "wrong"),
        ("I'm so sorry for your loss.", "he's not dead, he just got a new hip", "alive"),
        ("I'm truly sorry.", "haha ok it's not that bad, nobody died", "alive"),
        ("It's hard to see an animal suffer.", "no no he's NOT suffering, he's fine!", "alive"),
    ],
)
def test_an_objection_is_noticed(last, said, objection):
    assert find_objection(said, last) == objection


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("How do you feel about it?", "I'm not sure. It was strange."),
        ("What is it like?", "It's not easy, but I like it."),  # asked, nothing claimed
        ("Tell me a bit more about that.", "There isn't much to tell, really."),
        ("How are you?", "And you? What do you do all day?"),
        ("That's hard.", "For me? It was the best night in ages."),
        ("Oh no. How is she?", "She said he wasn't listening to her at all yesterday evening."),
        ("How do you like my voice?", "You sound like my grandmother, it's lovely."),
        ("How lovely! I'd like that.", "Like that? Nobody else did."),
        ("Right, you did. Sorry.", "No need to be sorry."),  # for a mistake of its own
        ("", "That's not what I said."),  # nothing was said before
        # Said to others, or by them.
        ("I see. Go on.", "I just told my mum I'm pregnant"),
        ("I see. Go on.", "I just said goodbye to my dog"),
        ("I see. Go on.", "I said that I'd marry him"),
        ("I see. Go on.", "I only mentioned it to my sister."),
        ("I see. Go on.", "I just told her. She cried."),
        ("I see. Go on.", "as I said goodbye he cried"),
        ("I see. Go on.", "she told me you don't answer my calls"),
        ("I see. Go on.", "my dad said you got it wrong as usual"),
        ("I see. Go on.", "my best friend keeps saying you never listen"),
        ("I see. Go on.", "I told him you're not listening."),
        ("I see. Go on.", "He yelled: you keep saying that!"),
        # Of something else.
        ("I see. Go on.", "I'm not done with chemo yet"),
        ("I see. Go on.", "I haven't finished my essay"),
        ("I see. Go on.", "he pays me less, that's not right"),
        ("I see. Go on.", "He said no. That's not right."),
        ("I see. Go on.", "the jumper was on the wrong way round"),
        ("I see. Go on.", "it's not that I don't love him"),
        ("I see. Go on.", "that's not what i wanted for my birthday"),
        ("I see. Go on.", "I hope nothing bad happens to her"),
        ("What happened?", "he goes why are you sorry, and I just walked out"),
        ("Oh no.", "but he's not dead! He was just sleeping"),
        ("I'm so sorry.", "he's not dead yet, they say days"),
        ("And what happened on Monday?", "What happened? Nothing happened. As usual."),
        ("What did you do?", "What did I do? Nothing. I sat there."),
        ("I wonder how that felt from your side.", "From my side? Best day of my life."),
        ("What did you do?", "I asked him why he was so angry"),
        ("How did it go?", "why did i say yes to that honestly"),
        ("I see. Go on.", "i never said i loved him"),
        ("Do you have a wife?", "I don't have a wife."),
        ("Did you tell her?", "I never told her."),
        ("That's hard.", "She asks me why I'm hard on her."),
    ],
)
def test_who_only_tells_or_answers_does_not_object(last, said):
    assert find_objection(said, last) is None


@pytest.mark.parametrize(
    ("told", "said", "objection"),
    [
        ("I'm just tired.", "No, I said tired", "told"),
        ("My cat had kittens.", "i just said my cat had kittens", "told"),
        ("My cat had kittens.", "I just said yes to my cat's vet", None),
        ("I love my new flat.", "But I said I'd love the old one, too.", None),
    ],
)
def test_who_says_again_what_they_told_objects_that_it_was_told(told, said, objection):
    assert find_objection(said, "I see. What happened?", ["Hello.", told]) == objection


def test_a_mistake_is_owned_in_other_words_each_time_and_safely():
    for objection, sayings in SORRY.items():
        own: list[str] = []
        for _ in sayings:
            own.append(own_up(objection, "It wasn't lovely.", own))
        assert sorted(own) == sorted(sayings)
        assert not [one for one in sayings if find_unsafe(one)]
