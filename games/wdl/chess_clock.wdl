; title: Chess by the clock
; rules: Chess with its laws of castling, en passant and promotion, and a clock for each side that runs while that side
;        is on turn: who has used more than five minutes loses (0, and 100 for the other). Checkmate wins, too. The game
;        is drawn (50 each) by stalemate, after fifty moves of each side without capture or pawn move, and after 200
;        moves of single pieces, which stands in for the repetition rule.
; players: 2

(set realtime)
(set range 0 300)

(include arith:successor)

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
    (arith:successor:++ ?n ?m)
    moved
    (not for_good))

(<= (next (ply ?m))
    (true (ply ?n))
    (arith:successor:++ ?n ?m)
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
    (arith:successor:++ ?h1 ?h2)
    (distinct ?h2 100))
(<= (hundredth_later ?s1 99 ?s2 0)
    (true (chessclock ?side ?s1 99))
    (arith:successor:++ ?s1 ?s2))

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
