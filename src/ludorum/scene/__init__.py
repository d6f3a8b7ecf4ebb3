"""What a person sees of a position, as plain values: boards, card tables, facts, and moves in words."""
