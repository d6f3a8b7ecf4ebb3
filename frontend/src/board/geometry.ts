/* Where places lie, in units of one square. Places are numbered row by row from the top left. */
import type { BoardScene } from "../api/types";

export interface Point {
  x: number;
  y: number;
}

export interface Geometry {
  width: number;
  height: number;
  /** The middle of each place. */
  centres: Point[];
  columnLabels: (Point & { text: string })[];
  rowLabels: (Point & { text: string })[];
  /** How high a place is. */
  tall: number;
}

/** How high the points of a board of points are, and the room between the two rows of them. */
const TALL = 5;
const BETWEEN = 1;
/** Men of a stack that lie side by side; more lie over each other. */
export const MOST_SIDE_BY_SIDE = 5;

const ROW = Math.sqrt(3) / 2;
export const HEX_RADIUS = 1 / Math.sqrt(3);

/** The corners of a hexagon with a corner at the top, around the origin. */
export const HEXAGON = Array.from({ length: 6 }, (_, at) => {
  const angle = (Math.PI / 3) * at - Math.PI / 2;
  return `${(HEX_RADIUS * Math.cos(angle)).toFixed(4)},${(HEX_RADIUS * Math.sin(angle)).toFixed(4)}`;
}).join(" ");

/** Square boards fill a rectangle; hexagons a rhombus, each row half a place further right than the one above. */
export function geometryOf(board: Pick<BoardScene, "columns" | "rows" | "shape">, isFlipped: boolean): Geometry {
  if (board.shape === "points") return geometryOfPoints(board.columns.length);
  const [columns, rows] = [board.columns.length, board.rows.length];
  const isHex = board.shape === "hex";
  const width = isHex ? columns + (rows - 1) / 2 : columns;
  const height = isHex ? (rows - 1) * ROW + 2 * HEX_RADIUS : rows;
  const turned = (point: Point): Point => (isFlipped ? { x: width - point.x, y: height - point.y } : point);
  const centre = (column: number, row: number): Point =>
    isHex
      ? { x: column + 0.5 + row / 2, y: row * ROW + HEX_RADIUS }
      : { x: column + 0.5, y: row + 0.5 };
  const centres = Array.from({ length: columns * rows }, (_, at) =>
    turned(centre(at % columns, Math.floor(at / columns))),
  );
  const [edgeRow, edgeColumn] = isFlipped ? [0, columns - 1] : [rows - 1, 0];
  const columnLabels = board.columns.map((text, column) => {
    const below = turned(centre(column, edgeRow));
    return { text, x: below.x + (isHex ? 0.35 : 0), y: isHex ? below.y + 0.85 : height + 0.3 };
  });
  const rowLabels = board.rows.map((text, row) => {
    const beside = turned(centre(edgeColumn, row));
    return { text, x: isHex ? beside.x - 0.8 : -0.3, y: beside.y };
  });
  return { width, height, centres, columnLabels, rowLabels, tall: 1 };
}

/** Two rows of tall points, the upper ones with their broad side at the top. */
function geometryOfPoints(columns: number): Geometry {
  const height = 2 * TALL + BETWEEN;
  const centres = Array.from({ length: 2 * columns }, (_, at) => ({
    x: (at % columns) + 0.5,
    y: at < columns ? TALL / 2 : height - TALL / 2,
  }));
  return { width: columns, height, centres, columnLabels: [], rowLabels: [], tall: TALL };
}

/** Where a man of a stack lies on a point, counted from its broad side. */
export function stackedAt(geometry: Geometry, place: number, slot: number, men: number): Point {
  const centre = geometry.centres[place] ?? { x: 0, y: 0 };
  const room = geometry.tall - 1.4;
  const along = slot * Math.min(room / (MOST_SIDE_BY_SIDE - 1), room / Math.max(1, men - 1));
  const edge = geometry.tall / 2 - 0.5;
  return { x: centre.x, y: centre.y < geometry.height / 2 ? centre.y - edge + along : centre.y + edge - along };
}

/** The place under a point; null beside the board. */
export function placeAt(geometry: Geometry, point: Point): number | null {
  let [best, nearest] = [null as number | null, 0.71];
  geometry.centres.forEach((centre, place) => {
    // A tall place is as near as its nearest part.
    const down = Math.max(0, Math.abs(centre.y - point.y) - (geometry.tall - 1) / 2);
    const distance = Math.hypot(centre.x - point.x, down);
    if (distance < nearest) [best, nearest] = [place, distance];
  });
  return best;
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The place that an arrow key, Home or End leads to; places that do not exist are jumped over. */
export function placeByKey(
  key: string,
  at: number,
  board: Pick<BoardScene, "columns" | "rows" | "absent">,
  isFlipped: boolean,
): number {
  const [columns, rows] = [board.columns.length, board.rows.length];
  const absent = new Set(board.absent);
  const row = Math.floor(at / columns);
  if (key === "Home" || key === "End") {
    const inRow = Array.from({ length: columns }, (_, column) => row * columns + column).filter((p) => !absent.has(p));
    return ((key === "Home") !== isFlipped ? inRow[0] : inRow.at(-1)) ?? at;
  }
  const step = STEPS[key];
  if (!step) return at;
  const sign = isFlipped ? -1 : 1;
  let [x, y] = [at % columns, row];
  for (;;) {
    x += sign * step[0];
    y += sign * step[1];
    if (x < 0 || y < 0 || x >= columns || y >= rows) return at;
    if (!absent.has(y * columns + x)) return y * columns + x;
  }
}
