"""What a model hub has of published weights: its newest commit, files, sizes and digests.

Asked by the hub's own client. What is found is fetched like any release (``engines.download``), by
the commit, so that files of two versions are never mixed.
"""

from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from rt_avatar.engines.checkpoints import PUBLISHED, Published
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.download import describe_client_error
from rt_avatar.engines.published_files import PublishedFile, Release

HUB: Final = "https://huggingface.co"
_OF_HUB: Final = "Hugging Face "  # before the name of a repository in ``Published.project``


def is_on_hub(published: Published) -> bool:
    """Return whether weights can be fetched by their name."""
    return published.project.startswith(_OF_HUB)


def find_hub_release(published: Published, hub: str = "") -> Release:
    """Ask a hub for the files of published weights.

    Args:
        published: Which.
        hub: Address of another hub, or of a mirror; "" for ``HUB``.

    Raises:
        CheckpointError: They are on no hub, the hub does not answer or has no such files, or the
            extra 'train', which the import needs as well, is missing.
    """
    if not is_on_hub(published):
        on_hub = ", ".join(each.name for each in PUBLISHED.values() if is_on_hub(each))
        raise CheckpointError(
            f"models fetch: {published.name} is on no hub: {published.project}. {published.note}",
            mend=f"Get the file there, then: rt-avatar models import {published.name} FILE. "
            f"Fetched by name: {on_hub}.",
        )
    repository = published.project.removeprefix(_OF_HUB)
    address = (hub or HUB).rstrip("/")
    try:
        import httpx2
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HfHubHTTPError
    except ModuleNotFoundError as error:
        raise CheckpointError(
            f"models fetch: expected the extra 'train', got an installation without {error.name}",
            mend="make install EXTRAS=train",
        ) from error
    try:
        found = HfApi(endpoint=address, token=False).model_info(repository, files_metadata=True)
    except ImportError as error:  # as the hub's client is made, of what proxies need
        raise CheckpointError(
            f"{address}: expected a proxy that can be used; got {describe_client_error(error)}"
        ) from error
    except (HfHubHTTPError, httpx2.HTTPError, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(
            f"{address}: expected the files of {repository}; got: {reason}",
            mend="Is there a network? Else fetch them elsewhere, then: rt-avatar models import "
            f"{published.name} FILE",
        ) from error
    there = {
        one.rfilename: PublishedFile(one.rfilename, one.lfs.size, one.lfs.sha256)
        for one in found.siblings or ()
        if one.lfs is not None
    }
    for pattern in published.files:
        names = sorted(name for name in there if fnmatchcase(PurePosixPath(name).name, pattern))
        if names:
            files = tuple(there[name] for name in names)
            return Release(f"{address}/{repository}/resolve/{found.sha}", files)
    raise CheckpointError(
        f"{address}: expected {' or '.join(published.files)} in {repository}; "
        f"got {', '.join(there) or 'no weights'}"
    )
