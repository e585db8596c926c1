"""Recordings → features on disk, resumable: what is there is kept, what fails is counted."""

import csv
import logging
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from rt_avatar.engines.media_file import MediaError
from rt_avatar.engines.training.alignment import AlignmentError
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora
from rt_avatar.engines.training.voice.features import extract

_log = logging.getLogger(__name__)
_REPORT_EVERY: Final = 100


def features_path(work: Path, recording: Recording) -> Path:
    """Return where a recording's features are kept."""
    return work / "features" / f"{recording.key}.npz"


def prepare(
    data: Path, work: Path, corpora: tuple[str, ...], processes: int, *, held_out: bool = False
) -> None:
    """Make the features that are missing.

    Args:
        data: Folder that holds ``speech/<corpus>/manifest.tsv``.
        work: Folder for features; ``failed.csv`` beside them names what cannot be read or does not
            align, and why.
        corpora: Which of them.
        processes: Recordings at a time.
        held_out: Only what is kept for validation.

    Raises:
        OSError: The disk is full; what is written stays, and the next run goes on from there.
    """
    (work / "features").mkdir(parents=True, exist_ok=True)
    failed_path = work / "failed.csv"
    failed = _read_failed(failed_path)
    recordings = [one for one in read_corpora(data, corpora) if one.held_out or not held_out]
    todo = [
        recording
        for recording in recordings
        if recording.key not in failed and not features_path(work, recording).exists()
    ]
    _log.info("%d recordings, %d to prepare", len(recordings), len(todo))
    began_s = time.monotonic()
    with (
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
        failed_path.open("a", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        tasks = {pool.submit(_prepare_one, work, recording): recording for recording in todo}
        for done, task in enumerate(as_completed(tasks), 1):
            try:
                reason = task.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            if reason:
                failed[tasks[task].key] = reason
                writer.writerow([tasks[task].key, reason])
                file.flush()
            if done % _REPORT_EVERY == 0 or done == len(tasks):
                left = (time.monotonic() - began_s) / done * (len(tasks) - done) / 60
                _log.info("%d of %d, %.1f min to go", done, len(tasks), left)
    own = {recording.key for recording in recordings}
    reasons = Counter(reason.split(":")[0] for key, reason in failed.items() if key in own)
    _log.info("left out: %s", dict(reasons) or "none")


def _prepare_one(work: Path, recording: Recording) -> str:
    """Write the features of one recording; return why it cannot be used, or ""."""
    try:
        extract(recording).save(features_path(work, recording))
    except AlignmentError as error:
        return str(error)
    except MediaError as error:
        return f"cannot be read: {error}"
    return ""


def _read_failed(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file) if len(row) == 2}
