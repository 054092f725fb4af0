"""Poll: one question before a model, with the votes it gives, every reply and what they cost."""

from pincite_models.dialects.model import ModelResponse, Usage
from pincite_models.pricing import Price
from pincite_scoring.judging.endpoint import JudgeEndpoint
from pincite_scoring.judging.exchange import NOTHING, JudgeReply
from pincite_scoring.judging.judge import Labels, Question, Verdict
from pincite_scoring.judging.pictures import Shown
from pincite_scoring.judging.prompt import form, instruct, present, repair
from pincite_scoring.judging.reply import Reading, read_reply
from pincite_scoring.judging.voting import majority


class Poll:
    """Asks ``endpoint`` about one question, which ``shown`` belong to; ``cost_usd`` is None as soon as the cost of one
    reply is not known."""

    def __init__(
        self, question: Question, shown: tuple[Shown, ...], endpoint: JudgeEndpoint, price: Price | None
    ) -> None:
        self.rubric = question.rubric
        self.system = instruct(question.rubric)
        self.message = present(question.subject, question.pictures)
        self.shown = shown
        self.replies: list[JudgeReply] = []
        self.usage: Usage = NOTHING
        self.cost_usd: float | None = 0.0
        self._endpoint = endpoint
        self._price = price

    def decide(self, votes: int, judge: str) -> Verdict:
        """The majority of so many votes, in the name of ``judge``; the errors are those of the endpoint."""
        nothing: Labels = {item.name: None for item in self.rubric.items}
        readings = [self._vote() for _ in range(votes)]
        cast = [reading.labels or nothing for reading in readings]
        labels, told = majority(self.rubric, cast)
        reasons = [reading.reason or reading.fault for reading in readings]
        reason = ". ".join(part for part in (told, _reason(labels, cast, reasons)) if part)
        return Verdict(labels, judge, reason, tuple(cast) if votes > 1 else ())

    def _vote(self) -> Reading:
        """An answer, and one more where the first cannot be taken."""
        reading = self._ask(self.message)
        if reading.labels is not None:
            return reading
        return self._ask(repair(self.message, reading.text, reading.fault))

    def _ask(self, message: str) -> Reading:
        response = self._endpoint.ask(self.system, message, form(self.rubric), self.shown)
        self._bill(response)
        reading = read_reply(response, self.rubric)
        self.replies.append(JudgeReply(reading.text, reading.labels, reading.fault, response.model))
        return reading

    def _bill(self, response: ModelResponse) -> None:
        usage = response.usage
        cost = self._price(response.model, usage) if self._price is not None and usage is not None else None
        self.usage += usage or NOTHING
        self.cost_usd = self.cost_usd + cost if self.cost_usd is not None and cost is not None else None


def _reason(labels: Labels, votes: list[Labels], reasons: list[str]) -> str:
    """The reason of the first vote that says what the majority does, else of the first."""
    return next((reason for vote, reason in zip(votes, reasons, strict=True) if vote == labels), reasons[0])
