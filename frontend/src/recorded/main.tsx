/* Draws the matches of a page that was written to a file: a replay, or the report of a tournament. */
import "../styles/base.css";
import "../styles/board.css";
import "../styles/cards.css";
import "../styles/match.css";
import "../styles/recorded.css";
import { createRoot } from "react-dom/client";
import { applyTheme } from "../look/theme";
import { Picker, Player } from "./pages";
import type { RecordedMatch } from "./types";
import { unpacked } from "./unpack";

const root = document.getElementById("matches");
const data = document.getElementById("data")?.textContent;
if (root && data) {
  const matches = unpacked(JSON.parse(data) as Parameters<typeof unpacked>[0]) as RecordedMatch[];
  const only = root.dataset["page"] === undefined ? undefined : matches[0];
  if (only) applyTheme();
  createRoot(root).render(only ? <Player match={only} /> : <Picker matches={matches} />);
}
