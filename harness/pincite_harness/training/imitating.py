"""Examples for any role of a program: what it was asked in a good trial, and what it said."""

from collections.abc import Iterator

from pincite_harness.training.example import Example, conversation, media_of, reply
from pincite_harness.training.trials import Trial


def imitated(trial: Trial, role: str) -> Iterator[Example]:
    """An example for each call of the role."""
    for exchange in trial.asked(role):
        completion = reply(exchange.response.parts) if exchange.response is not None else []
        if completion:
            prompt = conversation(exchange.request.system, exchange.sent)
            yield Example(role, trial.origin, prompt, completion, exchange.request.tools, {}, media_of(prompt))
