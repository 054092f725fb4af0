"""Literature agent: an orchestrator that searches, reads and looks at figures in free order, and rules that hold it.

See docs/literature-agent.md.
"""
