import { type FormEvent, type ReactElement, useState } from "react";
import type { GameLine, PlayerLine } from "../api/types";
import { Field, Trouble } from "../look/parts";
import { CLOCKS, firstOpponent } from "./newMatch";
import { useCreate } from "./useCreate";

const THINK = [0.2, 1, 3, 10, 30];

/** Seats, clock and thinking time of a new match. */
export function NewMatchForm({ game, players }: { game: GameLine; players: PlayerLine[] }): ReactElement {
  const fitting = players.filter((player) => !game.hides || player.for_hidden);
  const opponent = `player:${firstOpponent(game, players)}`;
  const [seats, setSeats] = useState<Record<string, string>>(() =>
    Object.fromEntries(game.roles.map((role, at) => [role, at === 0 ? "me" : opponent])),
  );
  const [clock, setClock] = useState(0);
  const [think, setThink] = useState(1);
  const [hasChat, setChat] = useState(true);
  const { create, isBusy, error } = useCreate();
  const hasMe = Object.values(seats).includes("me");
  const hasOpen = Object.values(seats).includes("open");
  const hasPlayer = Object.values(seats).some((seat) => seat.startsWith("player:"));

  /** One seat is the visitor's: who sits down elsewhere leaves it to the player that sat there. */
  const choose = (role: string, seat: string): void =>
    setSeats((before) => {
      const mine = game.roles.find((other) => before[other] === "me");
      const swapped = seat === "me" && mine !== undefined && mine !== role ? { [mine]: before[role] ?? opponent } : {};
      return { ...before, ...swapped, [role]: seat };
    });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { base, increment } = CLOCKS[clock] ?? CLOCKS[0];
    create({ game: game.id, seats, clock: { base, increment }, think, chat: hasOpen && hasChat });
  };

  return (
    <form className="new-match stack" onSubmit={submit} aria-label="new match">
      <h2>New match</h2>
      {game.roles.map((role) => (
        <Field key={role} label={role}>
          {(id) => (
            <select id={id} value={seats[role] ?? ""} onChange={(event) => choose(role, event.target.value)}>
              <option value="me">me</option>
              {game.roles.length > 1 && <option value="open">another person, by link</option>}
              <optgroup label="programs">
                {fitting.map((player) => (
                  <option key={player.name} value={`player:${player.name}`}>
                    {player.name}
                  </option>
                ))}
              </optgroup>
            </select>
          )}
        </Field>
      ))}
      <Field label="Clock">
        {(id) => (
          <select id={id} value={clock} onChange={(event) => setClock(Number(event.target.value))}>
            {CLOCKS.map(({ words }, at) => (
              <option key={words} value={at}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      {hasPlayer && (
        <Field label="Programs think for">
          {(id) => (
            <select id={id} value={think} onChange={(event) => setThink(Number(event.target.value))}>
              {THINK.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {seconds === 1 ? "1 second" : `${seconds} seconds`}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {hasOpen && (
        <label className="check">
          <input type="checkbox" checked={hasChat} onChange={(event) => setChat(event.target.checked)} /> with a chat
        </label>
      )}
      {error && <Trouble error={error} />}
      <button type="submit" className="primary" disabled={isBusy}>
        {hasOpen ? "Make the match and its link" : hasMe ? "Play" : "Watch"}
      </button>
      <Summary seats={seats} players={players} />
    </form>
  );
}

function Summary({ seats, players }: { seats: Record<string, string>; players: PlayerLine[] }): ReactElement | null {
  const names = [...new Set(Object.values(seats))].flatMap((seat) =>
    seat.startsWith("player:") ? [seat.slice("player:".length)] : [],
  );
  const told = players.filter((player) => names.includes(player.name) && player.summary !== "");
  if (told.length === 0) return null;
  return (
    <dl className="summaries">
      {told.map((player) => (
        <div key={player.name}>
          <dt>{player.name}</dt>
          <dd>{player.summary}</dd>
        </div>
      ))}
    </dl>
  );
}
