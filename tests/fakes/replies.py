"""A bank of replies in words of our own, for tests of what chooses among them."""

from pathlib import Path

import numpy as np

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker.bank import ReplyBank, save_bank
from rt_avatar.engines.reply_ranker.context import context_of, places_of
from rt_avatar.engines.reply_ranker.network import load_weights
from rt_avatar.engines.reply_ranker.ranker import Scorer

# Emotion, what was told, and replies that fit.
_STORIES = (
    ("sad", "My cat is ill and I am so worried about her", (
        "I'm so sorry to hear that. How long has this been going on?",
        "That must be so hard. What did the vet say?",
        "I hope it gets better soon.",
        "That sounds really hard.",
    )),
    ("devastated", "I lost my job last week and I do not know what to do", (
        "I'm so sorry to hear that.",
        "That must have been a shock. What happened?",
        "That is terrible. How are you holding up?",
        "Oh no! I'm sorry you are going through this.",
    )),
    ("sad", "My sister is moving away and I will miss her", (
        "I'm sorry. You must be very close.",
        "That must be difficult for you.",
        "It is hard to say goodbye. When is the move?",
    )),
    ("joyful", "I passed my driving test today and I am so happy", (
        "Congratulations! You must be so proud.",
        "That is wonderful news! How will you celebrate?",
        "That's great! How do you feel now?",
        "Well done! That is so exciting.",
    )),
    ("proud", "I finally finished that big project at work today", (
        "That is a great feeling. What was it about?",
        "Congratulations! That must be a relief.",
        "That's awesome! How long did it take?",
        "Wow, that is great news!",
    )),
    ("excited", "I got the promotion that I worked so hard for", (
        "Congratulations on the promotion!",
        "That is so exciting! When do you start?",
        "That's amazing! You must be thrilled.",
    )),
    ("angry", "My boss yelled at me in front of everyone at work", (
        "That is so rude! What did you do?",
        "That would make me angry too.",
        "I'm sorry that happened to you. How did it end?",
    )),
    ("furious", "Somebody broke into my car and took my bag", (
        "That is awful! Did they catch anyone?",
        "Oh no! I'm sorry to hear that. What was in the bag?",
        "That is so frustrating.",
    )),
    ("anxious", "I have a big exam tomorrow and I can't sleep", (
        "That sounds stressful. How do you feel about the exam?",
        "I hope that it goes well tomorrow!",
        "What is the exam about?",
    )),
    ("afraid", "I heard a strange noise in the house last night", (
        "That sounds scary! What was it?",
        "Oh my, I would be frightened too.",
    )),
    ("lonely", "Nobody calls me any more since I moved here", (
        "I'm sorry that you feel alone. Do you know anyone there?",
        "That must be lonely.",
    )),
)  # fmt: skip


def make_bank() -> ReplyBank:
    """The replies with the directions that the shipped network gives to what they answer."""
    scorer = Scorer(load_weights())
    rows = [
        (reply, FINE.index(emotion), places_of(context_of([told], [])))
        for emotion, told, replies in _STORIES
        for reply in replies
    ]
    texts, emotions, places = zip(*rows, strict=True)
    return ReplyBank(texts, np.array(emotions, np.uint8), scorer.contexts.encode(list(places)))


def write_bank(folder: Path) -> Path:
    """A file of it."""
    path = folder / "replies.npz"
    save_bank(path, make_bank())
    return path
