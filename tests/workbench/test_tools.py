"""What a model does with the workbench: programs, their files and pictures, and what stays from call to call."""

import asyncio
import base64
import io

import pytest
from mcp import Client
from PIL import Image

from pincite_core.settings import Settings
from pincite_sandbox.science import packages
from pincite_workbench.server import create_server

PLOT = """
import matplotlib.pyplot as plt, pandas as pd, scipy.stats
data = pd.read_csv("/files/data.csv")
fit = scipy.stats.linregress(data.x, data.y)
print(round(fit.slope, 6))
plt.figure(figsize=(30, 10)); plt.plot(data.x, data.y); plt.savefig("plot.png", dpi=100)
data.to_csv("out.csv")
"""


async def test_a_program_reads_the_tasks_files_and_shows_its_pictures(open_bench, files) -> None:
    (files / "sub").mkdir()
    (files / "sub/data.csv").write_text("x,y\n1,2.5\n2,5.0\n3,7.5\n")
    async with open_bench() as bench:
        assert "sub/data.csv (22 bytes)" in await bench.says("list_files")
        result = await bench("run_python", code=PLOT, files=["sub/data.csv"])
        text, picture = result.content
        assert "exit 0" in text.text and "2.5" in text.text
        assert "out.csv (" in text.text and "plot.png (" in text.text
        shown = Image.open(io.BytesIO(base64.b64decode(picture.data)))
        assert max(shown.size) == 1200
        again = await bench("run_python", code="print(open('out.csv').read()[:9]); print('fit' in globals())")
        assert [block.type for block in again.content] == ["text"], "an old picture is not shown again"
        assert "x,y" in again.content[0].text and "False" in again.content[0].text
        assert "new files" not in again.content[0].text
        assert (await bench("read_file", file="plot.png")).content[0].type == "image"
        assert await bench.says("read_file", file="/files/data.csv") == "x,y\n1,2.5\n2,5.0\n3,7.5\n"
        assert (await bench.says("read_file", file="/files/sub/data.csv", start=4, max_chars=100)).startswith("1,2.5")


async def test_a_failure_is_shown_as_python_shows_it(open_bench) -> None:
    async with open_bench() as bench:
        said = await bench.says("run_python", code="def half(n):\n    return n / 0\n\nhalf(3)\n")
        assert "exit 1" in said
        assert 'File "code.py", line 2, in half\n    return n / 0' in said
        assert said.count("File") == 2
        assert "SyntaxError" in await bench.says("run_python", code="x = (")
        assert "exit 3" in await bench.says("run_python", code="import sys; sys.exit(3)")
        long = await bench.says("run_python", code="print('a' * 50_000); print('the end')")
        assert "characters left out" in long and "the end" in long and len(long) < 11_000
        assert "No module named 'mcp'" in await bench.says("run_python", code="import mcp")


async def test_nothing_of_a_call_outlives_it_or_reaches_another_trial(open_bench) -> None:
    beat = """
import os, time
open("mine.txt", "w").write("of the first trial")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            open("beat.txt", "a").write("x")
            time.sleep(0.01)
    os._exit(0)
time.sleep(0.2)
"""
    look = """
import os
for top in ("/work", "/workspace", "/tmp", "/dev/shm", "/home", "/run"):
    for folder, _, names in os.walk(top):
        for name in names:
            if name in ("mine.txt", "beat.txt"):
                print("seen", folder, name)
print("looked")
"""
    async with open_bench() as first, open_bench() as second:
        await first("run_python", code=beat)
        size = "import os; print('size', os.path.getsize('beat.txt'))"
        before = await first.says("run_python", code=size)
        seen, after = await asyncio.gather(second.says("run_python", code=look), first.says("run_python", code=size))
        assert "looked" in seen and "seen" not in seen
        assert before.splitlines()[-1] == after.splitlines()[-1]
        assert "mine.txt" not in await second.says("list_files")
    async with open_bench() as third:
        assert "seen" not in await third.says("run_python", code=look)


async def test_without_a_sandbox_nothing_is_run(tmp_path, monkeypatch) -> None:
    marker = tmp_path / "ran"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    for kind in ("auto", "docker", "bubblewrap"):
        settings = Settings(roots=(tmp_path,), workbench_sandbox=kind, cache_dir=tmp_path / "cache")
        async with Client(create_server(settings)) as client:
            result = await client.call_tool("run_python", {"code": f"open({str(marker)!r}, 'w')"})
            assert result.is_error
            if kind != "docker":
                assert "apt-get install bubblewrap" in result.content[0].text
                assert "pincite sandbox build" in result.content[0].text
    assert not marker.exists()


def test_the_packages_are_those_that_constraints_pin(pytestconfig: pytest.Config) -> None:
    constraints = (pytestconfig.rootpath / "constraints.txt").read_text().splitlines()
    assert packages()
    assert set(packages()) <= set(constraints)
