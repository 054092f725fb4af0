"""Which sandbox is taken, and that a plain process is taken only where it is asked for."""

import gc
import socket
import warnings

import pytest

from pincite_core.errors import UnavailableError
from pincite_sandbox.choose import choose_kind
from pincite_sandbox.daemon import connect

pytestmark = pytest.mark.anyio


@pytest.fixture
def nothing_there(monkeypatch, tmp_path) -> None:
    """A machine without Docker and bubblewrap."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize("kind", ["auto", "local"])
async def test_without_a_sandbox_that_isolates_nothing_is_opened(nothing_there, opener, kind) -> None:
    with pytest.raises(UnavailableError) as caught:
        await opener(kind)
    assert "bwrap is not installed" in caught.value.seen
    for remedy in ("apt-get install bubblewrap", "pincite sandbox build", "--unsafe"):
        assert remedy in caught.value.next


@pytest.mark.parametrize("kind", ["auto", "local"])
async def test_an_unsafe_run_falls_back_to_a_plain_process_and_says_so(nothing_there, opener, kind) -> None:
    sandbox = await opener(kind, unsafe=True)
    assert sandbox.backend == "process"
    assert any("bubblewrap was passed over" in warning for warning in sandbox.warnings)
    assert any("within the agent's reach" in warning for warning in sandbox.warnings)


async def test_a_plain_process_is_opened_by_its_name(nothing_there) -> None:
    assert await choose_kind("process") == ("process", ())


async def test_unsafe_does_not_pass_over_what_isolates(bubblewrap_ready) -> None:
    kind, _ = await choose_kind("local", unsafe=True)
    assert kind == "bubblewrap"


def test_a_socket_without_its_daemon_is_an_outage_and_leaves_nothing_open(monkeypatch, tmp_path) -> None:
    with socket.socket(socket.AF_UNIX) as ended:
        ended.bind(f"{tmp_path}/ended.sock")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/ended.sock")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(UnavailableError, match="does not answer"):
            connect()
        gc.collect()
    assert not [one.message for one in caught if one.category is ResourceWarning]
