"""``ludorum arena`` without processes of its own, for tests of what else it does."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import pytest

from ludorum.arena.tournament import Here
from ludorum.arena.tournament.run import Runner
from ludorum.cli import arena


def play_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it play in this process where it would start one: that takes longer than a small tournament."""
    usual = arena._runner

    def runner(processes: int, ray: bool) -> AbstractContextManager[Runner]:
        return usual(processes, ray) if ray or processes > 1 else nullcontext(Here())

    monkeypatch.setattr(arena, "_runner", runner)
