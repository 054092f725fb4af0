"""One-to-one assignment against trying everything."""

import random

import pytest

from pincite_scoring.property_extraction.assignment import assign


def best_total(n: int, m: int, weights: dict[tuple[int, int], float]) -> float:
    def rest(row: int, used: frozenset[int]) -> float:
        if row == n:
            return 0.0
        taken = [weights[row, j] + rest(row + 1, used | {j}) for j in range(m) if (row, j) in weights and j not in used]
        return max([rest(row + 1, used), *taken])

    return rest(0, frozenset())


@pytest.mark.parametrize("seed", range(60))
def test_the_best_total(seed: int) -> None:
    dice = random.Random(seed)
    n, m = dice.randint(1, 6), dice.randint(1, 6)
    weights = {(i, j): float(dice.randint(1, 9)) for i in range(n) for j in range(m) if dice.random() < 0.6}
    pairs = assign(weights)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert set(pairs) <= set(weights)
    assert sum(weights[pair] for pair in pairs) == pytest.approx(best_total(n, m, weights))
    shuffled = list(weights.items())
    dice.shuffle(shuffled)
    assert assign(dict(shuffled)) == pairs, "the order of the input does not matter"


def test_the_greedy_choice_is_not_the_best() -> None:
    assert assign({(0, 0): 3.0, (0, 1): 2.0, (1, 0): 2.0}) == [(0, 1), (1, 0)]


def test_nothing_to_assign() -> None:
    assert assign({}) == []
