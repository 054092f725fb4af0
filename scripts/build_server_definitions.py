"""Writes what every server offers, which a merged server lists without loading it.

Run python scripts/build_server_definitions.py after a change of a tool, prompt, resource or a server's instructions.
"""

import asyncio

import orjson

from pincite_core.definitions import Definition, define
from pincite_core.servers import SERVERS
from pincite_core.settings import Settings
from pincite_harness.cli.serve import load_server
from pincite_harness.cli.serve_selection import DEFINITIONS


async def definitions() -> dict[str, Definition]:
    """The definitions of all servers."""
    settings = Settings.model_construct(
        **{name: field.get_default(call_default_factory=True) for name, field in Settings.model_fields.items()}
    )
    return {name: await define(load_server(name, entry).create_server(settings)) for name, entry in SERVERS.items()}


def written(made: dict[str, Definition]) -> bytes:
    """The file's bytes: one server a line, so that a change shows which."""
    lines = b",\n".join(orjson.dumps(name) + b":" + orjson.dumps(one) for name, one in made.items())
    return b"{" + lines + b"}\n"


if __name__ == "__main__":
    DEFINITIONS.write_bytes(written(asyncio.run(definitions())))
