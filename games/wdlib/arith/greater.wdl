; title: Which number is larger
; rules: (greaterthan a b) says that a is larger than b. Built in: Ludorum makes the rows that a sheet can ask for.
