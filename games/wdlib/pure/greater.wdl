; title: Which number is larger, as rules
; rules: (greaterthan a b) says that a is larger than b, for the numbers of `pure:successor`.

(include pure:successor)

(<= (greaterthan ?a ?b) (pure:successor:++ ?b ?a))
(<= (greaterthan ?a ?b) (pure:successor:++ ?c ?a) (greaterthan ?c ?b))
