"""The layout of the screen: for 80 columns and 24 lines, and larger where there is more room.

Text has the terminal's own colours, whatever the person has set there.
"""

CSS = """
Screen { layout: vertical; background: ansi_default; color: ansi_default; }
Screen Static, MoveList { background: ansi_default; color: ansi_default; }
#title { height: 1; text-style: bold; padding: 0 1; }
#middle { height: 1fr; }
#left { width: 1fr; padding: 0 1; overflow-x: auto; scrollbar-size: 1 1; }
#board { width: auto; min-width: 100%; height: auto; }
#right { width: 38%; min-width: 30; max-width: 44; border-left: solid ansi_default; padding: 0 0 0 1; }
#filter { height: auto; max-height: 5; }
#moves { height: 1fr; min-height: 4; scrollbar-size: 1 1; }
#advice { height: auto; max-height: 7; display: none; border-top: solid ansi_default; }
#log { height: auto; max-height: 40%; border-top: solid ansi_default; }
#status { height: auto; max-height: 4; padding: 0 1; text-style: bold; }
#keys { height: 1; padding: 0 1; }
Dialog { align: center middle; background: transparent; }
Dialog > Vertical {
    width: auto; max-width: 80; height: auto; max-height: 24; border: round ansi_default; padding: 0 1;
    background: ansi_default; color: ansi_default;
}
Dialog Static { width: auto; max-width: 76; height: auto; }
"""
