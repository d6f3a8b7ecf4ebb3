"""Signatures: they show the publisher of a match, and that nothing in it was changed since.

A signed match holds the public key (``matchHostPK``) and the signature (``matchHostSignature``) over the
canonical form of everything else, the key included. The signature begins with the letter of the canonical
form; then, as before every key, stands a digit for the method:

- ``0``: RSA with SHA-1, as the first GGP hosts have it. Read, and written with a key of theirs; no new keys
  are made, since SHA-1 can be made to collide.
- ``1``: Ed25519, ours: short, fast, and without choices to get wrong. Old hosts do not know it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey

from .canonical import FORM, canonical_form
from .spectator import PublishedMatch, published_json

PUBLIC_KEY, SIGNATURE = "matchHostPK", "matchHostSignature"
RSA_METHOD, ED25519_METHOD = "0", "1"
KEY_FILE = "host-key.pem"


class SignatureError(ValueError):
    """A signature that is missing, unreadable or wrong, or a key that cannot be used; says which."""


@dataclass(frozen=True)
class SigningKey:
    """The private key of a host."""

    private: Ed25519PrivateKey | RSAPrivateKey

    @property
    def method(self) -> str:
        return ED25519_METHOD if isinstance(self.private, Ed25519PrivateKey) else RSA_METHOD

    @property
    def public_text(self) -> str:
        """The public key as matches carry it."""
        raw = self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return self.method + base64.b64encode(raw).decode()

    def sign(self, text: str) -> str:
        """The signature of a text, with the digit of its method."""
        if isinstance(self.private, Ed25519PrivateKey):
            raw = self.private.sign(text.encode())
        else:
            raw = self.private.sign(text.encode(), padding.PKCS1v15(), hashes.SHA1())
        return self.method + base64.b64encode(raw).decode()

    def secret_for(self, text: str) -> str:
        """A secret that only the holder of the key can compute, the same for the same text."""
        raw = self.private.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return hmac.new(raw, text.encode(), hashlib.sha256).hexdigest()[:32]

    @classmethod
    def generate(cls) -> SigningKey:
        return cls(Ed25519PrivateKey.generate())


# -- matches ----------------------------------------------------------------------------------------------


def sign(data: Mapping[str, object], key: SigningKey) -> dict[str, object]:
    """The match with key and signature; a signature it had is replaced."""
    bare = {name: value for name, value in data.items() if name != SIGNATURE} | {PUBLIC_KEY: key.public_text}
    return bare | {SIGNATURE: FORM + key.sign(canonical_form(bare))}


def signed(match: PublishedMatch, key: SigningKey) -> PublishedMatch:
    """A match of ours, signed; the signature still holds after writing and reading it."""
    data = sign(published_json(match), key)
    return replace(match, public_key=str(data[PUBLIC_KEY]), signature=str(data[SIGNATURE]))


def check_signature(data: Mapping[str, object]) -> str:
    """The public key a match was signed with; SignatureError where the match was changed since."""
    public, signature = data.get(PUBLIC_KEY), data.get(SIGNATURE)
    if not isinstance(public, str) or not isinstance(signature, str):
        raise SignatureError("the match is not signed")
    if not signature.startswith(FORM):
        raise SignatureError(f"the signature is over canonical form {signature[:1]!r}; known is {FORM!r}")
    text = _signed_text({name: value for name, value in data.items() if name != SIGNATURE})
    key = _read_public(public)
    raw = _decoded(signature[1:], public[0], "the signature")
    try:
        if isinstance(key, Ed25519PublicKey):
            key.verify(raw, text)
        else:
            key.verify(raw, text, padding.PKCS1v15(), hashes.SHA1())
    except InvalidSignature:
        raise SignatureError("the match is not what was signed: something in it was changed") from None
    return public


def _signed_text(data: Mapping[str, object]) -> bytes:
    try:
        return canonical_form(dict(data)).encode()
    except (ValueError, RecursionError) as error:  # half a surrogate pair, infinite numbers
        raise SignatureError(f"nothing that can have been signed: {error}") from None


def _read_public(text: str) -> Ed25519PublicKey | RSAPublicKey:
    methods = {RSA_METHOD: RSAPublicKey, ED25519_METHOD: Ed25519PublicKey}
    kind = methods.get(text[:1])
    if kind is None:
        raise SignatureError(f"the public key is of an unknown kind {text[:1]!r}")
    try:
        key = serialization.load_der_public_key(_decoded(text, text[0], "the public key"))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SignatureError(f"the public key cannot be read: {error}") from None
    if not isinstance(key, kind):
        raise SignatureError("the public key is not of the kind it says")
    return key  # type: ignore[return-value]


def _decoded(text: str, method: str, what: str) -> bytes:
    if text[:1] != method:
        raise SignatureError(f"{what} is not made by the method of the key")
    try:
        raw = base64.b64decode(text[1:], validate=True)
    except (binascii.Error, ValueError):
        raise SignatureError(f"{what} is no base64 text") from None
    if base64.b64encode(raw).decode() != text[1:]:  # the last sign has unused bits
        raise SignatureError(f"{what} is no base64 text as it is written: something in it was changed")
    return raw


# -- keys and their files -----------------------------------------------------------------------------------


def config_folder() -> Path:
    """The folder of a person's settings."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "ludorum"


def own_key(path: Path | None = None) -> SigningKey:
    """The key in a file, by default in the config folder, where one is made the first time."""
    if path is not None:
        return load_key(path)
    path = config_folder() / KEY_FILE
    if not path.exists():
        save_key(SigningKey.generate(), path)
    return load_key(path)


def save_key(key: SigningKey, path: Path) -> None:
    """Write a key where only its owner can read it; SignatureError if there is a file already."""
    text = key.private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise SignatureError(f"{path}: there is a file already; a key is never written over") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)


def load_key(path: Path) -> SigningKey:
    """A key from a PEM file, or from the JSON (``PK``, ``SK``) that the first hosts kept theirs in."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SignatureError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        if text.lstrip().startswith(b"{"):
            secret = json.loads(text)["SK"]
            private = serialization.load_der_private_key(_decoded(secret, RSA_METHOD, "the key"), None)
        else:
            private = serialization.load_pem_private_key(text, None)
    except (ValueError, KeyError, TypeError, UnsupportedAlgorithm) as error:
        raise SignatureError(f"{path}: no private key in PEM or in a host's JSON ({error})") from None
    if not isinstance(private, Ed25519PrivateKey | RSAPrivateKey):
        raise SignatureError(f"{path}: the key is neither Ed25519 nor RSA")
    return SigningKey(private)
