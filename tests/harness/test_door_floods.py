"""What agents that send too much, too slowly or nonsense do to their own trial, and to nobody else's."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.json_text import read_json as read_json_text
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic, TrafficLimits
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import FamilyLimits, load_family
from pincite_tasks.files import read_json

pytestmark = pytest.mark.anyio

TOKEN = "trial-token-of-the-flood"
NOBODY = ModelChoice(provider="compatible", name="m", base_url="http://127.0.0.1:9")
MODEL_PATH, TOOL_PATH = "/v1/messages", "/mcp/demo"


@dataclass
class TrialDoors:
    """The model and the tool door of one trial, whose provider is nobody; ``doors`` has socket and path of each."""

    traffic: Traffic
    folder: Path
    doors: dict[str, tuple[Path, str]]

    async def say(self, door: str, data: bytes, *, wait: float = 20.0) -> bytes:
        """Send raw bytes and return all that comes back until the door closes."""
        reader, writer = await asyncio.open_unix_connection(self.doors[door][0])
        try:
            async with asyncio.timeout(wait):
                writer.write(data)
                return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def post(self, door: str, body: bytes, token: str = TOKEN) -> bytes:
        """The status line of one answer; empty where the door is closed."""
        path = self.doors[door][1]
        head = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\nconnection: close\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        try:
            return (await self.say(door, head.encode() + body, wait=60)).partition(b"\r\n")[0]
        except OSError:
            return b""

    def refused(self) -> list[dict[str, Any]]:
        """What stands in the records as refused."""
        lines = [line for path in sorted(self.folder.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
        return [record for record in map(orjson.loads, lines) if record["kind"] == "refused"]


OpenTrial = Callable[..., AbstractAsyncContextManager[TrialDoors]]


@pytest.fixture
def open_trial(tmp_path: Path, sockets: Path) -> OpenTrial:
    @asynccontextmanager
    async def opened(name: str = "trial", **limits: Any) -> AsyncGenerator[TrialDoors]:
        folder, traffic = tmp_path / name, Traffic(TrafficLimits(**limits))
        places = {"model": (sockets / f"{name}-m", MODEL_PATH), "tools": (sockets / f"{name}-t", TOOL_PATH)}
        redactor, media = Redactor([TOKEN]), MediaStore(folder, traffic)
        model = ModelDoor(
            places["model"][0], TOKEN, Route(NOBODY, "", "anthropic.messages"),
            meter=ModelMeter(FamilyLimits(model_calls=10**6), None), traffic=traffic,
            recorder=ModelRecorder(folder / "llm.jsonl", redactor, media, traffic),
        )  # fmt: skip
        recorder = WireRecorder(folder / "mcp.jsonl", redactor, traffic)
        tools = ToolDoor(places["tools"][0], TOKEN, meter=ToolMeter(9), recorder=recorder, media=media, traffic=traffic)
        async with model, tools:
            await tools.open([], {}, folder)
            yield TrialDoors(traffic, folder, places)

    return opened


BOTH = pytest.mark.parametrize("door", ["model", "tools"])


@BOTH
async def test_headers_have_a_size_and_a_time_and_bodies_too(open_trial: OpenTrial, door: str) -> None:
    async with open_trial(header_bytes=4096, header_seconds=0.3, body_seconds=0.3) as trial:
        start = f"POST {trial.doors[door][1]} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\n".encode()
        seen = [
            await trial.say(door, start + b"x-a: " + b"a" * 5000 + b"\r\n\r\n"),
            await trial.say(door, start + b"x-a: a\r\n" * 1000 + b"\r\n"),
            await trial.say(door, start + b"x-endless: " + b"a" * 1_000_000),
            await trial.say(door, b"GET /" + b"a" * 1_000_000),
            await trial.say(door, start + b"x-slow: "),
            await trial.say(door, start + b"content-length: 9\r\n\r\n{"),
            await trial.say(door, b"\x16\x03\x01 this is not http\r\n\r\n"),
        ]
        async with asyncio.timeout(20):
            while trial.traffic.connections:
                await asyncio.sleep(0.01)
        statuses = [answer.split(b" ")[1] for answer in seen]
    assert statuses == [b"431"] * 4 + [b"408"] * 2 + [b"400"]
    assert [str(record["status"]).encode() for record in trial.refused()] == statuses
    assert trial.traffic.refused == 7


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@BOTH
async def test_two_thousand_connections_end_their_own_trial_alone(open_trial: OpenTrial, door: str) -> None:
    async with open_trial() as trial, open_trial("neighbour") as neighbour:
        before, most = open_files(), 0
        held: list[asyncio.StreamWriter] = []
        for _ in range(2000):
            try:
                _, writer = await asyncio.open_unix_connection(trial.doors[door][0])
            except OSError:
                break
            held.append(writer)
            most = max(most, open_files() - before - len(held))
        assert trial.traffic.exceeded == "connections at the doors: 256"
        assert most <= 256 + 64 + 8, "what waits to be accepted, and what was"
        assert await neighbour.post(door, b"[]", token="wrong") == b"HTTP/1.1 401 Unauthorized"
        async with asyncio.timeout(20):
            while trial.traffic.connections:
                await asyncio.sleep(0.01)
        assert await trial.post("model", b"{}") == b""
        for writer in held:
            writer.close()


@BOTH
async def test_a_loop_of_refused_requests_ends(open_trial: OpenTrial, door: str) -> None:
    async with open_trial(refused=20) as trial:
        answers = [await trial.post(door, b"{}", token="wrong") for _ in range(21)]
        assert trial.traffic.exceeded == "refused requests: 20"
        async with asyncio.timeout(20):
            while await trial.post(door, b"{}"):
                pass
    assert answers == [b"HTTP/1.1 401 Unauthorized"] * 21
    assert len(trial.refused()) == 21


@BOTH
async def test_a_loop_of_requests_that_are_not_refused_ends_too(open_trial: OpenTrial, door: str) -> None:
    async with open_trial(requests=20) as trial:
        answers = [await trial.post(door, b'{"model": "m", "messages": []}') for _ in range(22)]
    assert trial.traffic.exceeded == "requests at the doors: 20"
    assert (b"" in answers[:20], answers[20:]) == (False, [b""] * 2)


async def test_a_flood_of_records_ends_and_the_disk_holds_no_more(open_trial: OpenTrial) -> None:
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 100_000}]})
    async with open_trial(recorded_bytes=1_000_000) as trial, asyncio.timeout(60):
        while await trial.post("model", body):
            pass
        assert trial.traffic.exceeded == "recorded bytes: 1000000"
    size = sum(path.stat().st_size for path in trial.folder.rglob("*") if path.is_file())
    assert 800_000 < size <= 1_000_000
    assert trial.traffic.held_bytes == 0


async def test_who_connects_while_the_doors_close_is_not_kept_waiting(open_trial: OpenTrial) -> None:
    """At whatever step of the event loop the connection comes: one between two steps once stayed open for ever."""
    waiting: list[int] = []
    for steps in range(8):
        async with open_trial(f"trial-{steps}", refused=0) as trial:
            trial.traffic.refuse()
            for _ in range(steps):
                await asyncio.sleep(0)
            with socket.socket(socket.AF_UNIX) as late:
                late.setblocking(False)
                try:
                    late.connect(str(trial.doors["model"][0]))
                    async with asyncio.timeout(2):
                        await asyncio.get_running_loop().sock_recv(late, 1)
                except ConnectionError:
                    pass
                except TimeoutError:
                    waiting.append(steps)
    assert waiting == []


async def test_a_flood_of_pictures_ends(open_trial: OpenTrial) -> None:
    parts = [{"type": "document", "source": {"type": "base64", "media_type": "image/png", "data": f"AAA{n:05d}"}}
             for n in range(300)]  # fmt: skip
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": parts}]})
    async with open_trial(media_files=40) as trial:
        await trial.post("model", body)
        async with asyncio.timeout(20):
            await trial.traffic.reached.wait()
        assert trial.traffic.exceeded == "media files: 40"
    assert len(list((trial.folder / "media").iterdir())) == 40


async def test_bodies_of_50_mb_pass_one_by_one_and_not_by_the_dozen(open_trial: OpenTrial) -> None:
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 50_000_000}]})
    async with open_trial() as trial:
        assert await trial.post("model", body) == b"HTTP/1.1 502 Bad Gateway", "it went on to the provider"
        await trial.post("tools", body)
        assert trial.traffic.exceeded is None
    assert [(record["status"], record["path"]) for record in trial.refused()] == [(413, TOOL_PATH)]
    assert orjson.loads((trial.folder / "llm.jsonl").read_bytes().splitlines()[0])["bytes"] == len(body)
    assert trial.traffic.held_bytes == 0


async def test_bytes_in_memory_have_an_end(open_trial: OpenTrial) -> None:
    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 400_000}]})
    async with open_trial(held_bytes=1_000_000) as trial:
        answers = await asyncio.gather(*(trial.post("model", body) for _ in range(12)))
        assert trial.traffic.exceeded == "bytes of requests in memory: 1000000"
    assert answers.count(b"HTTP/1.1 502 Bad Gateway") < 12
    assert trial.traffic.held_bytes == 0


@BOTH
async def test_what_costs_too_much_to_parse_is_refused_unparsed(open_trial: OpenTrial, door: str) -> None:
    bombs = [b'{"a":[' + b"[]," * 600_000 + b"[]]}", b"[" * 2_000_000]
    async with open_trial() as trial:
        statuses = [(await trial.post(door, bomb)).split(b" ")[1] for bomb in bombs]
    assert statuses == ([b"400"] * 2 if door == "model" else [b"413"] * 2)
    with pytest.raises(ValueError, match="digits"):
        read_json_text(b'{"a": ' + b"9" * 4000 + b"}")


async def test_a_message_nested_too_deeply_ends_with_an_error(open_door: Any) -> None:
    async with open_door() as rig, rig.client() as client:
        headers = {"Authorization": f"Bearer {rig.token}", "Accept": "application/json, text/event-stream"}
        transport = httpx2.AsyncHTTPTransport(uds=str(rig.socket))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
            for more in ({}, {"MCP-Protocol-Version": "2026-07-28"}):
                headers = {"Content-Type": "application/json", **more}
                answer = await http.post("/mcp/demo", content=b"[" * 100_000, headers=headers)
                assert answer.status_code == 400
        assert (await client.call_tool("echo", {"text": "on"})).content[0].text == "on"


def test_a_text_made_of_data_urls_takes_no_longer_than_others(tmp_path: Path) -> None:
    """A pattern over it took the square of its length: half an hour for this one."""
    text = "data:;a=" * 200_000 + "x" + ";base64," * 200_000
    assert MediaStore(tmp_path).detach(text) == text
    kept = MediaStore(tmp_path).detach("see data:image/png;name=a;base64,iVBORw0KGgo= and data:,plain;base64,")
    assert kept.startswith("see media:media/")
    assert kept.endswith(".png and data:,plain;base64,")


async def test_a_flood_ends_its_trial_as_limit_reached_and_is_scored(
    tmp_path: Path, make_family: Any, servers: Any, actor: Any
) -> None:
    family = load_family(make_family(more="[traffic]\nrefused = 50"))
    agent = actor("answer", '{"properties": []}', "flood", "500", "sleep", "10")
    [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    try:
        around = Surroundings("process", marker, servers, traffic=TrafficLimits(refused=400))
        record = await TrialRun(plan, tmp_path / "t1__1", around).run()
    finally:
        marker.close()
    assert (record.status, record.cause, record.detail) == ("limit_reached", "limit_reached", "refused requests: 50")
    assert read_json(tmp_path / "t1__1" / "score.json")["status"] == "scored"


DESCRIPTORS = """
import resource, sys
from pincite_core.errors import BadInputError
from pincite_doors.descriptors import connections_for
soft, hard, trials = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
try:
    print(connections_for(trials), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
except BadInputError as error:
    print("refused:", error)
"""


@pytest.mark.parametrize(
    ("soft", "hard", "trials", "shown"),
    [
        (1024, 20_000, 4, "256 2560"),
        (1024, 1024, 1, "256 1024"),
        (1024, 1024, 4, "64 1024"),
        (1024, 1024, 30, "refused: 30 trials at once need 3136 open files."),
    ],
)
def test_descriptors_are_shared_out_over_the_trials(soft: int, hard: int, trials: int, shown: str) -> None:
    command = [sys.executable, "-c", DESCRIPTORS, *map(str, (soft, hard, trials))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith(shown)
