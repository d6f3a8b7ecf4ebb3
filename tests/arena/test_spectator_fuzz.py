"""Foreign match JSON: whatever it holds, the answer is a match or an error that says what is wrong."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena import RecordError
from ludorum.arena.records.publisher import open_record
from ludorum.arena.records.record_checks import growth_faults, record_faults
from ludorum.arena.records.signatures import SignatureError, SigningKey, check_signature, sign
from ludorum.arena.records.spectator import format_published, parse_published, published_json
from ludorum.cli.replay_frames import make_reel
from ludorum.cli.replay_html import replay_page
from tests.arena.test_spectator import published, rich_match, right_match
from tests.how_much import some

KEY = SigningKey.generate()
OURS = sign(json.loads(format_published(published(rich_match()))), KEY)

ODD = st.sampled_from(["(a)", "?x", "(", "\ud800"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def spoiled(draw: st.DrawFn) -> dict[str, Any]:
    """A right match with some values, anywhere in it, replaced, removed or doubled."""
    data: dict[str, Any] = json.loads(json.dumps(draw(st.sampled_from([right_match(), OURS]))))
    for _ in range(draw(st.integers(1, 3))):
        at: Any = data
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and at[key] and draw(st.booleans()):
                at = at[key]
                continue
            change = draw(st.integers(0, 2))
            if change == 0:
                del at[key]
            elif change == 1 and isinstance(at, list):
                at.append(at[key])
            else:
                at[key] = draw(VALUES)
            break
    return data


@settings(max_examples=some(300))
@given(spoiled())
def test_a_spoiled_match_is_read_or_refused(data: dict[str, Any]) -> None:
    faults = record_faults(data)
    growth_faults(OURS, data)
    growth_faults(data, OURS)
    with suppress(SignatureError):
        check_signature(data)
    try:
        match = parse_published(json.dumps(data))
    except RecordError as error:
        assert str(error).startswith("<record>: ")  # noqa: PT017
        return
    again = parse_published(format_published(match))
    assert again == match
    if not faults:
        assert record_faults(published_json(match)) == []
    with suppress(ValueError):
        replay_page(make_reel(match))


@settings(max_examples=100)
@given(spoiled())
def test_any_text_opens_or_is_refused(data: dict[str, Any]) -> None:
    with suppress(RecordError):
        open_record(json.dumps(data))
    for other in (json.dumps(list(data)), json.dumps(data)[:-2], ""):
        with suppress(RecordError):
            open_record(other)
