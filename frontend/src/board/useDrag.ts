/* Pointers on a board: a tap picks a place, and a piece can be dragged with the mouse or a pen. */
import { type PointerEvent, useRef, useState } from "react";
import { type Geometry, placeAt, type Point } from "./geometry";

interface Held {
  place: number;
  start: Point;
  wasPicked: boolean;
  isPickedNow: boolean;
}

export interface Dragged {
  place: number;
  at: Point;
}

interface DragHandlers {
  dragged: Dragged | null;
  onPointerDown: (event: PointerEvent<SVGSVGElement>) => void;
  onPointerMove: (event: PointerEvent<SVGSVGElement>) => void;
  onPointerUp: (event: PointerEvent<SVGSVGElement>) => void;
  onPointerCancel: () => void;
}

/** Pixels that a pointer moves before this is a drag. */
const THRESHOLD = 6;

/**
 * The handlers of a board. `canLead` says whether more places follow after one, so that it can be picked as soon as
 * it is touched and dragged from there.
 */
export function useDrag(
  geometry: Geometry,
  picked: readonly number[],
  canLead: (place: number) => boolean,
  onPick: ((place: number) => void) | undefined,
): DragHandlers {
  const held = useRef<Held | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const end = (): void => {
    held.current = null;
    setDragged(null);
  };
  return {
    dragged,
    onPointerDown(event) {
      if (!onPick || event.button !== 0) return;
      const place = placeUnder(event, geometry);
      if (place === null) return;
      const wasPicked = picked.includes(place);
      const isPickedNow = !wasPicked && canLead(place);
      held.current = { place, start: { x: event.clientX, y: event.clientY }, wasPicked, isPickedNow };
      if (isPickedNow) onPick(place);
    },
    onPointerMove(event) {
      const now = held.current;
      if (!now || event.pointerType === "touch" || !(now.isPickedNow || now.wasPicked)) return;
      const isFar = Math.hypot(event.clientX - now.start.x, event.clientY - now.start.y) > THRESHOLD;
      if (!dragged && !isFar) return;
      if (!dragged) event.currentTarget.setPointerCapture(event.pointerId);
      setDragged({ place: now.place, at: pointUnder(event) });
    },
    onPointerUp(event) {
      const now = held.current;
      const wasDragged = dragged !== null;
      end();
      if (!now || !onPick) return;
      const place = placeUnder(event, geometry);
      if (place === null || (wasDragged && place === now.place)) return;
      if (place !== now.place) {
        if (wasDragged) onPick(place);
      } else if (!now.isPickedNow) onPick(place);
    },
    onPointerCancel: end,
  };
}

function pointUnder(event: PointerEvent<SVGSVGElement>): Point {
  const matrix = event.currentTarget.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}

function placeUnder(event: PointerEvent<SVGSVGElement>, geometry: Geometry): number | null {
  return placeAt(geometry, pointUnder(event));
}
