import io

from rich.console import Console

from pincite_library.ingest.outcome import Outcome, State, Watcher, say_counts
from pincite_library.ingest.progress import watching

NAME = "/papers/[draft] one.pdf"
ADDED = Outcome(NAME, State.ADDED, pages=12, chunks=40)
FAILED = Outcome("/papers/two.pdf", State.FAILED, why="It is [red]broken.", next="Get another copy.")
OTHERS = [Outcome("/papers/three.pdf", State.UNCHANGED), Outcome("/papers/notes", State.SKIPPED, foreign=True)]
GONE = Outcome("/papers/four.pdf", State.GONE)


def _tell(watcher: Watcher) -> None:
    watcher.waiting("process 7, adding papers since noon")
    watcher.found(4)
    for outcome in (ADDED, FAILED, *OTHERS):
        watcher.started(outcome.name)
        watcher.ended(outcome)
    watcher.ended(GONE)
    watcher.embedding(3, 10)


def test_elsewhere_than_on_a_terminal_each_change_is_one_plain_line() -> None:
    file = io.StringIO()
    with watching(Console(file=file, width=40)) as watcher:
        _tell(watcher)
    assert file.getvalue().splitlines() == [
        "waiting for process 7, adding papers since noon",
        f"[1/4] added: {NAME} (12 pages, 40 chunks)",
        "[2/4] failed: /papers/two.pdf: It is [red]broken. Get another copy.",
        "[4/4] gone: /papers/four.pdf",
    ]


def test_on_a_terminal_a_bar_moves_and_failures_stay() -> None:
    file = io.StringIO()
    console = Console(file=file, width=120, force_terminal=True, color_system=None)
    with watching(console) as watcher:
        _tell(watcher)
        watcher.started("/papers/five.pdf")
        with console.capture() as shown:
            console.print(watcher)
    assert "It is [red]broken. Get another copy." in file.getvalue()
    assert "3/10" in shown.get()
    assert "five.pdf" in shown.get()


def test_counts_are_said_in_words() -> None:
    assert say_counts([ADDED, ADDED, FAILED, *OTHERS]) == "2 added, 1 unchanged, 1 failed, 1 not papers"
    assert say_counts([]) == "nothing found"
