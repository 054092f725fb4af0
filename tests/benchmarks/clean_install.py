"""From nothing to a cited paper: the built wheel in a clean container, in each client, with seconds and megabytes.

    python tests/benchmarks/clean_install.py [--client claude,codex,gemini,qwen] [--way connect,bundle,desktop]

Builds the wheel and the bundles of this checkout, and a container of Debian with its Python, the clients and neither
pincite nor a compiler (the agents' image, ``pincite sandbox build --agents``, with Debian's python3-venv). In it:

- ``connect``: ``pip install`` of the wheel into a new environment, ``pincite connect CLIENT --preset read``;
- ``bundle``: the plugin folder or the extension, as its client installs it; the server starts by ``uvx`` from it;
- ``desktop``: the .mcpb, unpacked and started as desktop applications start the type ``uv``: by its manifest's command,
  and by ``uv run`` of its entry point where the application has a command of its own.

Then the real client, whose model is played by a script, opens a PDF, finds a passage, verifies the quote and answers
with its locator; for ``desktop`` an MCP client lists the tools and makes these calls. The exit status is 1 where an
answer lacks the locator, 2 without Docker. Versions of packages are those of constraints.txt for ``connect`` and the
newest for the others. Needs a package index.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcp import Client, StdioServerParameters
from parts.client_setups import CLIENTS

from pincite_doors.testing import Request, ScriptedModel, Turn, call, say, turn
from pincite_sandbox.images import AGENTS_IMAGE
from pincite_sandbox.images.registries import build_files, proxies

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "tasks/property_extraction/papers/ybco_oxygen.pdf"
QUOTE = "a Néel temperature of 412(5) K"
PROMPT = "What is the Neel temperature in ybco_oxygen.pdf? Cite the passage."
_IMAGE = "pincite-clean:benchmark"
_LOCATOR = re.compile(r"pc:[0-9a-f]{8}#p\d+:\d+-\d+")
_CITED = re.compile(rf"412\(5\) K \[({_LOCATOR.pattern})\]")
"""The answer's citation of the quote; the client may write its é in another way."""
_RECIPE = """
FROM {base}
COPY . /build
RUN cd /build; test ! -f sources.list || {{ rm -rf /etc/apt/sources.list.d; cp sources.list /etc/apt; }}; \\
    test ! -f apt.conf || cp apt.conf /etc/apt/apt.conf.d/99build; test ! -f pip.conf || cp pip.conf /etc/pip.conf; \\
    test ! -f ca.crt || cp ca.crt /etc/ssl/certs/ca-certificates.crt; mkdir -p /etc/uv; cp uv.toml /etc/uv; \\
    apt-get update && apt-get install -y --no-install-recommends python3-venv && rm -rf /build && \\
    ! command -v cc && ! command -v gcc && ! command -v pincite
"""


@dataclass
class Container:
    """A container that runs as the user 1000, on this machine's network, with ``folder`` at the same place."""

    folder: Path
    name: str = ""
    steps: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    def __enter__(self) -> "Container":
        mount = [
            "-v",
            f"{self.folder}:{self.folder}",
            "-e",
            f"HOME={self.home}",
            "-e",
            "PIP_DISABLE_PIP_VERSION_CHECK=1",
        ]
        variables = [part for name, value in proxies().items() for part in ("-e", f"{name}={value}")]
        certificates = ["-e", "PIP_CERT=/etc/ssl/certs/ca-certificates.crt"]
        command = ["run", "-d", "--rm", "--init", "--network", "host", "--user", "1000:1000", *mount, *variables]
        self.name = _docker(*command, *certificates, _IMAGE, "sleep", "infinity").strip()
        return self

    def __exit__(self, *_: object) -> None:
        _docker("rm", "-f", self.name)

    @property
    def home(self) -> Path:
        """The home folder, seen from both sides."""
        return self.folder / "home"

    def do(self, command: Sequence[str], *, env: dict[str, str] | None = None, label: str = "") -> str:
        """Run a command in the folder ``work`` and give what it printed; RuntimeError where it fails."""
        variables = [part for name, value in (env or {}).items() for part in ("-e", f"{name}={value}")]
        begun = time.monotonic()
        done = subprocess.run(
            ["docker", "exec", "-w", str(self.folder / "work"), *variables, self.name, *command],
            capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        taken = time.monotonic() - begun
        if label:
            print(f"  {taken:6.1f} s  {label}", flush=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)[:200]}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def megabytes(self, path: str) -> float:
        """What a folder takes on the disk."""
        return int(self.do(["du", "-sk", path]).split()[0]) / 1024


def _docker(*command: str, folder: Path | None = None) -> str:
    done = subprocess.run(["docker", *command], capture_output=True, text=True, cwd=folder, timeout=900, check=False)
    if done.returncode:
        raise RuntimeError(f"docker {command[0]}: {done.stderr[-2000:]}")
    return done.stdout


