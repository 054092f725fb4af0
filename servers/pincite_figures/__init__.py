"""MCP server: list the figures of a paper, look at them, zoom from the source, read their text, flag wrong ones."""
