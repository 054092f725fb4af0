"""pincite agents: which agents there are."""

import typer


def command() -> None:
    """List the agents that ``pincite run --agent`` takes."""
    from pincite_harness.agents.registry import AGENTS

    width = max(map(len, AGENTS))
    for name, entry in AGENTS.items():
        typer.echo(f"{name:{width}}  {entry.description}")
