"""``rt-avatar infer dialogue.json -o out.mp4``: the network answers a dialogue, as a film.

Offline: the graph's own stages on exported engines, without the call around them.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Final, get_args

import av
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from rt_avatar.config.settings import LlmSettings
from rt_avatar.engines.empatheia.answer import stream
from rt_avatar.engines.empatheia.clauses import Span
from rt_avatar.engines.empatheia.context import check_room
from rt_avatar.engines.empatheia.dialogue import Dialogue, Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.export_manifest import ExportManifest
from rt_avatar.engines.empatheia.options import (
    CoE,
    ContentSource,
    EmpatheiaOptions,
    ReplySource,
    StyleSource,
)
from rt_avatar.engines.empatheia.performance import Moment
from rt_avatar.engines.llm.answer import Replied, Understood
from rt_avatar.engines.llm.templates import Modality
from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.pirender.windows import LOOKAHEADS
from rt_avatar.engines.rig.engine import draw_portrait
from rt_avatar.engines.runtimes import RUNTIMES, RuntimeRunError, RuntimeUnavailableError
from rt_avatar.engines.types import FPS, I420
from rt_avatar.errors import SetupError
from rt_avatar.files.avamerg import read_dialogue
from rt_avatar.files.clip_writer import check_path, open_clip
from rt_avatar.files.home import expand_home
from rt_avatar.personas import persona_of
from rt_avatar.reasoner.factory import make_listener
from rt_avatar.reasoner.network.written import request_of, write_reply

FOLDER: Final = Path("~/.cache/rt-avatar/engines")
UNTRAINED: Final = "untrained weights: the words mean nothing"
# A sound of untrained weights lasts half a second; a word or two are enough to see that all runs.
_UNTRAINED_TOKENS: Final = 4
# A graph, its plan or its GPU: the message says what to mend.
_EXPLAINED: Final = (FileNotFoundError, RuntimeUnavailableError, RuntimeRunError)


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar infer`` with these words; return the exit status.

    Raises:
        SetupError: The dialogue, the engines or the place to write are not what they should be.
    """
    arguments = _parser().parse_args(words)
    check_path(arguments.output)
    console = Console(soft_wrap=True)
    try:
        engines = EmpatheiaEngines.load(
            expand_home(arguments.folder),
            arguments.engines,
            provider=arguments.provider,
            threads=arguments.threads,
        )
        options = _options(arguments, engines.manifest.is_trained)
        options = options.without_also(engines.manifest.untrained_senses)
        options.check(engines.manifest)
        check_room(engines, options)
        dialogue = read_dialogue(
            arguments.dialogue, arguments.conversation, arguments.turn, engines.manifest.face_px
        )
        _check_reference(dialogue, options, arguments.dialogue)
        if dialogue.portrait is None and engines.manifest.motion_space is ARKIT52:
            look = persona_of(dialogue.profile).name
            dialogue = replace(dialogue, portrait=draw_portrait(look, engines.manifest.face_px))
        if options.has_listener(engines.manifest):
            listener = make_listener(LlmSettings()).open()
            written = asyncio.run(write_reply(listener, request_of(dialogue)))
            dialogue = replace(dialogue, written=written)
        warning = _warning(engines.manifest)
        if warning:
            Console(stderr=True, soft_wrap=True).print(warning, style="yellow", highlight=False)
        _render(engines, dialogue, options, arguments.output, console)
    except (*_EXPLAINED, ValueError) as error:
        raise SetupError(str(error)) from error
    return 0


def _render(
    engines: EmpatheiaEngines,
    dialogue: Dialogue,
    options: EmpatheiaOptions,
    path: Path,
    console: Console,
) -> None:
    started, reply, count = time.perf_counter(), "", 0
    for_words = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with (
        Progress(*columns, console=for_words, transient=True) as progress,
        open_clip(path, engines.manifest.face_px) as clip,
    ):
        task = progress.add_task("reads the dialogue")
        for event in stream(engines, dialogue, options):
            match event:
                case Understood():
                    for field in fields(event.chain):
                        _say(console, f"{field.name}: {getattr(event.chain, field.name)}")
                case Styles():
                    if event.classes:
                        _say(console, f"shown emotion: {event.emotion}")
                case Replied():
                    reply += event.text
                    progress.update(task, description=f"answers: {reply.strip()[-60:]}")
                case Moment():
                    clip.write(list(_planes(event)), event.chunk.pcm)
                    count += len(event.frames)
                    progress.update(task, description=f"speaks: {count / FPS:.1f} s")
        if not count:
            raise SetupError(
                f"infer: expected words to say; the reply is {reply!r}. "
                "Try another --seed or a --temperature above 0"
            )
    spent = time.perf_counter() - started
    _say(console, f"reply: {reply.strip()}")
    _say(console, f"{path}: {count / FPS:.1f} s of video, made in {spent:.1f} s")


