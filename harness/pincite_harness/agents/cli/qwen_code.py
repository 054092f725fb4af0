"""qwen-code: Alibaba's Qwen Code."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pincite_harness.agents.agent import HOME, Briefing, Ending
from pincite_harness.agents.cli.agent import OUTPUT_TOKENS, TOOL_SECONDS, CliAgent, bearer
from pincite_harness.agents.cli.events import events, failure_of, unconnected
from pincite_harness.agents.options import Option
from pincite_harness.agents.own_prompt import OWN_PROMPT
from pincite_tasks.failure import Failure

_CHARACTERS_PER_TOKEN = 4
"""Characters of English a token, roughly; the CLI counts in characters."""


_PROXIES = (
    'if [ -n "$http_proxy" ]; then '
    'env | sed -n "s/^[a-zA-Z]*_proxy=/export &/Ip" > "$HOME/.proxies"; '
    'export BASH_ENV="$HOME/.proxies"; unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY; '
    "fi; "
)
"""It would look for the doors behind the proxy of an open web, whatever ``no_proxy`` says: only its shells see it."""


class QwenCode(CliAgent):
    """Speaks OpenAI Chat Completions."""

    command = "qwen"
    package = "@qwen-code/qwen-code"
    dialect = "openai.chat"
    sessions = (f"{HOME}/.qwen/projects",)
    known_options: ClassVar[Mapping[str, str | Option]] = {
        "effort": Option("the model's reasoning effort", ("none", "minimal", "low", "medium", "high", "xhigh")),
        **OWN_PROMPT,
    }
    node_flag = "--liftoff-only"
    """Its parser of shell commands is WebAssembly that Node's optimizing compiler takes 2 GB for."""

    def before(self, home: str) -> str:
        """Without the proxy in its own variables."""
        return _PROXIES

    def arguments(self, briefing: Briefing) -> Sequence[str]:
        """Headless because standard input is not a terminal. ``tool_search`` would hide the servers' tools behind it;
        ``web_fetch`` asks no provider, and without it shells would be denied ``curl``."""
        return (
            "--auth-type", "openai", "--model", self.model, "--yolo", "--output-format", "stream-json",
            "--chat-recording", "--exclude-tools", "tool_search",
        )  # fmt: skip

    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """Without a second process of itself, which would only give it more memory."""
        return {
            "OPENAI_API_KEY": briefing.token,
            "OPENAI_BASE_URL": f"{briefing.model_url}/v1",
            "OPENAI_MODEL": self.model,
            "QWEN_CODE_NO_RELAUNCH": "true",
            "QWEN_SANDBOX": "false",
        }

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        """settings.json. It asks seven times by itself; ``maxRetries`` would multiply that, and add minutes to each."""
        generation: dict[str, Any] = {
            "maxRetries": 0,
            "timeout": TOOL_SECONDS * 1000,
            "modalities": {"image": True},
        }
        if "effort" in self.options:
            # Its own setting for this is sent as `reasoning`, which few compatible APIs read.
            generation["extra_body"] = {"reasoning_effort": self.options["effort"]}
        settings: dict[str, Any] = {
            "$version": 3,
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "memory": {"enableManagedAutoMemory": False},
            "fastModel": self.model,
            "model": {"name": self.model, "generationConfig": generation},
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "tools": {
                "truncateToolOutputThreshold": OUTPUT_TOKENS * _CHARACTERS_PER_TOKEN,
                "truncateToolOutputLines": OUTPUT_TOKENS,
            },
            "mcpServers": {
                name: {"httpUrl": url, "headers": bearer(briefing), "trust": True, "timeout": TOOL_SECONDS * 1000}
                for name, url in briefing.tools.items()
            },
        }
        return {f"{HOME}/.qwen/settings.json": json.dumps(settings).encode()}

    def diagnose(self, ending: Ending) -> Failure | None:
        """It ends with 0 and no error when its API fails: its last message says so, and is none of the model's, which
        would have cost tokens."""
        said = ""
        for event in events(ending.stdout):
            if event.get("subtype") == "init" and (lost := unconnected("Qwen Code", event)) is not None:
                return lost
            if event.get("type") == "assistant":
                message: dict[str, Any] = event.get("message") or {}
                usage: dict[str, Any] = message.get("usage") or {}
                parts: list[dict[str, Any]] = message.get("content") or []
                said = "".join(str(part.get("text", "")) for part in parts) if not usage.get("input_tokens") else ""
            if event.get("type") == "result" and event.get("is_error"):
                return failure_of("Qwen Code", str(event.get("error") or event.get("result") or ""))
        return failure_of("Qwen Code", said) if said.startswith("[API Error") else None
