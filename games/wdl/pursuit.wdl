; title: Fox and hare
; rules: The fox hunts the hare over a field with hedges, and is a little faster. There are two halves of at most ten
;   seconds each. Red is the fox in the first one and blue in the second. Who catches the other sooner wins; it is a
;   draw if both need as long, or neither does it.
; players: 2

(set realtime)
; Twenty ticks a second.
(set tick 5)

(role red)
(role blue)
(opponent red blue)
(opponent blue red)

; (piece role animal name)
(piece red fox red_fox)
(piece red hare red_hare)
(piece blue fox blue_fox)
(piece blue hare blue_hare)

; (plays half role animal)
(plays first red fox)
(plays first blue hare)
(plays second red hare)
(plays second blue fox)

; (wait animal n): so many ticks go by after a step before the next one.
(wait fox 4)
(wait hare 5)

; --- the field: hedges where both numbers are even ------------------------------------------------------

(even 2) (even 4) (even 6)
(<= (field ?x ?y) (number ?x) (number ?y) (not (hedge ?x ?y)))
(<= (hedge ?x ?y) (even ?x) (even ?y))
(number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
(<= (beside ?x1 ?y ?x2 ?y) (number ?x1) (number ?x2) (field ?x1 ?y) (field ?x2 ?y) (by_one ?x1 ?x2))
(<= (beside ?x ?y1 ?x ?y2) (number ?y1) (number ?y2) (field ?x ?y1) (field ?x ?y2) (by_one ?y1 ?y2))
(<= (by_one ?m ?n) (succ ?m ?n))
(<= (by_one ?n ?m) (succ ?m ?n))

(den fox 1 1)
(den hare 7 7)
; (at_home half x y name): how a half begins.
(<= (at_home ?half ?x ?y ?name) (plays ?half ?p ?animal) (den ?animal ?x ?y) (piece ?p ?animal ?name))
(<= (at_home ?half ?x ?y hedge) (plays ?half red ?_animal) (hedge ?x ?y))
(<= (at_home ?half ?x ?y b) (plays ?half red ?_animal) (field ?x ?y) (not (taken ?x ?y)))
(<= (taken ?x ?y) (den ?_animal ?x ?y))

(init (half first))
(init (gone 0))
(<= (init (cell ?x ?y ?thing)) (at_home first ?x ?y ?thing))
(<= (init (rests ?p 20)) (role ?p))

; --- steps ----------------------------------------------------------------------------------------------

(<= (animal ?p ?animal) (true (half ?half)) (plays ?half ?p ?animal))
(<= (stands ?p ?x ?y ?name) (true (cell ?x ?y ?name)) (piece ?p ?_animal ?name))

(<= (legal ?p (step ?x ?y)) (true (rests ?p 0)) (stands ?p ?x1 ?y1 ?_name) (beside ?x1 ?y1 ?x ?y)
    (true (cell ?x ?y b)))
; The fox may step where the hare is.
(<= (legal ?p (step ?x ?y)) (true (rests ?p 0)) (animal ?p fox) (stands ?p ?x1 ?y1 ?_name)
    (beside ?x1 ?y1 ?x ?y) (opponent ?p ?q) (stands ?q ?x ?y ?_hare))

(<= moved (does ?_p (step ?_x ?_y)))
(<= (leaves ?x ?y) (does ?p (step ?_x ?_y)) (stands ?p ?x ?y ?_name))
(<= (enters ?x ?y) (does ?_p (step ?x ?y)))
(<= catches (does ?_p (step ?x ?y)) (not (true (cell ?x ?y b))))

(<= (next (cell ?x ?y ?name)) (does ?p (step ?x ?y)) (stands ?p ?_x ?_y ?name) (not new_half))
(<= (next (cell ?x ?y b)) (leaves ?x ?y) (not new_half))
(<= (next (cell ?x ?y ?thing)) (true (cell ?x ?y ?thing)) (not (leaves ?x ?y)) (not (enters ?x ?y)) (not new_half))

(<= (next (rests ?p ?n)) (does ?p (step ?_x ?_y)) (animal ?p ?animal) (wait ?animal ?n) (not new_half))
(<= (next (rests ?q ?n)) (does ?p (step ?_x ?_y)) (opponent ?p ?q) (true (rests ?q ?n)) (not new_half))

(<= (next (caught ?q)) catches (does ?p (step ?_x ?_y)) (opponent ?p ?q))
(<= (next (caught ?q)) (true (caught ?q)))

; --- ticks ----------------------------------------------------------------------------------------------

(<= (next (rests ?p ?m)) (true (rests ?p ?n)) (not moved) (succ ?m ?n) (not new_half))
(<= (next (rests ?p 0)) (true (rests ?p 0)) (not moved) (not new_half))

; The first half counts how long it has gone on, the second how long it will.
(<= (next (gone ?m)) (true (gone ?n)) (not moved) (succ ?n ?m) (not new_half))
(<= (next (gone ?n)) (true (gone ?n)) moved (not new_half))
(<= (next (left ?m)) (true (left ?n)) (not moved) (succ ?m ?n))
(<= (next (left ?n)) (true (left ?n)) moved)

; --- from the first half to the second ------------------------------------------------------------------

(<= new_half (true (half first)) catches)
(<= new_half (true (gone 199)) (not moved))
(<= (next (half second)) new_half)
(<= (next (half ?half)) (true (half ?half)) (not new_half))
(<= (next (cell ?x ?y ?thing)) new_half (at_home second ?x ?y ?thing))
(<= (next (rests ?p 20)) new_half (role ?p))
; One tick more than red has needed: who needs as long gets a draw.
(<= (next (left ?m)) new_half catches (true (gone ?n)) (succ ?n ?m))
(<= (next (left 200)) new_half (not catches))

; --- the end --------------------------------------------------------------------------------------------

(<= terminal (true (caught red)))
(<= terminal (true (left 0)))

(<= (wins red) (true (caught blue)) (not (true (caught red))))
(<= (wins blue) (true (caught red)) (not (true (caught blue))))
(<= (wins blue) (true (caught red)) (true (caught blue)) (not (true (left 1))))
(<= decided (wins ?_p))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?q 0) (wins ?p) (opponent ?p ?q))
(<= (goal ?p 50) (role ?p) (not decided))

