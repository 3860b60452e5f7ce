"""Secrets for links, and the hashes that are kept of them."""

import hashlib
import secrets

TOKEN_BYTES = 32


def make_token() -> str:
    """A secret of 256 bits, fit for a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(secret: str) -> bytes:
    """The hash of a secret, which is kept instead of it."""
    return hashlib.sha256(secret_bytes(secret)).digest()


def secret_bytes(text: str) -> bytes:
    """Any text as bytes, also a text with half characters (lone surrogates), which UTF-8 cannot encode."""
    return text.encode("utf-8", "surrogatepass")
