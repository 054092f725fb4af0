"""MCP server: chemistry, proteins, clinical trials, patents and materials, each value with its source."""
