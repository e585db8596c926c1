"""Fetching a file from a real server that breaks off, changes, or has something else."""

import hashlib

import numpy as np
import pytest

from rt_avatar.engines.download import ATTEMPTS, DownloadError, download, file_name
from tests.fakes.file_server import serving

pytestmark = pytest.mark.network
CONTENT = np.random.default_rng(1).bytes(3_000_000)


@pytest.fixture
def server():
    with serving({"file.pth": CONTENT}) as made:
        made.url = f"{made.base}/file.pth"
        yield made


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_and_its_progress_is_told(server, tmp_path):
    told = []
    path = download(server.url, tmp_path / "new" / "a.pth", lambda *each: told.append(each))
    assert path.read_bytes() == CONTENT
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert left(path.parent) == ["a.pth"]


def test_a_download_that_breaks_off_goes_on_where_it_stopped(server, tmp_path):
    server.breaks = [1_000_000, 1_000_000]
    path = download(server.url, tmp_path / "a.pth")
    assert path.read_bytes() == CONTENT
    assert server.asked == ["", "bytes=1000000-", "bytes=2000000-"]


def test_a_server_that_gives_nothing_more_ends_it_until_the_next_try(server, tmp_path):
    server.breaks = [1_000_000] + [0] * ATTEMPTS
    with pytest.raises(DownloadError, match=f"broke off {ATTEMPTS} times after 1000000 bytes"):
        download(server.url, tmp_path / "a.pth")
    assert left(tmp_path) == ["a.pth.part", "a.pth.part.json"]
    server.asked.clear()
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT
    assert server.asked == ["bytes=1000000-"]


def test_what_was_left_by_an_earlier_try_is_used(server, tmp_path):
    path = tmp_path / "a.pth"
    (tmp_path / "a.pth.part").write_bytes(CONTENT[:1234])
    (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{server.url}", "mark": "\\"one\\""}}')
    assert download(server.url, path).read_bytes() == CONTENT
    assert server.asked == ["bytes=1234-"]
    assert left(tmp_path) == ["a.pth"]


@pytest.mark.parametrize("why", ["changed", "unknown", "no ranges", "other url", "too long"])
def test_what_cannot_be_continued_begins_anew(server, tmp_path, why):
    part = tmp_path / "a.pth.part"
    part.write_bytes(b"old" * (10**6 + 7 if why == "too long" else 100))
    url = "http://elsewhere/file.pth" if why == "other url" else server.url
    if why != "unknown":
        (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{url}", "mark": "\\"one\\""}}')
    if why == "changed":
        server.etag = '"two"'
    server.ranges = why != "no ranges"
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT
    assert left(tmp_path) == ["a.pth"]


def test_a_file_that_is_whole_already_is_taken(server, tmp_path):
    (tmp_path / "a.pth.part").write_bytes(CONTENT)
    (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{server.url}", "mark": "\\"one\\""}}')
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT


def test_another_file_than_expected_does_not_stay(server, tmp_path):
    digest = hashlib.sha256(CONTENT).hexdigest()
    download(server.url, tmp_path / "a.pth", expected_sha256=digest.upper())
    with pytest.raises(DownloadError, match=f"expected sha256 {'0' * 64}, got {digest}"):
        download(server.url, tmp_path / "b.pth", expected_sha256="0" * 64)
    assert "b.pth" not in left(tmp_path)
    assert "b.pth.part" not in left(tmp_path)


def test_what_an_earlier_try_brought_whole_is_not_fetched_again(server, tmp_path):
    path, digest = tmp_path / "a.pth", hashlib.sha256(CONTENT).hexdigest()
    for expected in ("", digest, digest.upper()):
        assert download(server.url, path, expected_sha256=expected).read_bytes() == CONTENT
    assert len(server.asked) == 1
    path.write_bytes(b"of another try")
    assert download(server.url, path, expected_sha256=digest).read_bytes() == CONTENT
    assert len(server.asked) == 2


def test_what_is_not_there_is_told(server, tmp_path):
    with pytest.raises(DownloadError, match="expected the file, got status 404 Not Found"):
        download(server.url.replace("file", "other"), tmp_path / "a.pth")
    with pytest.raises(DownloadError, match=r"broke off .* redirects"):
        download(f"{server.base}/round", tmp_path / "a.pth")
    assert server.wanted.count("other.pth") == 1


@pytest.mark.parametrize("url", ["nothing", "http://", "file:///etc/hosts", "http://[::1", "a b"])
def test_what_is_no_web_address_is_told_before_anything_is_tried(tmp_path, url):
    with pytest.raises(DownloadError, match="expected a web address"):
        download(url, tmp_path / "new" / "a.pth")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b.pth?download=true#here", "b.pth"),
        ("a/%2e%2e/b%20c.pth", "b c.pth"),
        ("a/%2e%2e", ""),
        ("a%2F..", ""),
        ("a/", ""),
        ("", ""),
    ],
)
def test_a_file_is_named_as_its_address_ends_and_stays_in_its_folder(path, name):
    assert file_name(f"https://host/{path}") == name


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1", "pip install socksio"),
        ("HTTPS_PROXY", "ftp://127.0.0.1:1", "set or unset HTTPS_PROXY"),
        ("SSL_CERT_FILE", "/nowhere.pem", "SSL_CERT_FILE"),
    ],
)
def test_a_proxy_or_certificates_of_no_use_are_told(tmp_path, monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    with pytest.raises(DownloadError, match=words):
        download("https://models.example.org/file.pth", tmp_path / "a.pth")
