"""The parts of terminus: a terminal, replies, a conversation of bounded length, and the agent's own record."""
