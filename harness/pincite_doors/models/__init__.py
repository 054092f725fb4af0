"""The model door: a streaming reverse proxy between one trial's agent and its model's API."""
