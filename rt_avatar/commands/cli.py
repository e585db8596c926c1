"""The command line: ``rt-avatar serve | livekit | say | personas | doctor | config | …``.

Every setting is a flag, made from the settings tree. Errors that a user can mend are one line.
"""

import argparse
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Final

import yaml

from rt_avatar.commands.interrupts import interruptible
from rt_avatar.config.loader import all_keys, as_dict, load_settings
from rt_avatar.config.renamed_keys import RENAMED_WORDS
from rt_avatar.config.secrets import SECRETS
from rt_avatar.config.settings import Settings
from rt_avatar.engines.types import EMOTIONS
from rt_avatar.errors import AvatarError, SetupError
from rt_avatar.personas import PERSONAS, find_persona
from rt_avatar.telemetry.logs import set_up_logging

_log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status (2: the settings or arguments are wrong)."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        own = _OWN_WORDS.get(words[0]) if words else None
        return own(words[1:]) if own else _run(words)
    except AvatarError as error:
        from rich.console import Console  # a server does without all of it

        Console(stderr=True, soft_wrap=True).print(f"rt-avatar: {error}", style="red", markup=False)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(words: Sequence[str]) -> int:
    for word in (*words[:1], *(word.partition("=")[0] for word in words if word.startswith("--"))):
        if word in RENAMED_WORDS:
            raise SetupError(f"{word!r} is called {RENAMED_WORDS[word]!r} now")
    parser = _parser()
    arguments, rest = parser.parse_known_args(words)
    settings = load_settings(arguments.config, flags=_flags(arguments, rest, parser))
    set_up_logging(settings.log)
    status: int = arguments.run(arguments, settings)
    return status


# --- commands -----------------------------------------------------------------------------------
def _bench(words: Sequence[str]) -> int:
    from rt_avatar.benchmarks.cli import main as bench  # loaded only when it is asked for

    return bench(words)


def _models(words: Sequence[str]) -> int:
    from rt_avatar.commands.models import main as models

    return models(words)


def _engines(words: Sequence[str]) -> int:
    from rt_avatar.trt_builders.cli import main as engines
    from rt_avatar.trt_builders.errors import BuildError

    try:
        return engines(words)
    except BuildError as error:
        raise SetupError(str(error)) from error


def _infer(words: Sequence[str]) -> int:
    from rt_avatar.commands.infer import main as infer

    return infer(words)


def _portrait(words: Sequence[str]) -> int:
    from rt_avatar.commands.portrait import main as portrait

    return portrait(words)


def _train(words: Sequence[str]) -> int:
    from rt_avatar.commands.train import main as train

    return train(words)


def _voice(words: Sequence[str]) -> int:
    from rt_avatar.commands.voice import main as voice

    return voice(words)


# Commands that read their words themselves, and no settings of the avatar.
_OWN_WORDS: Final = {
    "bench": _bench, "models": _models, "engines": _engines, "infer": _infer,
    "portrait": _portrait, "train": _train, "voice": _voice,
}  # fmt: skip


def _serve(arguments: argparse.Namespace, settings: Settings) -> int:
    def ready(address: str) -> None:
        _tell(f"rt-avatar is ready: {address}  (Ctrl+C stops it)")

    with interruptible():  # the edge is loaded only when it is asked for
        if settings.server.workers > 1:
            from rt_avatar.signaling.workers.arbiter import serve_by_workers

            serve_by_workers(settings, ready)
        else:
            from rt_avatar.signaling.app import serve

            _live(serve(settings, ready))
    return 0


def _livekit(arguments: argparse.Namespace, settings: Settings) -> int:
    def ready(address: str) -> None:
        name = settings.livekit.agent_name
        _tell(f"rt-avatar waits for rooms of {address} as agent {name}  (Ctrl+C stops it)")

    with interruptible():
        _live(_run_worker()(settings, ready))
    return 0


def _run_worker() -> Callable[[Settings, Callable[[str], None]], Coroutine[None, None, None]]:
    """Return what serves rooms of a LiveKit server.

    Raises:
        SetupError: An extra is missing.
    """
    try:
        from rt_avatar.signaling.livekit.worker import run_worker
    except ImportError as error:
        # An installed package has a livekit without agents in it, by its own plug-in.
        is_lacking = isinstance(error, ModuleNotFoundError) or error.name == "livekit"
        if not is_lacking or not (error.name or "").startswith("livekit"):
            raise
        raise SetupError(
            "livekit: expected the extra 'livekit', got an installation without it; "
            "make install EXTRAS=livekit"
        ) from error
    return run_worker


