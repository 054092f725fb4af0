"""Trajectories from the session files that the CLI agents themselves write."""

from pincite_trajectory.sessions.read import read_session

__all__ = ["read_session"]
