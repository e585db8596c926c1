"""Vote on what the caller feels: several opinions → how likely each of the 32 emotions is.

E3RG asks several models and takes the majority, because their errors differ. Opinions here are a
text network's, the lexicon's, a language model's answers, and what voice and face show. Those of
one kind err alike, so that equal votes name no more than the best of them alone
(docs/reasoners.md): an opinion votes with its shares, times how much it is worth.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.emotion_words import FINE, Fine, felt
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.engines.types import Emotion
from rt_avatar.messages import Affect
from rt_avatar.reasoner.nlu.feelings import BY_LOOK

# A language model's answers together count as much as the text network.
WEIGHT_OF_MODEL: Final = 1.0
# Chosen on 1,948 dialogues of EmpatheticDialogues that the network was not trained on; .1 and more
# lose what .05 wins.
WEIGHT_OF_LEXICON: Final = 0.05
# Of what voice and face show: they tip the balance and never overrule a feeling that is told.
WEIGHT_OF_LOOKS: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What one judge says.

    Attributes:
        shares: How likely each emotion is; ``None`` stands for no feeling. They sum to 1 or less.
        weight: How much the judge is worth.
    """

    shares: Mapping[Fine | None, float]
    weight: float = 1.0


def by_network(estimate: EmotionEstimate) -> Opinion:
    """Return the opinion of the text network."""
    return Opinion(dict(zip(FINE, estimate.probabilities.tolist(), strict=True)))


def by_lexicon(fine: Fine) -> Opinion:
    """Return the opinion of the lexicon's cues."""
    return Opinion({fine: 1.0}, WEIGHT_OF_LEXICON)


def by_model(answers: Sequence[Fine | None]) -> Opinion:
    """Return the opinion of a language model that was asked several times; ``None``: neutral."""
    shares: dict[Fine | None, float] = {}
    for fine in answers:
        shares[fine] = shares.get(fine, 0.0) + 1 / len(answers)
    return Opinion(shares, WEIGHT_OF_MODEL)


def vote(opinions: Iterable[Opinion], affect: Affect | None = None) -> dict[Fine | None, float]:
    """Return the shares of the votes, the most first; they sum to 1. Empty: nobody has voted.

    Args:
        opinions: Those in words; of equal votes the earlier opinion's first.
        affect: What voice and face show: a class, whose votes go to its emotions by what the
            words say of them, or to the plainest one.
    """
    votes: dict[Fine | None, float] = {}
    for opinion in opinions:
        for fine, share in opinion.shares.items():
            votes[fine] = votes.get(fine, 0.0) + opinion.weight * share
    for emotion, share in (affect.confidences if affect else {}).items():
        if emotion != "neutral":
            for fine, part in _parts(emotion, votes).items():
                votes[fine] = votes.get(fine, 0.0) + WEIGHT_OF_LOOKS * share * part
    whole = sum(votes.values())
    order = sorted(votes, key=lambda fine: -votes[fine])
    return {fine: votes[fine] / whole for fine in order if whole > 0}


def _parts(emotion: Emotion, votes: Mapping[Fine | None, float]) -> Mapping[Fine, float]:
    """Return how a class's vote is divided among its emotions."""
    own = {fine: votes[fine] for fine in FINE if felt(fine) == emotion and votes.get(fine, 0.0) > 0}
    whole = sum(own.values())
    return {fine: part / whole for fine, part in own.items()} or {BY_LOOK[emotion]: 1.0}
