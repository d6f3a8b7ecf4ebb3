from ..ruleset import Ruleset
from ..source import Diagnostic


def check_ruleset(ruleset: Ruleset, lenient: bool = False) -> list[Diagnostic]:
    return []
