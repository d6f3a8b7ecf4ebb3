"""What is asked about a match is asked of the process that plays it."""

from __future__ import annotations

import inspect

from ludorum.web.live import MatchHub
from ludorum.web.peers import SharedHub
from ludorum.web.peers.shared_hub import ASKED

OWN = {"resume", "let_go", "finished_record"}
"""What is never asked of another process."""


def test_every_question_about_a_match_can_be_asked_of_another_process() -> None:
    about = {
        name
        for name, method in inspect.getmembers(MatchHub, inspect.isfunction)
        if not name.startswith("_") and "match_id" in inspect.signature(method).parameters
    }
    assert about - OWN == {*ASKED, "subscribe"}
    for name in about - OWN:
        assert getattr(SharedHub, name) is not getattr(MatchHub, name)
        assert inspect.signature(getattr(SharedHub, name)) == inspect.signature(getattr(MatchHub, name))
