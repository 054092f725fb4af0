"""Which live tool a recorded name means, however the client that was recorded spelt it."""

import re
from collections.abc import Mapping, Sequence

_LEFT_OUT = ("...", "___")
"""Between the two ends of a name that a client has shortened."""
_LEAST_END = 8
"""Characters of the end of a tool's name by which it is known where a client cut it. Set by judgement."""


class Tools:
    """The live tools by server. Names are told by their letters and digits alone: ``mcp__papers__open_paper``,
    ``mcp_papers_open_paper``, ``papers.open_paper`` and ``papers__open-paper`` mean one tool, and so does
    ``open_paper`` where only one server has it."""

    def __init__(self, tools: Mapping[str, Sequence[str]]) -> None:
        self._tools = tools
        self._places: dict[str, list[tuple[str, str]]] = {}
        for server, names in tools.items():
            for name in names:
                for form in {f"mcp {server} {name}", f"{server} {name}", name}:
                    self._places.setdefault(_plain(form), []).append((server, name))

    def find(self, name: str, server: str | None = None, tool: str | None = None) -> tuple[str, str] | None:
        """Server and tool; those that the recording itself names where they are there. None where no tool, or more
        than one, is meant."""
        if server is not None and tool is not None and tool in self._tools.get(server, ()):
            return server, tool
        found = self._places.get(_plain(name)) or self._shortened(name)
        return found[0] if len(found) == 1 else None

    def _shortened(self, name: str) -> list[tuple[str, str]]:
        for mark in _LEFT_OUT:
            head, _, tail = name.partition(mark)
            head, tail = _plain(head), _plain(tail)
            if min(len(head), len(tail)) >= _LEAST_END:
                forms = [form for form in self._places if form.startswith(head) and form.endswith(tail)]
                return list(dict.fromkeys(place for form in forms for place in self._places[form]))
        return []


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", " ", name.lower()).strip()
