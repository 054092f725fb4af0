"""Servers that are forked from a template: what each has of its own, and what happens when the template dies."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pincite_doors.template import ServerTemplate, can_fork
from pincite_doors.upstream import ServerLaunch, Upstream
from pincite_harness.trial.servers import SERVERS

pytestmark = pytest.mark.skipif(not can_fork(), reason="servers are forked on Linux alone")
PROGRAM = (sys.executable, "-P", "-m", "pincite_harness.cli.serve_template")
SECONDS = 120
TOOL = "compare_formulas"


def of_template() -> dict[int, list[int]]:
    """Each living template of this process with the servers that it became."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if b"serve_template" in words and fields[0] != "Z":
            parents[int(folder.name)] = int(fields[1])
    templates = [pid for pid, parent in parents.items() if parent == os.getpid()]
    return {one: [pid for pid, parent in parents.items() if parent == one] for one in templates}


@asynccontextmanager
async def started(template: ServerTemplate, log: Path, **env: str) -> AsyncGenerator[Upstream]:
    launch = ServerLaunch("materials", SERVERS["materials"], env, template=template, forked=("serve", "materials"))
    server = Upstream(launch, log)
    await server.start(SECONDS)
    try:
        yield server
    finally:
        await server.stop()


def test_a_forked_server_has_what_is_its_own_and_the_template_has_none_of_it(tmp_path: Path) -> None:
    async def check() -> None:
        template = ServerTemplate(PROGRAM, ["materials"], {})
        try:
            async with (
                started(template, tmp_path / "one.log", PINCITE_TOOLS=TOOL, SECRET="for-one") as one,
                started(template, tmp_path / "two.log") as two,
            ):
                assert list(one.tools) == [TOOL]
                assert len(two.tools) > 1, "variables of one are not those of the other"
                ((parent, forked),) = of_template().items()
                assert len(forked) == 2
                for pid in forked:
                    assert os.getsid(pid) == pid
                    assert str(Path(f"/proc/{pid}/fd/2").readlink()).endswith(".log")
                assert b"for-one" not in Path(f"/proc/{parent}/environ").read_bytes()
                assert len(list(Path(f"/proc/{parent}/fd").iterdir())) == 4, "its three streams and the socket"
            assert of_template() == {parent: []}, "they are gone when they are stopped"
            async with started(template, tmp_path / "three.log"):
                os.kill(of_template()[parent][0], signal.SIGSTOP)
            assert of_template() == {parent: []}, "one that does not end is ended"
        finally:
            template.close()
        assert not of_template()

    asyncio.run(check())


def test_servers_outlive_their_template_and_further_ones_start_afresh(tmp_path: Path) -> None:
    async def check() -> None:
        template = ServerTemplate(PROGRAM, ["materials"], {})
        broken = ServerTemplate((sys.executable, "-c", "raise SystemExit"), [], {})
        try:
            async with started(template, tmp_path / "one.log") as one:
                ((parent, _),) = of_template().items()
                os.kill(parent, signal.SIGKILL)
                async with started(template, tmp_path / "two.log") as two:
                    assert set(one.tools) == set(two.tools)
                    assert one.version == two.version
                    assert (await one.session.list_tools()).tools
            async with started(broken, tmp_path / "three.log") as three:
                assert three.tools
        finally:
            template.close()
            broken.close()

    asyncio.run(check())
