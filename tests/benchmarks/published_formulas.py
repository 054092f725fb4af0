"""How many names of materials the rule for materials judges otherwise than the published comparison of formulas.

    python tests/benchmarks/published_formulas.py [FILE.csv] [--column material]

Without a file: SuperCon's list of T_c (../shared/data/supercon, where it is there). Published is pymatgen's
``almost_equals`` on the text as it is; ours is ``pincite_materials.identity``. A name is judged otherwise where
pymatgen does not read it, and so does not even equal itself, or where one rule joins it with another name of the list
and the other does not. Compared are names of the same elements, by pymatgen, or of one material, by ours: neither rule
joins others. The exit status is 2 without a list.
"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from pymatgen.core import Composition

from pincite_materials.formulas import published_same_formula
from pincite_materials.identity import material_of, same_material

LISTED = Path(__file__).resolve().parents[3] / "shared" / "data" / "supercon" / "SuperCon_Tc_Tcn_SHARED_minus_dev.csv"


def main() -> int:
    """Print the counts of names and pairs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", type=Path, default=LISTED)
    options.add_argument("--column", default="material")
    given = options.parse_args()
    if not given.file.is_file():
        print(f"There is no list {given.file}: name a CSV with a column {given.column}.", file=sys.stderr)
        return 2
    with given.file.open(encoding="utf-8-sig", newline="") as file:
        names = sorted({row[given.column] for row in csv.DictReader(file)})
    unread = {name for name in names if not published_same_formula(name, name)}
    joined, parted = _compared(names)
    print(f"{len(names)} names, {len(unread | _in(joined) | _in(parted))} judged otherwise")
    print(f"  pymatgen does not read            {len(unread)}")
    print(f"  it joins what is parted here      {len(joined)} pairs of {len(_in(joined))} names")
    print(f"  it parts what is joined here      {len(parted)} pairs of {len(_in(parted))} names")
    return 0


def _compared(names: Iterable[str]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The pairs that only the published rule joins, and those that only ours does."""
    groups: dict[object, list[str]] = defaultdict(list)
    for name in names:
        if published_same_formula(name, name):
            groups[frozenset(Composition(name).get_el_amt_dict())].append(name)
        groups[material_of(name)].append(name)
    joined: set[tuple[str, str]] = set()
    parted: set[tuple[str, str]] = set()
    for group in groups.values():
        for pair in combinations(group, 2):
            published, ours = published_same_formula(*pair), same_material(*pair)
            if published != ours:
                (joined if published else parted).add(pair)
    return joined, parted


def _in(pairs: Iterable[tuple[str, str]]) -> set[str]:
    return {name for pair in pairs for name in pair}


if __name__ == "__main__":
    raise SystemExit(main())
