"""Addresses of object storage (``s3://bucket/prefix``), and how its service is reached."""

import os
import re
from dataclasses import dataclass, replace

from pincite_core.errors import BadInputError

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StorageAddress:
    """A place in a bucket: ``prefix`` is without slashes at its ends, "" for the whole bucket."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    def __truediv__(self, name: str) -> "StorageAddress":
        return replace(self, prefix=f"{self.prefix}/{name}".strip("/"))


def is_address(text: str) -> bool:
    """Whether this names object storage rather than a path; ``s3:/bucket`` does too, as ``Path`` writes it."""
    return _SCHEME.match(text) is not None


def parse_address(text: str) -> StorageAddress:
    """BadInputError for another scheme than ``s3://``, without a bucket, or with ``..`` in it."""
    scheme = _SCHEME.match(text)
    rest = text[scheme.end() :] if scheme is not None else ""
    bucket, _, prefix = rest.strip("/").partition("/")
    names = [name for name in prefix.split("/") if name]
    if scheme is None or scheme[1].lower() != "s3" or not bucket or {".", ".."} & {bucket, *names}:
        raise BadInputError(
            "This is not an address of object storage that pincite knows.", seen=text, next="s3://BUCKET/PREFIX"
        )
    return StorageAddress(bucket, "/".join(names))


def endpoint() -> str:
    """The address of a service other than AWS (``AWS_ENDPOINT_URL_S3``, ``AWS_ENDPOINT_URL``), "" for AWS."""
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
    return next((os.environ[name] for name in names if os.environ.get(name)), "")
