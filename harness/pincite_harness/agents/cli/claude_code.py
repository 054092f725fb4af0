"""claude-code: Anthropic's Claude Code."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pincite_harness.agents.agent import HOME, Briefing, Ending
from pincite_harness.agents.cli.agent import (
    OUTPUT_TOKENS,
    RETRIES,
    START_SECONDS,
    TOOL_SECONDS,
    CliAgent,
    bearer,
    opened,
)  # fmt: skip
from pincite_harness.agents.cli.events import events, failure_of, unconnected
from pincite_harness.agents.options import Option
from pincite_harness.agents.own_prompt import OWN_PROMPT
from pincite_tasks.failure import Cause, Failure

_SERVERS = f"{HOME}/mcp.json"
_WEB = {"WebSearch": "web_search", "WebFetch": "web_fetch"}
_OTHER_MODELS = (
    "ANTHROPIC_DEFAULT_FABLE_MODEL",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "ANTHROPIC_SMALL_FAST_MODEL",
    "CLAUDE_CODE_SUBAGENT_MODEL",
)
"""What it would take for titles, summaries and sub-agents."""


class ClaudeCode(CliAgent):
    """Speaks Anthropic Messages."""

    command = "claude"
    needs_node = False
    package = "@anthropic-ai/claude-code"
    dialect = "anthropic.messages"
    sessions = (f"{HOME}/.claude/projects",)
    known_options: ClassVar[Mapping[str, str | Option]] = {
        "effort": "low, medium, high, xhigh or max",
        **OWN_PROMPT,
    }

    def arguments(self, briefing: Briefing) -> Sequence[str]:
        """Print mode; of its own tools only the web's are taken away."""
        hidden = [tool for tool, kind in _WEB.items() if not opened(briefing, kind)]
        effort = self.options.get("effort")
        return (
            "--print", "--output-format", "stream-json", "--verbose",
            "--model", self.model, "--permission-mode", "bypassPermissions",
            "--mcp-config", f"{briefing.workdir}/{_SERVERS}", "--strict-mcp-config",
            *(("--effort", effort) if effort else ()),
            *(("--disallowedTools", ",".join(hidden)) if hidden else ()),
        )  # fmt: skip

    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """``IS_SANDBOX`` allows all permissions to root, which local sandboxes may show it as."""
        return {
            "ANTHROPIC_BASE_URL": briefing.model_url,
            "ANTHROPIC_API_KEY": briefing.token,
            **dict.fromkeys(_OTHER_MODELS, self.model),
            "API_TIMEOUT_MS": str(TOOL_SECONDS * 1000),
            "CLAUDE_CONFIG_DIR": f"{home}/.claude",
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
            "MAX_MCP_OUTPUT_TOKENS": str(OUTPUT_TOKENS),
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_CONNECT_TIMEOUT_MS": str(START_SECONDS * 1000),
            "MCP_TIMEOUT": str(START_SECONDS * 1000),
            "MCP_TOOL_TIMEOUT": str(TOOL_SECONDS * 1000),
        }

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        """The servers, for ``--mcp-config``."""
        servers = {
            name: {"type": "http", "url": url, "headers": bearer(briefing)} for name, url in briefing.tools.items()
        }
        return {_SERVERS: json.dumps({"mcpServers": servers}).encode()}

    def diagnose(self, ending: Ending) -> Failure | None:
        """The first event lists the servers, the last says how it ended; its subtype alone says success wrongly."""
        for event in events(ending.stdout):
            if event.get("subtype") == "init" and (lost := unconnected("Claude Code", event)) is not None:
                return lost
            if event.get("type") == "result" and event.get("is_error"):
                said = str(event.get("result") or event.get("errors") or event.get("subtype"))
                refused = event.get("stop_reason") == "refusal"
                return Failure(Cause.REFUSED, said) if refused else failure_of("Claude Code", said)
        return None
