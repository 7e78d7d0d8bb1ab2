import type { Logger } from 'pino';
import type { Clock } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { NoPrimaryError } from '../errors.ts';
import { isUnavailable } from '../unavailable.ts';
import { choosePrimary, type HostAnswer, isSame, newestStandby, type SeenPrimary } from './choose-primary.ts';
import { type Host, nameOf } from './database-url.ts';
import type { HostState } from './host-state.ts';
import { Search } from './search.ts';

/** A connection to one of the hosts, open or about to open. */
export interface HostConnection {
  readonly place: Place | null;
  /** Fails whatever runs on it. */
  drop(reason: string): void;
}

/** Where a connection goes. */
export interface Place {
  readonly host: Host;
  /** False for a standby that only says who may send leads. */
  readonly isPrimary: boolean;
}

export interface DatabaseHostsDeps {
  readonly hosts: readonly Host[];
  /** Never throws, and ends some day. May take longer than a search. */
  readonly ask: (host: Host) => Promise<HostState>;
  readonly clock?: Clock;
}

// A host that is silent for longer counts as unreachable. If it says later that it is the primary, it is used.
const patienceMsMin = 400;
// For hosts that are far away.
const patienceMsMax = 2_000;

/**
 * The hosts of one URL, and which of them is the primary. All connections of a process share it.
 *
 *   known      `#primary` is set, and connections go there without a question
 *   unknown    it is not; the next connection starts a search
 *   searching  all hosts are asked at the same time, and every connection waits for the same search
 *
 *   unknown   → searching  by `find`
 *   searching → known      when a host accepts writes, and the others had time to object
 *   searching → unknown    when no host accepts writes, and all had time to answer
 *   unknown   → known      by a late answer, after the search
 *   known     → known      by a late answer of a host that was promoted after the one in use
 *   known     → unknown    by `doubt`: a connection to the primary failed, was lost, was read-only or took too long
 *
 * Each host has at most one question in flight, so that a host that never answers costs one connection, and only the
 * first search waits for it. When the primary changes, connections to other hosts are dropped: their server was replaced,
 * and may never answer.
 */
export class DatabaseHosts {
  readonly hosts: readonly Host[];
  readonly #ask: DatabaseHostsDeps['ask'];
  readonly #clock: Clock;
  readonly #questions = new Map<Host, Promise<HostState>>();
  readonly #connections = new Set<HostConnection>();
  readonly #told = new Map<Host, string>();
  /** How long each host took for its last two answers. One of them may have hung for a while. */
  readonly #answerMs = new Map<Host, readonly [number, number]>();
  /** Hosts that said nothing in an earlier search. They are asked, but nobody waits for them. */
  readonly #silent = new Set<Host>();
  #log: Logger | null = null;
  #primary: Host | null = null;
  #seen: SeenPrimary | null = null;
  #searching: Promise<HostAnswer[]> | null = null;

