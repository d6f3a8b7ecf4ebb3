"""Which analyses of a match a person may have, so that nobody is helped against other people."""

from __future__ import annotations

from collections.abc import Sequence

from .live_match import LiveMatch
from .plan import Refused


def check_may_understand(match: LiveMatch, viewer: str | None, hides: bool) -> None:
    """Refused where an analysis would help somebody against other people, or tell a secret."""
    if match.is_over:
        return
    if not match.has_begun:
        raise Refused("the match has not begun")
    people = {match.seats.all[role].user for role in match.seats.persons}
    if len(people) > 1:
        raise Refused("people play against each other here: the analysis begins when the match is over")
    if hides and viewer is None:
        raise Refused("this game hides something: the analysis begins when the match is over")


def role_to_analyse(match: LiveMatch, viewer: str | None, hides: bool, choosing: Sequence[str]) -> str:
    """The role from which a step is looked at: the viewer's where it had a choice, else the first that had.

    Where something is hidden while the match runs, the viewer's alone; Refused where that has no choice.
    """
    if viewer is not None and viewer in choosing:
        return viewer
    if hides and not match.is_over:
        raise Refused("there is nothing to choose for you in this step")
    return choosing[0] if choosing else next(iter(match.seats.all))
