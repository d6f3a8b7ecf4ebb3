"""The screen of ``ludorum play``, made with Textual: board, moves, what has been played, and keys.

Comes in: a ``Table`` with its match, and the ``Grid`` of its game; goes out: nothing, the table has it all.
Signs say everything, colours only repeat it. May import the arena and its neighbours in ``cli``.
"""

from .app import PlayApp, play_on_screen

__all__ = ["PlayApp", "play_on_screen"]
