import { type FormEvent, type ReactElement, useState } from "react";
import { useVisitor } from "../accounts/me";
import { type ApiError, send } from "../api/client";
import { asApiError, useResource } from "../api/resource";
import type { GameLine, PlayerLine } from "../api/types";
import { Field, Loading, Trouble, useTitle } from "../look/parts";
import { Go, goTo, tournamentPath } from "../routes";
import { Picker } from "./Picker";
import { type NewTournament, SCHEDULES } from "./tournament";

/** The form of a new tournament. */
export function NewTournamentPage({ game }: { game: string | null }): ReactElement {
  useTitle("New tournament");
  const { user, isKnown } = useVisitor();
  const games = useResource<GameLine[]>("/games");
  const players = useResource<PlayerLine[]>("/players");
  const error = games.error ?? players.error;
  return (
    <main className="narrow">
      <h1>New tournament</h1>
      {error && <Trouble error={error} />}
      {isKnown && (!user || user.is_guest) ? (
        <p>
          <Go to="/sign-up">Sign up</Go> or <Go to="/sign-in">sign in</Go> to make a tournament.
        </p>
      ) : games.data && players.data ? (
        <Form games={games.data} players={players.data} first={game} />
      ) : (
        <Loading what="games and players" />
      )}
    </main>
  );
}

interface FormProps {
  games: GameLine[];
  players: PlayerLine[];
  first: string | null;
}

function Form({ games, players, first }: FormProps): ReactElement {
  const [plan, setPlan] = useState<NewTournament>(() => ({
    title: "",
    games: games.some((one) => one.id === first) ? [first ?? ""] : [],
    players: [],
    schedule: "round-robin",
    matches: 2,
    rounds: null,
    seconds: 1,
    opening: 2,
  }));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const change = (some: Partial<NewTournament>): void => setPlan((before) => ({ ...before, ...some }));
  const hides = games.some((game) => game.hides && plan.games.includes(game.id));
  const isRealtime = games.some((game) => game.realtime && plan.games.includes(game.id));
  const fitting = players.filter((player) =>
    isRealtime ? player.for_realtime && !player.name.startsWith("remote:") : !hides || player.for_hidden,
  );
  const schedule = SCHEDULES.find((one) => one.kind === plan.schedule);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    send<{ id: string }>("POST", "/tournaments", plan).then(
      ({ id }) => goTo(tournamentPath(id)),
      (caught: unknown) => {
        setError(asApiError(caught));
        setBusy(false);
      },
    );
  };

  return (
    <form className="stack" onSubmit={submit} aria-label="new tournament">
      <Picker
        label="Games"
        options={games.map((game) => ({ value: game.id, words: game.title }))}
        chosen={plan.games}
        onChange={(chosen) => change({ games: chosen })}
      />
      <Picker
        label="Players"
        options={fitting.map((player) => ({ value: player.name, words: player.name }))}
        chosen={plan.players}
        onChange={(chosen) => change({ players: chosen })}
        firstIs={plan.schedule === "gauntlet" ? "meets all others" : undefined}
      />
      <Field label="Form" hint={schedule?.words}>
        {(id) => (
          <select
            id={id}
            value={plan.schedule}
            onChange={({ target }) => change({ schedule: target.value as NewTournament["schedule"] })}
          >
            {SCHEDULES.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="row">
        <NumberField
          label="Matches of each meeting"
          hint="in each game; rounded up, so that all have all seats"
          value={plan.matches}
          least={1}
          most={500}
          onChange={(matches) => change({ matches: matches ?? 1 })}
        />
        {!isRealtime && (
          <NumberField
            label="Seconds a move"
            value={plan.seconds}
            least={0.01}
            most={10}
            step="any"
            onChange={(seconds) => change({ seconds: seconds ?? 1 })}
          />
        )}
      </div>
      {plan.schedule === "swiss" && (
        <NumberField
          label="Rounds"
          hint="empty: as many as find a winner"
          value={plan.rounds}
          least={1}
          most={30}
          onChange={(rounds) => change({ rounds })}
        />
      )}
      <details>
        <summary>More</summary>
        <div className="stack">
          <Field label="Title">
            {(id) => (
              <input id={id} type="text" maxLength={100} value={plan.title} onChange={({ target }) => change({ title: target.value })} />
            )}
          </Field>
          <NumberField
            label="Random moves at first"
            hint="the same in all seatings, so that players which always do the same play different matches"
            value={plan.opening}
            least={0}
            most={10}
            onChange={(opening) => change({ opening: opening ?? 0 })}
          />
          <NumberField
            label="Seed"
            hint="the same seed gives the same openings; empty: any"
            value={plan.seed ?? null}
            least={0}
            most={Number.MAX_SAFE_INTEGER}
            onChange={(seed) => setPlan(({ seed: _, ...rest }) => (seed === null ? rest : { ...rest, seed }))}
          />
        </div>
      </details>
      {error && <Trouble error={error} />}
      <button type="submit" className="primary" disabled={isBusy || plan.games.length === 0 || plan.players.length < 2}>
        Begin
      </button>
      <p className="quiet">Players think for tournaments when nobody else waits for them.</p>
    </form>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  value: number | null;
  least: number;
  most: number;
  step?: string;
  onChange: (value: number | null) => void;
}

function NumberField({ label, hint, value, least, most, step, onChange }: NumberFieldProps): ReactElement {
  return (
    <Field label={label} hint={hint}>
      {(id) => (
        <input
          id={id}
          type="number"
          min={least}
          max={most}
          step={step ?? 1}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
        />
      )}
    </Field>
  );
}
