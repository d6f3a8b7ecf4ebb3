"""``ludorum players`` lists who there is."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from ludorum.cli.app import app


def test_players_are_listed_for_people_and_programs() -> None:
    shown = CliRunner().invoke(app, ["players"])
    assert shown.exit_code == 0
    lines = [line.split(maxsplit=1) for line in shown.output.splitlines()]
    about = "Plays any legal move, each as likely as the others; the same seed plays the same."
    assert ["random", about] in lines
    rows = json.loads(CliRunner().invoke(app, ["players", "--json"]).output)
    assert [row["name"] for row in rows][:3] == ["legal", "random", "greedy"]
    assert {"name", "about"} == set(rows[0])
