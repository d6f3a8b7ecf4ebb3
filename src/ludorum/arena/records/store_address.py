"""Addresses of databases, and the error of one that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path


class StoreError(ValueError):
    """The database cannot be used, or is damaged; says which and what to do."""


def address(url: str) -> str:
    """The database address a person means: a path is SQLite's, and psycopg is the driver for PostgreSQL."""
    if "://" not in url:
        return f"sqlite:///{Path(url).expanduser()}"
    return re.sub(r"\Apostgres(ql)?://", "postgresql+psycopg://", url)


def display(url: str) -> str:
    """An address without its password, for messages."""
    return re.sub(r"(://[^:/@]*):[^@/]*@", r"\1@", url).removeprefix("sqlite:///")
