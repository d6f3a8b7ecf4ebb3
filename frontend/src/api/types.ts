/* What the server sends, as `/api/v1` and the websocket of a match define it. Names stay in snake case. */

export interface PieceLook {
  words: string;
  shape: string;
  colour: string;
  text: string;
  remark: boolean;
}

export interface BoardScene {
  columns: string[];
  rows: string[];
  shape: "square" | "hex" | "points";
  look: "squares" | "holes" | "lines" | "points";
  names: string[];
  absent: number[];
  contents: PieceLook[];
  cells: Record<string, number[]>;
  last: number[];
  is_unknown: boolean;
}

export interface CardFace {
  rank: string;
  suit: string;
  colour: string;
  words: string;
}

export interface CardPile {
  name: string;
  /** Null where the viewer is not told how many there are. */
  count: number | null;
  cards: CardFace[] | null;
}

export interface CardHand {
  role: string;
  is_viewer: boolean;
  score: number | null;
  notes: string[];
  hand: CardPile;
}

export interface CardScene {
  hands: CardHand[];
  trick: [string, CardFace][];
  is_taken: boolean;
  piles: CardPile[];
  suits: [string, string][];
}

export interface FactGroup {
  name: string;
  entries: string[];
  /** What can be drawn of the entries: at most one of these lists is not empty. */
  amounts: { label: string; count: number }[];
  dice: { label: string; faces: number[] }[];
  cards: CardFace[];
}

export interface Scene {
  board: BoardScene | null;
  cards: CardScene | null;
  facts: FactGroup[];
  told: string[];
  is_hidden: boolean;
  spoken: string;
}

export interface MoveChoice {
  move: string;
  words: string;
  writings: string[];
  places: number[];
  card: CardFace | null;
  waits: boolean;
}

export interface ClockView {
  left: number;
  running: boolean;
}

export interface RoleView {
  role: string;
  label: string;
  kind: "person" | "player" | "open";
  name: string;
  is_here: boolean;
  clock: ClockView | null;
  goal: number | null;
  /** What is to be said of a program elsewhere that is not just playing. */
  remark?: string;
}

/** A fault of a program, for which a legal move was made. */
export interface MatchNote {
  step: number;
  role: string;
  text: string;
}

export interface MoveLine {
  step: number;
  words: string;
}

export type Phase = "choice" | "waiting" | "paused" | "over" | "resigned" | "stuck" | "open";
export type OfferKind = "draw" | "takeback" | "rematch" | "pause" | "resume";

export interface Offer {
  what: OfferKind;
  by: string;
}

export interface ChatLine {
  by: string;
  text: string;
}

export interface MatchView {
  id: string;
  game: { id: string; title: string; hides: boolean; chance: boolean };
  viewer: string | null;
  roles: RoleView[];
  step: number;
  phase: Phase;
  to_move: string[];
  is_thinking: boolean;
  scene: Scene;
  choices: MoveChoice[];
  asked: string;
  moves: MoveLine[];
  offers: Offer[];
  premove: string | null;
  /** A prepared move that was not legal when its time came. */
  dropped: string | null;
  spectators: number;
  chat: ChatLine[] | null;
  result: Record<string, number> | null;
  rematch: string | null;
  notes?: MatchNote[];
  /** How many notes there were, by role; only the last ones are sent. */
  faults?: Record<string, number>;
  /** The clock of a match in which nobody takes turns. */
  realtime: { seconds: number; is_running: boolean } | null;
  /** The tournament that the match belongs to. */
  tournament: string | null;
  /** How it ended: by the rules, on time, by resigning, as a draw ... */
  how?: string | null;
  ended_by?: string | null;
}

export interface Premoves {
  step: number;
  choices: MoveChoice[];
}

export interface StepView {
  step: number;
  scene: Scene;
  moves: MoveLine[];
}

export interface GameLine {
  id: string;
  title: string;
  language: string;
  roles: string[];
  summary: string;
  hides: boolean;
  chance: boolean;
  seats: number;
  kind: "board" | "cards" | "puzzle" | "other";
  /** Whether nobody takes turns. */
  realtime: boolean;
}

export interface Fault {
  code: string;
  severity: string;
  message: string;
  line: number | null;
  column: number | null;
  hint: string | null;
}

export interface GameText extends GameLine {
  rules: string;
  faults: Fault[];
  owner: string | null;
}

export interface PlayerLine {
  name: string;
  summary: string;
  for_hidden: boolean;
  for_realtime?: boolean;
  is_available?: boolean;
}

/** A program elsewhere that speaks the GGP protocol. */
export interface RemoteLine {
  name: string;
  player: string;
  owner: string;
  is_mine: boolean;
  url: string | null;
  said: string;
  language: string | null;
  /** Seconds since 1970. */
  answered: number;
  is_reachable: boolean;
  is_playing: boolean;
}

export interface User {
  name: string;
  is_guest: boolean;
  is_admin: boolean;
}

export interface Me {
  user: User | null;
  csrf: string;
}

export interface MatchLine {
  id: string;
  game: { id: string; title: string };
  roles: { role: string; label: string; kind: RoleView["kind"]; name: string }[];
  phase: string;
  step: number;
  open: string[];
  result?: Record<string, number> | null;
}

export interface NewMatch {
  game: string;
  seats: Record<string, string>;
  clock: { base: number | null; increment: number };
  think: number;
  prepare?: number;
  seed?: number;
  chat?: boolean;
}

export interface CreatedMatch {
  id: string;
  links: Record<string, string>;
}

export interface Candidate {
  move: string;
  words: string;
  value: number | null;
  visits: number | null;
  proven: boolean | null;
}

export interface Analysis {
  values: Record<string, number>;
  choices: Candidate[];
  line: string[];
  reasons: string[];
  features: { words: string; value: number }[];
}

export interface Knowledge {
  sure: string[];
  possible: string[];
  worlds: number | null;
  opinion: { words: string; value: number }[];
}

export interface Report {
  games: number;
  length: { mean: number; low: number; high: number };
  branching: number;
  decisive: number;
  seats: Record<string, number>;
  unfinished?: number;
}

export interface Job {
  state: string;
  progress: number;
  result: Report | null;
  error?: string | null;
}

export interface RatingLine {
  rank: number;
  name: string;
  kind: string;
  rating: number;
  low: number;
  high: number;
  matches: number;
}

export interface PlayerPageView {
  name: string;
  kind: string;
  summary: string;
  ratings: { game: string; title: string; rating: number; low: number; high: number; matches: number }[];
  recent: MatchLine[];
}
