"""Programs that run inside the sandbox; their text is handed to its interpreter."""