def _tell(line: str) -> None:
    """Write a line; not by rich, whose first words would take 8 MiB of a process that stays."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _live(process: Coroutine[None, None, None]) -> None:
    """Run a serving process to its end."""
    from rt_avatar.signaling.process import run_loop

    run_loop(process)


def _say(arguments: argparse.Namespace, settings: Settings) -> int:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from rt_avatar.commands.say import render_clip

    persona = find_persona(arguments.persona or settings.avatar.persona)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(f"{persona.label} speaks", total=None)
        clip = render_clip(
            arguments.text,
            persona,
            arguments.emotion,
            arguments.intensity,
            arguments.output,
            settings,
            lambda done_s, total_s: progress.update(task, completed=done_s, total=total_s),
        )
    Console().print(
        f"{arguments.output}: {clip.duration_s:.1f} s of video, made in {clip.elapsed_s:.1f} s "
        f"({clip.duration_s / clip.elapsed_s:.1f} times real time)",
        markup=False,
    )
    return 0


def _personas(arguments: argparse.Namespace, settings: Settings) -> int:
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "who", "age", "gender", "about")
    for persona in PERSONAS.values():
        mark = " (default)" if persona.name == settings.avatar.persona else ""
        table.add_row(
            persona.name, persona.label + mark, persona.age, persona.gender, persona.about
        )
    Console().print(table)
    return 0


def _doctor(arguments: argparse.Namespace, settings: Settings) -> int:
    from rich.console import Console
    from rich.table import Table

    # Seconds of imports, which other commands do without.
    from rt_avatar.commands import doctor
    from rt_avatar.signaling.app import check_edge

    table = Table("part", "state", "what it is", "for more")
    checks = doctor.examine(settings)
    try:
        check_edge(settings)
    except SetupError as error:
        checks.append(doctor.Check("addresses", "missing", "one cannot be used", str(error)))
    colours = {"ok": "green", "optional": "yellow", "missing": "red"}
    for check in checks:
        table.add_row(
            check.part,
            f"[{colours[check.state]}]{check.state}[/]",
            check.what,
            check.advice,
        )
    Console().print(table)
    return 1 if any(check.state == "missing" for check in checks) else 0


def _config(arguments: argparse.Namespace, settings: Settings) -> int:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if arguments.keys:
        table = Table("key", "expected", "default", "environment", "help")
        for key in all_keys().values():
            table.add_row(key.path, key.expected, str(key.default), key.env, key.help)
        console.print(table)
    else:
        text = yaml.safe_dump(_plain(as_dict(settings)), sort_keys=False, allow_unicode=True)
        console.print(text, markup=False, highlight=False, end="")
    return 0


def _plain(tree: object) -> object:
    """Tuples as lists, so that the printed YAML can be read back."""
    if isinstance(tree, dict):
        return {key: _plain(value) for key, value in tree.items()}
    return list(tree) if isinstance(tree, tuple) else tree


# --- arguments ----------------------------------------------------------------------------------
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar",
        allow_abbrev=False,
        description="Talk to an avatar that listens, understands how you feel, and answers with a "
        "voice and a face that agree.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, text: str, run: object) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        sub.set_defaults(run=run)
        sub.add_argument("--config", type=Path, help="YAML file with settings.")
        return sub

    serve = command("serve", "Start the avatar on a local page.", _serve)
    livekit = command("livekit", "Let the avatar join rooms of a LiveKit server.", _livekit)
    say = command("say", "Render a clip of the avatar saying something.", _say)
    say.add_argument("text", help="What to say.")
    say.add_argument("--persona", choices=list(PERSONAS), help="Who says it.")
    say.add_argument("--emotion", choices=EMOTIONS, default="neutral", help="How it is said.")
    say.add_argument("--intensity", type=float, default=0.7, help="How strongly, 0 to 1.")
    say.add_argument("-o", "--output", type=Path, default=Path("out.mp4"), help="File to write.")
    personas = command("personas", "List who the avatar can be.", _personas)
    doctor_command = command("doctor", "Tell what is installed and what is missing.", _doctor)
    config = command("config", "Show the settings in force, or all keys.", _config)
    config.add_argument("--keys", action="store_true", help="All keys with their help.")
    # Its words are read by benchmarks.cli, since each benchmark has its own.
    commands.add_parser("bench", help="Measure the promises; alone, lists what can be measured.")
    commands.add_parser("infer", help="Let the network answer a dialogue file, as a film.")
    commands.add_parser("models", help="Published weights: list, fetch, import, check.")
    commands.add_parser("engines", help="Graphs for runtimes: list, export, build, verify.")
    commands.add_parser(
        "portrait", help="Make a face of one photograph; list, share or delete faces."
    )
    commands.add_parser("voice", help="Make a voice of ten seconds of speech, list or delete.")
    commands.add_parser("train", help="Train the networks, stage by stage.")
    for sub in (serve, livekit, say, personas, doctor_command, config):
        _add_settings(sub)
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    groups: dict[str, argparse._ArgumentGroup] = {}
    for key in all_keys().values():
        section = key.path.split(".")[0]
        group = groups.setdefault(section, parser.add_argument_group(section))
        is_shown = key.path not in SECRETS and key.default not in ("", (), None, {})
        shown = f" [{key.default}]" if is_shown else ""
        group.add_argument(
            f"--{key.path}",
            dest=key.path,
            metavar="VALUE",
            default=argparse.SUPPRESS,
            help=(key.help + shown).replace("%", "%%"),
        )


def _flags(
    arguments: argparse.Namespace, rest: Sequence[str], parser: argparse.ArgumentParser
) -> dict[str, str]:
    """Return the settings given as flags, also unknown ones: the loader names the nearest right."""
    flags = {name: value for name, value in vars(arguments).items() if "." in name}
    words = iter(rest)
    for word in words:
        name, has_value, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or "." not in name:
            parser.error(f"unrecognized argument: {word}")
        flags[name] = value if has_value else next(words, "")
    return flags


if __name__ == "__main__":
    sys.exit(main())
