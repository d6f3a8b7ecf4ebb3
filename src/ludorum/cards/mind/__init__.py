"""The champion of card games: one tree over all worlds that agree with the percepts."""
