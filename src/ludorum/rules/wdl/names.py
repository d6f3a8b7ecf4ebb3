"""Names of modules in words: people read ``ace`` for ``cards:carddeck:ace``."""

from __future__ import annotations


def without_module(word: str) -> str:
    """A name without the module that it comes from.

    >>> without_module("cards:carddeck:ace"), without_module(":")
    ('ace', ':')
    """
    return word.rpartition(":")[2] or word


def without_modules(text: str) -> str:
    """The same for each word of a text."""
    return " ".join(map(without_module, text.split(" ")))
