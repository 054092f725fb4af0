"""gemini-cli: Google's Gemini CLI."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import HOME, Briefing, Ending
from pincite_harness.agents.cli.agent import OUTPUT_TOKENS, RETRIES, TOOL_SECONDS, CliAgent, bearer, opened
from pincite_harness.agents.cli.events import events, failure_of
from pincite_harness.agents.options import Number, Option
from pincite_harness.agents.own_prompt import OWN_PROMPT
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Failure

_WEB = {"google_web_search": "google_search", "web_fetch": "url_context"}
_CHARACTERS_PER_TOKEN = 4
"""Characters of English a token, roughly; the CLI counts in characters."""
_LEVELS = ("minimal", "low", "medium", "high")
_BUDGETS = {"minimal": 1_024, "low": 1_024, "medium": 8_192, "high": 24_576}
"""Tokens of thinking for models that take a budget in place of a level, as Google's own compatible API reads these
words."""
_OF_BUDGETS = ("gemini-2", "gemini-1")
"""Beginnings of the names of models that take a budget; later ones take a level."""


class GeminiCli(CliAgent):
    """Speaks Gemini generateContent."""

    command = "gemini"
    package = "@google/gemini-cli"
    dialect = "google.generate"
    sessions = (f"{HOME}/.gemini/tmp",)
    known_options: ClassVar[Mapping[str, str | Option]] = {
        "effort": Option("how long the model thinks, a word or a budget of tokens", _LEVELS, number=Number(least=0)),
        **OWN_PROMPT,
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        self._thinking = _thinking(options.get("effort", ""), self.model)

    def arguments(self, briefing: Briefing) -> Sequence[str]:
        """Headless because standard input is not a terminal."""
        return ("--model", self.model, "--approval-mode", "yolo", "--output-format", "stream-json")

    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """Without a second process of itself, which would only give it more memory."""
        return {
            "GEMINI_API_KEY": briefing.token,
            "GOOGLE_GEMINI_BASE_URL": briefing.model_url,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_SANDBOX": "false",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        """settings.json; an override of every alias keeps its helpers on the chosen model."""
        chosen: dict[str, Any] = {"model": self.model}
        thinking = {"generateContentConfig": {"thinkingConfig": self._thinking}} if self._thinking else {}
        settings: dict[str, Any] = {
            "general": {
                "enableAutoUpdate": False,
                "enableAutoUpdateNotification": False,
                # 5 s and twice as long each time.
                "maxAttempts": RETRIES,
                "sessionRetention": {"enabled": False},
            },
            "privacy": {"usageStatisticsEnabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            # Names of models are lists to it, from which it takes a newer one.
            "experimental": {"dynamicModelConfiguration": True},
            "modelConfigs": {
                "modelIdResolutions": {self.model: {"default": self.model, "contexts": []}},
                "customOverrides": [
                    {"match": {"overrideScope": "core"}, "modelConfig": {**chosen, **thinking}},
                    {"match": {"model": "base"}, "modelConfig": chosen},
                ],
            },
            "tools": {
                "exclude": [tool for tool, kind in _WEB.items() if not opened(briefing, kind)],
                "truncateToolOutputThreshold": OUTPUT_TOKENS * _CHARACTERS_PER_TOKEN,
            },
            "mcpServers": {
                name: {"httpUrl": url, "headers": bearer(briefing), "trust": True, "timeout": TOOL_SECONDS * 1000}
                for name, url in briefing.tools.items()
            },
        }
        return {f"{HOME}/.gemini/settings.json": json.dumps(settings).encode()}

    def diagnose(self, ending: Ending) -> Failure | None:
        """Its last event says how it ended; what kept it from starting stands on standard error."""
        for event in events(ending.stdout):
            if event.get("type") == "result" and event.get("status") == "error":
                return failure_of("Gemini CLI", str(event.get("error", {}).get("message", "")))
        if ending.exit_code in (0, None):
            return None
        return failure_of("Gemini CLI", ending.stderr.decode("utf-8", "replace"))


def _thinking(effort: str, model: str) -> dict[str, str | int]:
    """How long the model thinks, in the field that it takes; BadInputError for a budget where it takes a level."""
    if not effort:
        return {}
    takes_budget = model.startswith(_OF_BUDGETS)
    if effort in _LEVELS:
        return {"thinkingBudget": _BUDGETS[effort]} if takes_budget else {"thinkingLevel": effort.upper()}
    if not takes_budget:
        raise BadInputError(
            f"The model {model} takes a level of thinking, not a budget of tokens.",
            seen=f"effort={effort}",
            next=f"effort={', '.join(_LEVELS)}",
        )
    return {"thinkingBudget": int(effort)}
