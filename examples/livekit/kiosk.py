"""A kiosk's server: the page in ``web/``, and for each who calls a token for a room of their own.

    python examples/livekit/kiosk.py                       # beside `livekit-server --dev`
    LIVEKIT_URL=wss://… LIVEKIT_API_KEY=… LIVEKIT_API_SECRET=… python examples/livekit/kiosk.py

The token carries the order for the avatar: LiveKit sends it to a worker as soon as the caller has
opened the room, so nobody has to be told. Whoever reaches this server gets a token: on anything but
a kiosk's own machine put your login before it, and HTTPS (browsers give the microphone to HTTPS and
to localhost only).
"""

import argparse
import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from aiohttp import web
from livekit import api

HERE = Path(__file__).parent
WEB = HERE / "web"
CLIENT_SCRIPT = HERE.parents[1] / "scripts" / "need_livekit_client.sh"
CLIENT = "livekit-client.esm.mjs"
# To join with. LiveKit renews the token of who has joined, so a talk may be longer.
TOKEN_TTL = timedelta(minutes=10)


def invitation(options: argparse.Namespace) -> dict[str, str]:
    """Return the server's address and a token: a new room, a caller, and an avatar for the two."""
    room, caller = f"kiosk-{uuid4().hex[:12]}", "caller"
    order = {"caller": caller, **({"persona": options.persona} if options.persona else {})}
    avatar = api.RoomAgentDispatch(agent_name=options.agent_name, metadata=json.dumps(order))
    # ``sync_streams``: sound and picture reach the page as one stream, which it keeps in step.
    room_options = api.RoomConfiguration(agents=[avatar], sync_streams=True)
    token = (
        api.AccessToken(options.api_key, options.api_secret)
        .with_identity(caller)
        .with_ttl(TOKEN_TTL)
        .with_grants(api.VideoGrants(room_join=True, room=room))
        .with_room_config(room_options)
    )
    return {"url": options.url, "token": token.to_jwt()}


def make_app(options: argparse.Namespace, client: Path) -> web.Application:
    """Return the application; ``client`` is LiveKit's browser client, one file."""

    async def page(_request: web.Request) -> web.FileResponse:
        return web.FileResponse(WEB / "index.html")

    async def livekit_client(_request: web.Request) -> web.FileResponse:
        return web.FileResponse(client, headers={"Content-Type": "text/javascript"})

    async def token(_request: web.Request) -> web.Response:
        return web.json_response(invitation(options), headers={"Cache-Control": "no-store"})

    app = web.Application()
    app.router.add_get("/", page)
    app.router.add_get(f"/{CLIENT}", livekit_client)
    app.router.add_post("/token", token)
    app.router.add_static("/", WEB)
    return app


def main() -> None:
    """Read the command line and serve until Ctrl+C."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    env = os.environ.get
    parser.add_argument("--url", default=env("LIVEKIT_URL", "ws://127.0.0.1:7880"), help="LiveKit")
    parser.add_argument("--api-key", default=env("LIVEKIT_API_KEY", "devkey"), help="its key")
    parser.add_argument(
        "--api-secret", default=env("LIVEKIT_API_SECRET", "secret"), help="better by environment"
    )
    parser.add_argument("--agent-name", default="rt-avatar", help="of the workers")
    parser.add_argument("--persona", default="", help="who answers; empty: as the worker likes")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8090, help="0 picks a free one")
    options = parser.parse_args()
    found = subprocess.run(["sh", CLIENT_SCRIPT], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        raise SystemExit(found.returncode)  # it has said what is missing
    web.run_app(
        make_app(options, Path(found.stdout.strip())),
        host=options.host,
        port=options.port,
        print=lambda text: print(text, flush=True),
    )


if __name__ == "__main__":
    main()
