"""Who is to play, as people write it."""

from __future__ import annotations

import pytest

from ludorum.arena.protocol.dialects import Language
from ludorum.arena.protocol.invitations import Invitation, format_invitation, parse_invitations

HERE = "http://localhost:9147"
LOCAL = "localhost:9147"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("champion", [Invitation("champion")]),
        ("random, legal", [Invitation("random"), Invitation("legal")]),
        ("mcts:playouts=10,seed=3,random", [Invitation("mcts:playouts=10,seed=3"), Invitation("random")]),
        (f"{HERE},mcts:playouts=9", [Invitation(LOCAL, LOCAL), Invitation("mcts:playouts=9")]),
        ("localhost:9147,my.toml", [Invitation(LOCAL, LOCAL), Invitation("my.toml")]),
        ("[::1]:9147", [Invitation("[::1]:9147", "[::1]:9147")]),
        (f"gdl2+{HERE}", [Invitation(LOCAL, LOCAL, Language.GDL2)]),
        (f"gdl1+{HERE}", [Invitation(LOCAL, LOCAL, Language.GDL)]),
        (f"get+gdl2-2011+{HERE}", [Invitation(LOCAL, LOCAL, Language.GDL2_2011, "GET")]),
        ("GDL2+localhost:9147", [Invitation(LOCAL, LOCAL, Language.GDL2)]),
        (f"me={HERE},you=gdl1+{LOCAL}", [Invitation("me", LOCAL), Invitation("you", LOCAL, Language.GDL)]),
        (
            "mcts:playouts=9,me=other.host:80",
            [Invitation("mcts:playouts=9"), Invitation("me", "other.host:80")],
        ),
    ],
)
def test_names_and_addresses(text: str, found: list[Invitation]) -> None:
    assert parse_invitations(text) == found
    assert parse_invitations(",".join(map(format_invitation, found))) == found


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a name is missing"),
        ("random,,legal", "a name is missing"),
        (f"gdl7+{HERE}", r"gdl1\+, gdl2\+, gdl2-2011\+, wdl\+ or get\+, not gdl7\+"),
        ("https://localhost:1", "by http, not https"),
        ("localhost:99999", "Port out of range"),
    ],
)
def test_what_is_neither(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_invitations(text)
