import subprocess
import sys
import time

import pytest

from pincite_core.http.owner import is_gone, this_process

TELL = "from pincite_core.http.owner import this_process; print(this_process(), flush=True); input()"


def test_a_process_is_there_until_it_ends() -> None:
    process = subprocess.Popen([sys.executable, "-c", TELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    owner = process.stdout.readline().strip()
    assert not is_gone(owner)
    process.kill()
    process.communicate()
    assert is_gone(owner)


def test_a_process_that_ended_but_was_not_waited_for_is_gone() -> None:
    process = subprocess.Popen([sys.executable, "-c", TELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    owner = process.stdout.readline().strip()
    process.kill()
    process.stdout.read()
    while not is_gone(owner):
        time.sleep(0.01)
    process.communicate()


def test_another_process_of_the_same_number_is_another() -> None:
    number, _, rest = this_process().partition("-")
    assert not is_gone(this_process())
    assert is_gone(f"{number}-1@{rest.partition('@')[2]}")


@pytest.mark.parametrize("owner", ["", "-@", "x-1@", "999999-5@pid:[1]", "0-1@", "-1-1@", "\u0663-1@"])
def test_what_cannot_be_seen_from_here_is_not_called_gone(owner: str) -> None:
    assert not is_gone(owner)
