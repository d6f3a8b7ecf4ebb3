"""Who is to play, as people write it."""

from __future__ import annotations

import pytest

from ludorum.arena.protocol.dialects import Language
from ludorum.arena.protocol.invitations import Invitation, parse_invitations

HERE = "http://localhost:9147"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("champion", [Invitation("champion")]),
        ("random, legal", [Invitation("random"), Invitation("legal")]),
        ("mcts:playouts=10,seed=3,random", [Invitation("mcts:playouts=10,seed=3"), Invitation("random")]),
        (f"{HERE},mcts:playouts=9", [Invitation(HERE, True), Invitation("mcts:playouts=9")]),
        ("localhost:9147,my.toml", [Invitation("localhost:9147", True), Invitation("my.toml")]),
        ("[::1]:9147", [Invitation("[::1]:9147", True)]),
        (f"gdl2+{HERE}", [Invitation(HERE, True, Language.GDL2)]),
        (f"gdl1+{HERE}", [Invitation(HERE, True, Language.GDL)]),
        (f"get+gdl2-2011+{HERE}", [Invitation(HERE, True, Language.GDL2_2011, "GET")]),
        ("GDL2+localhost:9147", [Invitation("localhost:9147", True, Language.GDL2)]),
    ],
)
def test_names_and_addresses(text: str, found: list[Invitation]) -> None:
    assert parse_invitations(text) == found


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an empty name"),
        ("random,,legal", "an empty name"),
        (f"gdl7+{HERE}", r"gdl1\+, gdl2\+, gdl2-2011\+ or get\+, not gdl7\+"),
        ("https://localhost:1", "by http, not https"),
        ("localhost:99999", "Port out of range"),
    ],
)
def test_what_is_neither(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_invitations(text)