  constructor({ hosts, ask, clock = systemClock }: DatabaseHostsDeps) {
    this.hosts = hosts;
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Where changes of the primary are logged. */
  tellTo(log: Logger): void {
    this.#log = log;
  }

  /**
   * The place for a new connection. A reader gets a standby if no primary was ever found: it then needs to know who may send
   * leads. Later it would only read old data.
   */
  async find(use: 'writing' | 'reading'): Promise<Place> {
    if (this.#primary !== null) return { host: this.#primary, isPrimary: true };
    this.#searching ??= this.#search().finally(() => {
      this.#searching = null;
    });
    const answers = await this.#searching;
    if (this.#primary !== null) return { host: this.#primary, isPrimary: true };
    const standby = use === 'reading' && this.#seen === null ? newestStandby(answers) : null;
    if (standby !== null) return { host: standby, isPrimary: false };
    throw reasonFor(answers, this.hosts);
  }

  /** What each host says about itself, for people. Waits for slow hosts too. */
  askAll(): Promise<HostAnswer[]> {
    return Promise.all(this.hosts.map(async (host) => ({ host, state: await this.#question(host) })));
  }

  /** The next connection looks for the primary. A late complaint about an earlier primary changes nothing. */
  doubt(host: Host): void {
    if (this.#primary !== null && isSame(this.#primary, host)) this.#primary = null;
  }

  add(connection: HostConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: HostConnection): void {
    this.#connections.delete(connection);
  }

  async #search(): Promise<HostAnswer[]> {
    const answers = await Search.run({
      hosts: this.hosts,
      clock: this.#clock,
      ask: (host) => this.#question(host),
      hasPrimary: (given) => choosePrimary(given, this.#seen).primary !== null,
      patienceMs: (host) => this.#patienceMs(host),
    });
    for (const host of this.hosts)
      if (!answers.some((answer) => answer.host === host)) this.#silent.add(host);
    this.#choose(answers);
    return answers;
  }

  #patienceMs(host: Host): number {
    if (this.#silent.has(host)) return 0;
    const times = this.#answerMs.get(host);
    // At first nobody knows how far away the hosts are. Later, leads wait for the search.
    if (times === undefined) return this.#seen === null ? patienceMsMax : patienceMsMin;
    return Math.min(Math.max(patienceMsMin, 3 * Math.min(...times)), patienceMsMax);
  }

  #question(host: Host): Promise<HostState> {
    const asked = this.#questions.get(host);
    if (asked !== undefined) return asked;
    const askedAt = this.#clock.monotonic();
    const question = this.#ask(host).then((state) => {
      this.#questions.delete(host);
      if (state.kind !== 'unreachable') {
        this.#silent.delete(host);
        const answerMs = this.#clock.monotonic() - askedAt;
        this.#answerMs.set(host, [answerMs, this.#answerMs.get(host)?.[0] ?? answerMs]);
      }
      if (this.#searching === null && (this.#primary === null || this.#isNewer(state)))
        this.#choose([{ host, state }]);
      return state;
    });
    this.#questions.set(host, question);
    return question;
  }

  #isNewer(state: HostState): boolean {
    return state.kind === 'primary' && state.timeline > (this.#seen?.timeline ?? 0);
  }

  #choose(answers: readonly HostAnswer[]): void {
    const { primary, refusals } = choosePrimary(answers, this.#seen);
    for (const { host, reason } of refusals) this.#tell(host, reason);
    if (primary === null) return;
    const { host, timeline } = primary;
    if (this.#seen === null || !isSame(this.#seen.host, host) || this.#seen.timeline !== timeline)
      this.#log?.info({ host: nameOf(host), timeline }, 'PostgreSQL primary found');
    this.#primary = host;
    this.#seen = primary;
    this.#told.delete(host);
    this.#dropOthers(host);
  }

  #dropOthers(primary: Host): void {
    const reason = `the primary is now ${nameOf(primary)}`;
    for (const connection of this.#connections) {
      const { place } = connection;
      if (place !== null && !(place.isPrimary && isSame(place.host, primary))) connection.drop(reason);
    }
  }

  /** Once, until something else is to be said of that host. */
  #tell(host: Host, reason: string): void {
    if (this.#told.get(host) === reason) return;
    this.#told.set(host, reason);
    this.#log?.error(
      { host: nameOf(host), reason },
      'PostgreSQL host refused: it accepts writes, but must not be used',
    );
  }
}

/** If every host refuses us for good, as with a wrong password, the reason is the first refusal. */
function reasonFor(answers: readonly HostAnswer[], hosts: readonly Host[]): Error {
  const errors = answers.flatMap(({ state }) => (state.kind === 'unreachable' ? state.error : []));
  const [first] = errors;
  if (first !== undefined && errors.length === hosts.length && !errors.some(isUnavailable)) return first;
  const states = hosts.map((host) => {
    const answer = answers.find((each) => each.host === host);
    return `${nameOf(host)} ${answer === undefined ? 'does not respond' : wordsFor(answer.state)}`;
  });
  const isReadOnly = answers.some(({ state }) => state.kind !== 'unreachable');
  return new NoPrimaryError(`no host of DATABASE_URL accepts writes: ${states.join(', ')}`, isReadOnly);
}

function wordsFor(state: HostState): string {
  if (state.kind === 'unreachable') return `is unreachable (${causeOf(state.error)})`;
  return { primary: 'is not the current primary', standby: 'is a standby', 'read-only': 'is read-only' }[
    state.kind
  ];
}

/** Node reports a host with several addresses as one error without a text. */
export function causeOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(({ message }) => String(message)).join(', ');
  return error.message;
}
