"""Mend faulty rules: the fewest changes of a sheet's text after which it can be played.

Comes in: the text of a sheet; goes out: edits of it, each with its reason, chosen by the solver and tried out
by playing. One file for each kind of fault that can be mended.
"""

from .repair import Mended, mend

__all__ = ["Mended", "mend"]
