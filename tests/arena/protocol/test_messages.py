"""Messages: every form is read, whatever its case and trailing arguments, and written as hosts write it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.protocol.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Ping,
    Play,
    PlayPercepts,
    Preview,
    Start,
    Stop,
    StopPercepts,
    format_message,
    parse_message,
)
from ludorum.arena.protocol.replies import (
    InfoReply,
    MoveReply,
    format_info_reply,
    parse_info_reply,
    parse_move_reply,
)
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term

RULES = "(role white) (<= (legal white noop) (true (step ?x)))"

READ: list[tuple[str, Message]] = [
    ("( INFO )", Info()),
    ("(info)", Info()),
    ("Info", Info()),
    ("(InFo please)", Info()),
    ("(ping)", Ping()),
    ("ping", Ping()),
    ("(PING Msg.7)", Ping("Msg.7")),
    (f"( PREVIEW ({RULES}) 30 )", Preview(RULES, 30)),
    (f"(START M1 White ({RULES}) 30 15)", Start("M1", Term("white"), RULES, 30, 15)),
    (f"(start m1 white (\n{RULES}\n) 30 15 more (and more))", Start("m1", Term("white"), RULES, 30, 15)),
    ("(start tiltyard.x.1400 white () 0.5 1e1)", Start("tiltyard.x.1400", Term("white"), "", 0.5, 10)),
    ("( PLAY m1 NIL )", Play("m1", None)),
    ("(play m1 nil)", Play("m1", None)),
    ("(play m1)", Play("m1", None)),
    ("(PLAY m1 ())", Play("m1", ())),
    ("(PLAY m1 ((MARK 1 2) NOOP))", Play("m1", (parse_term("(mark 1 2)"), Term("noop")))),
    ("(PLAY m1 noop)", Play("m1", (Term("noop"),))),
    ("(PLAY m1 ((sees_card ace)))", Play("m1", (parse_term("(sees_card ace)"),))),
    ("(PLAY m1 0 NIL NIL)", PlayPercepts("m1", 0, None, ())),
    ("(PLAY m1 3 (mark 1 1) ((card ace) done))",
     PlayPercepts("m1", 3, parse_term("(mark 1 1)"), (parse_term("(card ace)"), Term("done")))),
    ("(PLAY m1 3 noop ())", PlayPercepts("m1", 3, Term("noop"), ())),
    ("(PLAY m1 3 noop (a) later)", PlayPercepts("m1", 3, Term("noop"), (Term("a"),))),
    ("(STOP m1 (a b))", Stop("m1", (Term("a"), Term("b")))),
    ("(stop m1 nil)", Stop("m1", None)),
    ("(STOP m1 7 noop (a))", StopPercepts("m1", 7, Term("noop"), (Term("a"),))),
    ("(ABORT m1)", Abort("m1")),
    ("(abort m1 why not)", Abort("m1")),
    ("; a comment\n(PLAY m1 ; another\n NIL)", Play("m1", None)),
    ("(PLAY m1 NIL) and what follows", Play("m1", None)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), READ, ids=[text[:40] for text, _ in READ])
def test_every_form_is_read(text: str, message: Message) -> None:
    assert parse_message(text) == message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty message"),
        ("   ; nothing\n", "empty message"),
        ("(PLAY m1 (a", "never closed"),
        ("(PLAY m1))", "closing bracket"),
        ("()", "begins with a keyword"),
        ("((play) m1)", "begins with a keyword"),
        ("(jump m1)", "no message begins with 'jump'"),
        ("(PLAY)", "PLAY: argument 1, a match id, is missing"),
        ("(PLAY (m1) NIL)", "PLAY: argument 1 is not a match id"),
        ("(PLAY m1 (?x))", "PLAY: argument 2 is not a term without variables"),
        ("(PLAY m1 one noop ())", "PLAY: argument 2 is not a number"),
        ("(START m1 white)", "START: argument 3, a list of rules, is missing"),
        ("(START m1 white rules 1 1)", "START: argument 3 is not a list of rules"),
        ("(START m1 white () fast 1)", "START: argument 4 is not a clock in seconds"),
        ("(START m1 white () 1 -1)", "START: argument 5 is not a clock in seconds"),
        ("(START m1 white () nan 1)", "START: argument 4 is not a clock in seconds"),
        ("(START m1 ?white () 1 1)", "START: argument 2 is not a term without variables"),
        ("(" * 5000, "nested"),
    ],
)
def test_what_is_no_message_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(MessageError, match=reason):
        parse_message(text)


WRITTEN: list[tuple[Message, str]] = [
    (Info(), "( INFO )"),
    (Ping(), "(ping)"),
    (Ping("m7"), "(ping m7)"),
    (Preview(RULES, 10), f"( PREVIEW ({RULES}) 10 )"),
    (Start("m1", Term("white"), RULES, 30, 15), f"( START m1 white ({RULES}) 30 15 )"),
    (Start("m1", Term("white"), RULES, 86400.0, 0.25), f"( START m1 white ({RULES}) 86400 0.25 )"),
    (Play("m1", None), "( PLAY m1 NIL )"),
    (Play("m1", (parse_term("(mark 1 2)"), Term("noop"))), "( PLAY m1 ((mark 1 2) noop) )"),
    (Stop("m1", (Term("a"),)), "( STOP m1 (a) )"),
    (PlayPercepts("m1", 0, None, ()), "( PLAY m1 0 NIL NIL )"),
    (PlayPercepts("m1", 2, Term("noop"), (parse_term("(card ace)"),)), "( PLAY m1 2 noop ((card ace)) )"),
    (PlayPercepts("m1", 2, Term("noop"), ()), "( PLAY m1 2 noop () )"),
    (StopPercepts("m1", 2, Term("noop"), ()), "( STOP m1 2 noop () )"),
    (Abort("m1"), "( ABORT m1 )"),
]


@pytest.mark.parametrize(("message", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_every_form_is_written_and_read_back(message: Message, text: str) -> None:
    assert format_message(message) == text
    assert parse_message(text) == message
    assert parse_message(text.upper()) == parse_message(format_message(message).upper())


WORDS = st.text("abcxyz019_+", min_size=1, max_size=5).filter(lambda word: word != "nil")
TERMS = st.recursive(
    WORDS.map(Term),
    lambda inner: st.builds(lambda name, args: Term(name, tuple(args)), WORDS, st.lists(inner, max_size=3)),
    max_leaves=6,
)
IDS = st.from_regex(r"[a-z][a-z0-9.]{0,12}", fullmatch=True)
TUPLES = st.lists(TERMS, max_size=4).map(tuple)
TURNS = st.integers(1, 500)
MESSAGES = st.one_of(
    st.builds(Play, IDS, st.none() | TUPLES),
    st.builds(Stop, IDS, st.none() | TUPLES),
    st.builds(PlayPercepts, IDS, TURNS, TERMS, TUPLES),
    st.builds(StopPercepts, IDS, TURNS, TERMS, TUPLES),
    st.builds(Abort, IDS),
    st.builds(Start, IDS, TERMS, st.just(RULES), st.integers(0, 999), st.integers(0, 999)),
)


@pytest.mark.long
@given(MESSAGES)
def test_what_is_written_is_read_back(message: Message) -> None:
    assert parse_message(format_message(message)) == message


@pytest.mark.long
@given(st.text(max_size=200) | st.text('()| ?;"pPlLaAyYstopm1 \n', max_size=80))
def test_any_text_is_a_message_or_a_readable_error(text: str) -> None:
    for candidate in (text, f"(PLAY m1 {text})", f"(START m1 r ({text}) 1 1)"):
        with suppress(MessageError):
            parse_message(candidate)


# -- replies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("noop", MoveReply(Term("noop"))),
        ("(noop)", MoveReply(Term("noop"))),
        (" ( MARK 1 2 )\r\n", MoveReply(parse_term("(mark 1 2)"))),
        ("NIL", MoveReply(Term("nil"))),
        ('(mark 1 1) (explanation "it wins (I think); yes") (taunt "ha \\"ha\\"")',
         MoveReply(parse_term("(mark 1 1)"), "it wins (I think); yes", 'ha \\"ha\\"')),
        ("(mark 1 1) (taunt be afraid)", MoveReply(parse_term("(mark 1 1)"), "", "be afraid")),
        ("(mark 1 1) (explanation)", MoveReply(parse_term("(mark 1 1)"))),
        ("noop ; thinking is hard", MoveReply(Term("noop"))),
    ],
)  # fmt: skip
def test_moves_are_read_with_what_players_say_besides(text: str, reply: MoveReply) -> None:
    assert parse_move_reply(text) == reply


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty reply"),
        ("(mark 1", "never closed"),
        ("(mark ?x 1)", "variables"),
        ("?x", "variables"),
        ("(mark 1 1) (mark 2 2)", "more than a move"),
        ("<html><body>404 not found</body></html>", "more than a move"),
        ('"(mark 1 1)"', "string"),
        ('(mark 1 1) "a string without end', "more than a move"),
        ("()", "empty brackets"),
        ("((mark 1 1))", "brackets that begin with a bracket"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(MessageError, match=reason):
        parse_move_reply(text)


def test_a_move_after_a_quotation_mark_is_another_move() -> None:
    assert parse_move_reply('"push') == MoveReply(Term('"push'))


@given(st.text(max_size=200) | st.text('()|?;"\\ ab\n', max_size=60))
def test_any_reply_is_a_move_or_a_readable_error(text: str) -> None:
    parse_info_reply(text)
    with suppress(MessageError):
        assert parse_move_reply(text).move.is_ground


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("((name Deep Thought) (status AVAILABLE) (species alien))",
         InfoReply("available", "Deep Thought", "alien")),
        ("((status busy))", InfoReply("busy")),
        ('((name "The Turk") (status available))', InfoReply("available", "The_Turk")),
        ("available", InfoReply("available")),
        ("READY", InfoReply("ready")),
        ("busy", InfoReply("busy")),
        ("nil", InfoReply("nil")),
        ("", InfoReply()),
        ("<html> oh dear </html>", InfoReply()),
    ],
)  # fmt: skip
def test_players_say_who_they_are_in_many_ways(text: str, reply: InfoReply) -> None:
    assert parse_info_reply(text) == reply
    assert reply.is_available == (reply.status in ("available", "ready"))


def test_our_own_introduction_is_read_back() -> None:
    said = format_info_reply(InfoReply("available", "Ludorum (träge)", "alien"))
    assert said == "((name Ludorum_tr_ge) (status available) (species alien))"
    assert parse_info_reply(said) == InfoReply("available", "Ludorum_tr_ge", "alien")
