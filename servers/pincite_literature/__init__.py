"""MCP server: search the literature in many sources at once, follow citations, fetch open full texts."""
