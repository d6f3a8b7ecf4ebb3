"""Players elsewhere in live matches, told by the GGP protocol what their role may know.

A ``RemoteBook`` says where the player of a name is; a ``RemoteDesk`` lets each of them into one match at a
time; ``MatchRemotes`` tells those of one match what happens and takes their moves. Imports plans, rules and
``live_match`` of ``live``.
"""

from .book import RemoteBook, RemoteEntry
from .desk import RemoteDesk
from .match_remotes import MatchRemotes

__all__ = ["MatchRemotes", "RemoteBook", "RemoteDesk", "RemoteEntry"]
