"""What verbs say of rules that wrap terms for ever: not that more time may do."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from tests.exploding_sheets import GROWING_TERMS

GROWTH = (
    "(<= (next (s (f ?x))) (true (s ?x))) in line 3 wraps terms in terms again and again, "
    "and nothing bounds them"
)
SEEN = f"play came to terms nested more than 300 deep: {GROWTH}"
SAID = {
    "solve": (1, f"nested too deeply: {GROWTH}"),
    "prove": (3, f"cannot be compiled: {SEEN}"),
    "plan": (1, f"No plan was found, and more time may not help: {SEEN}"),
    "explore": (1, f"more than 10000 deep; {GROWTH}"),
    "explain": (1, f"no game came to its end, so there is nothing to learn from; {SEEN}"),
    "check": (0, f"more than 1000 deep; {GROWTH}"),
}


@pytest.mark.long
@pytest.mark.parametrize("verb", SAID)
def test_verbs_say_that_terms_grow(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "grows.kif"
    path.write_text(GROWING_TERMS)
    # A minute where it ends by itself: nothing here depends on how fast the machine is.
    words = {
        "solve": ["--seconds", "60"],
        "prove": ["terminates"],
        "plan": ["--seconds", "1"],
        "explain": ["--games", "2"],
    }.get(verb, [])
    done = CliRunner().invoke(app, [verb, str(path), *words])
    code, said = SAID[verb]
    assert done.exit_code == code
    assert said in done.output
    assert "more --seconds" not in done.output


def test_check_points_at_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "grows.kif"
    path.write_text(GROWING_TERMS)
    lines = CliRunner().invoke(app, ["check", str(path)]).output.splitlines()
    assert lines[0].startswith(f"{path}:3:1: note[not-played]: quick play was given up: ")
    assert lines[3] == "    hint: bound what grows, by a relation with all values that are meant"
