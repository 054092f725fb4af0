"""What only the Docker sandbox promises, seen from the daemon's side."""

import asyncio
import json
from pathlib import Path

import pytest
from docker.errors import APIError

from pincite_core.errors import ForbiddenError, LimitReachedError, NotFoundError, UnavailableError
from pincite_sandbox.base import Limits, SandboxSpec
from pincite_sandbox.choose import docker_refused, open_sandbox
from pincite_sandbox.container import LABEL_OWNER, LABEL_WHERE
from pincite_sandbox.daemon import connect, docker_error, socket_path
from pincite_sandbox.figures import Figures
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.owner import owner_label, where
from pincite_sandbox.reaper import reap
from pincite_sandbox.seccomp import profile

pytestmark = [pytest.mark.anyio, pytest.mark.docker, pytest.mark.usefixtures("docker_ready")]

DEAD = "999999999:1"


@pytest.fixture
def client():
    client = connect()
    yield client
    client.close()


async def test_the_container_is_shut_in(opener, client) -> None:
    sandbox = await opener("docker", limits=Limits(memory_mb=300, scratch_mb=40, pids=77, cpus=0.5))
    found = client.api.inspect_container(sandbox.container)
    host = found["HostConfig"]
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"]
    assert host["AutoRemove"]
    assert not host["Privileged"]
    assert host["Memory"] == host["MemorySwap"] == 300 << 20
    assert host["PidsLimit"] == 77
    assert host["NanoCpus"] == 500_000_000
    assert "no-new-privileges:true" in host["SecurityOpt"]
    assert all(not mount["RW"] for mount in found["Mounts"])
    assert found["Config"]["Labels"][LABEL_OWNER] == owner_label()
    assert sandbox.warnings == ()


async def test_values_of_the_trial_are_not_in_the_containers_description(opener, client) -> None:
    sandbox = await opener("docker", env={"TOKEN": "worth-nothing-elsewhere"})
    assert (await sandbox.exec(["sh", "-c", "echo $TOKEN"])).stdout == b"worth-nothing-elsewhere\n"
    assert "worth-nothing-elsewhere" not in json.dumps(client.api.inspect_container(sandbox.container))


async def test_the_supervisor_runs_as_another_user_than_the_agent(opener) -> None:
    sandbox = await opener("docker")
    result = await sandbox.exec(["sh", "-c", "grep Uid: /proc/1/status | cut -f2; id -u"])
    supervisor, agent = result.stdout.split()
    assert supervisor != agent


async def test_a_missing_image_is_named_with_the_line_that_builds_it(opener) -> None:
    with pytest.raises(NotFoundError, match="pincite sandbox build"):
        await opener("docker", image="pincite-no-such-image:0")
    assert "pincite-no-such-image:0" in await docker_refused("pincite-no-such-image:0")


async def test_auto_says_why_it_passed_docker_over(opener) -> None:
    sandbox = await opener("auto", image="pincite-no-such-image:0", unsafe=True)
    assert sandbox.backend != "docker"
    assert any("docker was passed over" in warning for warning in sandbox.warnings)


async def test_an_image_without_python_is_an_error_in_its_own_words(opener, client) -> None:
    name = "pincite-test-empty:0"
    client.api.import_image_from_data(EMPTY_ARCHIVE, repository="pincite-test-empty", tag="0")
    try:
        with pytest.raises(UnavailableError, match="python3"):
            await opener("docker", image=name)
    finally:
        client.api.remove_image(name, force=True)


EMPTY_ARCHIVE = b"\0" * 10240


