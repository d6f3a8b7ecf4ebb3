"""Offers: what a person proposes, and all other people at the match have to agree to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .events import What
from .plan import Refused


@dataclass(frozen=True)
class TableOffer:
    """An offer that is not settled."""

    what: What
    by: str
    missing: frozenset[str]
    """Roles that have not answered yet."""
    swap: bool = False


class Offers:
    """The open offers, one of a kind."""

    def __init__(self) -> None:
        self._open: dict[str, TableOffer] = {}

    @property
    def open(self) -> list[TableOffer]:
        return list(self._open.values())

    def get(self, what: What) -> TableOffer | None:
        return self._open.get(what)

    def make(self, offer: TableOffer) -> bool:
        """Note an offer; whether it is agreed already, since nobody else has to answer or all have offered
        the same."""
        standing = self._open.get(offer.what)
        if standing is not None and offer.by in standing.missing:
            return self.accept(offer.by, offer.what)
        if not offer.missing:
            return True
        self._open[offer.what] = offer
        return False

    def check_answer(self, role: str, what: What) -> TableOffer:
        """The offer that a role is going to answer; Refused where there is none."""
        offer = self._open.get(what)
        if offer is None or role not in offer.missing:
            raise Refused(f"there is no offer of a {what} to answer")
        return offer

    def accept(self, role: str, what: What) -> bool:
        """Note that a role agrees; whether all have."""
        offer = self._open[what]
        offer = replace(offer, missing=offer.missing - {role})
        if offer.missing:
            self._open[what] = offer
            return False
        del self._open[what]
        return True

    def drop(self, *kinds: What) -> None:
        """Forget offers of these kinds."""
        for what in kinds:
            self._open.pop(what, None)
