"""One-to-one pairing of answers and gold records by the best total."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Pair = tuple[int, int]
Costs = npt.NDArray[np.float64]


def assign(weights: Mapping[Pair, float]) -> list[Pair]:
    """The pairs (answer, gold) of greatest total weight, each side used once; weights must be positive.

    Solved apart for each connected group by the Hungarian method (Kuhn 1955, in the shortest-path form of Jonker and
    Volgenant), O(n^3) for a group of n. Equal totals are settled by the smaller indices.
    """
    pairs: list[Pair] = []
    for group in _groups(weights):
        rows = sorted({answer for answer, _ in group})
        columns = sorted({gold for _, gold in group})
        flip = len(rows) > len(columns)
        if flip:
            rows, columns = columns, rows
        costs = np.array([[-weights.get((c, r) if flip else (r, c), 0.0) for c in columns] for r in rows])
        for row, column in enumerate(_hungarian(costs)):
            pair = (columns[column], rows[row]) if flip else (rows[row], columns[column])
            if pair in weights:
                pairs.append(pair)
    return sorted(pairs)


def _groups(weights: Mapping[Pair, float]) -> list[list[Pair]]:
    """The pairs by connected group of answers and gold records, in order."""
    root: dict[tuple[str, int], tuple[str, int]] = {}

    def find(node: tuple[str, int]) -> tuple[str, int]:
        root.setdefault(node, node)
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for answer, gold in weights:
        root[find(("answer", answer))] = find(("gold", gold))
    groups: dict[tuple[str, int], list[Pair]] = {}
    for pair in sorted(weights):
        groups.setdefault(find(("answer", pair[0])), []).append(pair)
    return list(groups.values())


def _hungarian(costs: Costs) -> list[int]:
    """The column of each row in the cheapest full assignment; there are no more rows than columns.

    Column 0 is a stand-in from which each row's search starts; ``row_of`` holds rows from 1, 0 for a free column.
    """
    n, m = costs.shape
    row_potential, column_potential = np.zeros(n + 1), np.zeros(m + 1)
    row_of = np.zeros(m + 1, dtype=np.intp)
    for row in range(1, n + 1):
        row_of[0] = row
        column, way = 0, np.zeros(m + 1, dtype=np.intp)
        shortest, used = np.full(m + 1, np.inf), np.zeros(m + 1, dtype=np.bool_)
        while row_of[column]:
            used[column] = True
            current = row_of[column]
            reduced = costs[current - 1] - row_potential[current] - column_potential[1:]
            nearer = ~used[1:] & (reduced < shortest[1:])
            shortest[1:][nearer] = reduced[nearer]
            way[1:][nearer] = column
            closest = int(np.argmin(np.where(used, np.inf, shortest)))
            delta = shortest[closest]
            row_potential[row_of[used]] += delta
            column_potential[used] -= delta
            shortest[~used] -= delta
            column = closest
        while column:
            row_of[column] = row_of[way[column]]
            column = int(way[column])
    found = [0] * n
    for j in range(1, m + 1):
        if row_of[j]:
            found[int(row_of[j]) - 1] = j - 1
    return found
