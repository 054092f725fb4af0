"""Runs on a Ray cluster: trials as tasks on its nodes, their folders brought back whole."""
