"""Mend faulty rules: the likeliest changes of a sheet's text after which it can be played.

Input: the text of a sheet. Output: repairs of it, ranked, each change with its reason and its place. One
file for each kind of slip (``generate_*``); ``costs`` says what each is worth, ``validate`` what is offered.
"""

from .repair import Change, Mended, Offer, mend

__all__ = ["Change", "Mended", "Offer", "mend"]
