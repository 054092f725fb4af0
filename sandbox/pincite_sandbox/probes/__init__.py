"""Trying for real whether a sandbox of this machine keeps what it promises."""
