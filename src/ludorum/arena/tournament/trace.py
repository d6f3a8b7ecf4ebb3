"""How matches tell a watcher which player is at work."""

from collections.abc import Callable

Busy = Callable[[int, bool], None]
"""Called with a seat and whether its player is at work, so that a watcher knows which player to blame."""
