"""The web door: a recording forward proxy to the few hosts that an open-web task allows."""
