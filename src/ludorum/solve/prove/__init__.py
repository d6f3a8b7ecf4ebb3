"""Properties of games, proved or refuted: one property a file.

``prove`` takes rules and names of properties and gives a verdict for each: *proved*, *refuted* with a witness
that replays, *observed* in random play, or *unknown*. Small games are explored as a whole, which is a proof
either way; larger ones are proved by induction over the ground rules.
"""

from .game_info import info_with, prove_info
from .prove import PROPERTIES, property_names, prove
from .subject import ProofLimits
from .verdict import Trace, Verdict, VerdictStatus

__all__ = [
    "PROPERTIES",
    "ProofLimits",
    "Trace",
    "Verdict",
    "VerdictStatus",
    "info_with",
    "property_names",
    "prove",
    "prove_info",
]
