import { type FormEvent, type ReactElement, useState } from "react";
import { useVisitor } from "../accounts/me";
import { type ApiError, send } from "../api/client";
import { asApiError, useResource } from "../api/resource";
import type { RemoteLine } from "../api/types";
import { Empty, Field, Loading, SureButton, Trouble, useTitle } from "../look/parts";
import { Go, playerPath } from "../routes";
import { reachText } from "./answered";

const LANGUAGES = [
  ["", "what the game needs"],
  ["gdl1", "GDL only: games in which nothing is hidden"],
  ["gdl2", "GDL-II in all games"],
  ["gdl2-2011", "GDL-II as of 2011: percepts in place of moves"],
  ["wdl", "WDL: games that are written in it"],
] as const;
const DIALECTS = [
  ["ggp-base", "ggp-base"],
  ["tiltyard", "Tiltyard"],
  ["dresden", "Dresden (all in capitals)"],
] as const;

/** Programs elsewhere that speak the GGP protocol: the list, and the form that registers one. */
export function Remotes(): ReactElement {
  useTitle("Players by URL");
  const { user, isKnown } = useVisitor();
  const { data, error, reload } = useResource<RemoteLine[]>("/remotes");
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const isMember = user !== null && !user.is_guest;
  const act = (work: Promise<unknown>): void => {
    setTrouble(null);
    work.then(reload, (caught: unknown) => setTrouble(asApiError(caught)));
  };
  return (
    <main className="arena">
      <h1>Players by URL</h1>
      <p className="summary">
        A program that speaks the protocol of general game playing can play every rule sheet here, wherever it runs:{" "}
        <code>ludorum player</code>, Sancho and many more.
      </p>
      {error && <Trouble error={error} onRetry={reload} />}
      {trouble && <Trouble error={trouble} />}
      {!data && !error && <Loading what="players" />}
      {data?.length === 0 && <Empty>No program is registered yet.</Empty>}
      {data && data.length > 0 && (
        <div className="scrolls" tabIndex={0} role="region" aria-label="programs elsewhere">
          <table>
            <thead>
              <tr>
                <th scope="col">Player</th>
                <th scope="col">Registered by</th>
                <th scope="col">State</th>
                <th scope="col">
                  <span className="hidden">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((remote) => (
                <tr key={remote.name}>
                  <td>
                    <Go to={playerPath(remote.player)}>{remote.name}</Go>
                    {remote.said !== "" && <small className="quiet"> {remote.said}</small>}
                    {remote.url !== null && <small className="quiet"> {remote.url}</small>}
                  </td>
                  <td>{remote.owner}</td>
                  <td>{reachText(remote, Date.now() / 1000)}</td>
                  <td className="row-actions">
                    <button type="button" onClick={() => act(send("POST", `${pathOf(remote)}/check`))}>
                      Ask again
                    </button>
                    {(remote.is_mine || user?.is_admin) && (
                      <SureButton words="Remove" sure={`Remove ${remote.name}`} onSure={() => act(send("DELETE", pathOf(remote)))} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isMember && <RegisterForm onAdded={reload} />}
      {isKnown && !isMember && (
        <p>
          <Go to="/sign-up">Sign up</Go> to register a player of your own.
        </p>
      )}
    </main>
  );
}

const pathOf = (remote: RemoteLine): string => `/remotes/${encodeURIComponent(remote.name)}`;

function RegisterForm({ onAdded }: { onAdded: () => void }): ReactElement {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [language, setLanguage] = useState("");
  const [dialect, setDialect] = useState("ggp-base");
  const [isGet, setGet] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await send("POST", "/remotes", { name, url, language: language || null, dialect, method: isGet ? "GET" : "POST" });
      setName("");
      setUrl("");
      onAdded();
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="new-match stack narrow-form" onSubmit={(event) => void submit(event)} aria-label="register a player">
      <h2>Register a player</h2>
      <Field label="Address" hint="The server asks it at once whether it is there.">
        {(id) => (
          <input
            id={id}
            required
            maxLength={200}
            placeholder="http://host:9147"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Name" hint="Letters, digits, dots, - and _. It stays when the player is removed.">
        {(id) => <input id={id} required minLength={2} maxLength={30} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <details>
        <summary>For old programs</summary>
        <div className="stack">
          <Field label="It speaks">
            {(id) => <Choice id={id} value={language} choices={LANGUAGES} onChange={setLanguage} />}
          </Field>
          <Field label="It is used to messages of">
            {(id) => <Choice id={id} value={dialect} choices={DIALECTS} onChange={setDialect} />}
          </Field>
          <label className="check">
            <input type="checkbox" checked={isGet} onChange={(event) => setGet(event.target.checked)} /> it takes messages by GET
          </label>
        </div>
      </details>
      {error && <Trouble error={error} />}
      <button type="submit" className="primary" disabled={isBusy}>
        {isBusy ? "Asking …" : "Register"}
      </button>
    </form>
  );
}

interface ChoiceProps {
  id: string;
  value: string;
  choices: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

function Choice({ id, value, choices, onChange }: ChoiceProps): ReactElement {
  return (
    <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      {choices.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
