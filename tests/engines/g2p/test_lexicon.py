"""The dictionary that is shipped says words as people say them."""

import pytest

from rt_avatar.engines.g2p import load_phonemizer
from rt_avatar.engines.g2p.lexicon import load_lexicon
from rt_avatar.engines.training.g2p.dictionary import (
    SUPPLEMENT,
    lexicon_entries,
    read_dictionary,
)

pytestmark = pytest.mark.unit


def test_it_holds_all_words_of_the_supplement_as_that_says_them():
    supplement = lexicon_entries({}, read_dictionary(SUPPLEMENT))
    assert {word: load_lexicon().find(word) for word in supplement} == supplement


@pytest.mark.parametrize(
    ("word", "phones"),
    [
        ("ciara", "K IH1 R AH0"),
        ("conor", "K AA1 N ER0"),
        ("darren", "D AE1 R AH0 N"),
        ("eloise", "EH1 L OW0 IY2 Z"),
        ("hermione", "HH ER0 M AY1 AH0 N IY0"),
        ("imogen", "IH1 M AH0 JH AH0 N"),
        ("isla", "AY1 L AH0"),
        ("maeve", "M EY1 V"),
        ("malachi", "M AE1 L AH0 K AY2"),
        ("mila", "M IY1 L AH0"),
        ("niamh", "N IY1 V"),
        ("siobhan", "SH AH0 V AO1 N"),
        ("aoife", "IY1 F AH0"),
        ("saoirse", "S ER1 SH AH0"),
        ("cannes", "K AE1 N"),
        ("abs", "AE1 B Z"),
        ("accent", "AE1 K S EH2 N T"),
        ("costume", "K AA1 S T UW2 M"),
        ("costumes", "K AA1 S T UW2 M Z"),
        ("decade", "D EH1 K EY2 D"),
        ("decades", "D EH1 K EY2 D Z"),
        ("dopamine", "D OW1 P AH0 M IY2 N"),
        ("duration", "D UH0 R EY1 SH AH0 N"),
        ("email", "IY1 M EY2 L"),
        ("emails", "IY1 M EY2 L Z"),
        ("emailed", "IY1 M EY2 L D"),
        ("emailing", "IY1 M EY2 L IH0 NG"),
        ("essays", "EH1 S EY2 Z"),
        ("houses", "HH AW1 Z AH0 Z"),
        ("insecure", "IH2 N S AH0 K Y UH1 R"),
        ("lazily", "L EY1 Z AH0 L IY0"),
        ("meta", "M EH1 T AH0"),
        ("mowing", "M OW1 IH0 NG"),
        ("mows", "M OW1 Z"),
        ("putting", "P UH1 T IH0 NG"),
        ("somatic", "S AH0 M AE1 T IH0 K"),
        ("stronger", "S T R AO1 NG G ER0"),
        ("thyme", "T AY1 M"),
        ("tricycle", "T R AY1 S IH0 K AH0 L"),
        ("vegan", "V IY1 G AH0 N"),
        ("vegans", "V IY1 G AH0 N Z"),
        ("welsh", "W EH1 L SH"),
        ("fluoxetine", "F L UW0 AA1 K S AH0 T IY2 N"),
        ("inconsolable", "IH2 N K AH0 N S OW1 L AH0 B AH0 L"),
        ("labelling", "L EY1 B AH0 L IH0 NG"),
        ("livestream", "L AY1 V S T R IY2 M"),
        ("perimenopause", "P EH2 R IY0 M EH1 N AH0 P AO2 Z"),
        ("pyjamas", "P AH0 JH AA1 M AH0 Z"),
        ("sertraline", "S ER1 T R AH0 L IY2 N"),
        ("sourdough", "S AW1 ER0 D OW2"),
        ("yoghurt", "Y OW1 G ER0 T"),
        ("yoghurts", "Y OW1 G ER0 T S"),
        ("beret", "B ER0 EY1"),
        ("berets", "B ER0 EY1 Z"),
        ("bolognese", "B OW2 L AH0 N EY1 Z"),
        ("buffet", "B AH0 F EY1"),
        ("buffets", "B AH0 F EY1 Z"),
        ("chardonnay", "SH AA2 R D AH0 N EY1"),
        ("creme", "K R EH1 M"),
        ("fiancee", "F IY2 AA0 N S EY1"),
        ("merlot", "M ER0 L OW1"),
        ("pinot", "P IY1 N OW0"),
        ("sauvignon", "S OW1 V IH0 N Y OW2 N"),
        ("bruschetta", "B R UW2 S K EH1 T AH0"),
        ("brulee", "B R UW0 L EY1"),
        ("ceviche", "S AH0 V IY1 CH EY0"),
        ("couscous", "K UW1 S K UW2 S"),
        ("deja", "D EY1 ZH AA2"),
        ("duvet", "D UW0 V EY1"),
        ("edamame", "EH2 D AH0 M AA1 M EY0"),
        ("lasagne", "L AH0 Z AA1 N Y AH0"),
        ("omelette", "AA1 M L AH0 T"),
        ("omelettes", "AA1 M L AH0 T S"),
        ("quesadilla", "K EY2 S AH0 D IY1 AH0"),
        ("ramen", "R AA1 M AH0 N"),
        ("rezumay", "R EH1 Z AH0 M EY2"),
        ("rozay", "R OW0 Z EY1"),
        ("expozay", "EH2 K S P OW0 Z EY1"),
        ("lgbt", "EH2 L JH IY2 B IY2 T IY1"),
        ("oclock", "AH0 K L AA1 K"),
        ("tshirt", "T IY1 SH ER2 T"),
        ("xmas", "K R IH1 S M AH0 S"),
        ("xray", "EH1 K S R EY2"),
        ("json", "JH EY1 S AA2 N"),
    ],
)
def test_a_word_is_said_as_people_say_it(word, phones):
    assert " ".join(load_phonemizer().lookup(word)) == phones


@pytest.mark.parametrize(
    ("written", "phones"),
    [
        ("crème brûlée", "K R EH1 M B R UW0 L EY1"),
        ("déjà", "D EY1 ZH AA2"),
        ("rosé", "R OW0 Z EY1"),
        ("résumé", "R EH1 Z AH0 M EY2"),
        ("exposés", "EH2 K S P OW0 Z EY1 Z"),
        ("fiancée", "F IY2 AA0 N S EY1"),
    ],
)
def test_words_with_accents_are_said_with_them(written, phones):
    spoken = [one for word in load_phonemizer().phonemize(written) for one in word.spoken]
    assert " ".join(phone for one in spoken for phone in one.phones) == phones
