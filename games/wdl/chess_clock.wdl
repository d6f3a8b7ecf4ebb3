; title: Chess by the clock
; rules: Chess with its laws of castling, en passant and promotion, and a clock for each side that runs while that side
;        is on turn: who has used more than five minutes loses (0, and 100 for the other). Checkmate wins, too. The game
;        is drawn (50 each) by stalemate, after fifty moves of each side without capture or pawn move, and after 200
;        moves of single pieces, which stands in for the repetition rule.
; players: 2

(set realtime)

; The rules of chess are those of the game `chess`. There is no waiting: whoever is not on turn has no move. A tick moves
; nothing but one clock, so what a move ends or begins asks for `moved`.

; How it works. Everything is seen from the side on turn: its men are `own`, the others `enemy`. Two families of
; rays carry all questions of check, and neither remembers where it began:
;   beam D F R     an enemy queen, rook or bishop attacks (F, R), its force travelling in direction D
;   to_king D F R  who travels from (F, R) in direction D meets the own king before any other man
; The king is in check where a beam hits him, a man is pinned where a beam hits it on a line to the king, and a
; check is parried on the squares of the line along which it comes. No move has to be tried out.
; A move names two squares, and no piece: whatever stands on the first one moves.

; ---------------------------------------------------------------------------------------------- who and what

(role white)
(role black)

; man PIECE SIDE KIND: the twelve pieces
(man white_king white king)
(man white_queen white queen)
(man white_rook white rook)
(man white_bishop white bishop)
(man white_knight white knight)
(man white_pawn white pawn)
(man black_king black king)
(man black_queen black queen)
(man black_rook black rook)
(man black_bishop black bishop)
(man black_knight black knight)
(man black_pawn black pawn)

(opponent white black)
(opponent black white)

(promotes_to queen)
(promotes_to rook)
(promotes_to bishop)
(promotes_to knight)

; ---------------------------------------------------------------------------------------------- the first position

(init (cell a 1 white_rook))
(init (cell b 1 white_knight))
(init (cell c 1 white_bishop))
(init (cell d 1 white_queen))
(init (cell e 1 white_king))
(init (cell f 1 white_bishop))
(init (cell g 1 white_knight))
(init (cell h 1 white_rook))

(<= (init (cell ?f 2 white_pawn))
    (file ?f))
(<= (init (cell ?f 7 black_pawn))
    (file ?f))

(init (cell a 8 black_rook))
(init (cell b 8 black_knight))
(init (cell c 8 black_bishop))
(init (cell d 8 black_queen))
(init (cell e 8 black_king))
(init (cell f 8 black_bishop))
(init (cell g 8 black_knight))
(init (cell h 8 black_rook))

(init (control white))

; may_castle SIDE WING: neither the king nor that rook has moved or been captured
(<= (init (may_castle ?side ?wing))
    (role ?side)
    (wing ?wing))

; quiet N: moves of either side since the last capture or pawn move
(init (quiet 0))

; ply N: number of the move to come, counting single moves
(init (ply 1))

; chessclock SIDE S H: seconds and hundredths that a side has used
(<= (init (chessclock ?side 0 0))
    (role ?side))

; Besides these, (en_passant F) holds when the last move was a double step of the pawn on file F.

; ---------------------------------------------------------------------------------------------- the board

(file a)
(file b)
(file c)
(file d)
(file e)
(file f)
(file g)
(file h)

(right_of a b)
(right_of b c)
(right_of c d)
(right_of d e)
(right_of e f)
(right_of f g)
(right_of g h)

(above 1 2)
(above 2 3)
(above 3 4)
(above 4 5)
(above 5 6)
(above 6 7)
(above 7 8)

(rank 1)
(<= (rank ?r)
    (above ?below ?r))

(<= (square ?f ?r)
    (file ?f)
    (rank ?r))

; step D F1 R1 F2 R2: one step in a direction of the compass, white playing north
(<= (step north ?f ?r1 ?f ?r2)
    (file ?f)
    (above ?r1 ?r2))
(<= (step south ?f ?r2 ?f ?r1)
    (file ?f)
    (above ?r1 ?r2))
