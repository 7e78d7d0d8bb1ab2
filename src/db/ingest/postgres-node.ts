import type pg from 'pg';
import { isUnsupported } from '../errors.ts';
import { CommitConnection } from './commit-connection.ts';
import { ingestCommit, notStored } from './ingest-commit.ts';
import type { IngestNode } from './ingest-database.ts';
import { type DrainException, ingestDrain } from './ingest-drain.ts';
import { Probe } from './probe.ts';
import { findOriginals } from './stored-originals.ts';

export interface PostgresNodeDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly deadlineMs: number;
  /** Finds out whether the tables were distributed while we were running. True if they were. */
  readonly isDistributed: () => Promise<boolean>;
}

/** A server whose tables are not distributed. */
export function postgresNode({ databaseUrl, pool, deadlineMs, isDistributed }: PostgresNodeDeps): IngestNode {
  const probe = new Probe({ databaseUrl: () => databaseUrl, timeoutMs: deadlineMs });
  /** When tables were distributed, all leads are elsewhere. */
  const orMoved = async <Exception>(
    stored: Promise<Exception[]>,
    moved: () => Exception[],
  ): Promise<Exception[]> => {
    try {
      return await stored;
    } catch (error) {
      if (isUnsupported(error) && (await isDistributed())) return moved();
      throw error;
    }
  };
  return {
    address: null,
    openLane: () =>
      new CommitConnection({
        databaseUrl: () => databaseUrl,
        deadlineMs,
        commit: (client, leads, options) =>
          orMoved(ingestCommit(client, leads, options), () =>
            leads.map((_, place) => notStored(place, 'moved')),
          ),
      }),
    probe: () => probe.run(),
    drain: (leads) =>
      orMoved(ingestDrain(pool, leads), () =>
        leads.map((_, place): DrainException => ({ place, outcome: 'moved' })),
      ),
    findOriginals: (sought, now, onSent) => findOriginals(pool, sought, now, onSent),
  };
}
