"""Words that are said in two ways are said the way the sentence means."""

import pytest

from rt_avatar.engines.g2p import load_phonemizer

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("sentence", "word", "phones"),
    [
        ("I read it yesterday", "read", "R EH1 D"),
        ("Have you ever read that", "read", "R EH1 D"),
        ("I love to read books", "read", "R IY1 D"),
        ("Do you read a lot", "read", "R IY1 D"),
        ("Where do you live", "live", "L IH1 V"),
        ("I live in Boston", "live", "L IH1 V"),
        ("We saw a live show", "live", "L AY1 V"),
        ("She lives alone", "lives", "L IH1 V Z"),
        ("They saved many lives", "lives", "L AY1 V Z"),
        ("The pipes are made of lead and other toxic metal", "lead", "L EH1 D"),
        ("You lead the way", "lead", "L IY1 D"),
        ("You can use mine", "use", "Y UW1 Z"),
        ("It is of no use", "use", "Y UW1 S"),
        ("I used to smoke", "used", "Y UW1 S T"),
        ("I used a hammer", "used", "Y UW1 Z D"),
        ("Please close the door", "close", "K L OW1 Z"),
        ("We are very close", "close", "K L OW1 S"),
        ("Stay close to me", "close", "K L OW1 S"),
        ("The wind is cold", "wind", "W IH1 N D"),
        ("Wind it up", "wind", "W AY1 N D"),
        ("A tear ran down her cheek", "tear", "T IH1 R"),
        ("Don't tear it apart", "tear", "T EH1 R"),
        ("What is that object", "object", "AA1 B JH EH0 K T"),
        ("I object to that", "object", "AH0 B JH EH1 K T"),
        ("He gave me a present", "present", "P R EH1 Z AH0 N T"),
        ("Let me present my work", "present", "P R IY0 Z EH1 N T"),
        ("She broke the record", "record", "R EH1 K ER0 D"),
        ("Did you record it", "record", "R AH0 K AO1 R D"),
        ("I refuse to go", "refuse", "R AH0 F Y UW1 Z"),
        ("Wait a minute", "minute", "M IH1 N AH0 T"),
        ("Send me your resume", "resume", "R EH1 Z AH0 M EY2"),
        ("We will resume", "resume", "R IH0 Z UW1 M"),
        ("Excuse me", "excuse", "IH0 K S K Y UW1 Z"),
        ("That's no excuse", "excuse", "IH0 K S K Y UW1 S"),
        ("I read your message", "read", "R EH1 D"),
        ("My sister lives by the sea", "lives", "L IH1 V Z"),
        ("Our whole lives", "lives", "L AY1 V Z"),
        ("My mom and dad live abroad", "live", "L IH1 V"),
        ("Live your life", "live", "L IH1 V"),
        ("Live music helps", "live", "L AY1 V"),
        ("Are you two close", "close", "K L OW1 S"),
        ("I see how close you are", "close", "K L OW1 S"),
        ("They are going to close", "close", "K L OW1 Z"),
        ("It can be used to treat pain", "used", "Y UW1 Z D"),
        ("You may be used to it", "used", "Y UW1 S T"),
        ("It had a huge impact", "impact", "IH1 M P AE2 K T"),
        ("It can impact sleep", "impact", "IH2 M P AE1 K T"),
        ("Any update on the refund", "update", "AH1 P D EY2 T"),
        ("I will update you", "update", "AH0 P D EY1 T"),
        ("Any update on the refund", "refund", "R IY1 F AH2 N D"),
        ("You are so articulate", "articulate", "AA0 R T IH1 K Y AH0 L AH0 T"),
        ("A concrete plan", "concrete", "K AA1 N K R IY0 T"),
        ("I wrote an essay", "essay", "EH1 S EY2"),
        ("She plays bass in a band", "bass", "B EY1 S"),
    ],
)
def test_it_is_said_as_it_is_meant(sentence, word, phones):
    spoken = [spoken for part in load_phonemizer().phonemize(sentence) for spoken in part.spoken]
    assert [" ".join(said.phones) for said in spoken if said.text == word] == [phones]
