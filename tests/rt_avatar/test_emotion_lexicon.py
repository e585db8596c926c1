import pytest

from rt_avatar.emotion_lexicon import FEELING_TONES, FEELINGS, TONES
from rt_avatar.engines.emotion_words import FINE, felt
from rt_avatar.perception.word_affect import read
from rt_avatar.reasoner.nlu.feelings import detect

pytestmark = pytest.mark.unit

TONED = {
    entry.replace("_", " "): (emotion, valence)
    for emotion, valence, _, _, row in TONES
    for entry in row.split()
}
NAMES = {name: fine for fine, rows in reversed(FEELINGS.items()) for name in rows[0].split(", ")}


def test_every_feeling_has_cues_and_a_tone():
    assert set(FEELINGS) == set(FEELING_TONES) == set(FINE)


def test_what_names_a_feeling_has_the_tone_of_that_feeling_and_no_other():
    assert not {name for name in TONED if name.replace("'", "") in NAMES}


@pytest.mark.parametrize("fine", FINE)
def test_perception_and_reasoner_hear_the_same_feeling_in_its_names(fine):
    for name in (name for name, owner in NAMES.items() if owner == fine):
        text = name.replace("*", "")
        heard = read(text)
        if heard.scores:  # of a beginning of a word nothing is heard by itself
            assert max(heard.scores, key=heard.scores.__getitem__) == felt(fine), name
        assert detect(f"I feel {text}").fine is not None


def test_no_cue_tells_one_the_opposite_of_what_it_tells_the_other():
    for cue, (_, valence) in TONED.items():
        under = [
            FEELING_TONES[fine][0]
            for fine, rows in FEELINGS.items()
            if any(cue == other.replace("'", "") for row in rows for other in row.split(", "))
        ]
        assert not under or any(felt_valence * valence > 0 for felt_valence in under), cue
