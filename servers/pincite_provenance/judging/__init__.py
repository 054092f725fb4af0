"""Judges of claims that the rules leave unsure: a text model, or a person at the client. Never of what fails."""
