"""Settings of the Empatheia network: where it is, what runs it, how its replies are made."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Interval


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """The Empatheia network (docs/engines.md), for whatever asks for it by kind ``empatheia``."""

    folder: Annotated[
        str, Doc("Where its exported graphs are; `rt-avatar engines export nano` makes them.")
    ] = "~/.cache/rt-avatar/engines"
    size: Annotated[str, Doc("Which of the folder's sizes: nano, empatheia.")] = "nano"
    provider: Annotated[
        Literal["cpu", "cuda", "tensorrt", "plan"],
        Doc(
            "What runs it: onnxruntime on the CPU or by its providers cuda and tensorrt, or plans "
            "of `rt-avatar engines build`."
        ),
    ] = "cpu"
    threads: Annotated[
        int,
        Interval(ge=1, le=64),
        Doc("Threads of the CPU within one operation; 1 where callers share cores."),
    ] = 1
    coe: Annotated[
        Literal["prethink", "paper", "off"],
        Doc(
            "When it thinks its chain of empathy. prethink: while the caller speaks; paper: styles "
            "behind the reply, as published, so that no word is said before all are known; off: "
            "never."
        ),
    ] = "prethink"
    content_source: Annotated[
        Literal["cs", "generator"],
        Doc("Who tells voice and face what is said: the synchronizer, or their own encoders."),
    ] = "cs"
    content_span: Annotated[
        Literal["clause", "reply"],
        Doc(
            "Of how much at a time. clause: the first is spoken before the last is thought; reply: "
            "all of it, as published, so that nothing is said before its last word is known."
        ),
    ] = "clause"
    style_source: Annotated[
        Literal["sd", "diffusion", "bank", "reference"],
        Doc(
            "Who tells them how. sd: the disentangler; diffusion: the same, and the voice draws a "
            "style for each clause (not nano); bank: a style an emotion; reference: voice_file and "
            "style_clip_file."
        ),
    ] = "sd"
    reply_source: Annotated[
        Literal["auto", "model", "listener"],
        Doc(
            "Who writes the words. model: its language model; listener: the rules and the replies "
            "written for situations, as llm.kind nano, which its language model then reads; auto: "
            "listener for nano, model for larger ones."
        ),
    ] = "auto"
    without: Annotated[
        tuple[Literal["speech", "video"], ...],
        Doc("Senses that its language model is not given (ablations): speech, video."),
    ] = ()
    pipeline: Annotated[
        bool, Doc("The papers' baseline: only words are handed on from stage to stage.")
    ] = False
    temperature: Annotated[
        float, Interval(ge=0, le=2), Doc("Sampling temperature of its words; 0: the likeliest.")
    ] = 0.7
    seed: Annotated[
        int, Interval(ge=0, le=2**32 - 1), Doc("Of its words, and of its voice's and face's noise.")
    ] = 0
    voice_file: Annotated[
        str, Doc("style_source=reference: a recording of whose voice it speaks with.")
    ] = ""
    style_clip_file: Annotated[
        str,
        Doc("style_source=reference: expressions of how its face moves, .npy or .csv, 64 a frame."),
    ] = ""
    portrait: Annotated[
        str, Doc("avatar.face=empatheia: a picture of whose face; empty: the persona's, drawn.")
    ] = ""
    pose_file: Annotated[
        str,
        Doc(
            "avatar.face=empatheia with the official networks: recorded poses of a head, .npy or "
            ".csv, 9 a frame; empty: it sways by rule."
        ),
    ] = ""
