/* Small parts that all pages share. */
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { ApiError } from "../api/client";
import { Icon, type IconName } from "./icons";

export function Trouble({ error, onRetry }: { error: ApiError; onRetry?: () => void }): ReactElement {
  return (
    <div className="trouble" role="alert">
      <p>
        <b>{error.message}</b> {error.hint}
      </p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }): ReactElement {
  return <p className="empty">{children}</p>;
}

export function Loading({ what }: { what: string }): ReactElement {
  return (
    <p className="loading" role="status">
      Loading {what} …
    </p>
  );
}

interface PagesProps {
  page: number;
  pages: number;
  onGo: (page: number) => void;
}

/** Leads through the pages of a list that has several. */
export function Pages({ page, pages, onGo }: PagesProps): ReactElement | null {
  if (pages < 2) return null;
  return (
    <p className="turn-pages">
      <button type="button" disabled={page <= 1} onClick={() => onGo(page - 1)}>
        Newer
      </button>
      <span>
        page {page} of {pages}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => onGo(page + 1)}>
        Older
      </button>
    </p>
  );
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  children: (id: string) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps): ReactElement {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <small>{hint}</small>}
    </div>
  );
}

interface IconButtonProps {
  icon: IconName;
  name: string;
  onClick: () => void;
  disabled?: boolean;
  isPressed?: boolean;
}

export function IconButton({ icon, name, onClick, disabled, isPressed }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={name}
      title={name}
      onClick={onClick}
      disabled={disabled ?? false}
      {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A button that asks once more before it does what cannot be undone. */
export function SureButton({ words, sure, onSure }: { words: ReactNode; sure: string; onSure: () => void }): ReactElement {
  const [isAsking, setAsking] = useState(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) yes.current?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button type="button" onClick={() => setAsking(true)}>
        {words}
      </button>
    );
  }
  return (
    <span className="sure" role="group" aria-label={sure} onKeyDown={(event) => event.key === "Escape" && setAsking(false)}>
      <button
        ref={yes}
        type="button"
        className="danger"
        onClick={() => {
          setAsking(false);
          onSure();
        }}
      >
        {sure}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        No
      </button>
    </span>
  );
}

/** Copies a text, and shows it where the browser does not allow that. */
export function CopyButton({ text, words }: { text: string; words: ReactNode }): ReactElement {
  const [state, setState] = useState<"" | "copied" | "shown">("");
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState(""), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    if (!navigator.clipboard) return setState("shown");
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("shown"),
    );
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {state === "copied" ? "Copied" : words}
      </button>
      {state === "shown" && <input className="copied" readOnly value={text} aria-label="link" onFocus={(e) => e.target.select()} />}
    </>
  );
}

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Ludorum" : `${title} · Ludorum`;
  }, [title]);
}