async def test_no_daemon_is_an_outage(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(UnavailableError, match="start-docker"):
        socket_path()
    with pytest.raises(UnavailableError):
        await open_sandbox("docker", SandboxSpec("test", owner_label()))
    assert "No Docker daemon" in await docker_refused()
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(UnavailableError, match="on this machine"):
        socket_path()


async def test_a_daemon_that_breaks_off_is_an_outage_and_no_result(opener, client, marker, running, until) -> None:
    sandbox = await opener("docker")
    task = asyncio.create_task(sandbox.exec(["sh", "-c", "echo half; sleep 1000", marker]))
    await until(lambda: bool(running(marker)))
    client.api.kill(sandbox.container)
    with pytest.raises(UnavailableError):
        await asyncio.wait_for(task, 60)
    assert not (await sandbox.health()).ok


async def test_containers_of_the_dead_are_removed_and_those_of_the_living_kept(opener, client) -> None:
    mine = await opener("docker")
    left = client.api.create_container(DEFAULT_IMAGE, ["true"], labels={LABEL_OWNER: DEAD})["Id"]
    foreign = client.api.create_container(DEFAULT_IMAGE, ["true"])["Id"]
    boot, _, _ = where().partition("/")
    elsewhere = {LABEL_OWNER: DEAD, LABEL_WHERE: f"{boot}/pid:[1]"}
    unseen = client.api.create_container(DEFAULT_IMAGE, ["true"], labels=elsewhere)["Id"]
    try:
        await reap()
        there = {container["Id"] for container in client.api.containers(all=True)}
        assert {mine.container, foreign, unseen} <= there
        assert left not in there
    finally:
        client.api.remove_container(foreign, force=True)
        client.api.remove_container(unseen, force=True)


def test_limits_that_are_not_in_force_are_said() -> None:
    asked = Limits(memory_mb=100, pids=10, cpus=1.5, scratch_mb=8)
    kept = {"memory": 100 << 20, "pids": 10, "cpus": 1.0, "scratch": 8 << 20}
    assert Figures.of(kept).unkept(asked, "docker") == ()
    assert len(Figures.of({}).unkept(asked, "docker")) == 4
    for name, allowed in kept.items():
        (warning,) = Figures.of({**kept, name: allowed * 2}).unkept(asked, "docker")
        assert "not in force" in warning


def test_a_full_disk_is_a_limit(client) -> None:
    raised = APIError("500 Server Error", explanation="write /var/lib: no space left on device")
    error = docker_error(raised, "create the sandbox")
    assert isinstance(error, LimitReachedError)
    assert "disk is full" in error.what


def test_the_profile_refuses_by_default_and_allows_no_call_twice() -> None:
    whole = json.loads(profile())
    assert whole["defaultAction"] == "SCMP_ACT_ERRNO"
    plain = whole["syscalls"][0]["names"]
    assert len(plain) == len(set(plain))
    dangerous = {"io_uring_setup", "bpf", "mount", "unshare", "setns", "ptrace", "keyctl", "clone3", "socket", "clone"}
    assert not dangerous & set(plain)


async def test_an_image_with_gold_in_it_is_refused(opener, client, tmp_path) -> None:
    name = "pincite-test-gold:0"
    recipe = f"FROM {DEFAULT_IMAGE}\nCOPY gold.json /opt/tasks/gold.json\n"
    (tmp_path / "Dockerfile").write_text(recipe)
    (tmp_path / "gold.json").write_text("{}")
    client.images.build(path=str(tmp_path), tag=name, rm=True)
    try:
        with pytest.raises(ForbiddenError, match=r"/opt/tasks/gold\.json in the image"):
            await opener("docker", image=name)
    finally:
        client.api.remove_image(name, force=True)


async def test_an_image_with_a_key_or_a_volume_is_refused(opener, client) -> None:
    name = "pincite-test-key:0"
    changes = ["ENV OPENAI_API_KEY=sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa", "VOLUME /data"]
    client.api.import_image_from_data(EMPTY_ARCHIVE, repository="pincite-test-key", tag="0", changes=changes)
    try:
        with pytest.raises(ForbiddenError) as caught:
            await opener("docker", image=name)
        assert "the variable OPENAI_API_KEY holds an OpenAI key" in caught.value.seen
        assert "/data" in caught.value.seen
        assert "sk-proj" not in str(caught.value)
    finally:
        client.api.remove_image(name, force=True)


async def test_a_runtime_that_the_daemon_lacks_is_named_with_those_it_has(opener) -> None:
    with pytest.raises(NotFoundError, match="host-uds=open") as caught:
        await opener("docker", runtime="runsc-that-is-not-there")
    assert "runc" in caught.value.seen


async def test_another_runtime_of_the_daemon_is_used(opener, client) -> None:
    sandbox = await opener("docker", runtime="runc")
    assert client.api.inspect_container(sandbox.container)["HostConfig"]["Runtime"] == "runc"


async def test_the_daemons_own_socket_is_no_door(opener) -> None:
    with pytest.raises(ForbiddenError, match="root here"):
        await opener("docker", doors={"tools": Path(socket_path())})


async def test_files_without_content_do_not_take_the_memory(opener) -> None:
    """Where the kernel's own memory ran out, the supervisor was what it killed last."""
    sandbox = await opener("docker")
    program = (
        "import os\n"
        "try:\n"
        "    for number in range(3_000_000): os.mknod(f'/dev/shm/{number}')\n"
        "except OSError as error: print(error.strerror)\n"
    )
    result = await sandbox.exec(["python3", "-c", program], timeout=60)
    assert result.stdout == b"No space left on device\n"
    assert result.out_of_space
    assert (await sandbox.health()).ok
