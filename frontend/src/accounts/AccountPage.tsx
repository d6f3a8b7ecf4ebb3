import { type FormEvent, type ReactElement, useState } from "react";
import { type ApiError, send } from "../api/client";
import { asApiError } from "../api/resource";
import { Field, Trouble, useTitle } from "../look/parts";
import { Go, goTo } from "../routes";
import { useVisitor } from "./me";

/** Sign in, or sign up. */
export function AccountPage({ isNew }: { isNew: boolean }): ReactElement {
  useTitle(isNew ? "Sign up" : "Sign in");
  const { refresh } = useVisitor();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await send("POST", isNew ? "/accounts" : "/session", { name, password });
      await refresh();
      goTo("/");
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <main className="narrow">
      <h1>{isNew ? "Sign up" : "Sign in"}</h1>
      <p className="quiet">
        {isNew
          ? "An account keeps your name, your matches and your rating. Guests can play without one."
          : "Welcome back."}
      </p>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              name="name"
              autoComplete="username"
              required
              maxLength={40}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" {...(isNew ? { hint: "At least eight characters." } : {})}>
          {(id) => (
            <input
              id={id}
              name="password"
              type="password"
              autoComplete={isNew ? "new-password" : "current-password"}
              required
              minLength={isNew ? 8 : 1}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {error && <Trouble error={error} />}
        <button type="submit" className="primary" disabled={isBusy}>
          {isNew ? "Sign up" : "Sign in"}
        </button>
      </form>
      <p>
        {isNew ? "You have an account? " : "No account yet? "}
        <Go to={isNew ? "/sign-in" : "/sign-up"}>{isNew ? "Sign in" : "Sign up"}</Go>
      </p>
    </main>
  );
}
