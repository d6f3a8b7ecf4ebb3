; title: What follows a number
; rules: (++ n m) says that m is n + 1. Built in: Ludorum makes the rows that a sheet can ask for.
