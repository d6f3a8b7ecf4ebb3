"""Rewrites that keep the meaning of rules, one small pass a file."""

from .expand_connectives import expand_connectives, literal_bodies

__all__ = ["expand_connectives", "literal_bodies"]
