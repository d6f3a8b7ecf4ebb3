"""Monte Carlo tree search over any engine: slow, readable, and the oracle of the compiled one."""
