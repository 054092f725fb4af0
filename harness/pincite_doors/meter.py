"""ToolMeter: counts a trial's tool calls and resource reads against its limit."""

from dataclasses import dataclass


@dataclass(slots=True)
class ToolMeter:
    """``calls`` went through to a server; ``exceeded`` says that at least one more was asked for."""

    limit: int
    calls: int = 0
    exceeded: bool = False

    def take(self) -> bool:
        """Whether one more call may pass."""
        if self.calls >= self.limit:
            self.exceeded = True
            return False
        self.calls += 1
        return True
