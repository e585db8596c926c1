"""One file from the web to disk, when somebody asked for it: shown, resumed, compared.

A download that breaks off goes on where it stopped, in this process or a later one, as long as
the server still has the same file (its ETag or date says so). What is half there is never taken
for the whole: it has another name. What an earlier try brought whole is not fetched again.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx2

from rt_avatar.engines.checkpoints import sha256

Progress = Callable[[int, int], None]  # bytes there, bytes in all (0: not told)

ATTEMPTS: Final = 5  # in a row without one more byte
_TIMEOUT_S: Final = 30.0  # without a byte; a slow line may take hours for the whole


class DownloadError(Exception):
    """A file could not be fetched, or is not the one expected."""


def download(
    url: str,
    path: Path,
    progress: Progress = lambda done, total: None,
    *,
    expected_sha256: str = "",
    client: httpx2.Client | None = None,
) -> Path:
    """Fetch ``url`` to ``path``.

    Args:
        url: Of the file itself.
        path: Where it goes; its folder is made.
        progress: Told as bytes come in.
        expected_sha256: What the file must be, in hex; "" to take it as it comes.
        client: To fetch with; it is not closed.

    Raises:
        DownloadError: That is no web address, the environment names a proxy or certificates that
            cannot be used, the server has no such file, breaks off again and again, or the file
            is not the one expected (it is then removed).
    """
    file_name(url)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        if not expected_sha256 or sha256(path) == expected_sha256.lower():
            return path
        path.unlink()
    part = path.with_name(path.name + ".part")
    used = client or _client(url)
    failures, cause = 0, ""
    try:
        while True:
            before = _size(part)
            try:
                if _fetch(used, url, part, progress):
                    break
                cause = "the connection ended before the file did"
            except httpx2.RequestError as error:
                cause = str(error) or type(error).__name__
            failures = 0 if _size(part) > before else failures + 1
            if failures == ATTEMPTS:
                raise DownloadError(
                    f"{url}: broke off {ATTEMPTS} times after {_size(part)} bytes ({cause}). "
                    "The same command goes on from there"
                )
    finally:
        if client is None:
            used.close()
    if expected_sha256 and (got := sha256(part)) != expected_sha256.lower():
        part.unlink()
        _mark_file(part).unlink(missing_ok=True)
        raise DownloadError(f"{url}: expected sha256 {expected_sha256.lower()}, got {got}")
    part.replace(path)
    _mark_file(part).unlink(missing_ok=True)
    return path


def file_name(url: str) -> str:
    """Return the name that an address ends with; "" if it ends with none.

    Raises:
        DownloadError: It is no address of the web.
    """
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise DownloadError(f"{url}: expected a web address, got: {error}") from error
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise DownloadError(f"{url}: expected a web address that begins with https://")
    name = parsed.path.rpartition("/")[2]
    return "" if name in (".", "..") else name


def describe_client_error(error: Exception) -> str:
    """Return why no client can be made as the environment has it, and what mends it."""
    if isinstance(error, ImportError):
        return "a SOCKS proxy, for which the package socksio is missing; pip install socksio"
    return (
        f"{error}; set or unset HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, and SSL_CERT_FILE or "
        "SSL_CERT_DIR"
    )


def _client(url: str) -> httpx2.Client:
    try:
        return httpx2.Client(follow_redirects=True, timeout=_TIMEOUT_S)
    except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
        raise DownloadError(
            f"{url}: expected a proxy and certificates that can be used; got "
            f"{describe_client_error(error)}"
        ) from error


def _fetch(client: httpx2.Client, url: str, part: Path, progress: Progress) -> bool:
    """Fetch what is missing; return whether the file is whole."""
    there, mark = _size(part), _mark(part, url)
    headers = {"Accept-Encoding": "identity"}
    if there and mark:
        headers |= {"Range": f"bytes={there}-", "If-Range": mark}
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == httpx2.codes.RANGE_NOT_SATISFIABLE:
            if _whole_length(response) == there:
                return True
            part.unlink()
            return False
        if response.status_code not in (httpx2.codes.OK, httpx2.codes.PARTIAL_CONTENT):
            raise DownloadError(
                f"{url}: expected the file, got status {response.status_code} "
                f"{response.reason_phrase}"
            )
        goes_on = response.status_code == httpx2.codes.PARTIAL_CONTENT
        done = there if goes_on else 0
        if goes_on and not response.headers.get("Content-Range", "").startswith(f"bytes {there}-"):
            part.unlink()  # another part than the one asked for
            return False
        length = int(response.headers.get("Content-Length", 0))
        total = done + length if length else 0
        strong = response.headers.get("ETag", "")
        mark = "" if strong.startswith("W/") else strong
        mark = mark or response.headers.get("Last-Modified", "")
        _mark_file(part).write_text(json.dumps({"url": url, "mark": mark}), encoding="utf-8")
        with part.open("ab" if goes_on else "wb") as file:
            for block in response.iter_raw():  # as it comes: a larger block would be lost
                file.write(block)
                done += len(block)
                progress(done, total)
    return not total or done == total


def _whole_length(response: httpx2.Response) -> int:
    length = response.headers.get("Content-Range", "").rpartition("/")[2]
    return int(length) if length.isdigit() else -1


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _mark_file(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _mark(part: Path, url: str) -> str:
    """Return by what the server knew the version of the part; "" starts anew."""
    try:
        record = json.loads(_mark_file(part).read_text(encoding="utf-8"))
        return str(record["mark"]) if record["url"] == url else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
