"""The words of the command line become a judge."""

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.runs.specification import RunSpecification
from pincite_scoring.judging.choice import JudgeChoice


@pytest.mark.parametrize(
    ("votes", "given", "temperature"), [(1, "", 0.0), (3, "", 1.0), (1, "own", None), (3, "0.3", 0.3), (3, "0", 0.0)]
)
def test_the_temperature_follows_the_votes_unless_it_is_said(votes: int, given: str, temperature: float | None) -> None:
    choice = JudgeChoice.parse("openai:gpt", votes=votes, temperature=given)
    assert choice is not None
    assert (choice.votes, choice.temperature) == (votes, temperature)


@pytest.mark.parametrize("text", ["", "rules"])
def test_no_model_is_the_rules(text: str) -> None:
    assert JudgeChoice.parse(text) is None


@pytest.mark.parametrize(
    ("text", "url", "votes", "temperature"),
    [
        ("", "http://x", 1, ""),
        ("rules", "", 3, ""),
        ("unknown", "", 1, ""),
        ("openai:gpt", "", 1, "warm"),
        ("openai:gpt", "", 1, "7"),
        ("openai:gpt", "http://user:key@host", 1, ""),
    ],
)
def test_words_that_cannot_be_are_told(text: str, url: str, votes: int, temperature: str) -> None:
    with pytest.raises(BadInputError):
        JudgeChoice.parse(text, url, votes, temperature)


def test_a_specification_keeps_the_judge_and_never_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_JUDGE_API_KEY", "sk-planted-judge")
    choice = JudgeChoice.parse("own", "http://127.0.0.1:1/v1", 3)
    kept = RunSpecification(families={"property_extraction": "bundled"}, judge=choice).model_dump_json()
    assert "sk-planted" not in kept
    assert RunSpecification.model_validate_json(kept).judge == choice
    assert RunSpecification(families={}).judge is None


def test_a_provider_without_a_key_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PINCITE_JUDGE_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "sk-of-the-agents-model")
    choice = JudgeChoice.parse("anthropic:claude")
    assert choice is not None
    with pytest.raises(BadInputError, match="no key for anthropic"):
        choice.check_key()
