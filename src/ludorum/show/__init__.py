"""Pictures of states: boards found in the facts, as text and as coloured shapes."""
