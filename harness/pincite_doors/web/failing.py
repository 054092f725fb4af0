"""Why a request to the web did not end well."""

from collections.abc import Generator
from contextlib import contextmanager

import httpcore

from pincite_core.errors import ForbiddenError, PinciteError
from pincite_doors.web.recorder import WebCause

CONNECT_SECONDS = 15.0
"""Seconds to reach a host of the web. Set by judgement."""
IDLE_SECONDS = 300.0
"""How long a site may send nothing."""
_STATUS: dict[WebCause, int] = {"forbidden": 403, "timeout": 504}


class WebError(Exception):
    """A cause with what was seen; ``status`` is what the agent is told where no answer has begun."""

    def __init__(self, cause: WebCause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause: WebCause = cause
        self.detail = detail
        self.status = _STATUS.get(cause, 502)


@contextmanager
def web_errors() -> Generator[None]:
    """Raises what goes wrong on the side of the web as a WebError."""
    try:
        yield
    except ForbiddenError as error:
        raise WebError("forbidden", f"{error.what} {error.seen}") from error
    except PinciteError as error:
        raise WebError("connection", f"{error.what} {error.seen}") from error
    except httpcore.TimeoutException as error:
        raise WebError("timeout", str(error) or type(error).__name__) from error
    except httpcore.RemoteProtocolError as error:
        raise WebError("cut" if "peer closed" in str(error) else "malformed", str(error)) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
        raise WebError("connection", f"{type(error).__name__}: {error}") from error
