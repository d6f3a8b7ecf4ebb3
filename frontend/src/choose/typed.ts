/* Moves by what a person types: `e2e4`, `Nf3`, `drop 4`, or a part of the words. */
import type { MoveChoice } from "../api/types";

export interface Typed {
  /** The one move that the text names. */
  exact: MoveChoice | null;
  /** All moves that the text may still become, best first. */
  possible: MoveChoice[];
}

const compact = (text: string): string => text.replace(/[\s\-–()'",.=+#]/g, "");

function writings(choice: MoveChoice): string[] {
  return [choice.words, choice.move, ...choice.writings];
}

/** The moves that a text names or begins. Letters count as they are where that decides (`bxc3` and `Bxc3`). */
export function matchTyped(choices: readonly MoveChoice[], text: string): Typed {
  const wanted = compact(text);
  if (wanted === "") return { exact: null, possible: [...choices] };
  const small = wanted.toLowerCase();
  const named = (fits: (writing: string) => boolean): MoveChoice[] =>
    choices.filter((choice) => writings(choice).some((writing) => fits(compact(writing))));
  const asWritten = named((writing) => writing === wanted);
  const inAnyCase = named((writing) => writing.toLowerCase() === small);
  const begun = named((writing) => writing.toLowerCase().startsWith(small));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const inside = choices.filter((choice) => {
    const all = writings(choice).join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const exact = asWritten.length === 1 ? asWritten : inAnyCase.length === 1 ? inAnyCase : [];
  const possible = [...new Set([...asWritten, ...inAnyCase, ...begun, ...inside])];
  const only = possible.length === 1 ? possible : exact;
  return { exact: only[0] ?? null, possible };
}