def _check_reference(dialogue: Dialogue, options: EmpatheiaOptions, path: Path) -> None:
    """Check before anything is thought that styles can be taken from where they are to be."""
    if options.effective().style_source != "reference":
        return
    missing = [name for name in ("voice", "style_clip") if getattr(dialogue, name) is None]
    if missing:
        raise SetupError(
            f"{path}: --style-source reference expects the files 'voice' (sound) and 'style_clip' "
            f"(expressions) in the dialogue; {' and '.join(missing)} missing"
        )


def _warning(manifest: ExportManifest) -> str:
    """Return what is to be known of an answer by weights that were not all learnt."""
    if not manifest.is_trained:
        return f"{manifest.name}: {UNTRAINED}"
    if not manifest.untrained:
        return ""
    missing = " and ".join(manifest.untrained_senses)
    unread = f"; {missing} of the dialogue is not read" if missing else ""
    return f"{manifest.name}: untrained weights in {', '.join(manifest.untrained)}{unread}"


def _planes(moment: Moment) -> Iterator[I420]:
    for frame in moment.frames:
        yield av.VideoFrame.from_ndarray(frame, format="rgb24").to_ndarray(format="yuv420p")


def _options(arguments: argparse.Namespace, is_trained: bool) -> EmpatheiaOptions:
    tokens = arguments.reply_tokens or (96 if is_trained else _UNTRAINED_TOKENS)
    return EmpatheiaOptions(
        coe=arguments.coe,
        content_source=arguments.content_source,
        content_span=arguments.content_span,
        style_source=arguments.style_source,
        reply_source=arguments.reply_source,
        without=tuple(arguments.without),
        pipeline=arguments.pipeline,
        reply_tokens=tokens,
        temperature=arguments.temperature,
        seed=arguments.seed,
        lookahead_frames=arguments.lookahead_frames,
    )


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False)


# --- arguments ----------------------------------------------------------------------------------
def _parser() -> argparse.ArgumentParser:
    text = "Let the network answer a dialogue, as a film."
    parser = argparse.ArgumentParser(prog="rt-avatar infer", description=text)
    parser.add_argument("dialogue", type=Path, help="JSON file: a conversation, or a list of them.")
    parser.add_argument("-o", "--output", type=Path, default=Path("out.mp4"), help="[out.mp4]")
    parser.add_argument("--conversation", default="", help="Its id, in a list [the first].")
    parser.add_argument("--turn", type=int, default=-1, help="Which turn to answer [the last].")
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"Where exported engines are [{FOLDER}]."
    )
    parser.add_argument("--engines", default="nano", help="Which of them [nano].")
    parser.add_argument("--provider", choices=RUNTIMES, default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="Of the CPU [1].")
    parser.add_argument("--coe", choices=get_args(CoE), default="prethink")
    parser.add_argument("--content-source", choices=get_args(ContentSource), default="cs")
    parser.add_argument("--content-span", choices=get_args(Span), default="clause")
    parser.add_argument("--style-source", choices=get_args(StyleSource), default="sd")
    parser.add_argument(
        "--reply-source",
        choices=get_args(ReplySource),
        default="auto",
        help="Who writes the words: the language model, or a listener whose words it reads "
        "[auto: the listener for nano].",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=get_args(Modality),
        help="Leave this sense out; once for each.",
    )
    parser.add_argument("--pipeline", action="store_true", help="The baseline: words alone.")
    parser.add_argument("--lookahead-frames", type=int, choices=LOOKAHEADS, default=2)
    parser.add_argument("--reply-tokens", type=int, default=0, help="At most [96; untrained: 4].")
    parser.add_argument("--temperature", type=float, default=0.0, help="Of the words [0].")
    parser.add_argument("--seed", type=int, default=0, help="Of words, voice and face [0].")
    return parser
