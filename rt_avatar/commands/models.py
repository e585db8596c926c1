"""``rt-avatar models list | fetch | import | check``: published weights for the networks.

Nothing is fetched unless it is asked for, and nothing of a file is run.
"""

import argparse
import errno
import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from rt_avatar.commands.lock import locked
from rt_avatar.commands.terminal import say
from rt_avatar.engines import checkpoints
from rt_avatar.engines.checkpoints import (
    PUBLISHED,
    WEIGHTS,
    check_imported,
    find_published,
    read_record,
)
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.download import DownloadError, download, file_name
from rt_avatar.engines.hub_files import find_hub_release, is_on_hub
from rt_avatar.engines.published_files import RELEASES, Release
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home

FOLDER: Final = Path("~/.cache/rt-avatar/models")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_UNWRITABLE: Final = (errno.EEXIST, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS)


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar models`` with these words; return the exit status.

    Raises:
        SetupError: A file is not what it should be or cannot be read or written, or the extra
            'train' is missing.
    """
    arguments = _parser().parse_args(words)
    try:
        status: int = arguments.run(arguments)
    except (CheckpointError, DownloadError) as error:
        raise SetupError(str(error)) from error
    except OSError as error:
        raise SetupError(_described(error, _folder(arguments))) from error
    return status


def _described(error: OSError, folder: Path) -> str:
    """Return what the system refused and, where it is the folder's fault, what mends it."""
    named = Path(error.filename) if isinstance(error.filename, str) else folder
    is_of_folder = named == folder or named in folder.parents or folder in named.parents
    if not is_of_folder or error.errno not in (*_UNWRITABLE, *_FULL):
        return str(error)
    if error.errno in _FULL:
        return (
            f"{folder}: expected room on its disk; got: {error.strerror}. Make room, and the same "
            "command goes on; or choose another place with --folder"
        )
    return (
        f"{folder}: expected a folder to write to; got of {named}: {error.strerror}. Mend that, or "
        "choose another place with --folder"
    )


