"""One match: the authority on its state, its clocks, its limits and its record."""