(<= (step east ?f1 ?r ?f2 ?r)
    (right_of ?f1 ?f2)
    (rank ?r))
(<= (step west ?f2 ?r ?f1 ?r)
    (right_of ?f1 ?f2)
    (rank ?r))
(<= (step northeast ?f1 ?r1 ?f2 ?r2)
    (right_of ?f1 ?f2)
    (above ?r1 ?r2))
(<= (step southwest ?f2 ?r2 ?f1 ?r1)
    (right_of ?f1 ?f2)
    (above ?r1 ?r2))
(<= (step northwest ?f2 ?r1 ?f1 ?r2)
    (right_of ?f1 ?f2)
    (above ?r1 ?r2))
(<= (step southeast ?f1 ?r2 ?f2 ?r1)
    (right_of ?f1 ?f2)
    (above ?r1 ?r2))

; axis D LINE: opposite directions run along the same line
(axis north vertical)
(axis south vertical)
(axis east horizontal)
(axis west horizontal)
(axis northeast rising)
(axis southwest rising)
(axis northwest falling)
(axis southeast falling)

; glides KIND D: how the long-range pieces move
(<= (glides rook ?d)
    (axis ?d vertical))
(<= (glides rook ?d)
    (axis ?d horizontal))
(<= (glides bishop ?d)
    (axis ?d rising))
(<= (glides bishop ?d)
    (axis ?d falling))
(<= (glides queen ?d)
    (axis ?d ?line))

; A knight goes one step straight and then one step diagonally, bearing away from where it stood.
(bears north northeast)
(bears north northwest)
(bears south southeast)
(bears south southwest)
(bears east northeast)
(bears east southeast)
(bears west northwest)
(bears west southwest)

(<= (leap ?f1 ?r1 ?f2 ?r2)
    (bears ?d1 ?d2)
    (step ?d1 ?f1 ?r1 ?f ?r)
    (step ?d2 ?f ?r ?f2 ?r2))

; ways of the pawns
(advances white north)
(advances black south)

(captures white northeast)
(captures white northwest)
(captures black southeast)
(captures black southwest)

; double_step SIDE R1 R2 R3: the first step of a pawn from R1 may go on over R2 to R3
(double_step white 2 3 4)
(double_step black 7 6 5)

(last_rank white 8)
(last_rank black 1)

; castling: where king and rook stand, and the files they pass
(wing kingside)
(wing queenside)

(back_rank white 1)
(back_rank black 8)

(rook_file kingside h)
(rook_file queenside a)

; castled WING KIND F: where castling takes a piece
(castled kingside king g)
(castled kingside rook f)
(castled queenside king c)
(castled queenside rook d)

; between WING F: must be empty
(between kingside f)
(between kingside g)
(between queenside b)
(between queenside c)
(between queenside d)

