"""pincite agents: which agents there are."""

from collections.abc import Mapping

import typer


def command() -> None:
    """List the agents that ``pincite run --agent`` takes, with their options; those of other packages with these."""
    from pincite_harness.agents.plugin import load_plugin, plugin_names
    from pincite_harness.agents.registry import AGENTS, options_of

    others = [name for name in plugin_names() if name not in AGENTS]
    width = max(map(len, [*AGENTS, *others]))
    for name, entry in AGENTS.items():
        _show(width, name, entry.description, options_of(name))
    for name in others:
        plugin = load_plugin(name)
        broken = f"cannot be loaded: {plugin.fault}" if plugin.fault else plugin.description
        _show(width, name, f"{broken} ({plugin.package})".lstrip(), plugin.options or {})
    for name in plugin_names():
        if name in AGENTS:
            typer.echo(f"{load_plugin(name).package} brings an agent {name} too, which is not taken.", err=True)


def _show(width: int, name: str, description: str, options: Mapping[str, object]) -> None:
    typer.echo(f"{name:{width}}  {description}")
    for option, meaning in options.items():
        typer.echo(f"{'':{width}}    --agent-option {option}=…  {meaning}")
