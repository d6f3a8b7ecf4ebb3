"""The clocks of a match: who has how much time left. Only the server counts."""

from __future__ import annotations

from collections.abc import Iterable


class RoleClocks:
    """A clock for each of some roles; those run whose roles are asked."""

    def __init__(self, roles: Iterable[str], base: float, increment: float) -> None:
        self._left = dict.fromkeys(roles, base)
        self._increment = increment
        self._since: dict[str, float] = {}
        """Since when each running clock has not been counted."""

    def __contains__(self, role: str) -> bool:
        return role in self._left

    def left(self, role: str, now: float) -> float:
        """Seconds that a role has left, never below 0."""
        since = self._since.get(role)
        gone = 0.0 if since is None else max(0.0, now - since)
        return max(0.0, self._left[role] - gone)

    def is_running(self, role: str) -> bool:
        return role in self._since

    def run(self, roles: Iterable[str], now: float) -> None:
        """Let exactly the clocks of these roles run from now on."""
        wanted = {role for role in roles if role in self._left}
        for role in list(self._since):
            self._left[role] = self.left(role, now)
            del self._since[role]
        self._since = dict.fromkeys(wanted, now)

    def forgive(self, since: float, now: float) -> None:
        """Count nothing of the time between two moments: the server was away."""
        running = list(self._since)
        self.run((), since)
        self.run(running, now)

    def add_increment(self, role: str) -> None:
        """A role has moved."""
        if role in self._left:
            self._left[role] += self._increment

    @property
    def first_to_fall(self) -> tuple[float, str] | None:
        """When the next clock will have run out, and whose it is; None where none runs."""
        return min(((since + self._left[role], role) for role, since in self._since.items()), default=None)
