from pincite_core.http.circuit import FAILURES, Circuit


class Now:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def _fail(circuit: Circuit, times: int) -> None:
    for _ in range(times):
        circuit.begin()
        circuit.fail()


def test_a_source_is_left_alone_after_five_failures_in_a_row() -> None:
    circuit = Circuit(Now())
    _fail(circuit, FAILURES - 1)
    assert circuit.remaining() == 0.0
    _fail(circuit, 1)
    assert (circuit.remaining(), circuit.failures) == (15.0, 5)


def test_an_answer_between_failures_starts_the_count_anew() -> None:
    circuit = Circuit(Now())
    _fail(circuit, FAILURES - 1)
    circuit.succeed()
    _fail(circuit, FAILURES - 1)
    assert circuit.remaining() == 0.0


def test_one_probe_is_let_through_and_closes_it_when_it_succeeds() -> None:
    now = Now()
    circuit = Circuit(now)
    _fail(circuit, FAILURES)
    now.seconds += 15.0
    assert circuit.remaining() == 0.0
    circuit.begin()
    assert circuit.remaining() == 1.0
    circuit.succeed()
    assert (circuit.remaining(), circuit.failures) == (0.0, 0)


def test_each_failed_probe_doubles_the_pause_up_to_five_minutes() -> None:
    now = Now()
    circuit = Circuit(now)
    _fail(circuit, FAILURES)
    pauses: list[float] = []
    for _ in range(7):
        pauses.append(circuit.remaining())
        now.seconds += circuit.remaining()
        _fail(circuit, 1)
    assert pauses == [15.0, 30.0, 60.0, 120.0, 240.0, 300.0, 300.0]


def test_lookups_that_were_under_way_do_not_lengthen_the_pause() -> None:
    circuit = Circuit(Now())
    for _ in range(FAILURES + 3):
        circuit.begin()
    for _ in range(FAILURES + 3):
        circuit.fail()
    assert circuit.remaining() == 15.0


def test_a_probe_that_is_cancelled_leaves_room_for_the_next() -> None:
    now = Now()
    circuit = Circuit(now)
    _fail(circuit, FAILURES)
    now.seconds += 15.0
    circuit.begin()
    circuit.leave()
    assert circuit.remaining() == 0.0
