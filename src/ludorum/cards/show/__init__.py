"""Card games for the eye: faces of cards, pictures of charts, a debugger, statistics."""
