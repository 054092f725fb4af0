"""Standard errors, intervals, comparisons and pass@k: worked by hand, and as scipy has them."""

import math
import random
from itertools import combinations

import pytest

from pincite_scoring.statistics import (
    Mean,
    agreement,
    bootstrap_interval,
    compare_runs,
    mean_pass,
    pass_at_k,
    rounds_of,
    stability_of,
)
from pincite_scoring.statistics.paired import flip_signs
from pincite_scoring.statistics.student import quantile, two_sided


def test_mean_and_standard_error_by_hand() -> None:
    """1, 0.5 and 0: mean 0.5, s = 0.5, standard error 0.5/√3."""
    assert Mean.of([1.0, 0.5, 0.0]) == Mean(3, 0.5, pytest.approx(0.5 / math.sqrt(3)))
    assert Mean.of([0.4]) == Mean(1, 0.4, None)
    assert Mean.of([]) == Mean(0, None, None)


def test_a_clustered_error_by_hand() -> None:
    """1, 1, 0, 0 in clusters a a b b: mean 1/2, sums of deviations 1 and -1, so √(2/1 · 2)/4 = 1/2; alone √(1/3)/2."""
    mean = Mean.of([1, 1, 0, 0], ["a", "a", "b", "b"])
    assert mean == Mean(4, 0.5, 0.5, 2)
    assert Mean.of([1, 1, 0, 0]).standard_error == pytest.approx(math.sqrt(1 / 3) / 2)


def test_clusters_that_cancel_say_that_the_mean_is_sure() -> None:
    """1, 0 in each of two clusters: both sums are 0."""
    assert Mean.of([1, 0, 1, 0], ["a", "a", "b", "b"]).standard_error == 0


def test_clusters_of_one_are_no_clusters() -> None:
    values = [0.1, 0.4, 0.35, 0.8]
    assert Mean.of(values, list("abcd")) == Mean.of(values)


def test_one_cluster_says_nothing_of_its_error() -> None:
    mean = Mean.of([0.2, 0.6], ["a", "a"])
    assert mean == Mean(2, pytest.approx(0.4), None, 1)
    assert mean.interval is None


def test_values_that_are_all_the_same_say_nothing_of_others() -> None:
    """Three of three right is no proof that all are: neither interval is one from 1 to 1."""
    mean = Mean.of([1.0, 1.0, 1.0])
    assert (mean.standard_error, mean.interval) == (0.0, None)
    assert bootstrap_interval([0.3, 0.3, 0.3]) is None


