"""Large made-up literatures for the hard tasks, written from a truth in TOML by pools of sentences."""
