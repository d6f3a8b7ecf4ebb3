"""Checks that a record of a WDL match is as its rules say."""

from __future__ import annotations

from ...engine.wdl_master import WdlMaster
from ..records.verify import Disagreement, VerifyReport
from .record import MadeMoves, Ticks, WorldRecord, WorldRecordError, replay


def verify_world(master: WdlMaster, record: WorldRecord) -> VerifyReport:
    """Play a record again: every move, what it became, and the goals. It ends with the first disagreement.

    A step is a signal of the clock, or moves.
    """
    steps = sum(one.count if isinstance(one, Ticks) else isinstance(one, MadeMoves) for one in record.events)
    states = 0
    try:
        for _ in replay(record, master):
            states += 1
    except WorldRecordError as error:
        done = max(0, states - 1)
        found = Disagreement(done, "error", None, (), (str(error),))
        return VerifyReport(states, states, (found,), 1, done, steps, "the match cannot be followed further")
    return VerifyReport(states, states, (), 0, steps, steps)