# --- commands -----------------------------------------------------------------------------------
def _list(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    table = Table()
    table.add_column("name", no_wrap=True)
    for heading in ("what for", "licence", "published as", "imported"):
        table.add_column(heading, overflow="fold")
    for published in PUBLISHED.values():
        files = " or ".join(published.files)
        table.add_row(
            published.name,
            published.what,
            " ".join(part for part in (published.licence, published.note) if part),
            f"{published.project}: {files}",
            _state(folder / f"{published.name}{WEIGHTS}"),
        )
    console = Console()
    console.print(table)
    console.print(
        f"Imported ones are in {folder}. Fetched by name: rt-avatar models fetch "
        f"{'|'.join(_fetched_by_name())}. Import a file that you have: "
        "rt-avatar models import NAME FILE; or let it be fetched: "
        "rt-avatar models import NAME --url ADDRESS",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    return 0


def _state(weights: Path) -> str:
    if not weights.exists():
        return "no"
    try:
        record = read_record(weights)
    except CheckpointError:
        return "without a record"
    return f"{record.date[:10]}, {record.parameters / 1e6:,.1f}M numbers"


def _fetch(arguments: argparse.Namespace) -> int:
    """Fetch a release's files and compare them with their digests; import what needs to be."""
    name: str = arguments.name
    folder = _folder(arguments)
    if name not in PUBLISHED and name not in RELEASES:
        raise CheckpointError(
            f"models fetch: expected one of {', '.join(_fetched_by_name())}; got {name!r}",
            mend="Others are imported: rt-avatar models import NAME FILE, or --url ADDRESS.",
        )
    if name not in RELEASES:
        release = find_hub_release(PUBLISHED[name], arguments.address)
        address = release.address
    else:
        release = RELEASES[name]
        address = arguments.address.rstrip("/") or release.address
    if release.what:
        _announce(name, release.what, release.licence, release, address)
        with _alone(name, folder), _shown() as progress:
            _bring(release, address, folder, progress)
        say(f"{', '.join(str(folder / file.path) for file in release.files)}: ready for use")
        return 0
    published, import_checkpoint = find_published(name), _importer()
    _announce(name, published.what, published.licence, release, address)
    weights = folder / f"{name}{WEIGHTS}"
    target = folder / "downloads" / name
    with _alone(name, folder), _shown() as progress:
        if weights.exists() and _is_fetched(name, release, folder, progress):
            say(f"{weights}: is there already, and as it was imported")
            return 0
        _bring(release, address, target, progress)
        source = (target / release.files[0].path).parent
        import_checkpoint(name, source, folder, progress, origin=address)
        shutil.rmtree(target)
    _tell_import(weights)
    return 0


@contextmanager
def _alone(name: str, folder: Path) -> Iterator[None]:
    """Keep others from the files of a model, half fetched or half imported, while inside.

    Raises:
        SetupError: Another process is at it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    refusal = f"{name}: another process is bringing it to {folder}. Wait until that has ended"
    with locked(folder / f".{name}.lock", refusal):
        yield


def _announce(name: str, what: str, licence: str, release: Release, address: str) -> None:
    files = f"{len(release.files)} files" if len(release.files) > 1 else release.files[0].path
    size = f"{release.size / 1e6:,.1f} MB"
    say(f"{name}: {what}. Licence: {licence}. {files}, {size}, from {address}")


def _bring(release: Release, address: str, target: Path, progress: checkpoints.Progress) -> None:
    """Fetch what is not there yet, and compare all of it."""
    _check_room(target, release)
    for file in release.files:
        show = partial(progress, f"{file.path}: fetching")
        url = f"{address}/{file.path}"
        download(url, target / file.path, show, expected_sha256=file.sha256)


def _is_fetched(name: str, release: Release, folder: Path, progress: checkpoints.Progress) -> bool:
    """Return whether what is imported is whole and of these very files."""
    try:
        record = check_imported(name, folder, progress)
    except CheckpointError:
        return False
    return set(record.source_sha256.values()) == {file.sha256 for file in release.files}


def _check_room(target: Path, release: Release) -> None:
    """Check that the files, and the weights made of them, have room.

    Raises:
        SetupError: They have none.
    """
    target.mkdir(parents=True, exist_ok=True)
    there = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    needed, free = 2 * release.size - there, shutil.disk_usage(target).free
    if free < needed:
        raise SetupError(
            f"{target}: expected {needed / 1e6:,.0f} MB of free disk, got {free / 1e6:,.0f} MB. "
            "Make room, or choose another place with --folder"
        )


def _importer() -> Callable[..., Path]:
    """Return what imports; it needs torch.

    Raises:
        SetupError: The extra 'train' is missing.
    """
    try:
        from rt_avatar.engines.networks.importing import import_checkpoint
    except ModuleNotFoundError as error:
        raise SetupError(
            f"models: expected the extra 'train', got an installation without {error.name}; "
            "make install EXTRAS=train"
        ) from error
    return import_checkpoint


def _import(arguments: argparse.Namespace) -> int:
    published, folder = find_published(arguments.name), _folder(arguments)
    if bool(arguments.source) == bool(arguments.url):
        raise SetupError("models import: expected a file or folder, or --url; one of them")
    if arguments.url and published.name in RELEASES:
        raise SetupError(
            f"models import: {published.name} is of several files; let all of them be fetched: "
            f"rt-avatar models fetch {published.name}"
        )
    if arguments.sha256 and len(arguments.url) != 1:
        raise SetupError("models import: --sha256 expects one --url")
    import_checkpoint = _importer()
    with _alone(published.name, folder), _shown() as progress:
        if arguments.url:
            path = _import_fetched(arguments, folder, progress)
        else:
            path = import_checkpoint(published.name, arguments.source, folder, progress)
    _tell_import(path)
    return 0


def _tell_import(path: Path) -> None:
    record = read_record(path)
    published = find_published(record.name)
    say(
        f"{path}: {record.tensors} tensors, {record.parameters:,} numbers. "
        f"Licence: {published.licence}. {published.note}".rstrip()
    )


def _import_fetched(
    arguments: argparse.Namespace, folder: Path, progress: checkpoints.Progress
) -> Path:
    """Fetch all addresses and import them.

    What was fetched stays until it is imported or refused: the same command goes on with it. It
    lies in a folder of these addresses, so that nothing of others is taken for it.
    """
    import_checkpoint = _importer()
    urls = list(arguments.url)
    names = [file_name(url) or find_published(arguments.name).files[0] for url in urls]
    if len(set(names)) < len(names):
        raise SetupError(
            f"models import: expected parts of different names; got {', '.join(names)}"
        )
    marked = hashlib.sha256("\n".join(urls).encode()).hexdigest()[:16]
    target = folder / "downloads" / f"{arguments.name}-{marked}"
    for url, name in zip(urls, names, strict=True):
        show = partial(progress, f"{name}: fetching")
        download(url, target / name, show, expected_sha256=arguments.sha256)
    source = target / names[0] if len(names) == 1 else target
    try:
        path = import_checkpoint(arguments.name, source, folder, progress, origin=", ".join(urls))
    except CheckpointError:
        shutil.rmtree(target)
        raise
    shutil.rmtree(target)
    return path


def _check(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    names = arguments.names or [
        name for name in PUBLISHED if (folder / f"{name}{WEIGHTS}").exists()
    ]
    console, wrong = Console(soft_wrap=True), 0
    if not names:
        console.print(f"{folder}: nothing is imported", markup=False, highlight=False)
    with _shown() as progress:
        for name in names:
            try:
                record = check_imported(name, folder, progress)
                line = f"{name}: as imported on {record.date[:10]} ({record.licence})"
            except CheckpointError as error:
                line, wrong = f"{name}: {error}", wrong + 1
            console.print(line, markup=False, highlight=False)
    return 1 if wrong else 0


@contextmanager
def _shown() -> Iterator[checkpoints.Progress]:
    """Show what is being done, on the terminal's error side."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what)
            bars.update(tasks[what], completed=done, total=total or None)

        yield show


# --- arguments ----------------------------------------------------------------------------------
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar models", description="Published weights for the networks."
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, text: str, run: object) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        sub.add_argument(
            "--folder", type=Path, default=FOLDER, help=f"Where imported weights are [{FOLDER}]."
        )
        return sub

    command("list", "Which weights there are, under which licence, and which are here.", _list)
    bring = command("import", "Check a published file and turn it into safetensors.", _import)
    bring.add_argument("name", metavar="NAME", help="As rt-avatar models list names it.")
    bring.add_argument("source", nargs="?", type=Path, help="The file, or the folder of its parts.")
    bring.add_argument(
        "--url", action="append", default=[], help="Fetch it from here; once for each part."
    )
    bring.add_argument("--sha256", default="", help="What the fetched file must be.")
    check = command("check", "Compare imported weights with their records, bit for bit.", _check)
    check.add_argument("names", metavar="NAME", nargs="*", help="All that are here, if none.")
    fetch = command("fetch", "Fetch published weights by name, compare and import them.", _fetch)
    fetch.add_argument("name", metavar="NAME", help=", ".join(_fetched_by_name()))
    fetch.add_argument(
        "--address",
        default="",
        help="Of a mirror with the same files, or of another hub; digests are compared.",
    )
    return parser


def _fetched_by_name() -> list[str]:
    hub = (published.name for published in PUBLISHED.values() if is_on_hub(published))
    return [*dict.fromkeys((*RELEASES, *hub))]


def _folder(arguments: argparse.Namespace) -> Path:
    return expand_home(arguments.folder)
