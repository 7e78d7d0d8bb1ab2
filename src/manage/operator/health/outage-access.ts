import { hash } from 'node:crypto';
import type { Access } from '../../../contract/call.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import { type Clock, minuteMs, secondMs } from '../../../time/clock.ts';
import type { Accounts, Client, Person } from '../../accounts/accounts.ts';
import type { Authenticate, Authenticated } from '../../calls/access.ts';

export interface OutageAccessDeps {
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'hasSessionCookie'>;
}

interface Known {
  readonly person: Person;
  readonly at: number;
}

// Long enough for an outage that an operator watches, short for a session that ended elsewhere in the meantime.
const knownMsMax = 15 * minuteMs;
const knownMax = 1_000;
// Far longer than the database needs.
const waitMsMax = 2 * secondMs;

/**
 * Sessions are in the database, so while it is down nobody could see how the service is, least of all on a page that is
 * already open. Calls that are declared `duringOutage` show numbers of the instance and nothing of any workspace; for those,
 * an operator whose session was valid here within the last 15 minutes is still let in. Only hashes of cookies are kept.
 */
export class OutageAccess {
  readonly #authenticate: Authenticate;
  readonly #deps: OutageAccessDeps;
  readonly #known = new Map<string, Known>();

  constructor(authenticate: Authenticate, deps: OutageAccessDeps) {
    this.#authenticate = authenticate;
    this.#deps = deps;
  }

  for({ duringOutage }: Access): Authenticate {
    const checked: Authenticate = async (client, method) => {
      const authenticated = await this.#authenticate(client, method);
      const { principal } = authenticated;
      this.#note(client, principal.kind === 'person' ? principal.person : null);
      return authenticated;
    };
    if (duringOutage !== true) return checked;
    return async (client, method) => {
      const person = this.#recall(client);
      if (person === null) return checked(client, method);
      return this.#orWithout(checked(client, method), {
        principal: { kind: 'person', person },
        cookies: [],
      });
    };
  }

  /** A database that hangs is as unavailable as one that refuses connections. */
  async #orWithout(checked: Promise<Authenticated>, known: Authenticated): Promise<Authenticated> {
    const done = new AbortController();
    const late = this.#deps.clock.sleep(waitMsMax, done.signal).then(() => known);
    const found = checked.catch((error) => {
      if (isUnavailable(error)) return known;
      throw error;
    });
    return Promise.race([found, late]).finally(() => done.abort());
  }

  #note(client: Client, person: Person | null): void {
    const key = this.#keyOf(client);
    if (key === null) return;
    // Deleted first, so that the oldest entry stays at the front.
    this.#known.delete(key);
    if (person?.operator !== true) return;
    this.#known.set(key, { person, at: this.#deps.clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest);
  }

  #recall(client: Client): Person | null {
    const known = this.#known.get(this.#keyOf(client) ?? '');
    const isFresh = known !== undefined && this.#deps.clock.monotonic() - known.at <= knownMsMax;
    return isFresh ? known.person : null;
  }

  #keyOf({ headers }: Client): string | null {
    const isSigned = headers.get('authorization') === null && this.#deps.accounts.hasSessionCookie(headers);
    return isSigned ? hash('sha256', headers.get('cookie') ?? '', 'base64') : null;
  }
}
