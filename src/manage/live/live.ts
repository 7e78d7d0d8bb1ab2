import type { Logger } from 'pino';
import { everyPart, type WatchedPart } from '../../contract/live/names.ts';
import type { SessionNow } from '../../db/people/sessions.ts';
import type { Role } from '../../domain/role.ts';
import { type Clock, type Loop, secondMs } from '../../time/clock.ts';
import { Problem } from '../calls/problem.ts';
import { ChangeStream, type Watcher } from './change-stream.ts';

export interface LiveDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** A print of each part of a workspace: see db/live/workspace-prints.ts. */
  readonly readPrints: (workspaceId: string) => Promise<Prints>;
  /** Those of these sessions that are still valid, by ID. */
  readonly readSessions: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, SessionNow>>;
}

export type Prints = Readonly<Record<WatchedPart, string>>;

const lookEveryMs = 2 * secondMs;
const sessionsEveryMs = 5 * secondMs;
const beatEveryMs = 15 * secondMs;
export const streamsPerCallerMax = 20;
const streamsMax = 1_000;
// However many are watched, they never take more connections of the pool than this.
const looksAtATimeMax = 2;
const retrySeconds = '30';

interface Watched {
  readonly workspaceId: string;
  readonly streams: Set<ChangeStream>;
  /** As of the last look; null before the first. */
  prints: Prints | null;
  /** The last look failed, so what changed since the one before cannot be told from these prints alone. */
  isUncertain: boolean;
  looking: Promise<void> | null;
}

/**
 * Tells open streams what changed. A workspace is watched while a stream asks for it, by one query every two seconds, however
 * many streams there are. A stream is
 *
 * opening  registered, so that nothing is missed from here on, and waiting for the first look at its workspaces
 * open     from `in_step` on. While the database is unavailable it stays open; afterwards it is told that anything may have changed
 * ended    when its reader has left, its session or one of its roles has ended, or the service stops
 *
 * The loops run exactly while there are streams.
 */
