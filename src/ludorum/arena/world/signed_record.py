"""Signatures of records of WDL matches: over all their lines, as one value in canonical form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from ..records.signatures import PUBLIC_KEY, SIGNATURE, SignatureError, SigningKey, check_signature, sign
from .record import SIGNED, WorldRecord


def signed_record(record: WorldRecord, key: SigningKey) -> WorldRecord:
    """The record with a last line that signs it."""
    bare = replace(record, signature={})
    # Through text and back: pairs are lists there.
    data = sign({"world": json.loads(json.dumps(list(bare.values())))}, key)
    return replace(bare, signature={name: str(data[name]) for name in (PUBLIC_KEY, SIGNATURE)})


def check_record_signature(lines: Sequence[str]) -> str | None:
    """The public key that signed a record; None where it is not signed, SignatureError where it was changed
    since."""
    try:
        values = [json.loads(line) for line in lines if line.strip()]
    except ValueError:  # a last line that was not written whole, such as the signature itself
        return None
    if not any(SIGNED in value for value in values):
        return None
    said = values.pop().get(SIGNED)
    if not isinstance(said, dict):
        raise SignatureError("lines were added after the signature")
    return check_signature({**said, "world": values})
