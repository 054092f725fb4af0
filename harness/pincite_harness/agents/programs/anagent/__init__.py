"""anagent: a planner, an expert with tools, an author and a critic write the analysis of tables and figures."""
