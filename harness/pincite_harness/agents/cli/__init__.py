"""CLI agents: command lines that people use, run headless in a trial.

A new one is one small file and one line in ``agents.registry.AGENTS``. The file holds a subclass of ``agent.CliAgent``:
its command, the npm package that pins its version (``pincite_sandbox/images/package.json``), its dialect, its command
line, variables and settings, and how its own events tell a failure. What has to hold, and what tests of
``tests/harness/clis`` ask of each:

- It asks the chosen model alone, through the door, also where it would take a smaller one by itself; it asks again
  after an outage for a bounded time.
- The trial's servers are connected before the first request and their tools are shown to the model as tools, none
  deferred; results are not cut; images reach the model.
- Every tool is allowed without a question, its own shell and file tools too: the sandbox is what confines it. What the
  provider would run for it (web search) is off unless the task opens it.
- It neither updates itself nor tells anyone anything; its token stands in no command line.
- ``diagnose`` reads what the program itself says, never what the model or a tool said.
"""
