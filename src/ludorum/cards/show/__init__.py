"""Views of card games: faces of cards, pictures of charts, a debugger, statistics."""
