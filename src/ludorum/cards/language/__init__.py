"""FCDL, the language of flow charts: drawings, captions, facts, and the rules they compile to."""
