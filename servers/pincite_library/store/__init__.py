"""Where a library is kept: one protocol, several stores."""
