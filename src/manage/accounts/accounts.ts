import type pg from 'pg';
import type { Logger } from 'pino';
import {
  deleteExpiredSessions,
  listValidSessions,
  putPasswordProof,
  type SessionNow,
  touchSession,
} from '../../db/people/sessions.ts';
import { type Clock, dayMs, minuteMs } from '../../time/clock.ts';
import { problemOfLibrary, refusalMsMin } from './auth-problems.ts';
import type { openLibrary } from './library.ts';
import { MailLimit } from './mail-limit.ts';
import { addressHeader, sessionCookieName } from './names.ts';
import { type PasswordCost, PasswordHasher } from './passwords/password-hash.ts';
import { ResetLimit } from './reset-limit.ts';
import { resignedCookies, sessionSecret } from './session-secret.ts';
import { SignInLimit } from './sign-in-limit.ts';
import { WatchedDatabase } from './watched-database.ts';

export interface AccountsDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: () => string;
  readonly encryptionKey: string;
  /** Cookies signed before a key rotation stay valid while these are set. */
  readonly previousEncryptionKeys?: readonly string[];
  /** For tests, which sign in hundreds of people. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** The browser or program that sent the request. */
export interface Client {
  readonly address: string;
  readonly headers: Headers;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface Session {
  readonly id: string;
  readonly person: Person;
  /** When the password was last entered in it. */
  readonly passwordAt: number;
  /** To be set on the response: a session in use is renewed. */
  readonly cookies: readonly string[];
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** People sign in once a month, however much they use the session. */
export const sessionMsMax = 30 * dayMs;
/** How exactly a session knows when it was last used: a write for every request would be too much. */
const seenEveryMs = 5 * minuteMs;

type Library = ReturnType<typeof openLibrary>;
/** The parts of the library that we use. */
export type Endpoint =
  | 'signInEmail'
  | 'signOut'
  | 'changePassword'
  | 'verifyPassword'
  | 'getSession'
  | 'listSessions'
  | 'revokeSession'
  | 'revokeOtherSessions';

/**
 * Blocks a core for a third of a second, so a service does it while it starts, and tests that have nothing to do with
 * people never do.
 */
export function loadLibrary() {
  return import('./library.ts');
}

/** Passwords and sessions. Only this folder knows the library behind it. */
export class Accounts {
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly resets: ResetLimit;
  readonly mails: MailLimit;
  readonly #deps: AccountsDeps;
  readonly #database: WatchedDatabase;
  readonly #secret: string;
  readonly #previousSecrets: readonly string[];
  #library: Promise<Library> | undefined;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
    this.hasher = new PasswordHasher(deps.passwordCost);
    this.#secret = sessionSecret(deps.encryptionKey);
    this.#previousSecrets = (deps.previousEncryptionKeys ?? []).map(sessionSecret);
    this.limit = new SignInLimit(deps.pool, deps.clock);
    this.resets = new ResetLimit(deps.pool, deps.clock);
    this.mails = new MailLimit(deps.pool, deps.clock);
    this.#database = new WatchedDatabase(deps.pool);
  }

  get origin(): string {
    return new URL(this.#deps.publicUrl()).origin;
  }

  hasSessionCookie(headers: Headers): boolean {
    const cookies = (headers.get('cookie') ?? '').split(';');
    return cookies.some((cookie) => cookie.trimStart().startsWith(`${sessionCookieName(this.origin)}=`));
  }

  /** Asks the database each time, so that ending a session takes effect immediately on every instance. */
  async readSession(client: Client): Promise<Session | null> {
    if (!this.hasSessionCookie(client.headers)) return null;
    const library = await this.#open();
    const { headers, response } = await this.#database.watch(() =>
      library.api.getSession({ headers: this.#headersFor(client), returnHeaders: true }),
    );
    if (response === null) return null;
    const { id: sessionId, createdAt, updatedAt, passwordCheckedAt } = response.session;
    if (createdAt.getTime() + sessionMsMax <= this.#deps.clock.now()) {
      await this.forgetExpired();
      return null;
    }
    this.#see(sessionId, updatedAt.getTime());
    const { id, name, email, operator } = response.user;
    return {
      id: sessionId,
      person: { id, name, email, operator: operator === true },
      // An instance of an earlier version does not write it; its sessions begin with a password, too.
      passwordAt: (passwordCheckedAt ?? createdAt).getTime(),
      cookies: headers.getSetCookie(),
    };
  }

  /** Nobody waits for it, and a server that accepts no writes must not sign anyone out. */
  #see(sessionId: string, seenAt: number): void {
    const now = this.#deps.clock.now();
    if (seenAt + seenEveryMs > now) return;
    void touchSession(this.#deps.pool, sessionId, new Date(now)).catch(() => {});
  }

  /** Those of these sessions that are still valid, in one query. */
  async readSessionsAgain(ids: readonly string[]): Promise<ReadonlyMap<string, SessionNow>> {
    const now = this.#deps.clock.now();
    const createdUntil = new Date(now - sessionMsMax);
    const sessions = await listValidSessions(this.#deps.pool, ids, new Date(now), createdUntil);
    return new Map(sessions.map((session) => [session.id, session]));
  }

  /** Calls an endpoint of the library directly, because the library rebuilds its router for every request. */
  async call(client: Client, endpoint: Endpoint, body: object = {}): Promise<Response> {
    // Ends a session that has lasted too long: the library checks only when it was last used.
    if (endpoint !== 'signInEmail') await this.readSession(client);
    const library = await this.#open();
    const call = library.api[endpoint] as (input: object) => Promise<Response>;
    const headers = this.#headersFor(client);
    return this.#database.watch(() => call({ body, headers, asResponse: true }));
  }

  /** The cookies of a new session, for a person who has just chosen their password. */
  async signIn(client: Client, { email, password }: Credentials): Promise<readonly string[]> {
    const answer = await this.call(client, 'signInEmail', { email, password });
    if (!answer.ok) throw new Error(`A new person could not sign in: ${answer.status}`);
    return answer.headers.getSetCookie();
  }

  /** Throws if the password is wrong. Otherwise the session counts as one in which it was just entered. */
  async provePassword(client: Client, sessionId: string, password: string): Promise<void> {
    const floor = this.#deps.clock.sleep(refusalMsMin);
    const answer = await this.call(client, 'verifyPassword', { password });
    if (!answer.ok) {
      await floor;
      throw await problemOfLibrary(answer, 'password');
    }
    await putPasswordProof(this.#deps.pool, sessionId, new Date(this.#deps.clock.now()));
  }

  async forgetExpired(): Promise<void> {
    const now = this.#deps.clock.now();
    await deleteExpiredSessions(this.#deps.pool, new Date(now), new Date(now - sessionMsMax));
  }

  /** The part of a request that the library sees. Access has been checked before. */
  #headersFor({ headers, address }: Client): Headers {
    const seen = new Headers({ 'content-type': 'application/json', origin: this.origin });
    const agent = headers.get('user-agent');
    if (agent !== null) seen.set('user-agent', agent);
    const cookies = headers.get('cookie');
    if (cookies !== null) seen.set('cookie', this.#resigned(cookies));
    if (address !== '') seen.set(addressHeader, address);
    return seen;
  }

  #resigned(cookies: string): string {
    return resignedCookies(cookies, sessionCookieName(this.origin), this.#secret, this.#previousSecrets);
  }

  /** Opened on first use, because the URL of the service is known only when it listens. */
  #open(): Promise<Library> {
    this.#library ??= loadLibrary().then(({ openLibrary }) => {
      const { log, clock } = this.#deps;
      const { hasher, origin } = this;
      return openLibrary({
        kysely: this.#database.kysely,
        hasher,
        origin,
        secret: this.#secret,
        log,
        now: () => clock.now(),
      });
    });
    return this.#library;
  }
}
