"""codex: OpenAI's Codex CLI."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import HOME, Briefing, Ending
from pincite_harness.agents.cli.agent import (
    OUTPUT_TOKENS,
    RETRIES,
    START_SECONDS,
    TOOL_SECONDS,
    CliAgent,
    opened,
)  # fmt: skip
from pincite_harness.agents.cli.events import events, failure_of
from pincite_harness.agents.options import Option
from pincite_harness.agents.own_prompt import OWN_PROMPT
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Failure

_FOLDER = f"{HOME}/.codex"
_CATALOG = "models.json"
_TOKEN = "PINCITE_TRIAL_TOKEN"  # noqa: S105 - a variable's name
_AS_TOOLS = (
    's/"tool_mode":"code_mode_only"/"tool_mode":null/g',
    's/"supports_search_tool":true/"supports_search_tool":false/g',
    's/"use_responses_lite":true/"use_responses_lite":false/g',
)
"""In its list of models: the newer ones would get one tool, for programs that search the others and call them."""

_RULES = b'prefix_rule(pattern=[["rm", "sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash"]], decision="allow")\n'
"""It would refuse ``rm -f`` even where every permission is given; the flag that gives them all keeps rules unread."""


class Codex(CliAgent):
    """Speaks OpenAI Responses."""

    command = "codex"
    package = "@openai/codex"
    dialect = "openai.responses"
    sessions = (f"{_FOLDER}/sessions",)
    known_options: ClassVar[Mapping[str, str | Option]] = {
        "effort": "the model's reasoning effort",
        **OWN_PROMPT,
        "tools": "direct: each tool is shown to the model (default); native: as Codex does for the model",
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        tools = options.get("tools", "direct")
        if tools not in ("direct", "native"):
            raise BadInputError(f"tools={tools!r} is not a way to show tools.", next="direct or native")
        self.shows_tools = tools == "direct"

    def before(self, home: str) -> str:
        """Its own list of models, changed so that every model is shown the tools."""
        if not self.shows_tools:
            return ""
        edits = " ".join(f"-e '{edit}'" for edit in _AS_TOOLS)
        place = f"{home}/.codex/{_CATALOG}"
        # Its settings name the list before there is one: it is asked for from another home.
        return f"CODEX_HOME=/tmp {self.command} debug models --bundled 2>/dev/null | sed {edits} > {place}; "

    def arguments(self, briefing: Briefing) -> Sequence[str]:
        """Its settings say the rest."""
        return ("exec", "--json", "--skip-git-repo-check", "-")

    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """Its home, and the token under the name that its settings give."""
        return {"CODEX_HOME": f"{home}/.codex", _TOKEN: briefing.token}

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        """config.toml; its values are written as JSON, which TOML reads alike."""
        values: dict[str, str | int | bool] = {
            "model": self.model,
            "review_model": self.model,
            "model_provider": "door",
            # Its own sandbox cannot work inside ours.
            "sandbox_mode": "danger-full-access",
            "approval_policy": "never",
            "web_search": "live" if opened(briefing, "web_search") else "disabled",
            "tool_output_token_limit": OUTPUT_TOKENS,
            "check_for_update_on_startup": False,
            "analytics.enabled": False,
            "feedback.enabled": False,
            "history.persistence": "none",
            # Lists of plugins, apps and remote settings come from its maker's servers.
            **{
                f"features.{name}": False
                for name in ("apps", "plugins", "remote_plugin", "unbounded_connection_retries")
            },
            "model_providers.door.name": "door",
            "model_providers.door.base_url": f"{briefing.model_url}/v1",
            "model_providers.door.wire_api": "responses",
            "model_providers.door.env_key": _TOKEN,
            # Every retry of a stream would be retried as a request so often again.
            "model_providers.door.request_max_retries": 0,
            "model_providers.door.stream_max_retries": RETRIES,
            "model_providers.door.stream_idle_timeout_ms": TOOL_SECONDS * 1000,
        }
        if "effort" in self.options:
            values["model_reasoning_effort"] = self.options["effort"]
        if self.shows_tools:
            values["model_catalog_json"] = f"{home}/.codex/{_CATALOG}"
        for server, url in briefing.tools.items():
            values |= {
                f"mcp_servers.{server}.url": url,
                f"mcp_servers.{server}.bearer_token_env_var": _TOKEN,
                f"mcp_servers.{server}.required": True,
                f"mcp_servers.{server}.default_tools_approval_mode": "approve",
                f"mcp_servers.{server}.startup_timeout_sec": START_SECONDS,
                f"mcp_servers.{server}.tool_timeout_sec": TOOL_SECONDS,
            }
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in values.items()]
        return {f"{_FOLDER}/config.toml": "".join(lines).encode(), f"{_FOLDER}/rules/default.rules": _RULES}

    def diagnose(self, ending: Ending) -> Failure | None:
        """The turn's failure, or what it said before there was a turn: a required server that did not start."""
        said = ""
        for event in events(ending.stdout):
            if event.get("type") == "turn.failed":
                return failure_of("Codex", str(event.get("error", {}).get("message", "")))
            if event.get("type") == "error":
                said = str(event.get("message", ""))
        if ending.exit_code in (0, None):
            return None
        return failure_of("Codex", said or ending.stderr.decode("utf-8", "replace"))
