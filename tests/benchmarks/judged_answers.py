"""How far the rules of literature_qa agree with a judge on answers of real models.

    python tests/benchmarks/judged_answers.py JUDGED.jsonl.gz [--half develop|held-out|both] [--misses]

A line of the file is one answer: ``set``, ``question``, ``gold``, ``answer`` and ``judged_correct``. The questions are
parted in two halves by a digest of their words, so that an answer stands in the half of its question: rules are made on
``develop`` (the default) alone, and measured once on ``held-out``. Printed are, by set and for all, how many answers
the rules decide and how many of these as the judge does, the share left undecided, false credit (credited by the rules,
not by the judge), false denial (the reverse), and kappa of those decided. What the rules say declines to answer counts
as not correct. The exit status is 1 where agreement is below 95 %, more than half is undecided, or more than 0.5 % of
the decided answers are credited falsely.
"""

import argparse
import gzip
import hashlib
import json
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parts.rates import wilson

from pincite_scoring.literature_qa.deciding import OUTCOME, answer_rule
from pincite_scoring.statistics.kappa import agree

HALVES = ("develop", "held-out")
LEAST_AGREEMENT, MOST_UNDECIDED, MOST_FALSE_CREDIT = 0.95, 0.5, 0.005
"""Shares: of the decided, of all, of the decided; beyond them rules cannot stand in for a judge."""
_SHOWN = 300
Line = dict[str, Any]


@dataclass
class Counts:
    """Verdicts of the judge and of the rules on the answers that the rules decide, and how many they do not."""

    judged: list[str] = field(default_factory=list[str])
    said: list[str] = field(default_factory=list[str])
    undecided: int = 0

    @property
    def total(self) -> int:
        """All answers."""
        return len(self.said) + self.undecided

    def falsely(self, said: str) -> int:
        """How often the rules say ``said`` against the judge."""
        return sum(mine == said != judged for mine, judged in zip(self.said, self.judged, strict=True))

    @property
    def agreement(self) -> float:
        """The share of the decided on which both agree."""
        return 1 - (self.falsely("right") + self.falsely("wrong")) / max(len(self.said), 1)

    def shown(self) -> str:
        """One line."""
        decided = len(self.said)
        low, high = wilson(round(self.agreement * decided), decided)
        kappa = agree(("wrong", "right"), self.judged, self.said).kappa
        return (
            f"{self.total:5}  decided {decided:5}  agree {self.agreement:6.1%} ({low:.1%} to {high:.1%})  "
            f"undecided {self.undecided / max(self.total, 1):5.1%}  false credit {self.falsely('right'):3}  "
            f"false denial {self.falsely('wrong'):3}  kappa {'-' if kappa is None else f'{kappa:.3f}'}"
        )


def half_of(question: str) -> str:
    """The half that a question belongs to, by the first byte of its SHA-256."""
    return HALVES[hashlib.sha256(question.encode()).digest()[0] % 2]


def verdict(line: Line) -> str | None:
    """right, wrong or None: what the rules say of an answer."""
    subject = {"question": line["question"], "expected answer": line["gold"], "handed in": line["answer"]}
    outcome = answer_rule(subject)[OUTCOME]
    return None if outcome is None else "right" if outcome == "correct" else "wrong"


def main() -> int:
    """Print the figures; 1 when a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("answers", type=Path)
    options.add_argument("--half", choices=[*HALVES, "both"], default="develop")
    options.add_argument("--misses", action="store_true")
    given = options.parse_args()
    with gzip.open(given.answers, "rt", encoding="utf-8") as file:
        lines = [json.loads(text) for text in file if text.strip()]
    counts: dict[str, Counts] = defaultdict(Counts)
    for line in lines:
        if given.half not in ("both", half_of(line["question"])):
            continue
        said = verdict(line)
        judged = "right" if line["judged_correct"] else "wrong"
        for name in ("", line["set"]):
            if said is None:
                counts[name].undecided += 1
            else:
                counts[name].judged.append(judged)
                counts[name].said.append(said)
        if given.misses and said not in (None, judged):
            answer = " ".join(str(line["answer"]).split())
            shown = answer if len(answer) <= 2 * _SHOWN else f"{answer[:_SHOWN]} … {answer[-_SHOWN:]}"
            print(f"{line['set']}: {said}, judged {judged}; gold {line['gold']!r}\n    {line['question']}\n    {shown}")
    for name in sorted(counts):
        print(f"{name or 'all':14} {counts[name].shown()}")
    whole = counts[""]
    met = (
        whole.agreement >= LEAST_AGREEMENT
        and whole.undecided <= MOST_UNDECIDED * whole.total
        and whole.falsely("right") <= MOST_FALSE_CREDIT * len(whole.said)
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
