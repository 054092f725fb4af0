"""What every pincite server builds on: locators, errors, the tool scaffold, the cache and settings."""