; --- numbers --------------------------------------------------------------------------------------------

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18)
(succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22) (succ 22 23) (succ 23 24) (succ 24 25) (succ 25 26)
(succ 26 27) (succ 27 28) (succ 28 29) (succ 29 30) (succ 30 31) (succ 31 32) (succ 32 33) (succ 33 34)
(succ 34 35) (succ 35 36) (succ 36 37) (succ 37 38) (succ 38 39) (succ 39 40) (succ 40 41) (succ 41 42)
(succ 42 43) (succ 43 44) (succ 44 45) (succ 45 46) (succ 46 47) (succ 47 48) (succ 48 49) (succ 49 50)
(succ 50 51) (succ 51 52) (succ 52 53) (succ 53 54) (succ 54 55) (succ 55 56) (succ 56 57) (succ 57 58)
(succ 58 59) (succ 59 60) (succ 60 61) (succ 61 62) (succ 62 63) (succ 63 64) (succ 64 65) (succ 65 66)
(succ 66 67) (succ 67 68) (succ 68 69) (succ 69 70) (succ 70 71) (succ 71 72) (succ 72 73) (succ 73 74)
(succ 74 75) (succ 75 76) (succ 76 77) (succ 77 78) (succ 78 79) (succ 79 80) (succ 80 81) (succ 81 82)
(succ 82 83) (succ 83 84) (succ 84 85) (succ 85 86) (succ 86 87) (succ 87 88) (succ 88 89) (succ 89 90)
(succ 90 91) (succ 91 92) (succ 92 93) (succ 93 94) (succ 94 95) (succ 95 96) (succ 96 97) (succ 97 98)
(succ 98 99) (succ 99 100) (succ 100 101) (succ 101 102) (succ 102 103) (succ 103 104) (succ 104 105)
(succ 105 106) (succ 106 107) (succ 107 108) (succ 108 109) (succ 109 110) (succ 110 111) (succ 111 112)
(succ 112 113) (succ 113 114) (succ 114 115) (succ 115 116) (succ 116 117) (succ 117 118) (succ 118 119)
(succ 119 120) (succ 120 121) (succ 121 122) (succ 122 123) (succ 123 124) (succ 124 125) (succ 125 126)
(succ 126 127) (succ 127 128) (succ 128 129) (succ 129 130) (succ 130 131) (succ 131 132) (succ 132 133)
(succ 133 134) (succ 134 135) (succ 135 136) (succ 136 137) (succ 137 138) (succ 138 139) (succ 139 140)
(succ 140 141) (succ 141 142) (succ 142 143) (succ 143 144) (succ 144 145) (succ 145 146) (succ 146 147)
(succ 147 148) (succ 148 149) (succ 149 150) (succ 150 151) (succ 151 152) (succ 152 153) (succ 153 154)
(succ 154 155) (succ 155 156) (succ 156 157) (succ 157 158) (succ 158 159) (succ 159 160) (succ 160 161)
(succ 161 162) (succ 162 163) (succ 163 164) (succ 164 165) (succ 165 166) (succ 166 167) (succ 167 168)
(succ 168 169) (succ 169 170) (succ 170 171) (succ 171 172) (succ 172 173) (succ 173 174) (succ 174 175)
(succ 175 176) (succ 176 177) (succ 177 178) (succ 178 179) (succ 179 180) (succ 180 181) (succ 181 182)
(succ 182 183) (succ 183 184) (succ 184 185) (succ 185 186) (succ 186 187) (succ 187 188) (succ 188 189)
(succ 189 190) (succ 190 191) (succ 191 192) (succ 192 193) (succ 193 194) (succ 194 195) (succ 195 196)
(succ 196 197) (succ 197 198) (succ 198 199) (succ 199 200)
