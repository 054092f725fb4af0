"""The doors: the only ways out of a sandbox, which record what passes and keep the trial's limits."""
