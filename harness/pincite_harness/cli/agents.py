"""pincite agents: which agents there are."""

import typer


def command() -> None:
    """List the agents that ``pincite run --agent`` takes, with their options."""
    from pincite_harness.agents.registry import AGENTS, options_of

    width = max(map(len, AGENTS))
    for name, entry in AGENTS.items():
        typer.echo(f"{name:{width}}  {entry.description}")
        for option, meaning in options_of(name).items():
            typer.echo(f"{'':{width}}    --agent-option {option}=…  {meaning}")
