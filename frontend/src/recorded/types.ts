/* A recorded match as `ludorum replay --html` and the report of a tournament write it (`cli/replay_data.py`). */
import type { MoveLine, Scene } from "../api/types";

export interface RecordedMatch {
  id: string;
  title: string;
  /** The match in a few words, for lists. */
  caption: string;
  result: string;
  roles: { role: string; label: string; name: string; goal: number | null }[];
  /** What each viewer saw that may be chosen; the first of them sees the most. */
  views: RecordedView[];
}

export interface RecordedView {
  /** Null for one from whom nothing is hidden. */
  role: string | null;
  words: string;
  /** Lines of moves; one that tells of several steps, such as a deal, begins at `first`. */
  moves: (MoveLine & { first: number })[];
  steps: RecordedStep[];
}

export interface RecordedStep {
  scene: Scene;
  /** Roles and their faults. */
  faults: [string, string][];
  /** Roles and what they were told. */
  told: [string, string][];
  /** Since the start. */
  milliseconds: number | null;
}
