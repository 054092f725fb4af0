"""Probes: small programs that try to get out of the sandbox they run in, and say how that went.

An attempt gets the targets that the host names. It returns what it got out with (``open``), raises ``Refused`` or the
OSError of what stopped it (``held``), or ``Unknown`` where it cannot know (``unknown``).
"""
