import type { Transporter } from 'nodemailer';

/** Like the one of nodemailer, with which a connection that is sending can be ended. */
type Connection = Transporter & { close(options?: { readonly force: boolean }): void };
type Open = (options: object) => Promise<Transporter>;

// What mail servers usually allow one client.
const connectionsMax = 5;
const options = {
  // Of one connection: a pool for all would send what waits in it after its delivery has ended.
  pool: true,
  maxConnections: 1,
  // The mail server may have closed a connection that was idle.
  maxRequeues: 1,
  idleTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

/**
 * Connections to the mail server. Each sends one email at a time and is then kept for the next, because signing in often
 * takes longer than the email. A connection whose email was abandoned is closed, so that it cannot arrive later.
 */
export class MailConnections {
  readonly #open: Open;
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<(isGranted: boolean) => void>();
  #taken = 0;
  #isStopped = false;

  constructor(open: Open) {
    this.#open = open;
  }

  /** Null if the signal came first. */
  async take(signal: AbortSignal): Promise<Connection | null> {
    if (signal.aborted) return null;
    if (this.#taken < connectionsMax) this.#taken++;
    else if (!(await this.#isGranted(signal))) return null;
    try {
      return this.#idle.pop() ?? (await this.#open(options));
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Connections that failed are not used again. */
  free(connection: Connection, isUsable: boolean): void {
    if (isUsable && !this.#isStopped) this.#idle.push(connection);
    else connection.close({ force: true });
    this.#leave();
  }

  stop(): void {
    this.#isStopped = true;
    for (const connection of this.#idle.splice(0)) connection.close({ force: true });
  }

  /** Whoever has waited longest is next. */
  #leave(): void {
    const [grant] = this.#waiting;
    if (grant === undefined) this.#taken--;
    else grant(true);
  }

  #isGranted(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = () => grant(false);
      const grant = (isGranted: boolean) => {
        this.#waiting.delete(grant);
        signal.removeEventListener('abort', abort);
        resolve(isGranted);
      };
      this.#waiting.add(grant);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
