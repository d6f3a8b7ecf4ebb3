import { useState } from "react";
import type { BoardScene } from "../api/types";
import { nextTokens, type Token } from "./tokens";

/** The tokens of a board, each with the identity that it had on the board shown before. */
export function useTokens(board: BoardScene): Token[] {
  const [held, hold] = useState(() => ({
    board,
    tokens: nextTokens([], board).map((token) => ({ ...token, isNew: false })),
  }));
  if (held.board === board) return held.tokens;
  const tokens = nextTokens(held.tokens, board);
  hold({ board, tokens });
  return tokens;
}