export class Live {
  readonly #deps: LiveDeps;
  /** Each with what releases its signals. */
  readonly #streams = new Map<ChangeStream, () => void>();
  readonly #watched = new Map<string, Watched>();
  /** What the last reading of each stream's session said. */
  readonly #meOf = new WeakMap<ChangeStream, string>();
  #loops: readonly Loop[] = [];
  #isStopping = false;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Resolves when the stream is in step. It ends when one of the signals is aborted. */
  async open(
    watcher: Watcher,
    left: readonly (AbortSignal | undefined)[],
  ): Promise<ReadableStream<Uint8Array>> {
    this.#requirePlace(watcher.who);
    const stream = new ChangeStream(watcher, () => this.#end(stream));
    const end = () => this.#end(stream);
    for (const signal of left) signal?.addEventListener('abort', end);
    this.#add(stream, () => {
      for (const signal of left) signal?.removeEventListener('abort', end);
    });
    try {
      await Promise.all([
        ...this.#watchedBy(stream).map((watched) => this.#lookOnce(watched)),
        this.#readSessionsOf([stream]),
      ]);
    } catch (error) {
      end();
      throw error;
    }
    stream.tell('in_step');
    if (left.some((signal) => signal?.aborted)) end();
    return stream.body;
  }

  /** Ends all streams now, so that the listener need not wait for them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const loops = this.#loops;
    for (const stream of this.#streams.keys()) this.#end(stream);
    await Promise.all(loops.map((loop) => loop.stop()));
  }

  #requirePlace(who: string): void {
    if (this.#isStopping || this.#streams.size >= streamsMax) {
      throw new Problem(
        'unavailable',
        'The service cannot keep more streams open. Read what you need every few seconds instead.',
        {
          headers: { 'retry-after': retrySeconds },
        },
      );
    }
    const own = this.#streams.keys().filter((stream) => stream.who === who);
    if (own.toArray().length >= streamsPerCallerMax) {
      throw new Problem(
        'too_many_in_progress',
        `You can have ${streamsPerCallerMax} streams open at a time. Close one of them.`,
        {
          headers: { 'retry-after': retrySeconds },
        },
      );
    }
  }

  #add(stream: ChangeStream, detach: () => void): void {
    this.#streams.set(stream, detach);
    for (const workspaceId of stream.workspaceIds) {
      const watched = this.#watched.get(workspaceId) ?? newWatched(workspaceId);
      this.#watched.set(workspaceId, watched);
      watched.streams.add(stream);
    }
    if (this.#streams.size === 1) this.#loops = this.#startLoops();
  }

  #end(stream: ChangeStream): void {
    stream.end();
    this.#streams.get(stream)?.();
    if (!this.#streams.delete(stream)) return;
    for (const watched of this.#watchedBy(stream)) {
      watched.streams.delete(stream);
      if (watched.streams.size === 0) this.#watched.delete(watched.workspaceId);
    }
    if (this.#streams.size > 0) return;
    for (const loop of this.#loops) void loop.stop();
    this.#loops = [];
  }

  #watchedBy(stream: ChangeStream): Watched[] {
    return stream.workspaceIds.flatMap((id) => this.#watched.get(id) ?? []);
  }

  #startLoops(): Loop[] {
    const { clock, log } = this.#deps;
    const onFailure = (error: unknown) =>
      log.warn({ err: error }, 'changes cannot be read, so streams are silent');
    const options = { pauseFirst: true, onFailure };
    return [
      clock.repeat(() => this.#lookAtAll(), { ...options, pauseMs: lookEveryMs }),
      clock.repeat(() => this.#readSessionsOf([...this.#streams.keys()]), {
        ...options,
        pauseMs: sessionsEveryMs,
      }),
      clock.repeat(() => this.#beat(), { ...options, pauseMs: beatEveryMs }),
    ];
  }

  #beat(): void {
    for (const stream of this.#streams.keys()) stream.beat();
  }

  async #lookAtAll(): Promise<void> {
    const waiting = [...this.#watched.values()];
    const lane = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await this.#look(next);
    };
    await Promise.all(Array.from({ length: looksAtATimeMax }, lane));
  }

  async #lookOnce(watched: Watched): Promise<void> {
    if (watched.prints === null) await this.#look(watched);
  }

  #look(watched: Watched): Promise<void> {
    watched.looking ??= this.#compare(watched).finally(() => {
      watched.looking = null;
    });
    return watched.looking;
  }

  async #compare(watched: Watched): Promise<void> {
    const { prints: before, isUncertain, workspaceId, streams } = watched;
    watched.isUncertain = true;
    const prints = await this.#deps.readPrints(workspaceId);
    watched.prints = prints;
    watched.isUncertain = false;
    if (before === null) return;
    const changed = everyPart.filter((part) => isUncertain || prints[part] !== before[part]);
    for (const stream of streams) stream.tellChanged(workspaceId, changed);
  }

  /** One query for all. A stream whose session has ended, or that has lost a role, ends; others are told what they lost or gained. */
  async #readSessionsOf(streams: readonly ChangeStream[]): Promise<void> {
    const ids = new Set(streams.map(({ sessionId }) => sessionId).filter((id) => id !== null));
    if (ids.size === 0) return;
    const sessions = await this.#deps.readSessions([...ids]);
    for (const stream of streams) {
      if (stream.sessionId !== null) this.#review(stream, sessions.get(stream.sessionId));
    }
  }

  #review(stream: ChangeStream, session: SessionNow | undefined): void {
    const roles = rolesNow(stream, session);
    if (roles === null) {
      stream.tell('me');
      this.#end(stream);
      return;
    }
    stream.setRoles(roles);
    const me = session?.print ?? '';
    const before = this.#meOf.get(stream);
    this.#meOf.set(stream, me);
    if (before !== undefined && before !== me) stream.tell('me');
  }
}

function newWatched(workspaceId: string): Watched {
  return { workspaceId, streams: new Set(), prints: null, isUncertain: false, looking: null };
}

/** Null when one is missing. */
function rolesNow(stream: ChangeStream, session: SessionNow | undefined): ReadonlyMap<string, Role> | null {
  const roles = new Map<string, Role>();
  for (const id of stream.workspaceIds) {
    const role = session?.roles[id];
    if (role === undefined) return null;
    roles.set(id, role);
  }
  return roles;
}
