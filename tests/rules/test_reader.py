"""Which language a text is in: asked for, by suffix, or by its looks."""

import pytest

from ludorum.rules import RulesError, Source, parse_kif, parse_rules, read_rules, rule_language
from tests.rules.random_rules import FIVE_GAMES, game_text


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.kif", "kif"), ("b.GDL", "kif"), ("c.pl", "prolog"), ("d.prolog", "prolog"), ("e.lp", "prolog")],
)
def test_the_suffix_decides(name: str, language: str) -> None:
    assert rule_language(Source(f"some/folder.v2/{name}", "anything")) == language


@pytest.mark.parametrize(
    "text",
    ["(role a)", "; x :- y.\n(role a)", "terminal (role a)", "terminal\n(<= p q)", "terminal", "", "; only",
     "\ufeff(p)", "  \r\n\t( role a )", "open(role a)", "|a b| (p)", "(p :- .)"],
)  # fmt: skip
def test_looks_like_kif(text: str) -> None:
    assert rule_language(Source("sheet.txt", text)) == "kif"


@pytest.mark.parametrize(
    "text",
    ["role(a).", "% (role a)\nrole(a).", "terminal :- p.", "terminal.", "terminal:-p.", "'a b'(c).",
     "/* ( */ p(x) :- q(x).",
     ":- p.", "% only", "role(a)\nrole(b)", "p(X) <- q(X).", "\ufeffp."],
)  # fmt: skip
def test_looks_like_prolog(text: str) -> None:
    assert rule_language(Source("-", text)) == "prolog"


@pytest.mark.parametrize("game", FIVE_GAMES)
def test_our_games_look_like_what_they_are(game: str) -> None:
    text = game_text(game)
    assert parse_rules(text, "-") == parse_kif(text)


def test_the_language_asked_for_wins() -> None:
    assert parse_rules("role(a).", "x.kif", "prolog") == parse_rules("(role a)", "x.pl", "kif")
    with pytest.raises(ValueError, match="kif and prolog"):
        parse_rules("p", language="latin")


def test_faults_are_raised_or_handed_back() -> None:
    assert len(read_rules(Source("-", "role(a"))[1]) == 1
    with pytest.raises(RulesError):
        parse_rules("(role a")
