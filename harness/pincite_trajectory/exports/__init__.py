"""Trajectories in the forms of other tools: OpenTelemetry GenAI spans and Inspect logs."""
