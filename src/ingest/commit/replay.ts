import type { IngestDatabase } from '../../db/ingest/ingest-database.ts';
import type { Clock } from '../../time/clock.ts';
import type { Outcome } from '../respond.ts';
import type { Spool } from '../spool/spool.ts';
import type { KeyedBodyRejection } from '../submission.ts';
import type { Circuit } from './circuit.ts';

export interface ReplayDeps {
  readonly database: Pick<IngestDatabase, 'findLivingKey'>;
  readonly spool: Spool;
  readonly circuit: Circuit;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

interface KnownKey {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
}

/** Asks for the key that a body which cannot be stored came with: its sender may have got a 202 for it before. */
export async function replayOr(rejection: KeyedBodyRejection, deps: ReplayDeps): Promise<Outcome> {
  const { sender, key } = rejection;
  const known = await findKey(rejection, deps);
  if (known === 'unavailable') return { sender, outcome: { kind: 'unavailable' } };
  if (known === null) return rejection;
  const isSameBody = known.bodyHash.equals(key.bodyHash);
  return { sender, outcome: { kind: 'replayed', submissionId: known.submissionId, isSameBody } };
}

/**
 * Whether a key was used cannot be guessed: while PostgreSQL is away the sender gets no answer and tries again. A
 * server that was asked and does not answer in time is away: other questions would only wait behind this one.
 */
async function findKey(
  { sender, key }: KeyedBodyRejection,
  { database, spool, circuit, clock, deadlineMs }: ReplayDeps,
): Promise<KnownKey | null | 'unavailable'> {
  const held = await spool.findKey(sender.workspace.idBytes, key);
  if (held?.key) return { submissionId: held.submissionId, bodyHash: held.key.bodyHash };
  if (circuit.isOpen) return 'unavailable';
  let isAsked = false;
  const onSent = () => {
    isAsked = true;
  };
  const found = database
    .findLivingKey(sender.workspace.id, key.hash, clock.now(), onSent)
    .catch(() => 'unavailable' as const);
  const answer = await Promise.race([found, lateAfter(deadlineMs, clock)]);
  if (answer !== late) return answer;
  if (isAsked) circuit.trip(new Error('a known key could not be confirmed in time'));
  return 'unavailable';
}

const late = Symbol('late');

function lateAfter(ms: number, clock: Clock): Promise<typeof late> {
  return new Promise((resolve) => clock.deadline(ms, () => resolve(late)));
}
