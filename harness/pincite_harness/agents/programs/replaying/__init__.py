"""The parts of replay: which live tool a name means, what a call brought, where two results differ, the report."""
