; title: A die
; rules: The name `dice` becomes one of the numbers from 1 to 6 in a move, each as likely as the others.

(random dice 1 1)
(random dice 1 2)
(random dice 1 3)
(random dice 1 4)
(random dice 1 5)
(random dice 1 6)
