"""An agent that asks for addresses with Python's own client, which follows the proxy variables, and past them."""

import json
import socket
import sys
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen


def fetched(url: str) -> str:
    """What a program sees that does not know of the proxy."""
    try:
        with urlopen(url, timeout=20) as answer:
            return answer.read().decode()
    except HTTPError as error:
        return f"{error.code} {error.read().decode()}"
    except URLError as error:
        return str(error.reason)


def connected(host: str) -> str:
    """What a program sees that goes around the proxy."""
    try:
        socket.create_connection((host, 80), timeout=2).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


for place in sys.argv[1:]:
    print(json.dumps([place, fetched(place) if "://" in place else connected(place)]), flush=True)
Path("answer.json").write_text('{"properties": []}')
