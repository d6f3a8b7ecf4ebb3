"""The interface of a player of realtime games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.terms import Term


class RealtimePlayer(ABC):
    """Decides for one role of one match, moment by moment, whether to act."""

    name: str
    thinks: bool = True
    """Whether time to think is of use to it; else it is asked only when something has happened."""

    def start(self, master: WdlMaster, role: Term) -> None:  # noqa: B027  (a hook, not a duty)
        """Prepare for a match. ``master`` has the rules as this role is told them."""

    @abstractmethod
    def think(self, state: MasterState, legal: Sequence[Term], seconds: float) -> Term | None:
        """One of the legal moves, to be made now, or None to do nothing for the moment.

        ``seconds``: how long it may think before it answers. It is asked again at once, with what has
        happened meanwhile. ``legal`` is never empty.
        """
