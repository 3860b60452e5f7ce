"""Secrets for links and cookies, and what is kept of them."""

import hashlib
import secrets

TOKEN_BYTES = 32


def make_token() -> str:
    """A secret of 256 bits, fit for a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret_bytes(secret)).digest()


def secret_bytes(text: str) -> bytes:
    """Any text, also one with halves of characters, which UTF-8 has not."""
    return text.encode("utf-8", "surrogatepass")
