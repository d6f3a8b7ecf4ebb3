"""The seats of a match: which role is played by a person, by a player of the server, or by nobody yet."""

from __future__ import annotations

from collections.abc import Mapping

from .plan import Refused, SeatPlan


class Seats:
    """A seat for each role but nature's, in the order of the roles."""

    def __init__(self, seats: Mapping[str, SeatPlan]) -> None:
        self._seats = dict(seats)

    @property
    def all(self) -> dict[str, SeatPlan]:
        return dict(self._seats)

    @property
    def open(self) -> list[str]:
        """Roles that still wait for a person."""
        return [role for role, seat in self._seats.items() if seat.kind == "open"]

    @property
    def persons(self) -> list[str]:
        return [role for role, seat in self._seats.items() if seat.kind == "person"]

    @property
    def players(self) -> list[str]:
        """Roles that the server's own players play."""
        return [role for role, seat in self._seats.items() if seat.kind == "player"]

    @property
    def remotes(self) -> dict[str, str]:
        """Those of them that players elsewhere play, with the names of these."""
        return {role: seat.remote for role, seat in self._seats.items() if seat.remote}

    def roles_of(self, user: str | None) -> list[str]:
        """The roles of a person; none for a spectator."""
        return [
            role
            for role, seat in self._seats.items()
            if user is not None and seat.kind == "person" and seat.user == user
        ]

    def others(self, role: str) -> list[str]:
        """The roles of all other people: those that have to agree to an offer."""
        user = self._seats[role].user
        return [other for other in self.persons if self._seats[other].user != user]

    def check_free(self, role: str, user: str, hides: bool) -> None:
        """Refused where a person may not take a seat."""
        seat = self._seats.get(role)
        if seat is None:
            raise Refused(f"there is no seat for {role} in this game")
        if seat.kind != "open":
            raise Refused(f"the seat of {role} is taken")
        if hides and self.roles_of(user):
            raise Refused("in a game that hides something a person has one seat")

    def take(self, role: str, user: str, name: str) -> None:
        self._seats[role] = SeatPlan("person", name, user)

    def rotated(self, swap: bool) -> dict[str, SeatPlan]:
        """The seats of the next match, every seat moved on by one role where they are exchanged."""
        roles, seats = list(self._seats), list(self._seats.values())
        if swap:
            seats = [*seats[-1:], *seats[:-1]]
        return dict(zip(roles, seats, strict=True))
