"""Portraits over HTTP: private, bounded, told what is wrong, deleted."""

import asyncio
import base64
import json
import os
import stat
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from aiohttp import web

from rt_avatar.commands.cli import main
from rt_avatar.config.settings import AvatarSettings
from rt_avatar.engines.photo.face_file import face_names
from rt_avatar.engines.photo.landmarks import Frame, mean_landmarks
from rt_avatar.errors import BadInputError
from rt_avatar.services.portraits import Portraits
from rt_avatar.signaling import uploads
from rt_avatar.signaling.protocol import MAX_PICTURE_BYTES
from rt_avatar.signaling.uploads import UPLOAD_BURST
from tests.fakes.in_process_server import SETTINGS, InProcessServer, in_process_server
from tests.media import photograph

pytestmark = pytest.mark.network


def encoded(picture: np.ndarray) -> str:
    done, data = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    assert done
    return base64.b64encode(data.tobytes()).decode()


PICTURE = encoded(photograph())
# Given whole, so that no face has to be looked for.
EYES = Frame(np.array([223.0, 101.5]), np.array([0.995, 0.0995]), 44.0)
POINTS = {name: place.tolist() for name, place in mean_landmarks(EYES).items()}
NOBODY = encoded(np.zeros((300, 300, 3), np.uint8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "portraits"


def settings_of(folder: Path, **avatar: object):
    options = {"portraits_folder": str(folder), "size_px": 256, "greeting": False, **avatar}
    return replace(SETTINGS, avatar=AvatarSettings(**options))


@pytest.fixture
async def server(folder: Path) -> AsyncIterator[InProcessServer]:
    async with in_process_server(settings=settings_of(folder)) as server:
        yield server


async def ask(
    server: InProcessServer,
    method: str,
    path: str = "",
    key: str = "",
    address: str = "127.0.0.1",
    **body: object,
) -> tuple[int, dict]:
    headers = {"X-Forwarded-For": address}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    url = f"{server.url}/api/portraits{path}"
    async with server.http.request(method, url, headers=headers, json=body or None) as response:
        is_json = response.content_type == "application/json"
        told = await response.json() if is_json else {"body": await response.read()}
        return response.status, {**told, "caching": response.headers["Cache-Control"]}


async def kept(server: InProcessServer) -> dict:
    status, told = await ask(server, "POST", picture=PICTURE, points=POINTS, consent=True)
    assert status == 201
    return told


def reason(answer: tuple[int, dict]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["reason"]


async def session(server: InProcessServer, **body: object) -> tuple[int, dict]:
    async with server.http.post(f"{server.url}/api/sessions", json=body) as response:
        return response.status, await response.json()


# --- before anything is kept --------------------------------------------------------------------
async def test_points_and_a_preview_are_made_of_a_picture_and_nothing_is_kept(server, folder):
    status, found = await ask(server, "POST", "/points", picture=PICTURE)
    assert (status, found["width"], found["height"]) == (200, 512, 512)
    assert len(found["points"]) == 31
    status, strip = await ask(server, "POST", "/preview", picture=PICTURE, points=found["points"])
    assert status == 200
    assert strip["caching"] == "private, no-store"
    picture = cv2.imdecode(np.frombuffer(strip["body"], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (256, 256 * 12, 3)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"picture": NOBODY}, (400, "bad_portrait")),
        ({"picture": base64.b64encode(b"GIF89a" + bytes(20)).decode()}, (400, "bad_portrait")),
        ({"picture": "not base64!"}, (400, "bad_body")),
        ({"picture": PICTURE, "points": {"ear": [1, 2]}}, (400, "bad_portrait")),
        ({"picture": PICTURE, "points": {"chin": [1e9, 2]}}, (400, "bad_body")),
        ({"picture": PICTURE, "points": {**POINTS, "chin": [5, 5]}}, (400, "bad_portrait")),
        ({"points": {}}, (400, "bad_body")),
    ],
    ids=["no face", "gif", "no base64", "unknown point", "far point", "chin above", "no picture"],
)
async def test_what_cannot_be_a_face_is_told_in_a_sentence(server, folder, body, expected):
    answer = await ask(server, "POST", consent=True, **body)
    assert reason(answer) == expected
    text = answer[1]["error"]["text"]
    assert "expected" in text
    assert "--" not in text  # words of the command line help nobody on a page
    assert not folder.exists()


async def test_a_picture_too_large_is_refused_before_it_is_read_as_one(server):
    big = "A" * (MAX_PICTURE_BYTES * 4 // 3 + 8)
    assert reason(await ask(server, "POST", "/points", picture=big)) == (400, "bad_body")
    bigger = "A" * (MAX_PICTURE_BYTES * 4 // 3 + 200_000)
    assert reason(await ask(server, "POST", "/points", picture=bigger)) == (413, "too_large")


async def test_without_consent_nothing_is_kept(server, folder):
    answer = await ask(server, "POST", picture=PICTURE, points=POINTS, consent=False)
    assert reason(answer) == (400, "no_consent")
    assert reason(await ask(server, "POST", picture=PICTURE)) == (400, "bad_body")
    assert not folder.exists()


async def test_one_address_gets_its_share_of_pictures_and_no_more(server):
    for _ in range(int(UPLOAD_BURST)):
        assert reason(await ask(server, "POST", "/points", picture="!")) == (400, "bad_body")
    assert reason(await ask(server, "POST", "/points", picture="!")) == (429, "rate")


@asynccontextmanager
async def held(server: InProcessServer, monkeypatch, addresses: Sequence[str]):
    """Hand in bodies that do not come to their end while inside; yields their tasks."""
    begun, goes_on, read = asyncio.Semaphore(0), asyncio.Event(), uploads._read

    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await goes_on.wait()

    async def hold(address: str) -> int:
        headers = {"X-Forwarded-For": address, "Content-Type": "application/json"}
        url = f"{server.url}/api/portraits/points"
        async with server.http.post(url, data=slow(), headers=headers) as response:
            return response.status

    async def note(request: web.Request) -> bytes:
        begun.release()
        return await read(request)

    with monkeypatch.context() as watched:
        watched.setattr(uploads, "_read", note)
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            holding = [group.create_task(hold(address)) for address in addresses]
            for _ in addresses:
                await begun.acquire()
            watched.undo()
            yield holding
            goes_on.set()


async def look(server: InProcessServer, address: str) -> tuple[int, str]:
    headers = {"X-Forwarded-For": address}
    url = f"{server.url}/api/portraits/points"
    async with server.http.post(url, headers=headers, json={"picture": "!"}) as response:
        return response.status, (await response.json())["error"]["reason"]


async def test_one_address_whose_pictures_never_come_leaves_places_for_others(folder, monkeypatch):
    settings = settings_of(folder)
    async with in_process_server(settings=settings, trusted_proxies=("127.0.0.1",)) as server:
        async with held(server, monkeypatch, ["192.0.2.1"] * 2) as holding:
            assert await look(server, "192.0.2.1") == (429, "rate")
            assert await look(server, "192.0.2.2") == (400, "bad_body")
            assert await look(server, "2001:db8::1") == (400, "bad_body")
        assert [task.result() for task in holding] == [400, 400]
        assert await look(server, "192.0.2.1") == (400, "bad_body")  # its places are free again


async def test_addresses_of_one_customer_share_their_places(folder, monkeypatch):
    async with (
        in_process_server(settings=settings_of(folder), trusted_proxies=("127.0.0.1",)) as server,
        held(server, monkeypatch, ["2001:db8::1", "2001:db8::2"]),
    ):
        assert await look(server, "2001:db8::3") == (429, "rate")
        assert await look(server, "2001:db8:0:1::3") == (400, "bad_body")


async def test_no_more_pictures_of_all_are_read_at_once_than_there_is_memory_for(
    folder, monkeypatch
):
    settings = settings_of(folder)
    async with in_process_server(settings=settings, trusted_proxies=("127.0.0.1",)) as server:
        async with held(server, monkeypatch, [f"192.0.2.{n}" for n in (1, 1, 2, 3)]):
            assert await look(server, "192.0.2.4") == (503, "overloaded")
        assert await look(server, "192.0.2.4") == (400, "bad_body")


async def test_one_address_looks_at_a_hundred_portraits_and_no_more(server):
    told = await kept(server)
    assert (await ask(server, "GET", f"/{told['name']}", key=told["key"]))[0] == 200
    flood = [ask(server, "GET", "/nobody") for _ in range(160)]
    answers = [reason(answer) for answer in await asyncio.gather(*flood)]
    assert answers.count((404, "no_portrait")) >= 99
    assert answers[-1] == (429, "rate")
    assert set(answers) == {(404, "no_portrait"), (429, "rate")}


async def test_a_foreign_page_gets_nothing(server):
    headers = {"Origin": "https://elsewhere.example"}
    url = f"{server.url}/api/portraits"
    async with server.http.post(url, json={}, headers=headers) as response:
        assert response.status == 403


async def test_uploads_can_be_switched_off_and_the_page_is_told(folder):
    settings = settings_of(folder, portrait_uploads=False)
    async with in_process_server(settings=settings) as server:
        answer = await ask(server, "POST", picture=PICTURE, consent=True)
        assert reason(answer) == (403, "uploads_off")
        assert (await session(server))[1]["limits"]["picture_bytes"] == 0


async def test_where_the_face_is_a_test_signal_no_photographs_are_taken(folder):
    settings = settings_of(folder)
    settings = replace(settings, tts=replace(settings.tts, kind="sync_test"))
    async with in_process_server(settings=settings) as server:
        assert (await session(server))[1]["limits"]["picture_bytes"] == 0


async def test_where_calls_need_an_access_token_pictures_do_too(folder):
    settings = settings_of(folder)
    settings = replace(settings, auth=replace(settings.auth, jwt_secret="s" * 32))
    async with in_process_server(settings=settings) as server:
        answer = await ask(server, "POST", "/points", picture=PICTURE)
        assert reason(answer) == (401, "access_token_missing")


# --- kept, for one caller -----------------------------------------------------------------------
async def test_a_portrait_is_its_callers_alone(server, folder):
    mine = await kept(server)
    assert len(mine["name"]) == 32
    assert len(mine["key"]) > 40
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert mine["key"].encode() not in file.read_bytes()
    path = f"/{mine['name']}"
    status, picture = await ask(server, "GET", path, mine["key"])
    assert (status, picture["caching"]) == (200, "private, no-store")
    other = await kept(server)
    for key in ("", "guessed", other["key"]):
        assert reason(await ask(server, "GET", path, key)) == (404, "no_portrait")
        assert reason(await ask(server, "DELETE", path, key)) == (404, "no_portrait")
        told = await session(server, portrait=mine["name"], key=key)
        assert reason(told) == (404, "no_portrait")
    assert (await session(server))[1]["portraits"] == []
    status, own = await session(server, portrait=mine["name"], key=mine["key"])
    assert (status, own["portrait"]) == (201, mine["name"])


@pytest.mark.parametrize("name", ["nobody", "Me!", "x" * 200])
async def test_no_other_file_is_served(server, name):
    assert reason(await ask(server, "GET", f"/{name}")) == (404, "no_portrait")


async def test_a_portrait_is_deleted_by_its_caller(server, folder):
    mine = await kept(server)
    assert (await ask(server, "DELETE", f"/{mine['name']}", mine["key"]))[0] == 204
    assert face_names(folder) == []
    answer = await ask(server, "GET", f"/{mine['name']}", mine["key"])
    assert reason(answer) == (404, "no_portrait")


async def test_only_what_the_operator_shares_is_listed_and_served_to_all(server, folder):
    mine = await kept(server)
    name = mine["name"]
    assert main(["portrait", "--share", name, "--folder", str(folder)]) == 0
    assert (await session(server))[1]["portraits"] == [
        {"name": name, "picture": f"/api/portraits/{name}"}
    ]
    assert (await ask(server, "GET", f"/{name}"))[0] == 200
    assert (await session(server, portrait=name))[0] == 201
    assert reason(await ask(server, "DELETE", f"/{name}")) == (404, "no_portrait")
    assert main(["portrait", "--unshare", name, "--folder", str(folder)]) == 0
    assert (await session(server))[1]["portraits"] == []
    assert reason(await ask(server, "GET", f"/{name}")) == (404, "no_portrait")


def test_rooms_get_only_what_the_operator_shares_or_wears(folder):
    assert main(["portrait", *arguments_of(folder), "--name", "mine"]) == 0
    assert main(["portrait", *arguments_of(folder), "--name", "ours"]) == 0
    assert main(["portrait", "--share", "ours", "--folder", str(folder)]) == 0
    portraits = Portraits(settings_of(folder))
    assert portraits.find_named("ours") == "portrait/ours"
    for name in ("mine", "", "../ours"):
        with pytest.raises(BadInputError, match="expected one that is shared"):
            portraits.find_named(name)
    worn = Portraits(settings_of(folder, portrait="mine"))
    assert worn.find_named("mine") == "portrait/mine"


def arguments_of(folder: Path) -> list[str]:
    picture, points = folder.parent / "me.jpg", folder.parent / "points.json"
    picture.write_bytes(base64.b64decode(PICTURE))
    points.write_text(json.dumps(POINTS))
    return [str(picture), "--points", str(points), "--consent", "--folder", str(folder)]


async def test_old_portraits_of_callers_are_deleted_and_others_stay(folder):
    settings = settings_of(folder, portrait_days=7)
    async with in_process_server(settings=settings) as server:
        names = [(await kept(server))["name"] for _ in range(3)]
    assert main(["portrait", "--share", names[1], "--folder", str(folder)]) == 0
    long_ago = time.time() - 8 * 86_400
    for name in names[:2]:
        os.utime(folder / f"{name}.npz", (long_ago, long_ago))
    async with in_process_server(settings=settings):
        assert face_names(folder) == sorted(names[1:])


async def test_shared_portraits_stay_even_while_photographs_cannot_be_shown(folder):
    settings = settings_of(folder, portrait_days=7)
    async with in_process_server(settings=settings) as server:
        names = [(await kept(server))["name"] for _ in range(2)]
    assert main(["portrait", "--share", names[0], "--folder", str(folder)]) == 0
    long_ago = time.time() - 8 * 86_400
    for name in names:
        os.utime(folder / f"{name}.npz", (long_ago, long_ago))
    blind = replace(settings, tts=replace(settings.tts, kind="sync_test"))
    async with in_process_server(settings=blind):
        assert face_names(folder) == [names[0]]
    assert Portraits(settings).shared() == (names[0],)


async def test_portrait_is_its_callers_to_see_and_to_delete_also_while_none_can_be_shown(folder):
    settings = settings_of(folder)
    async with in_process_server(settings=settings) as server:
        mine = await kept(server)
    blind = replace(settings, tts=replace(settings.tts, kind="sync_test"))
    async with in_process_server(settings=blind) as server:
        path, key = f"/{mine['name']}", mine["key"]
        assert reason(await ask(server, "GET", path, "guessed")) == (404, "no_portrait")
        assert (await ask(server, "GET", path, key))[0] == 200
        told = await session(server, portrait=mine["name"], key=key)
        assert reason(told) == (403, "uploads_off")  # it is not lost
        assert (await ask(server, "DELETE", path, key))[0] == 204
        assert reason(await ask(server, "GET", path, key)) == (404, "no_portrait")


async def test_no_more_are_kept_than_there_is_room_for(folder):
    async with in_process_server(settings=settings_of(folder, max_portraits=1)) as server:
        await kept(server)
        answer = await ask(server, "POST", picture=PICTURE, points=POINTS, consent=True)
        assert reason(answer) == (503, "portraits_full")
        assert "max_portraits" not in answer[1]["error"]["text"]
        assert len(face_names(folder)) == 1


async def test_one_client_keeps_half_of_them_at_most_and_may_make_room(folder):
    async with in_process_server(
        settings=settings_of(folder, max_portraits=4), trusted_proxies=("127.0.0.1",)
    ) as server:

        async def keep(address: str) -> tuple[int, dict]:
            body = {"picture": PICTURE, "points": POINTS, "consent": True}
            return await ask(server, "POST", address=address, **body)

        (status, mine), _ = await keep("192.0.2.1"), await keep("192.0.2.1")
        assert status == 201
        assert reason(await keep("192.0.2.1")) == (503, "portraits_full")
        assert (await keep("192.0.2.2"))[0] == 201
        assert (await ask(server, "DELETE", f"/{mine['name']}", mine["key"]))[0] == 204
        assert (await keep("192.0.2.1"))[0] == 201
        assert reason(await keep("192.0.2.1")) == (503, "portraits_full")
        assert (await keep("192.0.2.3"))[0] == 201
        assert reason(await keep("192.0.2.4")) == (503, "portraits_full")  # all are taken
    assert b"192.0.2" not in b"".join(file.read_bytes() for file in folder.iterdir())
