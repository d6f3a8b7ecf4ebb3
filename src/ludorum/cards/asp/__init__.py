"""Card games in answer set programming: worlds as answer sets, and the chart run by a logic program."""
