import { pino } from 'pino';
import { encodedColumns, type StorableLead } from '../../../src/db/ingest/ingest-commit.ts';
import type { CommitResult } from '../../../src/ingest/commit/commit-result.ts';
import { Lane, type LaneDeps } from '../../../src/ingest/commit/lane/lane.ts';
import { fallbackScore } from '../../../src/ingest/commit/score.ts';
import type { Submission } from '../../../src/ingest/commit/submission.ts';
import { systemClock } from '../../../src/time/real-clock.ts';

export interface Told {
  readonly submission: Submission;
  readonly result: Promise<CommitResult>;
}

/** The parts of a submission that a lane uses. */
export function submissionOf(lead: Partial<StorableLead> = {}, score?: () => never): Told {
  const id = Buffer.alloc(16, 1);
  const scored: StorableLead = {
    shard: 0,
    workspaceId: id,
    formId: id,
    tokenId: null,
    surface: 'server',
    submissionId: crypto.randomUUID(),
    receivedAt: 1_700_000_000_000,
    body: Buffer.from('{}'),
    projection: Buffer.from('{}'),
    score: fallbackScore,
    key: null,
    signed: null,
    ...lead,
  };
  const told = Promise.withResolvers<CommitResult>();
  const submission = { lead: scored, score: score ?? (() => scored), settle: told.resolve };
  return { submission: submission as unknown as Submission, result: told.promise };
}

/** A lane on a database that accepts everything, with `giveUp` in place of the spool. */
export function newLane(giveUp: (submission: Submission) => void, further: Partial<LaneDeps> = {}): Lane {
  const commit = async (leads: readonly StorableLead[]) => {
    encodedColumns(leads);
    return [];
  };
  return new Lane({
    node: { openLane: () => ({ commit, close: async () => {} }) },
    clock: systemClock,
    log: pino({ level: 'silent' }),
    meter: { onCommit() {} },
    deadlineMs: 750,
    batchBytesMax: 1_000_000,
    nextId: () => '',
    onUnreachable: () => {},
    reroute: () => {},
    onClosed: () => {},
    giveUp,
    ...further,
  });
}

export const spooled: CommitResult = { kind: 'stored', submissionId: 'spooled' };
