import type { ReactElement } from "react";
import type { MoveChoice } from "../api/types";

/** More moves than this stand in the list alone. */
const MOST_BUTTONS = 24;

/** Whether every move is a button: a list of all moves would say the same again. */
export function areAllButtons(choices: MoveChoice[], placeless: MoveChoice[]): boolean {
  return placeless.length === choices.length && choices.length <= MOST_BUTTONS;
}

interface MoveButtonsProps {
  /** Moves without a place and a card. */
  placeless: MoveChoice[];
  menu: MoveChoice[];
  /** Whether the move is made later. */
  isPremove: boolean;
  onChoose: (choice: MoveChoice) => void;
  onClear: () => void;
}

/** Moves that no click on the board or a card can name. */
export function MoveButtons({ placeless, menu, isPremove, onChoose, onClear }: MoveButtonsProps): ReactElement | null {
  const buttons = placeless.length <= MOST_BUTTONS ? placeless : placeless.filter((choice) => choice.waits);
  if (menu.length === 0 && buttons.length === 0) return null;
  const list = menu.length > 0 ? menu : buttons;
  return (
    <div className="move-buttons" role="group" aria-label={menu.length > 0 ? "which move?" : isPremove ? "moves to prepare" : "moves"}>
      {list.map((choice) => (
        <button
          key={choice.move}
          type="button"
          className={choice.waits || isPremove ? "waits" : "primary"}
          onClick={() => onChoose(choice)}
        >
          {choice.words}
        </button>
      ))}
      {menu.length > 0 && (
        <button type="button" onClick={onClear}>
          Put back
        </button>
      )}
    </div>
  );
}