def build_image(folder: Path) -> None:
    """The clean image: the agents' one with python3-venv; it fails where a compiler or pincite is there."""
    folder.mkdir()
    for name, content in build_files().items():
        (folder / name).write_bytes(content)
    pip = (folder / "pip.conf").read_text() if (folder / "pip.conf").is_file() else ""
    index = re.search(r"^index-url = (\S+)", pip, re.MULTILINE)
    lines = ["native-tls = true", *([f'index-url = "{index[1]}"'] if index else [])]
    (folder / "uv.toml").write_text("\n".join(lines) + "\n")
    (folder / "Dockerfile").write_text(_RECIPE.format(base=AGENTS_IMAGE))
    arguments = [part for name, value in proxies().items() for part in ("--build-arg", f"{name}={value}")]
    _docker("build", "--network", "host", *arguments, "-t", _IMAGE, ".", folder=folder)


def prepared(folder: Path, wheel: Path) -> None:
    """The folders that a container sees: the wheel, the paper in ``work``, an empty home."""
    for name in ("home", "work"):
        (folder / name).mkdir(parents=True)
    shutil.copy2(PAPER, folder / "work")
    shutil.copy2(wheel, folder)
    shutil.copy2(ROOT / "constraints.txt", folder)
    _owned(folder)


def _owned(folder: Path) -> None:
    """The folder and all in it belong to the container's user; what this process writes later, too."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, 1000, 1000, follow_symlinks=False)


def ask(box: Container, client: str, bundle: Path | None = None, path: dict[str, str] | None = None) -> bool:
    """Ask the client, which has pincite entered or its bundle; whether its answer has the quote and its locator."""
    as_plugin = bundle is not None and client == "claude"
    server = "plugin_pincite_pincite" if as_plugin else "pincite"
    with ScriptedModel([*_reading(server), _citing]) as model:
        command, env = CLIENTS[client](model.url, box.home, PROMPT)
        if as_plugin:
            command = [part.replace("mcp__pincite", f"mcp__{server}") for part in command]
            command += ["--plugin-dir", str(bundle)]
        _owned(box.home)
        try:
            said = box.do(command, env=env | (path or {}), label=f"{client}: open, find, verify, cite")
        except RuntimeError as error:
            said = str(error)
    located = _CITED.search(said) or _CITED.search(_joined(said))
    stands = not model.troubles and model.left == 0 and located is not None and '"stands":true' in _results(model)
    print(f"  {'cites ' + located[1] if stands and located else 'FAILED'}", flush=True)
    if not stands:
        print(model.troubles, model.left, said[-3000:], file=sys.stderr)
    return stands


def _joined(said: str) -> str:
    """The pieces of an answer that a client prints as it comes, one JSON object a line."""
    lines = [line for line in said.splitlines() if line.startswith("{") and '"delta":true' in line]
    return "".join(str(json.loads(line).get("content", "")) for line in lines)


def _results(model: ScriptedModel) -> str:
    return json.dumps(model.requests[-1].body, ensure_ascii=False).replace("\\", "")


def _reading(server: str) -> list[Turn]:
    paper = PAPER.name
    return [
        turn(call(f"{server}.open_paper", paper=paper)),
        turn(call(f"{server}.grep_paper", paper=paper, pattern="Néel temperature")),
        turn(call(f"{server}.verify_quotes", paper=paper, quotes=[QUOTE])),
    ]


def _citing(request: Request) -> Turn:
    """The answer, with the locator that the verified quote has."""
    found = _LOCATOR.search(request.results[-1]) if request.results else None
    return turn(say(f"The paper gives {QUOTE} [{found[0] if found else 'no locator'}]."))


def by_connect(folder: Path, wheel: Path, clients: Sequence[str]) -> bool:
    """pip install, pincite connect, and each client."""
    print("connect: pip install of the wheel", flush=True)
    prepared(folder, wheel)
    stands = True
    with Container(folder) as box:
        own = str(folder / "environment")
        box.do(["python3", "-m", "venv", own], label="python3 -m venv")
        before = box.megabytes(own)
        install = [f"{own}/bin/pip", "install", "-q", "--no-cache-dir", "-c", str(folder / "constraints.txt")]
        box.do([*install, str(folder / wheel.name)], label="pip install (base, no extra)")
        print(f"  {box.megabytes(own) - before:6.0f} MB of packages", flush=True)
        for client in clients:
            connect = [f"{own}/bin/pincite", "connect", client, "--preset", "read", "--yes"]
            box.do(connect, label=f"pincite connect {client} --preset read")
            stands &= ask(box, client)
    return stands


def by_bundle(folder: Path, wheel: Path, clients: Sequence[str]) -> bool:
    """The plugin folder or the extension of each client, whose server uvx starts from the wheel in isolation."""
    print("bundle: uvx from the wheel", flush=True)
    prepared(folder, wheel)
    script = [sys.executable, str(ROOT / "scripts/build-bundles"), str(folder / "bundles")]
    subprocess.run([*script, "--wheel", str(folder / wheel.name)], check=True)
    _unattended(folder / "bundles/plugin/codex-mcp.json")
    _owned(folder)
    stands = True
    with Container(folder) as box:
        path = _with_uv(box)
        first = ["uvx", "--from", str(folder / wheel.name), "pincite", "--version"]
        box.do(first, env=path, label="the first uvx: what a bundle's first start fetches")
        print(f"  {box.megabytes(str(box.home / '.cache/uv')):6.0f} MB of packages", flush=True)
        for client in clients:
            for command in _installing(client, folder / "bundles"):
                box.do(command, env=path, label=f"{client}: {' '.join(command)[-60:]}")
            stands &= ask(box, client, folder / "bundles/plugin", path)
    return stands


def by_desktop(folder: Path, wheel: Path, _clients: Sequence[str]) -> bool:
    """The .mcpb, started by its own command and by its entry point."""
    print("desktop: the .mcpb, by uv run", flush=True)
    prepared(folder, wheel)
    script = [sys.executable, str(ROOT / "scripts/build-bundles"), str(folder / "bundles")]
    subprocess.run([*script, "--wheel", str(folder / wheel.name)], check=True)
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(folder / "bundles/pincite.mcpb") as bundle:
        bundle.extractall(unpacked)
    _owned(folder)
    server = json.loads((unpacked / "manifest.json").read_text())["server"]
    launch = server["mcp_config"]
    given = {"${__dirname}": str(unpacked), "${user_config.roots}": str(folder / "work")}
    commands = [
        [launch["command"], *(_filled(part, given) for part in launch["args"])],
        ["uv", "run", "--directory", str(unpacked), server["entry_point"]],
    ]
    stands = True
    with Container(folder) as box:
        env = _with_uv(box) | {name: _filled(value, given) for name, value in launch["env"].items()}
        for command in commands:
            stands &= asyncio.run(_asked(box, command, env))
        print(f"  {box.megabytes(str(unpacked / '.venv')):6.0f} MB of packages", flush=True)
    return stands


def _filled(text: str, given: dict[str, str]) -> str:
    for name, value in given.items():
        text = text.replace(name, value)
    return text


async def _asked(box: Container, command: list[str], env: dict[str, str]) -> bool:
    """Start the server by ``command`` in the container and ask it over stdio; whether the quote stands."""
    variables = [part for name, value in env.items() for part in ("-e", f"{name}={value}")]
    launch = StdioServerParameters(command="docker", args=["exec", "-i", *variables, box.name, *command])
    begun = time.monotonic()
    async with Client(launch) as client:
        count = len((await client.list_tools()).tools)
        print(f"  {time.monotonic() - begun:6.1f} s  {' '.join(command)[:70]}: {count} tools", flush=True)
        made = await client.call_tool("verify_quotes", {"paper": PAPER.name, "quotes": [QUOTE]})
    text = str(made.content)
    located = _LOCATOR.search(text)
    stands = not made.is_error and '"stands":true' in text and located is not None
    print(f"  {'cites ' + located[0] if stands and located else 'FAILED ' + text[:500]}", flush=True)
    return stands


def _with_uv(box: Container) -> dict[str, str]:
    """Install uv in the container; the PATH that has it."""
    tools = box.home / ".local/uv"
    box.do(["python3", "-m", "venv", str(tools)])
    box.do([f"{tools}/bin/pip", "install", "-q", "--no-cache-dir", "uv"], label="pip install uv")
    return {"PATH": f"{tools}/bin:/usr/local/bin:/usr/bin:/bin"}


def _unattended(file: Path) -> None:
    """``codex exec`` begins before the server has started, and asks nobody: it waits for it and approves its tools."""
    content = json.loads(file.read_text())
    content["mcpServers"]["pincite"] |= {"required": True, "default_tools_approval_mode": "approve"}
    file.write_text(json.dumps(content))


def _installing(client: str, bundles: Path) -> list[list[str]]:
    """What a client is told once to have the bundle; Claude Code is given its folder at each start."""
    if client == "codex":
        return [["codex", "plugin", "marketplace", "add", str(bundles)], ["codex", "plugin", "add", "pincite@pincite"]]
    if client == "gemini":  # --consent does not answer whether the folder is trusted
        return [["sh", "-c", f"echo y | gemini extensions install {bundles}/gemini --consent"]]
    if client == "qwen":
        return [["qwen", "extensions", "install", str(bundles / "gemini"), "--consent"]]
    return []


def main() -> int:
    """Print seconds and megabytes of every step; 1 where a client did not cite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", default=",".join(CLIENTS))
    parser.add_argument("--way", default="connect,bundle,desktop")
    arguments = parser.parse_args()
    clients = arguments.client.split(",")
    stands = True
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        place = Path(temporary)
        place.chmod(0o755)
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(place / "dist"), str(ROOT)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = (place / "dist").glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
        try:
            build_image(place / "image")
        except (RuntimeError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
        ways = {"connect": by_connect, "bundle": by_bundle, "desktop": by_desktop}
        for way in arguments.way.split(","):
            try:
                stands &= ways[way](place / way, wheel, clients)
            except RuntimeError as error:
                print(f"  FAILED {error}", file=sys.stderr)
                stands = False
    return 0 if stands else 1


if __name__ == "__main__":
    raise SystemExit(main())
