"""Requests made from the description of the API are answered as it says, and never by an internal error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.how_much import some
from tests.web.served import API, Person

People = Callable[[], Person]

CHECKS = "not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance"


@pytest.mark.long
def test_no_request_is_answered_by_an_internal_error(person: People, tmp_path: Path) -> None:
    """Paths name a match that goes on and a game of the library, so that they lead somewhere."""
    ann = person()
    ann.sign_up("asker of everything")
    body = {"games": ["tictactoe"], "players": ["random", "legal"], "seconds": 0.05}
    tournament = ann.post("/tournaments", body, 201)["id"]
    seats = {"xplayer": "me", "oplayer": "open"}
    match = ann.post("/matches", {"game": "tictactoe", "seats": seats}, 201)["id"]
    config = tmp_path / "schemathesis.toml"
    names = {"match_id": match, "game_id": "tictactoe", "tournament_id": tournament}
    lines = [f'{name} = "{value}"' for name, value in names.items()]
    config.write_text("\n".join(["[parameters]", *lines, ""]))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"),
            *(f"{ann.address}{API}/openapi.json", "--url", ann.address, "--checks", CHECKS),
            *("-H", f"X-CSRF-Token: {ann.csrf}", "-H", f"Cookie: {ann.cookies}"),
            *("--phases", "coverage,fuzzing", "--max-examples", str(some(40, 10)), "--seed", "1"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
