"""The values used last: which one goes, and who is told."""

from pincite_core.recent import Recent


def test_the_one_used_longest_ago_goes() -> None:
    dropped: list[str] = []
    recent: Recent[int, str] = Recent(2, drop=dropped.append)
    recent.put(1, "one")
    recent.put(2, "two")
    assert recent.get(1) == "one"
    recent.put(3, "three")
    assert dropped == ["two"]
    assert recent.get(2) is None
    assert list(recent) == [1, 3]
    recent.put(1, "again")
    assert list(recent) == [3, 1]
    recent.remove(3)
    assert dropped == ["two"]
    recent.clear()
    assert dropped == ["two", "again"]
    assert list(recent) == []
