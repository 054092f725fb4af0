"""Training data from what agents did, and rewards for models that learn from it; see docs/training.md.

``rewards``   rewards as pure functions of texts, calls and sets, importable without any training library
``adapters``  the same rewards as trl and verl call them
``trials``    trials of runs with their tasks, what each role was asked and said, and the program's events
``filters``   which trials are taken: least scores, lengths, metadata, and never a held-out task
``example``   one example: a conversation, what should follow it, and what a reward compares with
``writing``   examples for who writes the answer (sft, solver)
``choosing``  examples for who plans and who criticises: which of several is better (planner, critic)
``calling``   examples for who holds the tools: the next call (expert)
``imitating`` examples for any other role: what it said in a good trial
``formats``   examples as JSON lines of ours, for trl, or as Parquet for verl
"""
