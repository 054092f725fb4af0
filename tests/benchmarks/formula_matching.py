"""Whether materials that differ are told apart, and spellings of one material joined.

    python tests/benchmarks/formula_matching.py [--pairs 40000] [--neighbours 120000] [--seed 2] [--misses 10]

Materials: those of the SuperCon list (../shared/data/supercon, where it is there) and made-up ones. Three sets of
pairs: spellings of one material (other order, ones left out or written, zeros behind or left out in front, subscripts,
LaTeX, HTML, spaces, other dashes, multiples, shared sites in brackets, series with x, words of form, other letters for
a deviation); materials that differ by one change (an amount by a small step, two amounts swapped, an element gone,
added or replaced, a deviation gone or of other sign), each spelled in a way of its own; and pairs of neighbouring rows
of the list. Whether a pair is one material is computed here from the list of amounts in exact fractions, apart from
the parser. The exit status is 1 when more than 0.1 % of the pairs that differ are joined, or more than 1 % of the
spellings are not.
"""

import argparse
import csv
import random
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from parts.rates import Tally

from pincite_materials.elements import ELEMENTS
from pincite_materials.identity import same_material

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "supercon"
MOST_FALSE, MOST_MISSED = 0.001, 0.01
_PLAIN = re.compile(r"(?:[A-Z][a-z]?\d*\.?\d*)+(?:[+-][zdy])?")
_PART = re.compile(r"([A-Z][a-z]?)(\d*\.?\d*)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LETTERS = ("δ", "z", "y", "d", "ε")
_STEPS = ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.5", "1")
_FORMS = ("single crystal", "thin film", "polycrystalline", "powder", "ceramic", "bulk")
_SIMILAR = {"La": "Pr", "Sr": "Ba", "Cu": "Ni", "Fe": "Co", "O": "S", "Rh": "Ir", "As": "P", "Se": "Te", "Nb": "Ta"}


@dataclass(frozen=True)
class Made:
    """A material as a list: exact amounts in their order, and the sign of an unstated deviation of the last element."""

    amounts: tuple[tuple[str, Fraction], ...]
    deviation: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes it another material, by exact arithmetic alone."""
        total: dict[str, Fraction] = defaultdict(Fraction)
        for element, amount in self.amounts:
            total[element] += amount
        whole = sum(total.values()) if len(total) > 1 else Fraction(1)
        place = self.amounts[-1][0] if self.deviation else ""
        return (
            tuple(sorted((element, amount / whole) for element, amount in total.items() if amount)),
            self.deviation,
            place,
        )


def main() -> int:
    """Print the rates; 1 when a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("pairs", 40_000), ("neighbours", 120_000), ("seed", 2), ("misses", 10)):
        options.add_argument(f"--{name}", type=int, default=default)
    given = options.parse_args()
    rng = random.Random(given.seed)
    listed = _listed()
    print(f"{len(listed)} materials of the list in plain form, seed {given.seed}")
    joined, parted, rows = Tally(), Tally(), Tally()
    began = time.perf_counter()
    for _ in range(given.pairs // 2):
        made = rng.choice(listed) if listed and rng.random() < 0.7 else _invented(rng)
        (how, one), (_, other) = _spelled(made, rng), _spelled(made, rng)
        joined.add(how, same_material(one, other), f"{one} | {other}")
    for _ in range(given.pairs // 2):
        made = rng.choice(listed) if listed and rng.random() < 0.7 else _invented(rng)
        what, changed = _changed(made, rng)
        if changed.identity == made.identity:
            continue
        (_, one), (_, other) = _spelled(made, rng), _spelled(changed, rng)
        parted.add(what, not same_material(one, other), f"{one} | {other}")
    counted = _neighbours(listed, given.neighbours, rows)
    taken = time.perf_counter() - began
    joined.show("spellings of one material that join", given.misses)
    parted.show("materials that differ by one change and stay apart", given.misses)
    rows.show("neighbouring rows of the list told right", given.misses)
    return _verdict(joined, parted, counted, taken)


def _listed() -> list[Made]:
    """The list's materials that are a plain row of elements and amounts; none where the list is not there."""
    found: list[Made] = []
    for path in sorted(DATA.glob("SuperCon_Tc_Tcn*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            texts = [row["material"] for row in csv.DictReader(file)]
        found += [made for text in texts if (made := _read(text)) is not None]
    return found


def _read(text: str) -> Made | None:
    """A row by a pattern of its own, so that the parser is not its own judge."""
    if not _PLAIN.fullmatch(text):
        return None
    end = next((at for at, character in enumerate(text) if character in "+-"), len(text))
    parts = [(element, Fraction(amount or "1")) for element, amount in _PART.findall(text[:end])]
    if any(element not in ELEMENTS or not amount for element, amount in parts):
        return None
    return Made(tuple(parts), text[end : end + 1])


def _invented(rng: random.Random) -> Made:
    elements = rng.sample(sorted(ELEMENTS), rng.randint(2, 6))
    amounts = [
        Fraction(rng.choice(("1", "2", "3", "4", "7", "12", "0.5", "1.85", "0.15", "0.125", "2.6"))) for _ in elements
    ]
    return Made(tuple(zip(elements, amounts, strict=True)), rng.choice(("", "", "", "+", "-")))


def _spelled(made: Made, rng: random.Random) -> tuple[str, str]:
    """One way to print it, with its name."""
    parts = list(made.amounts)
    last = parts.pop() if made.deviation else None
    if rng.random() < 0.7:
        rng.shuffle(parts)
    how = rng.choice(("plain", "ones", "zeros", "multiple", "shared", "series"))
    if how == "multiple" and last is None and len(parts) > 1:
        times = rng.choice((2, 3, 5, 10))
        parts = [(element, amount * times) for element, amount in parts]
    pieces = [(element, _number(amount, how)) for element, amount in parts]
    text = "".join(element + amount for element, amount in pieces)
    if how in {"shared", "series"} and len(parts) > 2:
        text = _joined(parts, how, rng) or text
    head, _, value = text.partition(" x = ")
    tail = f"{last[0]}{_number(last[1], 'ones')}{made.deviation}{rng.choice(_LETTERS)}" if last else ""
    head = head + tail
    dress = rng.choice(
        ("", "", "subscripts", "latex", "mathrm", "braces", "html", "spaces", "signs", "form", "nominal")
    )
    return f"{how} {dress}".strip(), _dressed(head, dress, rng) + (
        rng.choice((" (x = {})", " with x = {}", ", x={}")).format(value) if value else ""
    )


def _joined(parts: list[tuple[str, Fraction]], how: str, rng: random.Random) -> str:
    """Two elements on one site: ``(La0.925Sr0.075)2`` or ``La2-xSrx x = 0.15``; "" where they cannot."""
    first, second = rng.sample(range(len(parts)), 2)
    (one, a), (other, b) = parts[first], parts[second]
    site = a + b
    if one == other or any(element in {one, other} for k, (element, _) in enumerate(parts) if k not in {first, second}):
        return ""
    rest = "".join(
        element + _number(amount, "plain") for k, (element, amount) in enumerate(parts) if k not in {first, second}
    )
    if how == "series":
        return f"{one}{_number(site, 'ones')}-x{other}x{rest} x = {_number(b, 'ones')}" if b < site else ""
    if not _finite(a / site) or site.denominator != 1 or site == 1:
        return ""
    return f"({one}{_number(a / site, 'ones')}{other}{_number(b / site, 'ones')}){_number(site, 'ones')}{rest}"


def _finite(number: Fraction) -> bool:
    return 10_000 % number.denominator == 0


def _number(amount: Fraction, how: str) -> str:
    if amount == 1 and how not in {"ones", "zeros"}:
        return ""
    text = f"{float(amount):.9f}".rstrip("0").rstrip(".")
    if how == "zeros":
        return f"{text}0" if "." in text else f"{text}.0"
    return text


def _dressed(text: str, dress: str, rng: random.Random) -> str:
    if dress == "subscripts":
        return re.sub(r"(?<=[A-Za-z)])[\d.]+", lambda run: run[0].translate(_SUBSCRIPTS), text)
    if dress == "latex":
        return "$" + re.sub(r"(?<=[A-Za-z)])([\d.]+(?:[+-][a-zδε])?)", r"_{\1}", text) + "$"
    if dress == "mathrm":
        return re.sub(r"[A-Z][a-z]?(?!x)", r"\\mathrm{\g<0>}", _dressed(text, "latex", rng)).replace("δ", "\\delta")
    if dress == "signs":
        return re.sub(r"(?<![\d.])0\.", ".", text).replace("-", rng.choice(("−", "–", "‐")))
    if dress == "nominal":
        return f"nominal {text}"
    if dress == "braces":
        return re.sub(r"(?<=[A-Za-z)])([\d.]+)", r"_\1", text)
    if dress == "html":
        return re.sub(r"(?<=[A-Za-z)])([\d.]+)", r"<sub>\1</sub>", text)
    if dress == "spaces":
        return re.sub(r"(?<=[\da-z])(?=[A-Z])", " ", text) if not re.search(r"[+-]|x", text) else text
    if dress == "form":
        form = rng.choice(_FORMS)
        return f"{form} {text}" if rng.random() < 0.5 else f"{text} {form}"
    return text


def _changed(made: Made, rng: random.Random) -> tuple[str, Made]:
    """The material after one change, and which."""
    parts = list(made.amounts)
    at = rng.randrange(len(parts))
    element, amount = parts[at]
    what = rng.choice(("small step", "small step", "small step", "swapped", "gone", "added", "replaced", "deviation"))
    if what == "small step":
        step = Fraction(rng.choice(_STEPS)) * rng.choice((1, -1))
        parts[at] = (element, amount + step if amount + step > 0 else amount + abs(step))
    elif what == "swapped" and len(parts) > 1:
        other = rng.randrange(len(parts))
        parts[at], parts[other] = (element, parts[other][1]), (parts[other][0], amount)
    elif what == "gone" and len(parts) > 2:
        del parts[at]
    elif what == "added":
        parts.insert(at, (rng.choice(sorted(ELEMENTS)), Fraction(rng.choice(_STEPS[3:]))))
    elif what == "replaced":
        parts[at] = (_SIMILAR.get(element) or rng.choice(sorted(ELEMENTS)), amount)
    elif what == "deviation":
        return what, Made(made.amounts, {"": "-", "-": "+", "+": ""}[made.deviation])
    return what, Made(tuple(parts), made.deviation)


def _neighbours(listed: list[Made], most: int, rows: Tally) -> tuple[int, int, int, int]:
    """Pairs of rows of the same elements, near by amounts: (joined falsely, that differ, missed, same)."""
    groups: dict[frozenset[str], list[Made]] = defaultdict(list)
    for made in listed:
        groups[frozenset(element for element, _ in made.amounts)].append(made)
    pairs: list[tuple[Made, Made]] = []
    for group in groups.values():
        ordered = sorted(group, key=lambda made: made.identity)
        for near in range(1, 12):
            pairs += zip(ordered, ordered[near:], strict=False)
    false = differing = missed = same = 0
    for one, other in pairs[:most]:
        truth = one.identity == other.identity
        texts = [_plainly(each) for each in (one, other)]
        found = same_material(*texts)
        rows.add("same" if truth else "different", found == truth, " | ".join(texts))
        false, differing = false + (found and not truth), differing + (not truth)
        missed, same = missed + (truth and not found), same + truth
    return false, differing, missed, same


def _plainly(made: Made) -> str:
    return "".join(element + _number(amount, "ones") for element, amount in made.amounts) + (
        f"{made.deviation}z" if made.deviation else ""
    )


def _verdict(joined: Tally, parted: Tally, rows: tuple[int, int, int, int], taken: float) -> int:
    """Print both rates over all pairs, and the bars."""
    false, differing, missed, same = rows
    false += sum(parted.total.values()) - sum(parted.good.values())
    differing += sum(parted.total.values())
    missed += sum(joined.total.values()) - sum(joined.good.values())
    same += sum(joined.total.values())
    share_false, share_missed = false / max(differing, 1), missed / max(same, 1)
    print(f"false joins: {false} of {differing} = {share_false:.3%} (bar: <= {MOST_FALSE:.1%})")
    print(f"missed joins: {missed} of {same} = {share_missed:.3%} (bar: <= {MOST_MISSED:.0%})")
    print(f"{(differing + same) / taken:,.0f} comparisons a second")
    return int(share_false > MOST_FALSE or share_missed > MOST_MISSED)


if __name__ == "__main__":
    sys.exit(main())
