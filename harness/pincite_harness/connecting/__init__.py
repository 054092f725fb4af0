"""Connecting: the configurations of MCP clients, and one entry changed in them without touching the rest."""
