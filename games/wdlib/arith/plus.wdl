; title: Sums and differences
; rules: (plus a b c) says that a + b = c, (minus a b c) that a - b = c. Built in: Ludorum makes the rows that a
; sheet can ask for.
