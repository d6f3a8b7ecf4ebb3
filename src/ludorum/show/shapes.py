"""Shapes and colours of pieces for SVG: the same as on the page of a replay."""

from __future__ import annotations

_BASE = "M24 84h52v8H24z"

CHESSMEN = {
    "pawn": (
        "M50 20a13 13 0 0 0-8.6 22.8C35 45 33 48 33 51h8.5C41 63 37 71 29 78v6h42v-6c-8-7-12-15-12.5-27H67"
        "c0-3-2-6-8.4-8.2A13 13 0 0 0 50 20z" + _BASE,
        "M42 51h16",
    ),
    "rook": (
        "M26 18v18l9 8-2 30-7 6v4h48v-4l-7-6-2-30 9-8V18H64v8h-9v-8H45v8h-9v-8z" + _BASE,
        "M35 44h30M33 74h34",
    ),
    "bishop": (
        "M50 9a5.500 5.500 0 0 0-3.500 9.700C37 25 30 35 30 45c0 7 4 12 8.500 15L36 72c-6 2-10 6-10 12h48"
        "c0-6-4-10-10-12l-2.500-12C66 57 70 52 70 45c0-10-7-20-16.500-26.300A5.500 5.500 0 0 0 50 9z" + _BASE,
        "M50 32v16M42 40h16M38 60h24M36 72h28",
    ),
    "queen": (
        "M13 30a5 5 0 1 1 8 2l13 16 1-24a5 5 0 1 1 6-1l9 23 9-23a5 5 0 1 1 6 1l1 24 13-16a5 5 0 1 1 8-2"
        "L73 66c-2 4-1 8 1 12v6H26v-6c2-4 3-8 1-12z" + _BASE,
        "M29 66c14-4 28-4 42 0M27 76c15-3 31-3 46 0",
    ),
    "king": (
        "M46.500 7h7v6h7v7h-7v10c5-5 18-6 24 1 7 9 0 20-8 29-3 4-2 10 2 18v6H28.500v-6c4-8 5-14 2-18"
        "-8-9-15-20-8-29 6-7 19-6 24-1V20h-7v-7h7z" + _BASE,
        "M50 32v26M31 62c13-5 25-5 38 0M29 76c14-4 28-4 42 0",
    ),
    "knight": (
        "M28 84c-1-17 15-24 17-37-5 5-9 8-17 9l-8-3c-3-4-3-8 0-12 6-8 9-17 16-22l-1-11 11 8"
        "c22 1 32 20 32 42 0 10-2 18-4 26z" + _BASE,
        "M37 33l2-3M24 47l3-1M53 24c10 5 15 17 14 32",
    ),
}
"""Outlines on a field of a hundred by a hundred, and the lines upon them."""

CROWN = "M-.2 .14L-.24 -.14L-.1 -.02L0 -.2L.1 -.02L.24 -.14L.2 .14z"
CROSS = "M-.26 -.26L.26 .26M.26 -.26L-.26 .26"

COLOURS = {
    "white": "#fbf9f2", "black": "#2d2b29", "red": "#d0382f", "blue": "#2b6cc4", "green": "#2f8f4e",
    "yellow": "#f2c029", "orange": "#e07b22", "purple": "#8650b8", "pink": "#d2569b", "teal": "#1d8f96",
    "brown": "#8a5f3b", "grey": "#7b8088",
}  # fmt: skip
"""Colours of pieces, by the names that ``pieces`` gives them."""
GROUND, SHADE, LINE, FRAME, HOLE, LAST = "#e9d9b4", "#c9ab78", "#a98d5c", "#2f5fa7", "#fbfaf8", "#f5b301"
"""Colours of the board: squares, dark squares, lines, a frame with holes, the holes, the last move."""
WORDS = "#68707d"
"""Colour of the text beside the board, readable on light and on dark paper."""
