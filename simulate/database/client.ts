import { ReadOnlyError } from '../../src/db/errors.ts';
import type {
  DirectoryListener,
  FlushPart,
  IngestDatabase,
  IngestNode,
  LaneConnection,
} from '../../src/db/ingest/ingest-database.ts';
import type { Life } from '../life.ts';
import type { DatabaseServer } from './server.ts';

const poolTimeoutMs = 5_000;

/** The database as one process sees it. Replaces what `pg` and src/db do with connections and timeouts. */
export function databaseOf(server: DatabaseServer, life: Life, deadlineMs: number): IngestDatabase {
  const { tables, directory } = server;
  const once = <T>(name: string, work: () => T, timeoutMs = poolTimeoutMs) =>
    new Connection(server, life).query(name, work, timeoutMs);
  const node: IngestNode = {
    address: null,
    openLane: () => laneOf(server, life, deadlineMs),
    probe: () =>
      once('probe', () => undefined, deadlineMs).then(() => {
        if (server.faults.has('read-only')) throw new ReadOnlyError();
      }),
    drain: (leads) => once('drain', () => tables.storeSpooled(leads)),
    findLivingKey: (workspaceId, keyHash, now, onSent) => {
      onSent();
      return once('key', () => tables.findLivingKey(workspaceId, keyHash, now));
    },
  };
  const flushPart: FlushPart = {
    apply: (instanceId, sequence, now, flush) =>
      once('flush', () => tables.applyFlush(instanceId, sequence, now, flush)),
  };
  return {
    nodeOf: () => node,
    probeShard: () => node.probe(),
    quarantine: (lead, reason, refusal, at) =>
      once('quarantine', () => tables.quarantineLead(lead, reason, refusal, new Date(at))),
    readDirectory: (since) => once('directory', () => directory.changesSince(since)),
    readDirectoryRevision: () => once('directory', () => directory.revision),
    openListener: (hooks) => listenerOf(server, life, hooks),
    flushPartOf: () => flushPart,
  };
}

/** Like CommitConnection: discarded after any error but a refusal, then opened again. */
function laneOf(server: DatabaseServer, life: Life, deadlineMs: number): LaneConnection {
  let connection: Connection | null = null;
  return {
    async commit(leads, options) {
      connection ??= new Connection(server, life);
      const work = () => server.tables.ingestCommit(leads, options);
      const used = connection;
      try {
        return await used.query(options.isRetry ? 'commit again' : 'commit', work, deadlineMs);
      } catch (error) {
        if (!('severity' in (error as object)) && connection === used) connection = null;
        throw error;
      }
    },
    async close() {
      connection = null;
    },
  };
}

function listenerOf(
  server: DatabaseServer,
  life: Life,
  { onChange, onEnd }: Parameters<IngestDatabase['openListener']>[0],
): DirectoryListener {
  let close = () => {};
  const ready = new Connection(server, life)
    .query('directory', () => undefined, poolTimeoutMs)
    .then(() => {
      const unlisten = server.listen(() => {
        if (!life.isOver) onChange();
      });
      const disconnect = server.connect(() => {
        close();
        if (!life.isOver) onEnd();
      });
      close = () => {
        unlisten();
        disconnect();
      };
      life.onEnd(close);
    });
  return { ready, close: () => close() };
}

class Connection {
  readonly #server: DatabaseServer;
  readonly #life: Life;

  constructor(server: DatabaseServer, life: Life) {
    this.#server = server;
    this.#life = life;
  }

  /** Rejects when the connection breaks or no result arrives in time. The statement may still take effect, even later. */
  query<T>(name: string, work: () => T, timeoutMs: number): Promise<T> {
    const server = this.#server;
    const life = this.#life;
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (act: () => void) => {
        if (isSettled) return;
        isSettled = true;
        cancel();
        disconnect();
        life.step();
        if (!life.isOver) act();
      };
      const lost = () =>
        settle(() => reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
      const cancel = life.deadline(timeoutMs, () => settle(() => reject(new Error('Query read timeout'))));
      const disconnect = server.connect(lost);
      life.step();
      if (life.isOver) return;
      server.send(
        name,
        work,
        (answer) =>
          settle(() => {
            try {
              resolve(answer());
            } catch (error) {
              reject(error);
            }
          }),
        lost,
      );
    });
  }
}
