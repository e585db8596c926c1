"""``rt-avatar engines list | export | build | verify``: graphs for runtimes, and their proof.

Torch is loaded by the command that needs it; without it, one line names the extra.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError
from rt_avatar.trt_builders.errors import BuildError

FOLDER: Final = Path("~/.cache/rt-avatar/engines")
MODELS: Final = Path("~/.cache/rt-avatar/models")
Show: TypeAlias = Callable[[str, int, int], None]  # what is begun, parts done, parts in all
EXTRA: Final = ("torch", "onnx", "onnxscript", "transformers", "safetensors", "peft", "tokenizers")


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar engines`` with these words; return the exit status (1: parity fails).

    Raises:
        BuildError: A graph, a file or a package is not what it should be, or a file cannot be read
            or written.
    """
    arguments = _parser().parse_args(words)
    try:
        from rt_avatar.trt_builders import commands
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRA:
            raise
        raise BuildError(
            f"engines: expected the extra 'train', got an installation without {error.name}; "
            "make install EXTRAS=train"
        ) from error
    run = {
        "list": commands.list_networks,
        "export": commands.export,
        "build": commands.build,
        "verify": commands.verify,
    }[arguments.command]
    try:
        with _shown() as show:
            return run(arguments, Console(soft_wrap=True), show)
    except (CheckpointError, RuntimeUnavailableError, OSError) as error:
        raise BuildError(str(error)) from error


@contextmanager
def _shown() -> Iterator[Show]:
    """Show on the terminal's error side what is being done, and how far it is."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=None, visible=False)

        def show(what: str, done: int, total: int) -> None:
            bars.update(task, description=what, completed=done, total=total, visible=True)

        yield show


# --- arguments ----------------------------------------------------------------------------------
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar engines", description="Graphs of the networks, for the runtimes."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument(
            "--folder", type=Path, default=FOLDER, help=f"Where graphs and plans are [{FOLDER}]."
        )
        return sub

    def choice(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "networks",
            nargs="+",
            metavar="NETWORK",
            help="As rt-avatar engines list names them; nano, empatheia: all of that size.",
        )
        sub.add_argument("--graphs", nargs="+", default=(), metavar="GRAPH", help="Only these.")
        sub.add_argument(
            "--models", type=Path, default=MODELS, help=f"Where imported weights are [{MODELS}]."
        )
        sub.add_argument(
            "--trained",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="Safetensors of parts trained here, again for each file [nano's: the package's].",
        )

    def budget(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--seconds", type=float, default=12.0, help="The longest utterance [12].")
        sub.add_argument(
            "--context", type=int, default=2048, help="Tokens of the language model [2048]."
        )

    command("list", "Which networks there are, and which of their graphs are here.")
    export = command("export", "Write the graphs of networks as ONNX.")
    choice(export)
    export.add_argument(
        "--precision",
        choices=("fp32", "fp16", "int8"),
        help="fp16 is for GPUs, int8 for onnxruntime's CPU [int8 for nano's, else fp32].",
    )
    export.add_argument(
        "--random", action="store_true", help="Random weights, also where there are published ones."
    )
    export.add_argument("--seed", type=int, default=0, help="Of random weights [0].")
    export.add_argument("--tokenizer", type=Path, metavar="FILE", help="The tokenizer.json.")
    export.add_argument(
        "--template",
        choices=TEMPLATES,
        help="How the language model's prompts were written in its training [as its file says].",
    )
    export.add_argument(
        "--bank", type=Path, metavar="FILE", help="An .npz of styles by emotion [random ones]."
    )
    build = command("build", "Build TensorRT plans from exported graphs, on the GPU they are for.")
    choice(build)
    budget(build)
    build.add_argument("--gpu", type=int, default=0, help="Which GPU [0].")
    build.add_argument("--level", type=int, choices=range(6), default=5, help="Effort [5].")
    build.add_argument("--workspace-gb", type=float, default=4.0, help="Scratch memory [4].")
    build.add_argument(
        "--ampere-plus", action="store_true", help="For every GPU since Ampere, somewhat slower."
    )
    build.add_argument("--anew", action="store_true", help="Also what is there already.")
    check = command("verify", "Compare exported graphs or plans with torch, tensor by tensor.")
    choice(check)
    budget(check)
    check.add_argument(
        "--runtime",
        choices=("onnx", "onnx-cuda", "onnx-tensorrt", "tensorrt"),
        default="onnx",
        help="What is compared with torch [onnx, on the CPU].",
    )
    check.add_argument("--gpu", type=int, default=0, help="Which GPU [0].")
    return parser
