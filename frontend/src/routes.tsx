/* Addresses of the page, and links between them that need no loading. */
import { type MouseEvent, type ReactElement, type ReactNode, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

/** The path and query of the page. */
export function useAddress(): URL {
  const href = useSyncExternalStore(listen, () => location.href);
  return new URL(href);
}

export function goTo(path: string, isReplaced = false): void {
  history[isReplaced ? "replaceState" : "pushState"](null, "", path);
  if (!isReplaced) scrollTo(0, 0);
  listeners.forEach((listener) => listener());
}

interface GoProps {
  to: string;
  className?: string;
  children: ReactNode;
}

/** A link inside the page. */
export function Go({ to, className, children }: GoProps): ReactElement {
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={to} onClick={onClick} {...(className === undefined ? {} : { className })}>
      {children}
    </a>
  );
}

export const gamePath = (id: string): string => `/game/${encodeURIComponent(id)}`;
export const matchPath = (id: string): string => `/match/${encodeURIComponent(id)}`;
export const tournamentPath = (id: string): string => `/tournament/${encodeURIComponent(id)}`;
export const playerPath = (name: string): string => `/player/${encodeURIComponent(name)}`;
