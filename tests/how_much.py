"""How much is tested: a sample, or everything where the full tests are asked for (``LUDORUM_FULL``)."""

import os

FULL = bool(os.environ.get("LUDORUM_FULL"))
