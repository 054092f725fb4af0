"""Opened: what a task opens of its model's API beside plain requests."""

from urllib.parse import urlsplit

from pincite_models.dialects.fields import URL_SOURCE
from pincite_tasks.family import ModelPolicy


class Opened:
    """Answers for one ModelPolicy whether a hosted tool, a field or an address may pass."""

    def __init__(self, policy: ModelPolicy) -> None:
        self._tools = policy.hosted_tools
        self._fields = frozenset(policy.open_fields)
        self._more = frozenset(policy.extra_fields)
        hosts = [host.lower() for host in policy.source_hosts]
        self._hosts = frozenset(host for host in hosts if not host.startswith("*."))
        self._suffixes = tuple(host[1:] for host in hosts if host.startswith("*."))

    @property
    def any_tool(self) -> bool:
        """Whether the provider may run any tool of its own."""
        return bool(self._tools)

    def tool(self, name: str) -> bool:
        """Whether the provider may run this tool, by its type or the type's beginning."""
        return any(name == tool or name.startswith(f"{tool}_") for tool in self._tools)

    def field(self, name: str) -> bool:
        """Whether a closed field may pass: by its name, or as part of a hosted tool (``web_search_options``)."""
        return name in self._fields or self.tool(name)

    def unknown(self, name: str) -> bool:
        """Whether a field or a kind of part that pincite does not know may pass."""
        return name in self._more

    def address(self, value: str) -> bool:
        """Whether a model may be sent what stands at an address: data URLs, and the hosts that the task names."""
        if value[:5].lower() == "data:":
            return True
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or not value.isprintable() or "\\" in value or " " in value:
            return False
        if self.tool(URL_SOURCE):
            return True
        host = (parts.hostname or "").lower().removesuffix(".")
        plain = port in (None, 80, 443) and parts.username is None and parts.password is None
        return plain and (host in self._hosts or host.endswith(self._suffixes or ("\0",)))
