"""The metrics between a written analysis and the reference analysis, each 0 for nothing shared and 1 for the same."""
