"""Marking: an answer is checked and scored in a process of its own, within limits of time, memory and size."""
