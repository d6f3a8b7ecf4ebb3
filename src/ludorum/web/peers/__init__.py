"""Several processes over one PostgreSQL: which plays a match, and how the others reach it.

A match is played by one process, its owner, which a row of the database names. A process that gives no sign
of life loses its matches to the others; numbers of events see to it that it cannot write to them any more.
What people ask another process is asked of the owner over a private connection.
"""

from .peers import OwnPart, Peers, Question
from .shared_hub import SharedHub

__all__ = ["OwnPart", "Peers", "Question", "SharedHub"]
