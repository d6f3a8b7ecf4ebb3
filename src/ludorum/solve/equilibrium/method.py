"""The methods of regret minimisation, by the names that the command line has for them."""

from __future__ import annotations

from enum import StrEnum


class RegretMethod(StrEnum):
    """How regrets are gathered."""

    CFR = "cfr"
    """The whole tree in every iteration; all strategies weigh the same in the average."""
    CFR_PLUS = "cfr+"
    """The whole tree; regrets are never negative, and later strategies weigh more."""
    EXTERNAL = "mccfr"
    """External sampling: all moves of one player, samples of all others and of nature."""
    OUTCOME = "outcome"
    """Outcome sampling: one game for each player."""

    @property
    def full_name(self) -> str:
        """The name in the literature."""
        return _TITLES[self]

    @property
    def is_sampled(self) -> bool:
        return self in (RegretMethod.EXTERNAL, RegretMethod.OUTCOME)


_TITLES = {
    RegretMethod.CFR: "CFR",
    RegretMethod.CFR_PLUS: "CFR+",
    RegretMethod.EXTERNAL: "external-sampling MCCFR",
    RegretMethod.OUTCOME: "outcome-sampling MCCFR",
}
