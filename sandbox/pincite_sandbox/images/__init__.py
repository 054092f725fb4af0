"""The images that Docker sandboxes start from."""

RECIPE = "2"
"""Counts up when what the images hold changes."""

DEFAULT_IMAGE = f"pincite-sandbox:{RECIPE}"
"""Python alone."""

AGENTS_IMAGE = f"pincite-agents:{RECIPE}"
"""The base, the CLI agents, and the libraries of the harness's own agents at ``AGENTS_PYTHON``."""

AGENTS_PYTHON = "/opt/agents/bin/python"

BUILD_LINE = "pincite sandbox build"
