"""The arena: matches and what is written down about them.

Comes in: a ``Game`` and players or files of recorded matches; goes out: records, and reports on whether a
game answers as they say. May import everything below ``cli`` and ``web``.
"""

from .match.record import MatchRecord, Record, RecordError, Sample, SampleRecord
from .records.formats import format_record, load_record, parse_record
from .records.verify import Disagreement, VerifyReport, verify, verify_random, verify_record, verify_samples

__all__ = [
    "Disagreement",
    "MatchRecord",
    "Record",
    "RecordError",
    "Sample",
    "SampleRecord",
    "VerifyReport",
    "format_record",
    "load_record",
    "parse_record",
    "verify",
    "verify_random",
    "verify_record",
    "verify_samples",
]
