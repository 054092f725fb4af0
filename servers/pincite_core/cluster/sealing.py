"""Sealing: bytes that only one process can read, so that keys may cross Ray's messages, object store and logs.

X25519, HKDF-SHA256 and ChaCha20-Poly1305, each message with a key pair of its own, as in HPKE's base mode (RFC 9180).
"""

import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_PUBLIC_BYTES = 32
_NONCE_BYTES = 12
_PURPOSE = b"pincite cluster keys 1"


class Receiver:
    """A key pair whose private half never leaves this process's memory."""

    def __init__(self) -> None:
        self._private = X25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw()

    def open(self, sealed: bytes) -> bytes:
        """What was sealed for this receiver; cryptography's InvalidTag for anything else."""
        other, rest = sealed[:_PUBLIC_BYTES], sealed[_PUBLIC_BYTES:]
        shared = self._private.exchange(X25519PublicKey.from_public_bytes(other))
        cipher = _cipher(shared, other, self.public)
        return cipher.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], None)


def seal(public: bytes, data: bytes) -> bytes:
    """``data`` readable by the receiver of the key ``public`` alone."""
    once = X25519PrivateKey.generate()
    own = once.public_key().public_bytes_raw()
    cipher = _cipher(once.exchange(X25519PublicKey.from_public_bytes(public)), own, public)
    nonce = os.urandom(_NONCE_BYTES)
    return own + nonce + cipher.encrypt(nonce, data, None)


def _cipher(shared: bytes, sender: bytes, receiver: bytes) -> ChaCha20Poly1305:
    key = HKDF(SHA256(), 32, salt=sender + receiver, info=_PURPOSE).derive(shared)
    return ChaCha20Poly1305(key)
