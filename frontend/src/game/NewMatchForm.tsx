import { type FormEvent, type ReactElement, useState } from "react";
import type { GameLine, PlayerLine } from "../api/types";
import { Field, Trouble } from "../look/parts";
import { Go } from "../routes";
import { CLOCKS, firstOpponent, isElsewhere, programsFor } from "./newMatch";
import { useCreate } from "./useCreate";

const THINK = [0.2, 1, 3, 10, 30];
const PREPARE = [5, 10, 30, 60];

/** Seats, clock and thinking time of a new match. */
export function NewMatchForm({ game, players }: { game: GameLine; players: PlayerLine[] }): ReactElement {
  const { here, elsewhere } = programsFor(game, players);
  const opponent = `player:${firstOpponent(game, players)}`;
  const [seats, setSeats] = useState<Record<string, string>>(() =>
    Object.fromEntries(game.roles.map((role, at) => [role, at === 0 ? "me" : opponent])),
  );
  const [clock, setClock] = useState(0);
  const [think, setThink] = useState(1);
  const [prepare, setPrepare] = useState(10);
  const [hasChat, setChat] = useState(true);
  const { create, isBusy, error } = useCreate();
  const hasMe = Object.values(seats).includes("me");
  const hasOpen = Object.values(seats).includes("open");
  const chosen = Object.values(seats).flatMap((seat) => (seat.startsWith("player:") ? [seat.slice("player:".length)] : []));
  const hasPlayer = chosen.length > 0;
  const hasElsewhere = chosen.some((name) => isElsewhere({ name }));

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
    create({ game: game.id, seats, clock: { base, increment }, think, prepare, chat: hasOpen && hasChat });
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
                {here.map((player) => (
                  <option key={player.name} value={`player:${player.name}`}>
                    {player.name}
                  </option>
                ))}
              </optgroup>
              {elsewhere.length > 0 && (
                <optgroup label="programs elsewhere">
                  {elsewhere.map((player) => (
                    <option key={player.name} value={`player:${player.name}`} disabled={player.is_available === false}>
                      {player.name}
                      {player.is_available === false ? " (not reachable)" : ""}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
          )}
        </Field>
      ))}
      {!game.realtime && (
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
      )}
      {game.realtime && (
        <p className="quiet">
          Nobody takes turns: the clock starts when all are here, it cannot be paused, and clicks act at once.
        </p>
      )}
      {hasPlayer && !game.realtime && (
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
      {hasElsewhere && (
        <Field label="Programs elsewhere prepare for" hint="Their clocks count whole seconds, one at least.">
          {(id) => (
            <select id={id} value={prepare} onChange={(event) => setPrepare(Number(event.target.value))}>
              {PREPARE.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {seconds} seconds
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
      <Summary names={chosen} players={players} />
      <p className="quiet">
        A program of your own can sit here, too: <Go to="/remotes">players by URL</Go>.
      </p>
    </form>
  );
}

function Summary({ names, players }: { names: string[]; players: PlayerLine[] }): ReactElement | null {
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
