"""What a page agent stands for after several turns."""

from typing import Any


def test_a_claim_counts_that_most_turns_made_unless_the_change_has_a_reason(program: Any) -> None:
    pools, turns = program("sudokufill.pool"), program("sudokufill.turns")

    def entries(*claims: tuple[str, str]) -> list[Any]:
        return [pools.PoolEntry(of, of, value, value, turns.Support(0.9, "p01")) for of, value in claims]

    def held(pool: Any) -> list[tuple[str, str]]:
        return [(each.object, each.value) for each in pool.candidates.values() if "p01" in each.support]

    for steady, several, reason, expected in (
        (True, False, False, [("o1", "a")]),
        (False, False, False, [("o1", "b"), ("o2", "c")]),
        (True, False, True, [("o1", "b"), ("o2", "c")]),
        (True, True, False, [("o1", "a")]),
    ):
        pool = pools.Pool(steady=steady, several=several)
        pool.take("p01", entries(("o1", "a")), 0)
        pool.take("p01", entries(("o1", "a")), 1)
        pool.take("p01", entries(("o1", "b"), ("o2", "c")), 1, revised=reason)
        assert held(pool) == expected, (steady, several, reason)
    pool.take("p01", entries(("o1", "b")), 2)
    assert held(pool) == [("o1", "b")], "two turns of four each: the latest of what it claimed equally often"


def test_candidates_that_are_made_one_are_one_in_earlier_turns_too(program: Any) -> None:
    pools, turns = program("sudokufill.pool"), program("sudokufill.turns")
    pool = pools.Pool(steady=True)
    for value in ("10 nm", "10.0 nm", "12 nm"):
        pool.take("p01", [pools.PoolEntry("o1", "o1", value, value, turns.Support(0.8, "p01"))], 1)
    assert list(pool.ranked("o1", 0.5)[0].support) == ["p01"]
    pool.merge(["c1", "c2"])
    pool.take("p01", [], 2)
    assert [each.id for each in pool.candidates.values() if each.support] == ["c1"], "claimed twice of four times"
