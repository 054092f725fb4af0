"""The audit of reports, answers and trajectories: their claims against the sources, as tables, pages and files."""
