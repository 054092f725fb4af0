"""CLI agents: command lines that people use, run headless in a trial.

A new one is one small file: a subclass of ``agent.CliAgent`` that says its command, the npm package that pins its
version, its dialect, how it is called, what settings it reads, and how its own events tell a failure; and one line in
``table.AGENTS``.
"""
