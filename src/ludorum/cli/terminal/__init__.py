"""The screen of ``ludorum play``, made with Textual: board, moves, history, and keys.

Comes in: a ``Table`` with its match, and the ``Grid`` of its game; goes out: nothing, the table holds it all.
Signs carry all meaning, colours only repeat it. May import the arena and its neighbours in ``cli``.
"""

from .app import PlayApp, play_on_screen

__all__ = ["PlayApp", "play_on_screen"]
