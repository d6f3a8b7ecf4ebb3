"""Pictures of states: boards that the facts show, as text and as shapes with colours."""
