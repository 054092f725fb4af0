"""Whether an MCP server helps an agent: the same trials with it and without it."""
