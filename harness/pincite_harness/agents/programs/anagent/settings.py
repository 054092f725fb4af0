"""Settings: the options of anagent as numbers and words; ``options.toml`` has their defaults."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("options.toml")
OFF = "off"
OWN = "own"


def defaults() -> dict[str, str]:
    """The default of each option."""
    table: Mapping[str, Mapping[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: str(option["default"]) for name, option in table.items()}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one trial; ``options.toml`` says what each means."""

    variant: str
    turns: int
    refinements: int
    stop_at: int | None
    """None where the critic's grades end nothing."""
    accept: str
    context: str
    context_limit: int
    state: str
    shots: int
    shots_seed: int
    plan_limit: int
    summary_len: int
    feedback_limit: int
    result_limit: int
    guards: bool
    plans_file: Path | None
    """Plans by task in place of the planner's."""
    feedback_file: Path | None
    """First analyses and feedback on them by task, in place of the author's and the critic's."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "Settings":
        """The options, each of which is there; ValueError for one that is not a number where it has to be."""
        return cls(
            variant=options["variant"],
            turns=int(options["turns"]),
            refinements=int(options["refinements"]),
            stop_at=None if options["stop_at"] == OFF else int(options["stop_at"]),
            accept=options["accept"],
            context=options["context"],
            context_limit=int(options["context_limit"]),
            state=options["state"],
            shots=int(options["shots"]),
            shots_seed=int(options["shots_seed"]),
            plan_limit=int(options["plan_limit"]),
            summary_len=int(options["summary_len"]),
            feedback_limit=int(options["feedback_limit"]),
            result_limit=int(options["result_limit"]),
            guards=options["guards"] == "on",
            plans_file=None if options["plan"] == OWN else Path(options["plan"]),
            feedback_file=None if options["feedback"] == OWN else Path(options["feedback"]),
        )

    @property
    def plans(self) -> bool:
        """Whether there is a planner."""
        return self.variant in ("anagent", "critic")

    @property
    def looks_up(self) -> bool:
        """Whether there is an expert."""
        return self.variant in ("symnion", "anagent", "critic")

    @property
    def author_has_tools(self) -> bool:
        """Whether the author holds the tools."""
        return self.variant == "omnion"

    @property
    def rounds(self) -> int:
        """How often the critic is asked for feedback."""
        return self.refinements if self.variant == "critic" else 0
