"""The layout of a phrase bank: what the rules can say to one kind of feeling."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bank:
    """What to say to one kind of feeling.

    Attributes:
        goal: What the reply is meant to do, for the chain of empathy.
        react: First words; short, so that speech begins early.
        event: Reflections that give an event back.
        noun: Reflections that give a person or thing back.
        bare: Reflections of the feeling alone.
        ask: Open questions.
        ask_noun: Open questions about a person.
        person: Reflections that give a person back, where those of ``noun`` only suit things.
    """

    goal: str
    react: tuple[str, ...]
    event: tuple[str, ...]
    noun: tuple[str, ...]
    bare: tuple[str, ...]
    ask: tuple[str, ...]
    ask_noun: tuple[str, ...] = ()
    person: tuple[str, ...] = ()
