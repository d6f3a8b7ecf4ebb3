"""Rule languages: text in, checked ``Ruleset`` out. Imports nothing from the rest of Ludorum."""