; passes WING F: must not be attacked (nor may the king's own square)
(passes kingside f)
(passes kingside g)
(passes queenside d)
(passes queenside c)

; ---------------------------------------------------------------------------------------------- what stands where

(<= (own ?f ?r ?kind)
    (true (cell ?f ?r ?piece))
    (man ?piece ?side ?kind)
    (true (control ?side)))

(<= (enemy ?f ?r ?kind)
    (true (cell ?f ?r ?piece))
    (man ?piece ?side ?kind)
    (opponent ?side ?other)
    (true (control ?other)))

(<= (own_man ?f ?r)
    (own ?f ?r ?kind))

(<= (enemy_man ?f ?r)
    (enemy ?f ?r ?kind))

(<= (occupied ?f ?r)
    (true (cell ?f ?r ?piece)))

(<= (empty ?f ?r)
    (square ?f ?r)
    (not (occupied ?f ?r)))

; ---------------------------------------------------------------------------------------------- attack

; The own king does not stop a beam: he cannot hide from it by stepping back.
(<= (see_through ?f ?r)
    (empty ?f ?r))
(<= (see_through ?f ?r)
    (own ?f ?r king))

(<= (beam ?d ?f2 ?r2)
    (enemy ?f1 ?r1 ?kind)
    (glides ?kind ?d)
    (step ?d ?f1 ?r1 ?f2 ?r2))
(<= (beam ?d ?f2 ?r2)
    (beam ?d ?f1 ?r1)
    (see_through ?f1 ?r1)
    (step ?d ?f1 ?r1 ?f2 ?r2))

; blow KIND F R: attacked by a knight or a pawn
(<= (blow knight ?f2 ?r2)
    (enemy ?f1 ?r1 knight)
    (leap ?f1 ?r1 ?f2 ?r2))
(<= (blow pawn ?f2 ?r2)
    (enemy ?f1 ?r1 pawn)
    (opponent ?side ?other)
    (true (control ?other))
    (captures ?side ?d)
    (step ?d ?f1 ?r1 ?f2 ?r2))

(<= (attacked ?f ?r)
    (beam ?d ?f ?r))
(<= (attacked ?f ?r)
    (blow ?kind ?f ?r))
(<= (attacked ?f2 ?r2)
    (enemy ?f1 ?r1 king)
    (step ?d ?f1 ?r1 ?f2 ?r2))

; ---------------------------------------------------------------------------------------------- check and pin

; check_from WHENCE: a direction, knight or pawn. No move lets two knights or two pawns give check at once, so
; a double check always has two names.
(<= (check_from ?d)
    (own ?f ?r king)
    (beam ?d ?f ?r))
(<= (check_from ?kind)
    (own ?f ?r king)
    (blow ?kind ?f ?r))

(<= in_check
    (check_from ?whence))

(<= double_check
    (check_from ?whence1)
    (check_from ?whence2)
    (distinct ?whence1 ?whence2))

(<= (to_king ?d ?f1 ?r1)
    (own ?f2 ?r2 king)
    (step ?d ?f1 ?r1 ?f2 ?r2))
(<= (to_king ?d ?f1 ?r1)
    (to_king ?d ?f2 ?r2)
    (empty ?f2 ?r2)
    (step ?d ?f1 ?r1 ?f2 ?r2))

; pinned F R LINE: the man may leave its square only along the line
(<= (pinned ?f ?r ?line)
    (to_king ?d ?f ?r)
    (own_man ?f ?r)
    (beam ?d ?f ?r)
    (axis ?d ?line))

(<= (held ?f ?r)
    (pinned ?f ?r ?line))

; barred F R D: the pin forbids that direction
(<= (barred ?f ?r ?d)
    (pinned ?f ?r ?line1)
    (axis ?d ?line2)
    (distinct ?line1 ?line2))

; parry F R: who lands there blocks the line of a check or captures the man that gives it
(<= (parry ?f ?r)
    (check_from ?d)
    (to_king ?d ?f ?r))
(<= (parry ?f1 ?r1)
    (check_from knight)
    (own ?f2 ?r2 king)
    (leap ?f2 ?r2 ?f1 ?r1)
    (enemy ?f1 ?r1 knight))
(<= (parry ?f1 ?r1)
    (checking_pawn ?f1 ?r1))

(<= (checking_pawn ?f2 ?r2)
    (check_from pawn)
    (own ?f1 ?r1 king)
    (true (control ?side))
    (captures ?side ?d)
    (step ?d ?f1 ?r1 ?f2 ?r2)
    (enemy ?f2 ?r2 pawn))

; open_to F R: as far as check and own men go, a man other than the king may land there
(<= (open_to ?f ?r)
    (square ?f ?r)
    (not (own_man ?f ?r))
    (not in_check))
(<= (open_to ?f ?r)
    (parry ?f ?r)
    (not double_check))

; ---------------------------------------------------------------------------------------------- moves of pieces

(<= (slide ?f1 ?r1 ?d ?f2 ?r2)
    (own ?f1 ?r1 ?kind)
    (glides ?kind ?d)
    (step ?d ?f1 ?r1 ?f2 ?r2)
    (not (barred ?f1 ?r1 ?d)))
(<= (slide ?f1 ?r1 ?d ?f3 ?r3)
    (slide ?f1 ?r1 ?d ?f2 ?r2)
    (empty ?f2 ?r2)
    (step ?d ?f2 ?r2 ?f3 ?r3))

(<= (possible (move ?f1 ?r1 ?f2 ?r2))
    (slide ?f1 ?r1 ?d ?f2 ?r2)
    (open_to ?f2 ?r2))

(<= (possible (move ?f1 ?r1 ?f2 ?r2))
    (own ?f1 ?r1 knight)
    (leap ?f1 ?r1 ?f2 ?r2)
    (open_to ?f2 ?r2)
    (not (held ?f1 ?r1)))

(<= (possible (move ?f1 ?r1 ?f2 ?r2))
    (own ?f1 ?r1 king)
    (step ?d ?f1 ?r1 ?f2 ?r2)
    (not (own_man ?f2 ?r2))
    (not (attacked ?f2 ?r2)))

(<= (possible (castle ?wing))
    (true (control ?side))
    (true (may_castle ?side ?wing))
    (not in_check)
    (not (obstructed ?wing))
    (not (dangerous ?wing)))

(<= (obstructed ?wing)
    (true (control ?side))
    (back_rank ?side ?r)
    (between ?wing ?f)
    (occupied ?f ?r))

(<= (dangerous ?wing)
    (true (control ?side))
    (back_rank ?side ?r)
    (passes ?wing ?f)
    (attacked ?f ?r))

; ---------------------------------------------------------------------------------------------- moves of pawns

; pawn_way F1 R1 F2 R2: a step, double step or capture, whatever the last rank then makes of it
(<= (pawn_way ?f ?r1 ?f ?r2)
    (pawn_step ?f ?r1 ?r2)
    (open_to ?f ?r2))
(<= (pawn_way ?f ?r1 ?f ?r3)
    (true (control ?side))
    (double_step ?side ?r1 ?r2 ?r3)
    (pawn_step ?f ?r1 ?r2)
    (empty ?f ?r3)
    (open_to ?f ?r3))
(<= (pawn_way ?f1 ?r1 ?f2 ?r2)
    (pawn_reach ?f1 ?r1 ?f2 ?r2)
    (enemy_man ?f2 ?r2)
    (open_to ?f2 ?r2))

(<= (pawn_step ?f1 ?r1 ?r2)
    (true (control ?side))
    (advances ?side ?d)
    (own ?f1 ?r1 pawn)
    (step ?d ?f1 ?r1 ?f1 ?r2)
    (empty ?f1 ?r2)
    (not (barred ?f1 ?r1 ?d)))

(<= (pawn_reach ?f1 ?r1 ?f2 ?r2)
    (true (control ?side))
    (captures ?side ?d)
    (own ?f1 ?r1 pawn)
    (step ?d ?f1 ?r1 ?f2 ?r2)
    (not (barred ?f1 ?r1 ?d)))

; passing F R1 R2: a pawn came to (F, R2) by a double step and may be captured as if it stood on (F, R1)
(<= (passing ?f ?r1 ?r2)
    (true (en_passant ?f))
    (true (control ?side))
    (opponent ?side ?other)
    (double_step ?other ?start ?r1 ?r2))

(<= (pawn_way ?f1 ?r1 ?f2 ?r2)
    (passing ?f2 ?r2 ?r1)
    (pawn_reach ?f1 ?r1 ?f2 ?r2)
    (open_to ?f2 ?r2)
    (not (exposes ?f1 ?f2)))
; The pawn that is captured may be the one that gives check.
(<= (pawn_way ?f1 ?r1 ?f2 ?r2)
    (passing ?f2 ?r2 ?r1)
    (pawn_reach ?f1 ?r1 ?f2 ?r2)
    (checking_pawn ?f2 ?r1)
    (not double_check))

; exposes F1 F2: both pawns stand between the king and a rook or queen on their rank, and both would leave it
(<= (exposes ?f1 ?f2)
    (passing ?f2 ?r2 ?r1)
    (step ?d ?f1 ?r1 ?f2 ?r1)
    (beam ?d ?f1 ?r1)
    (to_king ?d ?f2 ?r1))
(<= (exposes ?f1 ?f2)
    (passing ?f2 ?r2 ?r1)
    (step ?d ?f2 ?r1 ?f1 ?r1)
    (beam ?d ?f2 ?r1)
    (to_king ?d ?f1 ?r1))

(<= (possible (move ?f1 ?r1 ?f2 ?r2))
    (pawn_way ?f1 ?r1 ?f2 ?r2)
    (true (control ?side))
    (last_rank ?side ?last)
    (distinct ?r2 ?last))
(<= (possible (promote ?f1 ?r1 ?f2 ?r2 ?kind))
    (pawn_way ?f1 ?r1 ?f2 ?r2)
    (true (control ?side))
    (last_rank ?side ?r2)
    (promotes_to ?kind))

; ---------------------------------------------------------------------------------------------- legal moves

(<= (legal ?side ?move)
    (true (control ?side))
    (possible ?move))
; ---------------------------------------------------------------------------------------------- what a move does

(<= moved
    (does ?side ?move))

(<= (departs ?f1 ?r1)
    (does ?side (move ?f1 ?r1 ?f2 ?r2)))
(<= (departs ?f1 ?r1)
    (does ?side (promote ?f1 ?r1 ?f2 ?r2 ?kind)))

(<= (lands ?f2 ?r2)
    (does ?side (move ?f1 ?r1 ?f2 ?r2)))
(<= (lands ?f2 ?r2)
    (does ?side (promote ?f1 ?r1 ?f2 ?r2 ?kind)))

; moves KIND: what departs
(<= (moves ?kind)
    (departs ?f ?r)
    (own ?f ?r ?kind))

; becomes KIND: what lands
(<= (becomes ?kind)
    (moves ?kind)
    (not promotion))
(<= (becomes ?kind)
    (does ?side (promote ?f1 ?r1 ?f2 ?r2 ?kind)))
(<= promotion
    (does ?side (promote ?f1 ?r1 ?f2 ?r2 ?kind)))

(<= (leaves ?f ?r)
    (departs ?f ?r))
(<= (leaves e ?r)
    (does ?side (castle ?wing))
    (back_rank ?side ?r))
(<= (leaves ?f ?r)
    (does ?side (castle ?wing))
    (rook_file ?wing ?f)
    (back_rank ?side ?r))
; a pawn captured en passant
(<= (leaves ?f2 ?r1)
    (moves pawn)
    (lands ?f2 ?r2)
    (passing ?f2 ?r2 ?r1))

(<= (arrives ?f ?r ?piece)
    (lands ?f ?r)
    (becomes ?kind)
    (true (control ?side))
    (man ?piece ?side ?kind))
(<= (arrives ?f ?r ?piece)
    (does ?side (castle ?wing))
    (castled ?wing ?kind ?f)
    (back_rank ?side ?r)
    (man ?piece ?side ?kind))

(<= (touched ?f ?r)
    (leaves ?f ?r))
(<= (touched ?f ?r)
    (arrives ?f ?r ?piece))

(<= (next (cell ?f ?r ?piece))
    (arrives ?f ?r ?piece))
(<= (next (cell ?f ?r ?piece))
    (true (cell ?f ?r ?piece))
    (not (touched ?f ?r)))

(<= (next (control ?other))
    (true (control ?side))
    (opponent ?side ?other)
    moved)

; A man that leaves or takes the corner was that rook or captures it.
(<= (forfeits ?side ?wing)
    (back_rank ?side ?r)
    (touched e ?r)
    (wing ?wing))
(<= (forfeits ?side ?wing)
    (back_rank ?side ?r)
    (rook_file ?wing ?f)
    (touched ?f ?r))

(<= (next (may_castle ?side ?wing))
    (true (may_castle ?side ?wing))
    (not (forfeits ?side ?wing)))

(<= (next (en_passant ?f))
    (does ?side (move ?f ?r1 ?f ?r3))
    (double_step ?side ?r1 ?r2 ?r3)
    (moves pawn))

; for good: a capture or pawn move can never be taken back
(<= for_good
    (moves pawn))
(<= for_good
    (lands ?f ?r)
    (enemy_man ?f ?r))

(<= (next (quiet 0))
    for_good)
(<= (next (quiet ?m))
    (true (quiet ?n))
    (succ ?n ?m)
    moved
    (not for_good))

(<= (next (ply ?m))
    (true (ply ?n))
    (succ ?n ?m)
    moved)

(<= (next (chessclock ?side ?s ?h))
    (true (chessclock ?side ?s ?h))
    moved)

; ---------------------------------------------------------------------------------------------- what a tick does

(<= (next (control ?side))
    (true (control ?side))
    (not moved))
(<= (next (en_passant ?f))
    (true (en_passant ?f))
    (not moved))
(<= (next (quiet ?n))
    (true (quiet ?n))
    (not moved))
(<= (next (ply ?n))
    (true (ply ?n))
    (not moved))

(<= (next (chessclock ?side ?s2 ?h2))
    (true (chessclock ?side ?s1 ?h1))
    (true (control ?side))
    (hundredth_later ?s1 ?h1 ?s2 ?h2)
    (not moved))
(<= (next (chessclock ?side ?s ?h))
    (true (chessclock ?side ?s ?h))
    (opponent ?side ?other)
    (true (control ?other))
    (not moved))

(<= (hundredth_later ?s ?h1 ?s ?h2)
    (true (chessclock ?side ?s ?h1))
    (succ ?h1 ?h2)
    (distinct ?h2 100))
(<= (hundredth_later ?s1 99 ?s2 0)
    (true (chessclock ?side ?s1 99))
    (succ ?s1 ?s2))

; ---------------------------------------------------------------------------------------------- the end

(<= can_move
    (possible ?move))

(<= checkmate
    in_check
    (not can_move))

(<= terminal
    (not can_move))
(<= terminal
    (true (quiet 100)))
(<= terminal
    (true (ply 201)))
(<= terminal
    (flag_fell ?side))

; flag_fell SIDE: that side has used more than five minutes
(<= (flag_fell ?side)
    (true (chessclock ?side 300 1)))

(<= (loses ?side)
    (true (control ?side))
    checkmate)
(<= (loses ?side)
    (flag_fell ?side))

(<= decided
    (loses ?side))

(<= (goal ?side 0)
    (loses ?side))
(<= (goal ?side 100)
    (opponent ?side ?other)
    (loses ?other))
(<= (goal ?side 50)
    (role ?side)
    (not decided))

; ---------------------------------------------------------------------------------------------- counting

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15)
(succ 15 16) (succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20)
(succ 20 21) (succ 21 22) (succ 22 23) (succ 23 24) (succ 24 25)
(succ 25 26) (succ 26 27) (succ 27 28) (succ 28 29) (succ 29 30)
(succ 30 31) (succ 31 32) (succ 32 33) (succ 33 34) (succ 34 35)
(succ 35 36) (succ 36 37) (succ 37 38) (succ 38 39) (succ 39 40)
(succ 40 41) (succ 41 42) (succ 42 43) (succ 43 44) (succ 44 45)
(succ 45 46) (succ 46 47) (succ 47 48) (succ 48 49) (succ 49 50)
(succ 50 51) (succ 51 52) (succ 52 53) (succ 53 54) (succ 54 55)
(succ 55 56) (succ 56 57) (succ 57 58) (succ 58 59) (succ 59 60)
(succ 60 61) (succ 61 62) (succ 62 63) (succ 63 64) (succ 64 65)
(succ 65 66) (succ 66 67) (succ 67 68) (succ 68 69) (succ 69 70)
(succ 70 71) (succ 71 72) (succ 72 73) (succ 73 74) (succ 74 75)
(succ 75 76) (succ 76 77) (succ 77 78) (succ 78 79) (succ 79 80)
(succ 80 81) (succ 81 82) (succ 82 83) (succ 83 84) (succ 84 85)
(succ 85 86) (succ 86 87) (succ 87 88) (succ 88 89) (succ 89 90)
(succ 90 91) (succ 91 92) (succ 92 93) (succ 93 94) (succ 94 95)
(succ 95 96) (succ 96 97) (succ 97 98) (succ 98 99) (succ 99 100)
(succ 100 101) (succ 101 102) (succ 102 103) (succ 103 104) (succ 104 105)
(succ 105 106) (succ 106 107) (succ 107 108) (succ 108 109) (succ 109 110)
(succ 110 111) (succ 111 112) (succ 112 113) (succ 113 114) (succ 114 115)
(succ 115 116) (succ 116 117) (succ 117 118) (succ 118 119) (succ 119 120)
(succ 120 121) (succ 121 122) (succ 122 123) (succ 123 124) (succ 124 125)
(succ 125 126) (succ 126 127) (succ 127 128) (succ 128 129) (succ 129 130)
(succ 130 131) (succ 131 132) (succ 132 133) (succ 133 134) (succ 134 135)
(succ 135 136) (succ 136 137) (succ 137 138) (succ 138 139) (succ 139 140)
(succ 140 141) (succ 141 142) (succ 142 143) (succ 143 144) (succ 144 145)
(succ 145 146) (succ 146 147) (succ 147 148) (succ 148 149) (succ 149 150)
(succ 150 151) (succ 151 152) (succ 152 153) (succ 153 154) (succ 154 155)
(succ 155 156) (succ 156 157) (succ 157 158) (succ 158 159) (succ 159 160)
(succ 160 161) (succ 161 162) (succ 162 163) (succ 163 164) (succ 164 165)
(succ 165 166) (succ 166 167) (succ 167 168) (succ 168 169) (succ 169 170)
(succ 170 171) (succ 171 172) (succ 172 173) (succ 173 174) (succ 174 175)
(succ 175 176) (succ 176 177) (succ 177 178) (succ 178 179) (succ 179 180)
(succ 180 181) (succ 181 182) (succ 182 183) (succ 183 184) (succ 184 185)
(succ 185 186) (succ 186 187) (succ 187 188) (succ 188 189) (succ 189 190)
(succ 190 191) (succ 191 192) (succ 192 193) (succ 193 194) (succ 194 195)
(succ 195 196) (succ 196 197) (succ 197 198) (succ 198 199) (succ 199 200)
(succ 200 201)
(succ 201 202) (succ 202 203) (succ 203 204) (succ 204 205) (succ 205 206)
(succ 206 207) (succ 207 208) (succ 208 209) (succ 209 210) (succ 210 211)
(succ 211 212) (succ 212 213) (succ 213 214) (succ 214 215) (succ 215 216)
(succ 216 217) (succ 217 218) (succ 218 219) (succ 219 220) (succ 220 221)
(succ 221 222) (succ 222 223) (succ 223 224) (succ 224 225) (succ 225 226)
(succ 226 227) (succ 227 228) (succ 228 229) (succ 229 230) (succ 230 231)
(succ 231 232) (succ 232 233) (succ 233 234) (succ 234 235) (succ 235 236)
(succ 236 237) (succ 237 238) (succ 238 239) (succ 239 240) (succ 240 241)
(succ 241 242) (succ 242 243) (succ 243 244) (succ 244 245) (succ 245 246)
(succ 246 247) (succ 247 248) (succ 248 249) (succ 249 250) (succ 250 251)
(succ 251 252) (succ 252 253) (succ 253 254) (succ 254 255) (succ 255 256)
(succ 256 257) (succ 257 258) (succ 258 259) (succ 259 260) (succ 260 261)
(succ 261 262) (succ 262 263) (succ 263 264) (succ 264 265) (succ 265 266)
(succ 266 267) (succ 267 268) (succ 268 269) (succ 269 270) (succ 270 271)
(succ 271 272) (succ 272 273) (succ 273 274) (succ 274 275) (succ 275 276)
(succ 276 277) (succ 277 278) (succ 278 279) (succ 279 280) (succ 280 281)
(succ 281 282) (succ 282 283) (succ 283 284) (succ 284 285) (succ 285 286)
(succ 286 287) (succ 287 288) (succ 288 289) (succ 289 290) (succ 290 291)
(succ 291 292) (succ 292 293) (succ 293 294) (succ 294 295) (succ 295 296)
(succ 296 297) (succ 297 298) (succ 298 299) (succ 299 300)
