; title: Sums and differences, as rules
; rules: (plus a b c) says that a + b = c, (minus a b c) that a - b = c, for the numbers of `pure:successor`.

(include pure:successor)

(<= (number ?n) (pure:successor:++ ?n ?_m))
(<= (number ?m) (pure:successor:++ ?_n ?m))

; One more, or one less, on both sides.
(<= (plus ?a 0 ?a) (number ?a))
(<= (plus ?a ?b ?c) (plus ?a ?d ?e) (pure:successor:++ ?d ?b) (pure:successor:++ ?e ?c))
(<= (plus ?a ?b ?c) (plus ?a ?d ?e) (pure:successor:++ ?b ?d) (pure:successor:++ ?c ?e))
(<= (minus ?a ?b ?c) (plus ?c ?b ?a))
