"""Signatures: what was signed is known again, and whatever was changed is found."""

import base64
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena.records.canonical import canonical_form
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.signatures import (
    SignatureError,
    SigningKey,
    check_signature,
    load_key,
    own_key,
    save_key,
    sign,
    signed,
)
from ludorum.arena.records.spectator import format_published, parse_published, published_json
from tests.arena.test_spectator import published, rich_match
from tests.how_much import some

KEY = SigningKey.generate()


def test_canonical_form_by_example() -> None:
    """The first two lines are the examples the first hosts test theirs with."""
    for text, form in (
        ('{"3":{"7":9,"c":4,"2":5,"a":6},"1":2,"2":3}', '{"1":2,"2":3,"3":{"2":5,"7":9,"a":6,"c":4}}'),
        ('{"def":4,"ghi":5,"abc":3}', '{"abc":3,"def":4,"ghi":5}'),
        ('[1.0, 2.50, -0, true, false, null, ""]', '[1,2.5,0,true,false,null,""]'),
        (r'"a/b </c \u0001 \n \" \\ ä \u0085 \u2019"', r'"a/b <\/c \u0001 \n \" \\ ä \u0085 \u2019"'),
        ('{"b":1,"a":1,"B":1,"\\uffff":1,"\\ud83d\\ude00":1}', '{"B":1,"a":1,"b":1,"😀":1,"\uffff":1}'),
    ):
        assert canonical_form(json.loads(text)) == form
    for value in (float("nan"), object()):
        with pytest.raises(ValueError, match="JSON"):
            canonical_form(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.long
@given(JSON)
def test_the_canonical_form_is_json_and_one_for_each_value(value: Any) -> None:
    form = canonical_form(value)
    assert json.loads(form) == value
    assert canonical_form(json.loads(json.dumps(value, indent=3))) == form


def rsa_key() -> SigningKey:
    return SigningKey(rsa.generate_private_key(public_exponent=65537, key_size=2048))


@pytest.mark.parametrize("key", [KEY, rsa_key()], ids=["ed25519", "rsa"])
def test_a_signed_match_is_known_again(key: SigningKey) -> None:
    match = signed(published(rich_match()), key)
    text = format_published(match)
    data = json.loads(text)
    assert check_signature(data) == key.public_text == data["matchHostPK"]
    assert data["matchHostSignature"].startswith("A" + key.method)
    assert record_faults(data) == []
    again = parse_published(text)
    assert check_signature(published_json(again)) == key.public_text
    # Layout and order of the file do not matter.
    assert check_signature(json.loads(json.dumps(dict(reversed(data.items())), indent=3)))


@settings(max_examples=some(300))
@given(st.data())
def test_a_changed_byte_is_found(data: st.DataObject) -> None:
    text = format_published(signed(published(rich_match()), KEY))
    raw = bytearray(text.encode())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(32, 126).filter(lambda byte: byte != raw[at]))
    try:
        changed = json.loads(raw)
    except ValueError:
        return  # no JSON any more: found as well
    if changed == json.loads(text):
        return  # a space became another: nothing that is said has changed
    with pytest.raises(SignatureError):
        check_signature(changed)


def test_every_sign_of_the_signature_counts() -> None:
    data = sign({"moves": 14}, KEY)
    signature = str(data["matchHostSignature"])
    for at in range(len(signature)):
        for sign_there in "ABgw059+/=":
            if sign_there != signature[at]:
                changed = data | {"matchHostSignature": signature[:at] + sign_there + signature[at + 1 :]}
                with pytest.raises(SignatureError):
                    check_signature(changed)


def test_nothing_json_can_hold_breaks_the_check() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    for value in ("\ud800", deep, float("inf")):
        with pytest.raises(SignatureError, match="nothing that can have been signed"):
            check_signature(sign({}, KEY) | {"x-more": value})


def test_what_is_wrong_with_a_signature_is_said() -> None:
    data = sign({"moves": 14}, KEY)
    for change, message in (
        ({"matchHostSignature": None}, "not signed"),
        ({"matchHostSignature": "B" + str(data["matchHostSignature"])[1:]}, "canonical form 'B'"),
        ({"matchHostSignature": "A0" + str(data["matchHostSignature"])[2:]}, "not made by the method"),
        ({"matchHostSignature": "A1?"}, "no base64"),
        ({"matchHostPK": "7abc"}, "unknown kind '7'"),
        ({"matchHostPK": "1abcd"}, "cannot be read"),
        ({"matchHostPK": "0" + KEY.public_text[1:]}, "not of the kind it says"),
        ({"matchHostPK": SigningKey.generate().public_text}, "something in it was changed"),
        ({"moves": 15}, "something in it was changed"),
        ({"x-more": 1}, "something in it was changed"),
    ):
        with pytest.raises(SignatureError, match=message):
            check_signature(data | change)


def test_a_key_is_made_once_and_kept_for_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    first, second = own_key(), own_key()
    assert first.public_text == second.public_text
    path = tmp_path / "config" / "ludorum" / "host-key.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(SignatureError, match="never written over"):
        save_key(KEY, path)


def test_keys_come_from_files(tmp_path: Path) -> None:
    old = rsa_key()
    secret = old.private.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "host.json"
    path.write_text(json.dumps({"PK": old.public_text, "SK": "0" + base64.b64encode(secret).decode()}))
    assert load_key(path).public_text == old.public_text
    assert own_key(path).method == "0"
    for text in ("{}", "no key", '{"SK": "0abc"}', '{"SK": 3}', "{"):
        path.write_text(text)
        with pytest.raises(SignatureError, match=r"host\.json"):
            load_key(path)
    with pytest.raises(SignatureError, match="cannot be read"):
        load_key(tmp_path / "none.pem")
