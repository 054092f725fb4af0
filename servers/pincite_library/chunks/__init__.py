"""Papers cut into passages by their structure, each with what it needs to be found."""