def test_the_interval_has_one_degree_of_freedom_less_than_values_or_clusters() -> None:
    """t(0.975) is 12.7062 with one degree of freedom and 4.3027 with two."""
    low, high = Mean.of([0.0, 1.0]).interval or (0, 0)
    assert (low, high) == (pytest.approx(0.5 - 12.7062 * 0.5, abs=1e-4), pytest.approx(0.5 + 12.7062 * 0.5, abs=1e-4))
    clustered = Mean.of([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    assert clustered.standard_error is not None
    low, high = clustered.interval or (0, 0)
    assert high - low == pytest.approx(2 * 4.302653 * clustered.standard_error, rel=1e-6)


@pytest.mark.parametrize(
    ("t", "df", "p"), [(1.0, 1, 0.5), (0.0, 7, 1.0), (12.7062, 1, 0.05), (2.228139, 10, 0.05), (1.959964, 1e7, 0.05)]
)
def test_tails_of_students_t(t: float, df: float, p: float) -> None:
    """P(|T| >= 1) is 1/2 at one degree of freedom (the Cauchy distribution); the others are of printed tables."""
    assert two_sided(t, df) == pytest.approx(p, abs=2e-6)
    assert two_sided(-t, df) == two_sided(t, df)


@pytest.mark.parametrize(
    ("df", "t_95", "p_001", "p_23", "p_60"),
    [
        (1, 12.706204736174694, 0.993634014470186, 0.26109517417724554, 0.010609347265246543),
        (2, 4.302652729749462, 0.992929108958201, 0.14814814814814817, 0.00027766209059467876),
        (3, 3.1824463052837078, 0.992649111412852, 0.10498836064446998, 1.0199593673319755e-05),
        (9, 2.262157162798205, 0.9922394455363253, 0.04699938892186315, 5.001190471672901e-13),
        (57, 2.002465459291007, 0.9920562056304693, 0.02513039166963514, 3.301905995597917e-53),
        (400, 1.9659123432294627, 0.9920262728351453, 0.02196232306482566, 4.201432808808442e-202),
    ],
)
def test_tails_and_quantiles_are_those_of_scipy(df: int, t_95: float, p_001: float, p_23: float, p_60: float) -> None:
    """``scipy.stats.t`` of 1.17.1: ppf(0.975), and twice sf of 0.01, 2.3 and 60."""
    assert quantile(0.95, df) == pytest.approx(t_95, rel=1e-10)
    assert [two_sided(t, df) for t in (0.01, 2.3, 60.0)] == pytest.approx([p_001, p_23, p_60], rel=1e-9)


def test_the_bootstrap_of_two_values_by_hand() -> None:
    """Of 0 and 1 the resampled means are 0, 1/2, 1 with 1/4, 1/2, 1/4: both ends of 95 % are the extremes."""
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)
    assert bootstrap_interval([0.3]) is None
    assert bootstrap_interval([0.3, 0.4], ["a", "a"]) is None


def test_the_bootstrap_is_the_same_for_the_same_seed_and_draws_whole_clusters() -> None:
    made = random.Random(1)
    values = [made.random() for _ in range(40)]
    assert bootstrap_interval(values) == bootstrap_interval(values)
    assert bootstrap_interval(values) != bootstrap_interval(values, seed=1)
    paired = [value for value in (0.0, 1.0, 0.0, 1.0) for _ in range(10)]
    alone = bootstrap_interval(paired)
    whole = bootstrap_interval(paired, [k // 10 for k in range(40)])
    assert alone is not None and whole is not None
    assert whole[1] - whole[0] > 2 * (alone[1] - alone[0])


def test_the_bootstrap_is_near_that_of_scipy() -> None:
    """``scipy.stats.bootstrap`` of 1.17.1, percentile, 200,000 resamples."""
    values = [random.Random(k).gauss(0.6, 0.2) for k in range(50)]
    assert bootstrap_interval(values) == pytest.approx((0.5117, 0.6238), abs=0.003)


def test_a_paired_comparison_by_hand() -> None:
    """Differences 0.1, 0.2, 0.3: mean 0.2, s = 0.1, s/√3 = 0.0577, t = 3.4641; all signs agree: p = 2/8.

    With two degrees of freedom P(|T| >= t) = 1 - t/√(2 + t²) = 1 - 3.4641/√14 = 0.0742.
    """
    first = {"a": 0.1, "b": 0.2, "c": 0.3, "only first": 0.9}
    second = {"a": 0.2, "b": 0.4, "c": 0.6, "only second": 0.0, "too": 1.0}
    found = compare_runs(first, second)
    assert found is not None
    assert (found.difference.n, found.only_first, found.only_second) == (3, 1, 2)
    assert (found.first, found.second) == (pytest.approx(0.2), pytest.approx(0.4))
    assert found.difference.mean == pytest.approx(0.2)
    assert found.difference.standard_error == pytest.approx(0.1 / math.sqrt(3))
    assert found.t == pytest.approx(2 * math.sqrt(3))
    assert found.p_t == pytest.approx(1 - math.sqrt(12 / 14))
    assert found.p_permutation == 0.25
    assert found.bootstrap is not None
    assert 0.1 <= found.bootstrap[0] < 0.2 < found.bootstrap[1] <= 0.3 + 1e-9


def test_a_comparison_of_clusters_counts_them_and_not_their_tasks() -> None:
    """Each task twice with the same difference: the error stays that of the two clusters."""
    first, second = dict.fromkeys("abcd", 0.0), {"a": 0.1, "b": 0.1, "c": 0.3, "d": 0.3}
    found = compare_runs(first, second, {"a": "x", "b": "x", "c": "y", "d": "y"})
    assert found is not None
    assert (found.difference.n, found.difference.clusters) == (4, 2)
    assert found.difference.standard_error == pytest.approx(0.1)
    assert found.p_permutation == 0.5, "two signs: both up or both down of four"


def test_runs_that_are_the_same_differ_by_nothing() -> None:
    found = compare_runs({"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5})
    assert found is not None
    assert (found.difference.mean, found.t, found.p_t, found.p_permutation) == (0.0, None, None, 1.0)
    assert compare_runs({"a": 1.0}, {"b": 1.0}) is None
    single = compare_runs({"a": 0.0}, {"a": 1.0})
    assert single is not None
    assert (single.difference.interval, single.bootstrap, single.p_permutation) == (None, None, 1.0)


def test_a_comparison_is_that_of_scipy() -> None:
    """``ttest_rel`` and ``permutation_test`` (of samples: of nine differences exact, else 999,999 choices) of scipy
    1.17.1."""
    made = random.Random(7)
    first = {f"t{k:02}": made.random() for k in range(30)}
    second = {task: value + made.gauss(0.08, 0.2) for task, value in first.items()}
    found = compare_runs(first, second)
    assert found is not None
    assert (found.t, found.p_t) == (pytest.approx(1.8567046564794343), pytest.approx(0.07353823210173378))
    assert found.difference.interval == pytest.approx((-0.006005346234941096, 0.12429369172452531))
    differences = [second[task] - first[task] for task in first]
    assert flip_signs(differences[:9]) == pytest.approx(0.64453125)
    assert flip_signs(differences) == pytest.approx(0.0742, abs=0.02)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (5, 0, 1, 0.0),
        (5, 2, 1, 2 / 5),
        (5, 2, 2, 1 - 3 / 10),
        (5, 2, 3, 1 - 1 / 10),
        (5, 2, 4, 1.0),
        (10, 3, 5, 1 - 21 / 252),
        (3, 3, 3, 1.0),
        (3, 1, 4, None),
    ],
)
def test_pass_at_k_by_hand(n: int, c: int, k: int, expected: float | None) -> None:
    """5 attempts, 2 right: of the 10 pairs 3 hold none of the right ones."""
    assert pass_at_k(n, c, k) == (None if expected is None else pytest.approx(expected))


def test_pass_at_k_is_the_share_of_all_choices() -> None:
    results = [True, False, False, True, False, False, False]
    for k in range(1, 8):
        chosen = list(combinations(results, k))
        assert pass_at_k(7, 2, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))


def test_the_mean_of_pass_at_k_leaves_out_tasks_with_fewer_attempts() -> None:
    mean = mean_pass({"a": [True, False], "b": [False, False], "c": [True]}, 2)
    assert (mean.n, mean.mean) == (2, 0.5)
    assert mean_pass({"c": [True]}, 2) == Mean(0, None, None)


def test_pass_at_k_of_tasks_that_share_a_paper_is_clustered() -> None:
    """1, 1, 0, 0 in clusters x x y y: the error is 1/2, as of any mean."""
    results = {"a": [True], "b": [True], "c": [False], "d": [False]}
    assert mean_pass(results, 1, {"a": "x", "b": "x", "c": "y", "d": "y"}) == Mean(4, 0.5, 0.5, 2)


def test_rounds_have_a_population_deviation() -> None:
    """Rounds 0.5, 1.0 and 0.0: mean 1/2, √((0 + 1/4 + 1/4)/3) = √(1/6)."""
    values = {"a": {1: 1.0, 2: 1.0, 3: 0.0}, "b": {1: 0.0, 2: 1.0, 3: 0.0}}
    rounds = rounds_of(values)
    assert rounds is not None
    assert (rounds.means, rounds.mean) == ((0.5, 1.0, 0.0), 0.5)
    assert rounds.deviation == pytest.approx(math.sqrt(1 / 6))
    assert agreement(values) == (pytest.approx(2 / 6), 6), "of a one of three pairs agrees, of b one too"
    assert rounds_of({"a": {1: 1.0}}) is None
    assert agreement({"a": {1: 1.0}}) is None


def test_stability_of_repeated_scorings_by_hand() -> None:
    """Repeats 0 .5 1, 0 .5 1 and 1 .5 0 of three trials: correlations 1, -1 and -1, differences 0, 2/3 and 2/3."""
    up, down = dict(zip("abc", (0, 0.5, 1), strict=True)), dict(zip("abc", (1, 0.5, 0), strict=True))
    found = stability_of([up, {**up, "d": 1}, down])
    assert found is not None
    assert (found.trials, found.pearson) == (3, pytest.approx(-1 / 3))
    assert found.difference == pytest.approx(4 / 9)
    level = stability_of([dict.fromkeys("abc", 1.0), up])
    assert level is not None
    assert (level.pearson, level.difference) == (None, pytest.approx(0.5)), "no correlation with what never changes"
    assert stability_of([up]) is None
    assert stability_of([{"a": 1}, {"b": 1}]) is None
