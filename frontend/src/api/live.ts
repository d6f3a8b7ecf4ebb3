/* The websocket of a match: views come in, messages go out. It reconnects by itself. */
import type { MatchView, OfferKind } from "./types";

export type Message =
  | { type: "move"; step: number; move: string }
  | { type: "premove"; move: string | null }
  | { type: "offer"; what: OfferKind }
  | { type: "answer"; what: OfferKind; accept: boolean }
  | { type: "resign" }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "chat"; text: string };

export type Link = "connecting" | "open" | "lost" | "closed";

export class Refused extends Error {}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** Milliseconds between pings; a connection that is silent for two of them is taken for dead. */
const PING = 15000;

/** Milliseconds before the next try: doubled each time, with a part by chance so that not all come at once. */
export function waitBefore(tries: number, chance: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.75 + 0.5 * chance);
}

interface Pending {
  message: Message & { id: string };
  done: () => void;
  failed: (error: Error) => void;
}

export class LiveConnection {
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private serial = 0;
  private isClosed = false;
  private readonly pending = new Map<string, Pending>();
  private readonly mark = Math.random().toString(36).slice(2, 8);

  constructor(
    private readonly url: string,
    private readonly onView: (view: MatchView) => void,
    private readonly onLink: (link: Link, why: string) => void,
  ) {}

  open(): void {
    this.isClosed = false;
    this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
    this.socket = null;
  }

  /** Resolves when the server has taken the message, rejects with its reason where it has not. */
  send(message: Message): Promise<void> {
    const id = `${this.mark}-${++this.serial}`;
    return new Promise((done, failed) => {
      const pending = { message: { ...message, id }, done, failed };
      this.pending.set(id, pending);
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(pending.message));
    });
  }

  private connect(): void {
    this.onLink("connecting", "");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.heard = Date.now();
      this.onLink("open", "");
      // A move names its step, so that one which arrived is refused the second time; nothing else is sent twice.
      for (const { message } of this.pending.values()) socket.send(JSON.stringify(message));
      this.pinger = setInterval(() => this.ping(socket), PING);
    };
    socket.onmessage = (event) => this.hear(String(event.data));
    socket.onclose = (event) => {
      clearInterval(this.pinger);
      if (this.isClosed || this.socket !== socket) return;
      this.socket = null;
      this.dropAllButMoves();
      // These say that this visitor or this match will not be heard next time either.
      if ([1008, 4403, 4404].includes(event.code)) {
        this.onLink("closed", event.reason || "The server has closed this match to you.");
        return;
      }
      this.onLink("lost", "");
      this.timer = setTimeout(() => this.connect(), waitBefore(this.tries++, Math.random()));
    };
  }

  private ping(socket: WebSocket): void {
    if (Date.now() - this.heard > 2.5 * PING) socket.close();
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
  }

  private hear(text: string): void {
    this.heard = Date.now();
    const said = JSON.parse(text) as { type: string; view?: MatchView; id?: string; why?: string };
    if (said.type === "view" && said.view) return this.onView(said.view);
    const pending = said.id === undefined ? undefined : this.pending.get(said.id);
    if (!pending || said.id === undefined) return;
    this.pending.delete(said.id);
    if (said.type === "ack") pending.done();
    else pending.failed(new Refused(said.why ?? "The server refused this."));
  }

  private dropAllButMoves(): void {
    for (const [id, { message, failed }] of this.pending) {
      if (message.type === "move") continue;
      this.pending.delete(id);
      failed(new Refused("The connection was lost: try again."));
    }
  }

  private readonly hurry = (): void => {
    if (this.isClosed || this.socket || document.visibilityState === "hidden") return;
    clearTimeout(this.timer);
    this.connect();
  };
}

export function liveUrl(match: string, seat: string | null): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const query = seat === null ? "" : `?seat=${encodeURIComponent(seat)}`;
  return `${scheme}//${location.host}/api/v1/matches/${encodeURIComponent(match)}/live${query}`;
}
