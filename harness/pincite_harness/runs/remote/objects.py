"""Objects: what lies below an address of object storage, with errors in words."""

import importlib.util
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pincite_core.errors import ForbiddenError, MissingExtraError, NotFoundError, PinciteError, UnavailableError
from pincite_core.object_storage import StorageAddress, endpoint

_RETRIES = 6
"""Times that the client asks again after an outage; set by judgement."""
_RETRY_SECONDS = 60.0
"""Seconds after which it no longer asks again; set by judgement."""
_CONNECT_SECONDS = 10
"""Seconds to connect in; set by judgement."""
_REFUSED = ("403 forbidden", "401 unauthorized", "accessdenied", "invalidaccesskeyid", "signaturedoesnotmatch")
_NO_CREDENTIALS = ("169.254.169.254", "instance metadata", "credential")


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as a listing has it; ``name`` is relative to the address."""

    name: str
    size: int
    etag: str
    changed: datetime


class Objects:
    """The objects below ``address``. Methods block and may be called from several threads.

    They raise NotFoundError for a missing bucket or object, ForbiddenError where the credentials do not suffice, and
    UnavailableError where the service cannot be used.
    """

    def __init__(self, address: StorageAddress) -> None:
        self.address = address
        with self._worded(""):
            self._client, self._store = _open(address)

    def list(self, prefix: str = "") -> list[StoredObject]:
        """All objects below a prefix, a folder's name."""
        with self._worded(prefix):
            return [_stored(meta) for meta in self._client.list(self._store, prefix or None).collect()]

    def folders(self) -> Sequence[str]:
        """The names that stand before the next slash."""
        with self._worded(""):
            return sorted(self._client.list_with_delimiter(self._store)["common_prefixes"])

    def find(self, name: str) -> StoredObject | None:
        """One object; None where it is missing."""
        try:
            with self._worded(name):
                return _stored(self._client.head(self._store, name))
        except NotFoundError as error:
            if _is_bucket(error):
                raise
            return None

    def read(self, name: str) -> bytes:
        """The bytes of a small object."""
        with self._worded(name):
            return bytes(self._client.get(self._store, name).bytes())

    def download(self, wanted: StoredObject, path: Path) -> None:
        """Write an object to a file, by parts; UnavailableError where it is not the one that was listed any more."""
        with self._worded(wanted.name), path.open("wb") as file:
            for part in self._client.get(self._store, wanted.name, options={"if_match": wanted.etag}).stream():
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        if path.stat().st_size != wanted.size:
            raise UnavailableError(
                "An object did not come whole.",
                seen=f"{self.address / wanted.name}: {path.stat().st_size} of {wanted.size} bytes",
                next="Try again.",
            )

    def upload(self, name: str, path: Path) -> str:
        """Write a file to an object, a large one by parts; its new etag. A reader sees it whole or as it was."""
        with self._worded(name):
            return self._client.put(self._store, name, path)["e_tag"]

    def create(self, name: str, data: bytes) -> str:
        """Write an object that is not there yet; its etag, "" where it is there."""
        return self._put(name, data, "create")

    def replace(self, name: str, data: bytes, etag: str) -> str:
        """Write an object that has this etag; its new one, "" where it has another, or is gone."""
        return self._put(name, data, {"e_tag": etag})

    def delete(self, names: Sequence[str]) -> None:
        """Remove objects; one that is missing is passed over."""
        if names:
            with self._worded(names[0]):
                self._client.delete(self._store, list(names))

    def _put(self, name: str, data: bytes, mode: str | Mapping[str, str]) -> str:
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        met = (AlreadyExistsError, PreconditionError)
        try:
            with self._worded(name, passing=met):
                return self._client.put(self._store, name, data, mode=mode)["e_tag"]
        except met:
            # The client asks again when an answer was lost: what stands there may be what it wrote itself.
            found = self.find(name)
            return found.etag if found is not None and self.read(name) == data else ""

    @contextmanager
    def _worded(self, name: str, passing: tuple[type[Exception], ...] = ()) -> Generator[None]:
        """Turn what the client raises into errors of ours; ``passing`` and faults of this machine stay as they are."""
        try:
            yield
        except (PinciteError, *passing):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise self._in_words(error, name) from error

    def _in_words(self, error: Exception, name: str) -> PinciteError:
        message = " ".join(str(error).split("\n\nDebug source")[0].split())
        low, place = message.lower(), str(self.address / name)
        seen = f"{place}: {message[:300]}"
        if "nosuchbucket" in low:
            return NotFoundError(
                f"There is no bucket {self.address.bucket}.",
                seen=place,
                next="Make it, or correct the address, AWS_ENDPOINT_URL or AWS_DEFAULT_REGION.",
            )
        if isinstance(error, FileNotFoundError):
            return NotFoundError(f"There is no {place}.", next="Check the address.")
        if any(word in low for word in _REFUSED):
            return ForbiddenError(
                "The object storage refused the credentials.",
                seen=seen,
                next="Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN) of a user who may list, "
                "read, write and delete there.",
            )
        if any(word in low for word in _NO_CREDENTIALS):
            return UnavailableError(
                "There are no credentials for object storage.",
                seen=seen,
                next="Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; profiles (AWS_PROFILE) are read where boto3 is "
                "installed.",
            )
        return UnavailableError(
            "The object storage could not be used.",
            seen=seen,
            next="Check the service, AWS_ENDPOINT_URL and AWS_DEFAULT_REGION, and try again.",
        )


def _is_bucket(error: NotFoundError) -> bool:
    return error.what.startswith("There is no bucket")


def _open(address: StorageAddress) -> tuple[Any, Any]:
    """The client and its store; MissingExtraError without the package."""
    try:
        import obstore
        from obstore.store import S3Store
    except ImportError:
        raise MissingExtraError.of("storage", needed_for=f"Object storage ({address})") from None
    options: dict[str, Any] = {"client_options": {"connect_timeout": timedelta(seconds=_CONNECT_SECONDS)}}
    if url := endpoint():
        options["endpoint"] = url
        options["client_options"]["allow_http"] = url.startswith("http://")
    if not os.environ.get("AWS_ACCESS_KEY_ID") and importlib.util.find_spec("boto3") is not None:
        from obstore.auth.boto3 import Boto3CredentialProvider

        options["credential_provider"] = Boto3CredentialProvider()
    options["retry_config"] = {"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=_RETRY_SECONDS)}
    return obstore, S3Store(address.bucket, prefix=address.prefix or None, **options)


def _stored(meta: Mapping[str, Any]) -> StoredObject:
    return StoredObject(meta["path"], meta["size"], meta["e_tag"] or "", meta["last_modified"])
