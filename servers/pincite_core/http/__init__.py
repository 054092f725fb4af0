"""HTTP for all servers: every lookup on the web passes here, with rate limits, cache, recording and refusals."""
