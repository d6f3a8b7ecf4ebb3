"""The experiments of Michulke 2012 (evaluation functions from goal rules), repeated on sheets of today."""
