"""One side of a recorded session: peer.py server|client LOG [URL].

It sends the frames of its own side, and waits for those of the other one. A
server prints its port.
"""

import asyncio
import base64
import json
import sys

import websockets


def frames(path):
    with open(path, encoding="utf-8") as log:
        for line in log:
            entry = json.loads(line)
            if entry["dir"] == "note":
                continue
            if "bytes_base64" in entry:
                yield entry["dir"], base64.b64decode(entry["bytes_base64"])
            elif "text" in entry:
                yield entry["dir"], entry["text"]
            else:
                yield entry["dir"], json.dumps(entry["frame"])


async def play(ws, path, own):
    for direction, frame in frames(path):
        if direction == own:
            await ws.send(frame)
            continue
        got = await ws.recv()
        same = got == frame if isinstance(frame, bytes) or not frame.startswith("{") else json.loads(got) == json.loads(frame)
        if not same:
            raise SystemExit(f"got {got!r}, expected {frame!r}")


async def serve(path):
    ended = asyncio.get_running_loop().create_future()

    async def handle(ws, *_):
        await play(ws, path, "recv")
        await ws.wait_closed()
        ended.set_result(None)

    async with websockets.serve(handle, "127.0.0.1", 0, ping_interval=0.05, ping_timeout=20) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await ended


async def connect(path, url):
    async with websockets.connect(url, ping_interval=0.05, ping_timeout=20) as ws:
        await play(ws, path, "send")
        await asyncio.sleep(0.2)  # some pings


if sys.argv[1] == "server":
    asyncio.run(serve(sys.argv[2]))
else:
    asyncio.run(connect(sys.argv[2], sys.argv[3]))
