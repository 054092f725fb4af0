"""A scripted model as judge, with verdicts kept in a folder of the test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pincite_core.settings import Settings, load_settings
from pincite_doors.testing import Script, ScriptedModel
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.judge import Item, Question, Rubric
from pincite_scoring.judging.model_judge import ModelJudge

RUBRIC = Rubric(
    "test/1",
    "Say how good the answer is.",
    (
        Item("accuracy", ("0", "1", "2"), "Is it right?"),
        Item("cites", ("no", "yes"), "Does it name a source?"),
    ),
)
OpenJudge = Callable[..., tuple[ModelJudge, ScriptedModel]]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings().model_copy(update={"cache_dir": tmp_path / "cache"})


@pytest.fixture
def open_judge(settings: Settings) -> Iterator[OpenJudge]:
    """A function that plays a script as the judge ``model``."""
    with ExitStack() as stack:

        def play(
            script: Script, model: str = "scripted", votes: int = 1, temperature: str = "", seconds: float = 60.0
        ) -> tuple[ModelJudge, ScriptedModel]:
            played = stack.enter_context(ScriptedModel(script))
            choice = JudgeChoice.parse(model, played.url, votes, temperature)
            assert choice is not None
            limited = settings.model_copy(update={"judge_seconds": seconds})
            judge = ModelJudge(choice, limited, first_pause=0.001)
            stack.callback(judge.close)
            return judge, played

        yield play


@pytest.fixture
def question() -> Callable[..., Question]:
    return lambda text="The gap is 1.7 eV.", **more: Question(RUBRIC, {"answer": text, **more})
